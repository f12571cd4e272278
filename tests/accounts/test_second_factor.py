"""The second factor without a browser: it is asked for at every door, and its pages are ours."""

from __future__ import annotations

import json

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, generate_totp_secret, hotp_value
from allauth.mfa.totp.internal.auth import yield_hotp_counters_from_time as counters
from django.core import mail
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from accounts.people.models import User
from tests.conftest import PASSWORD

PAGES = ("mfa_index", "mfa_activate_totp", "mfa_add_webauthn", "mfa_list_webauthn", "usersessions_list")


def code_of(secret: str) -> str:
    _early, now, _late = counters()
    return str(format_hotp_value(hotp_value(secret, now)))


def log_in(client: Client, user: User, path: str = "") -> str:
    """With the password; where that leads."""
    answer = client.post(reverse("account_login"), {"login": user.username, "password": PASSWORD, "next": path})
    assert answer.status_code == 302
    return str(answer.headers["Location"])


@pytest.fixture
def secret(alice: User) -> str:
    """Alice's app is set up."""
    made = generate_totp_secret()
    TOTP.activate(alice, made)
    RecoveryCodes.activate(alice)
    return str(made)


def test_the_password_alone_is_half_a_log_in(client: Client, alice: User, secret: str) -> None:
    assert log_in(client, alice) == reverse("mfa_authenticate")
    assert client.get(reverse("settings")).status_code == 302
    wrong = client.post(reverse("mfa_authenticate"), {"code": "000000"})
    assert "That is not right." in wrong.content.decode()
    assert client.get(reverse("settings")).status_code == 302
    client.post(reverse("mfa_authenticate"), {"code": code_of(secret)})
    assert client.get(reverse("settings")).status_code == 200


def test_a_code_is_good_once_and_so_is_a_recovery_code(alice: User, secret: str) -> None:
    code = code_of(secret)
    recovery = Authenticator.objects.get(user=alice, type="recovery_codes").wrap().get_unused_codes()[0]
    for given, lets_in in ((code, True), (code, False), (recovery, True), (recovery, False)):
        client = Client()
        log_in(client, alice)
        client.post(reverse("mfa_authenticate"), {"code": given})
        assert (client.get(reverse("settings")).status_code == 200) is lets_in, given


@pytest.mark.django_db(transaction=True)
def test_a_recovery_code_that_was_used_is_told_with_how_many_are_left(client: Client, alice: User, secret: str) -> None:
    EmailAddress.objects.create(user=alice, email=alice.email, primary=True)
    codes = Authenticator.objects.get(user=alice, type="recovery_codes").wrap().get_unused_codes()
    log_in(client, alice)
    page = client.post(reverse("mfa_authenticate"), {"code": codes[0]}, follow=True).content.decode()
    assert f"You have used a recovery code: {len(codes) - 1} are left." in page
    assert [message.subject for message in mail.outbox] == ["Tesela: A recovery code was used"]
    assert f"{len(codes) - 1} are left" in mail.outbox[0].body
    assert codes[1] not in mail.outbox[0].body
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    kept = client.get(reverse("mfa_download_recovery_codes")).content.decode()
    assert "Tesela (testserver): recovery codes of alice" in kept
    assert codes[1] in kept
    assert codes[0] not in kept


def test_a_code_of_the_app_is_no_news_and_passkeys_are_offered_to_who_has_one(
    client: Client, alice: User, secret: str
) -> None:
    EmailAddress.objects.create(user=alice, email=alice.email, primary=True)
    log_in(client, alice)
    assert "Use a passkey" not in client.get(reverse("mfa_authenticate")).content.decode()
    page = client.post(reverse("mfa_authenticate"), {"code": code_of(secret)}, follow=True).content.decode()
    assert "recovery code" not in page
    assert mail.outbox == []


def test_the_administration_asks_for_it_too(client: Client, mod: User) -> None:
    """There is no other door to it than the site's log-in."""
    TOTP.activate(mod, secret := generate_totp_secret())
    door = client.get(reverse("admin:index"), follow=True)
    assert door.redirect_chain[-1][0].startswith(reverse("account_login"))
    assert log_in(client, mod, reverse("admin:index")) == reverse("mfa_authenticate")
    assert client.get(reverse("admin:index")).status_code == 302
    answer = client.post(reverse("mfa_authenticate"), {"code": code_of(secret)})
    assert answer.headers["Location"] == reverse("admin:index")
    assert client.get(reverse("admin:index")).status_code == 200


def test_guessing_is_limited(client: Client, alice: User, secret: str) -> None:
    log_in(client, alice)
    answers = [client.post(reverse("mfa_authenticate"), {"code": "000000"}).content.decode() for _ in range(12)]
    assert "Too many failed tries." in answers[-1]
    client.post(reverse("mfa_authenticate"), {"code": code_of(secret)})
    assert client.get(reverse("settings")).status_code == 302


def test_a_new_password_does_not_go_round_it(client: Client, alice: User, secret: str) -> None:
    client.post(reverse("account_reset_password"), {"email": alice.email})
    link = next(word for word in mail.outbox[0].body.split() if "/reset/key/" in word)
    form = client.get(link, follow=True)
    new = "another tile entirely"
    client.post(form.redirect_chain[-1][0], {"password1": new, "password2": new})
    assert client.get(reverse("settings")).status_code == 302
    client.post(reverse("mfa_authenticate"), {"code": code_of(secret)})
    assert client.get(reverse("settings")).status_code == 200


@pytest.mark.django_db(transaction=True)
def test_setting_up_needs_the_password_once_more_and_is_told_by_mail(client: Client, alice: User) -> None:
    EmailAddress.objects.create(user=alice, email=alice.email, primary=True)
    client.force_login(alice)
    setup = reverse("mfa_activate_totp")
    assert client.get(setup).headers["Location"].startswith(reverse("account_reauthenticate"))
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    page = client.get(setup)
    text = page.content.decode()
    assert '<svg class="qr"' in text
    assert "data:" not in text
    shown = page.context["form"].secret
    assert f"{shown[:4]} {shown[4:8]} " in text
    assert f'href="otpauth://totp/alice?secret={shown}&amp;' in text
    refused = client.post(setup, {"code": "12"})
    assert "That is not right." in refused.content.decode()
    done = client.post(setup, {"code": code_of(shown)}, follow=True)
    codes = Authenticator.objects.get(user=alice, type="recovery_codes").wrap().get_unused_codes()
    assert all(code in done.content.decode() for code in codes)
    assert [message.subject for message in mail.outbox] == ["Tesela: Your second factor is switched on"]


@pytest.mark.parametrize("name", PAGES)
def test_pages_are_in_the_house_and_have_no_scripts_in_them(client: Client, alice: User, name: str) -> None:
    log_in(client, alice)
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    answer = client.get(reverse(name))
    page = answer.content.decode()
    assert answer.status_code == 200
    assert 'class="masthead"' in page
    assert all("src=" in tag for tag in page.split("<script")[1:])
    assert " style=" not in page


def test_the_administration_removes_a_factor_and_shows_no_secret(
    client: Client, alice: User, mod: User, secret: str
) -> None:
    mod.is_superuser = True
    mod.save()
    client.force_login(mod)
    found = Authenticator.objects.get(user=alice, type="totp")
    assert "alice" in client.get("/admin/mfa/authenticator/").content.decode()
    for page in ("", f"{found.pk}/change/", f"{found.pk}/delete/"):
        answer = client.get(f"/admin/mfa/authenticator/{page}")
        assert answer.status_code == 200, page
        assert secret not in answer.content.decode(), page
    assert client.get("/admin/mfa/authenticator/?data__startswith=x", follow=True).status_code in (200, 400)
    client.post(f"/admin/mfa/authenticator/{found.pk}/delete/", {"post": "yes"})
    assert not Authenticator.objects.filter(pk=found.pk).exists()
    assert client.get("/admin/usersessions/usersession/").status_code == 404


def test_odd_passkeys_are_refused(client: Client, alice: User) -> None:
    door = reverse("mfa_login_webauthn")
    assert client.get(door).status_code == 302
    options = client.get(door, headers={"Accept": "application/json"}).json()
    assert options["request_options"]["publicKey"]["challenge"]
    log_in(client, alice)
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    assert client.get(reverse("mfa_add_webauthn")).status_code == 200
    of_login = {"clientDataJSON": "bnVsbA", "authenticatorData": "AA" * 40, "signature": "AA", "userHandle": "MQ"}
    odd = [
        *("", "{}", "[]", "null", '"x"', "1", '{"id": 1}', "{" * 500, "\0", '"\\u0000"', '{"\\ud800": 1}'),
        *(json.dumps({"response": response}) for response in (None, "x", {"userHandle": "!"}, {"userHandle": 5})),
        json.dumps({"id": "AA", "rawId": "AA", "type": "public-key", "response": {"userHandle": "AA"}}),
        json.dumps({"id": "AA", "rawId": "AA", "type": "public-key", "response": of_login}),
    ]
    for credential in odd:
        cache.clear()  # the limit on tries is another test's
        guest = Client()
        guest.get(door, headers={"Accept": "application/json"})
        assert guest.post(door, {"credential": credential}).status_code < 500, credential
        assert guest.get(reverse("settings")).status_code == 302
        client.get(reverse("mfa_add_webauthn"))
        added = client.post(reverse("mfa_add_webauthn"), {"name": "x", "credential": credential})
        assert added.status_code < 500, credential
    assert not Authenticator.objects.exists()
