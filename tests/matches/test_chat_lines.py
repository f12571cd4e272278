"""What is said: cleaned, numbered, once for each key, not too often, and by whom it may be."""

from __future__ import annotations

import logging
from typing import Any

import pytest
from django.test import override_settings

from accounts.people.models import User
from games.matches.callers import Caller
from games.matches.errors import (
    BadInput,
    KeyReused,
    NotFound,
    NotLoggedIn,
    NotYourRoom,
    Refused,
    WritesTooFast,
)
from games.matches.models import ChatLine, Match
from games.matches.services import chat
from games.matches.services.chat import clean_line
from games.matches.services.tables import join_table, leave_table
from tests.matches.chatting import say, texts_of
from tests.matches.conftest import START, frozen, sit_down

# The text


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        ("Hello", "Hello"),
        ("  two   blanks\tand a tab ", "two blanks and a tab"),
        ("first\nsecond\r\nthird\u2028fourth\u2029fifth\x0bsixth\x85end", "first second third fourth fifth sixth end"),
        ("a\x00b\x07c\x1b[31md\x7f", "abc[31md"),
        ("\u202eevil\u202c and \u2066more\u2069\u200f", "evil and more"),
        ("zero\u200bwidth\ufeff", "zerowidth"),
        ("half \ud83d a pair", "half a pair"),
        ("e\u0301", "é"),
        ("Z" + "\u0351" * 50, "Z" + "\u0351" * 3),
        ("Z" + "\u0351\u0352\u200d" * 50 + "a", "Z\u0351\u0352\u200d\u0351a"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("👩\u200d👩\u200d👧", "👩\u200d👩\u200d👧"),
        ("<b>bold</b> & http://example.org/", "<b>bold</b> & http://example.org/"),
        ("你好，世界", "你好，世界"),
        ("x" * 300, "x" * 300),
        ("  " + "x" * 300 + "\n\n", "x" * 300),
    ],
)
def test_lines_are_cleaned(typed: str, stored: str) -> None:
    assert clean_line(typed) == stored


@pytest.mark.parametrize(
    "blank", ["", " ", "\n\t\r\n", "\u200b", "\u202e\u202c", "\x00", "\u3164\u2800", "\u0301", "\u200d"]
)
def test_blank_lines_are_refused(blank: str) -> None:
    with pytest.raises(BadInput) as refused:
        clean_line(blank)
    assert refused.value.params["what"] == "blank-line"


@pytest.mark.parametrize("length", [301, 4000, 4001, 1_000_000])
def test_long_lines_are_refused_not_cut(length: int) -> None:
    with pytest.raises(BadInput) as refused:
        clean_line("x" * length)
    assert refused.value.params["what"] == "long-line"


# Saying it


@pytest.mark.django_db
def test_a_line_is_numbered_in_its_room_and_changes_nothing_of_the_match(alice: User, bob: User, mallory: User) -> None:
    match = sit_down(alice, bob)
    before = frozen(match)
    lines = [
        say(match, alice, "one"),
        say(match, bob, "two"),
        say(match, mallory, "I see", room="spectators"),
        say(match, alice, "three"),
    ]
    assert [(line.room, line.number, line.text, line.created_at) for line in lines] == [
        ("players", 1, "one", START),
        ("players", 2, "two", START),
        ("spectators", 1, "I see", START),
        ("players", 3, "three", START),
    ]
    assert frozen(match) == before, "neither version nor revision, and nothing of a seat"


@pytest.mark.django_db
def test_who_may_not_write_is_refused(alice: User, bob: User, carol: User, mallory: User) -> None:
    public = sit_down(alice, bob)
    private = sit_down(alice, bob, public=False)
    cases: list[tuple[Match, User | None, str, bool, type[Refused]]] = [
        (public, None, "spectators", False, NotLoggedIn),
        (public, None, "players", False, NotLoggedIn),
        (public, mallory, "players", False, NotYourRoom),
        (public, alice, "spectators", False, NotYourRoom),
        (public, alice, "", False, BadInput),
        (public, alice, "everybody", False, BadInput),
        (private, mallory, "spectators", False, NotFound),
        (private, mallory, "players", False, NotFound),
        (private, mallory, "everybody", False, NotFound),
        (private, carol, "players", True, NotYourRoom),
        (private, None, "spectators", True, NotLoggedIn),
    ]
    for match, user, room, invited, refusal in cases:
        with pytest.raises(refusal):
            say(match, user, "let me in", room=room, invited=invited)
    with pytest.raises(NotFound):
        say(Match(slug="nosuchmatch"), alice, "hello")
    assert not ChatLine.objects.exists()
    assert say(private, carol, "thanks", room="spectators", invited=True).number == 1


@pytest.mark.django_db
def test_who_sits_down_writes_among_the_players_and_who_gets_up_does_not(alice: User, bob: User) -> None:
    table = sit_down(alice, seats=3, start=False)
    say(table, bob, "may I?", room="spectators")
    join_table(slug=table.slug, caller=Caller(bob), index=None, moment=START)
    say(table, bob, "here I am")
    with pytest.raises(NotYourRoom):
        say(table, bob, "still there?", room="spectators")
    leave_table(slug=table.slug, caller=Caller(bob), moment=START)
    with pytest.raises(NotYourRoom):
        say(table, bob, "and now?")


@pytest.mark.django_db
def test_same_key_is_the_same_line(alice: User, bob: User) -> None:
    """A page that got no answer asks again; another line with the key is no repetition. Keys are each person's own."""
    match = sit_down(alice, bob)
    first = say(match, alice, "hello", key="k1")
    assert say(match, alice, "hello", key="k1") == first
    assert say(match, alice, " hello\n", key="k1") == first, "the same once it is cleaned"
    with pytest.raises(KeyReused):
        say(match, alice, "good bye", key="k1")
    assert say(match, bob, "hello", key="k1") != first
    assert texts_of(match) == ["hello", "hello"]
    say(match, alice, "again")
    say(match, alice, "again")
    assert texts_of(match)[2:] == ["again", "again"], "no key, no repetition"


@pytest.mark.django_db
@pytest.mark.parametrize("key", ["x" * 65, "k 1", "\0", "\ud800", "é", "k\n"])
def test_a_damaged_key_is_refused(alice: User, bob: User, key: str) -> None:
    with pytest.raises(BadInput):
        say(sit_down(alice, bob), alice, "hello", key=key)


@pytest.mark.django_db
def test_lines_are_limited_for_each_person_over_all_matches(alice: User, bob: User) -> None:
    match, other = sit_down(alice, bob), sit_down(alice, bob)
    for number in range(5):
        say(match if number % 2 else other, alice, f"line {number}", key=f"k{number}")
    with pytest.raises(WritesTooFast):
        say(match, alice, "one more")
    assert say(match, alice, "line 1", key="k1").number, "what is stored already is answered all the same"
    say(match, bob, "I have said little")
    assert ChatLine.objects.count() == 6


@pytest.mark.django_db
def test_lines_are_limited_in_the_long_run_too(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    with override_settings(ACCOUNT_RATE_LIMITS={"chat": "100/10s/user,7/5m/user"}):
        for number in range(7):
            say(match, alice, f"line {number}")
        with pytest.raises(WritesTooFast):
            say(match, alice, "one more")


@pytest.mark.django_db
def test_refused_lines_do_not_count(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    for _ in range(10):
        with pytest.raises(BadInput):
            say(match, alice, " ")
    say(match, alice, "hello")


@pytest.mark.django_db(transaction=True)
def test_announcement_comes_after_the_commit_and_tells_nothing(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[dict[str, Any]] = []
    monkeypatch.setattr(chat, "announce_line", lambda **said: told.append(said))
    match = sit_down(alice, bob)
    say(match, alice, "a secret", key="k")
    say(match, alice, "a secret", key="k")
    assert told == [{"slug": match.slug, "room": "players"}]


@pytest.mark.django_db
def test_bots_and_records_know_nothing_of_it(alice: User, bob: User) -> None:
    """A bot gets a view of the position, and the position is what it was; so is the record."""
    match = sit_down(alice, bots=1)
    with_chat = sit_down(alice, bots=1)
    stored = dict(Match.objects.filter(pk=with_chat.pk).values()[0])
    say(with_chat, alice, "what will you do, bot?")
    assert dict(Match.objects.filter(pk=with_chat.pk).values()[0]) == stored
    assert match.lines.count() == 0


@pytest.mark.django_db
def test_no_text_of_the_chat_stands_in_the_log(alice: User, bob: User, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    logging.getLogger("django.db.backends").setLevel(logging.INFO)  # with DEBUG off it says nothing of queries
    match = sit_down(alice, bob)
    line = say(match, alice, "between us only", key="k")
    with pytest.raises(KeyReused):
        say(match, alice, "between us alone", key="k")
    for text in ("between us" * 200, "between us"):
        with pytest.raises(Refused):
            say(match, alice, text, room="spectators")
    assert "between us" not in caplog.text
    assert "between us" not in str(line)


@pytest.mark.django_db
def test_lines_of_a_deleted_account_stay_without_a_name(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    say(match, bob, "farewell")
    bob.delete()
    assert [(line.text, line.user) for line in match.lines.all()] == [("farewell", None)]
