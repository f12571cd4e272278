"""Names that people choose: what may be one, and that no name harms a page."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError
from django.template import Context, Template
from django.test import Client
from django.urls import reverse

from accounts.people.models import User
from accounts.people.names import clean_display_name, isolated_name, shown_name
from games.matches.services.tables import BOT_NAME

HOSTILE = "<svg onload=alert(1)>"
OVERRIDE = "Bob\u202egnp.exe"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("  Alice   A. ", "Alice A."),
        ("Jose\u0301", "José"),
        ("小明", "小明"),
        ("שלום", "שלום"),
        (HOSTILE, HOSTILE),
        ("👨\u200d👩\u200d👧", "👨\u200d👩\u200d👧"),
        ("\u2764\ufe0f 1\ufe0f\u20e3", "\u2764\ufe0f 1\ufe0f\u20e3"),
        ("\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"),
        ("\u0915\u094d\u200d\u0937", "\u0915\u094d\u200d\u0937"),
        ("\u05e9\u05c1\u05bc\u05b8\u05dc\u05d5\u05b9\u05dd", "\u05e9\u05b8\u05bc\u05c1\u05dc\u05d5\u05b9\u05dd"),
        ("\u1000\u103b\u103d\u1014\u103a\u102f\u1015\u103a", "\u1000\u103b\u103d\u1014\u103a\u102f\u1015\u103a"),
        ("Bottom", "Bottom"),
        ("Bot 2", "Bot 2"),
        ("%s {{ 7|add:7 }} & 'x'", "%s {{ 7|add:7 }} & 'x'"),
    ],
)
def test_any_text_that_can_be_seen_is_a_name(text: str, name: str) -> None:
    assert clean_display_name(text) == name


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "empty"),
        ("   ", "empty"),
        ("\u200b\u200d", "empty"),
        ("\u3164", "empty"),
        ("\u00a0\u2003", "empty"),
        ("a\nb", "control"),
        ("a\x00b", "control"),
        ("a\u2028b", "control"),
        ("a\ud800b", "control"),
        (OVERRIDE, "bidi"),
        ("a\u2066b", "bidi"),
        ("x" * 41, "long"),
        ("Al\u200bice", "hidden"),
        ("Al\u00adice", "hidden"),
        ("Alice\u2060", "hidden"),
        ("\ufeffAlice", "hidden"),
        ("Alice\U000e0041", "hidden"),
        ("\u200dAlice", "hidden"),
        ("Alice\u200d", "hidden"),
        ("Al\u200d\u200dice", "hidden"),
        ("Al\u200d \u200dice", "hidden"),
        ("Z\u0335\u0336\u0337\u0338lgo", "marks"),
        ("Z" + "\u0335\u0336\u200d" * 3 + "lgo", "marks"),
        ("Bot", "kept"),
        (" bOT ", "kept"),
        ("\uff22\uff4f\uff54", "kept"),
    ],
)
def test_a_name_that_hides_or_reorders_is_refused(text: str, code: str) -> None:
    with pytest.raises(ValidationError) as refusal:
        clean_display_name(text)
    assert refusal.value.code == code


def test_nobody_is_called_as_bots_are(client: Client, alice: User) -> None:
    with pytest.raises(ValidationError):
        clean_display_name(BOT_NAME)
    client.force_login(alice)
    form = {"display_name": BOT_NAME, "confirm_moves": "auto"}
    response = client.post(reverse("settings"), form)
    assert response.status_code == 422
    assert "Bots are called that" in response.content.decode()


def test_a_stored_name_that_reorders_text_is_shown_without_its_controls() -> None:
    """Rows and records that never passed our form are shown all the same."""
    assert shown_name("a\u202eb\u2069c\nd") == "abcd"
    assert isolated_name(OVERRIDE) == "\u2068Bobgnp.exe\u2069"


def test_the_filters_escape_and_isolate() -> None:
    page = Template("{% load names %}{{ user|display_name }}|<b title='{{ user|plain_name }}'>|{{ 'x'|display_name }}")
    shown = page.render(Context({"user": User(display_name=HOSTILE)}))
    escaped = "&lt;svg onload=alert(1)&gt;"
    assert shown == f"<bdi>{escaped}</bdi>|<b title='\u2068{escaped}\u2069'>|<bdi>x</bdi>"


@pytest.mark.parametrize("name", [HOSTILE, OVERRIDE, "'\"><script>", "{{ name }}", "\u2069\u202e"])
def test_every_page_of_an_account_survives_any_stored_name(client: Client, alice: User, name: str) -> None:
    User.objects.filter(pk=alice.pk).update(display_name=name)
    client.force_login(alice)
    for page in ("settings", "account_email", "account_change_password", "account_logout"):
        content = client.get(reverse(page)).content.decode()
        assert "<svg onload" not in content
        assert "<script>" not in content
        frame = content.partition("</header>")[0]
        assert "\u202e" not in frame, "the fields of a form show a name as it is"
