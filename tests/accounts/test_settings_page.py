"""The page of one's own settings, and the admin's of all people."""

from __future__ import annotations

import pytest
from allauth.account.models import EmailAddress
from django.test import Client
from django.urls import reverse

from accounts.people.models import User

FORM = {"display_name": "Queen  Alice", "confirm_moves": "always", "language": "en"}


@pytest.mark.django_db
def test_strangers_are_asked_to_log_in(client: Client) -> None:
    for response in (client.get(reverse("settings")), client.post(reverse("settings"), FORM)):
        assert response.headers["Location"] == f"{reverse('account_login')}?next={reverse('settings')}"


def test_settings_are_kept(client: Client, alice: User) -> None:
    client.force_login(alice)
    response = client.post(reverse("settings"), FORM, follow=True)
    assert "Saved." in response.content.decode()
    alice.refresh_from_db()
    assert (alice.display_name, alice.confirm_moves, alice.sound) == ("Queen Alice", "always", False)
    page = client.get(reverse("settings")).content.decode()
    assert 'value="Queen Alice"' in page


@pytest.mark.parametrize("wrong", [{"display_name": ""}, {"display_name": "a\u202eb"}, {"confirm_moves": "perhaps"}])
def test_wrong_settings_are_refused_with_a_reason(client: Client, alice: User, wrong: dict[str, str]) -> None:
    client.force_login(alice)
    response = client.post(reverse("settings"), FORM | wrong)
    assert response.status_code == 422
    assert "errorlist" in response.content.decode()
    alice.refresh_from_db()
    assert alice.display_name == "Alice"


@pytest.mark.parametrize("taken", ["Bob", "bOB", "Ｂｏｂ", "the-bob"])
def test_name_of_somebody_else_is_refused_and_the_own_one_stays(
    client: Client, alice: User, bob: User, taken: str
) -> None:
    User.objects.filter(pk=bob.pk).update(username="the-bob")
    client.force_login(alice)
    response = client.post(reverse("settings"), FORM | {"display_name": taken})
    assert response.status_code == 422
    assert "Somebody is already called that" in response.content.decode()
    alice.refresh_from_db()
    assert alice.display_name == "Alice"
    # Whoever had the same name before keeps it, and may change the rest; one's own login name is free.
    User.objects.filter(pk=alice.pk).update(display_name="Bob")
    for own in ("Bob", "ALICE"):
        assert client.post(reverse("settings"), FORM | {"display_name": own}).status_code == 302


def test_the_page_says_whether_the_address_is_confirmed_and_leads_to_it(client: Client, alice: User) -> None:
    client.force_login(alice)
    page = client.get(reverse("settings")).content.decode()
    assert "(not confirmed yet)" in page
    assert "Confirm it" in page
    assert 'name="action_send"' in client.get(reverse("account_email")).content.decode()
    EmailAddress.objects.filter(user=alice, email=alice.email).update(verified=True)
    for response in (client.get(reverse("settings")), client.post(reverse("settings"), FORM | {"display_name": ""})):
        page = response.content.decode()
        assert "(confirmed)" in page
        assert "Confirm it" not in page


def test_the_admin_finds_people_by_what_they_are_called(client: Client, alice: User, bob: User, mod: User) -> None:
    mod.is_superuser = True
    mod.save()
    client.force_login(mod)
    User.objects.filter(pk=bob.pk).update(display_name="<svg onload=alert(1)>")
    found = client.get(reverse("admin:people_user_changelist"), {"q": "onload"}).content.decode()
    assert "bob@example.org" in found
    assert "alice@example.org" not in found
    assert "<svg onload" not in found
    assert client.get(reverse("admin:people_user_change", args=[bob.pk])).status_code == 200
    assert client.get(reverse("admin:people_user_add")).status_code == 200
