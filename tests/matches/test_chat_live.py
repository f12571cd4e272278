"""How a line comes to those who may read it: by page, socket, form and poll, each line once, and to nobody else."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.db import connection
from django.test import override_settings
from django.test.utils import CaptureQueriesContext

from accounts.people.models import User
from accounts.people.services import block_person, mute_person, unmute_person
from games.matches.callers import Caller
from games.matches.models import ChatLine, Match
from games.matches.services import acts, chat
from games.matches.services.acts import perform_act
from games.matches.sockets import NOT_YOURS
from tests.matches.browsing import HTMX, browser, notice_in, text_of
from tests.matches.chatting import listening, news, numbers_in, post, said_in, say, texts_of
from tests.matches.conftest import START, Clock, frozen, move_form, player_to_move, sit_down
from tests.matches.playing import other, play_form
from tests.matches.wire import do, notice_of, version_of, watching

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _clock(time: Clock) -> None:
    """Moves and lines of tests and of pages share one clock."""


def page(user: User | None, match: Match) -> str:
    return text_of(browser(user).get(f"/matches/{match.slug}/"))


def end(match: Match, user: User) -> None:
    perform_act(act="resign", slug=match.slug, caller=Caller(user), data={}, arrived=START)


def refusal_of(frame: str) -> str | None:
    """The code of a refusal in an answer of the chat."""
    return frame.split('class="chat-refusal" data-code="')[1].split('"')[0] if "chat-refusal" in frame else None


# Pages


def test_each_page_shows_the_room_of_its_reader(alice: User, bob: User, mallory: User) -> None:
    match = sit_down(alice, bob)
    say(match, alice, "among us")
    say(match, mallory, "we look on", room="spectators")
    assert said_in(page(bob, match)) == ["among us"]
    for user in (mallory, None):
        assert said_in(page(user, match)) == ["we look on"]
    assert 'name="room" value="players"' in page(bob, match)
    assert 'name="room" value="spectators"' in page(mallory, match)
    assert "Log in to take part" in page(None, match)
    end(match, bob)
    for user in (alice, bob, mallory, None):
        assert said_in(page(user, match)) == ["among us", "we look on"]
    assert said_in(text_of(browser().get(f"/matches/{match.slug}/replay/"))) == ["among us", "we look on"]


def test_chat_of_a_running_match_is_in_no_replay_nor_live_update(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    say(match, alice, "among us")
    for path in ("replay/", "replay/0/?part=1", "live/?version=1&stage=match"):
        assert said_in(text_of(browser(bob).get(f"/matches/{match.slug}/{path}"))) == []


def test_private_match_keeps_its_chat_to_its_people(alice: User, bob: User, mallory: User) -> None:
    match = sit_down(alice, bob, public=False)
    say(match, alice, "among us")
    for user in (mallory, None):
        assert news(user, match).status_code == 404
        answer = post(user, match, "hello", room="spectators")
        assert (answer.status_code, notice_in(answer)) == (404, "not-found")
        assert "among us" not in text_of(answer)
    end(match, bob)
    assert news(mallory, match).status_code == 404


def test_lines_are_text_and_nothing_else(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    for text in ("<script>alert(1)</script>", "https://example.org/?a=1&b=2", '"><img src=x onerror=alert(1)>'):
        say(match, alice, text)
    shown = page(bob, match)
    assert said_in(shown) == [
        "&lt;script&gt;alert(1)&lt;/script&gt;",
        "https://example.org/?a=1&amp;b=2",
        "&quot;&gt;&lt;img src=x onerror=alert(1)&gt;",
    ]
    assert 'href="https://example.org' not in shown
    assert "<img" not in shown


def test_hidden_lines_are_shown_to_nobody(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    say(match, alice, "rude")
    ChatLine.objects.update(hidden=True)
    say(match, alice, "polite")
    for user in (alice, bob):
        assert said_in(page(user, match)) == ["polite"]


def test_whom_one_has_muted_or_blocked_one_does_not_read(alice: User, bob: User, carol: User, mallory: User) -> None:
    """In any room, and nobody else misses anything; the lines are there again once it is taken back."""
    match = sit_down(alice, bob, carol)
    say(match, bob, "from Bob")
    say(match, carol, "from Carol")
    say(match, mallory, "from Mallory", room="spectators")
    mute_person(by=alice, whom=bob, moment=START)
    block_person(by=alice, whom=mallory, moment=START)
    assert said_in(page(alice, match)) == ["from Carol"]
    assert said_in(page(bob, match)) == said_in(page(carol, match)) == ["from Bob", "from Carol"]
    end(match, bob)
    end(match, carol)
    assert said_in(page(alice, match)) == ["from Carol"]
    assert said_in(page(mallory, match)) == ["from Bob", "from Carol", "from Mallory"], "who is blocked reads on"
    assert said_in(text_of(browser(alice).get(f"/matches/{match.slug}/replay/"))) == ["from Carol"]
    unmute_person(by=alice, whom=bob, moment=START)
    assert said_in(page(alice, match)) == ["from Bob", "from Carol"]


def test_pages_cost_the_same_however_much_was_said(alice: User, bob: User, carol: User) -> None:
    match = sit_down(alice, bob)

    def cost(user: User) -> int:
        with CaptureQueriesContext(connection) as queries:
            assert browser(user).get(f"/matches/{match.slug}/").status_code == 200
        return len(queries)

    say(match, alice, "first")
    page(bob, match)
    before = cost(bob)
    with override_settings(ACCOUNT_RATE_LIMITS={}):
        for number in range(30):
            say(match, alice if number % 2 else bob, f"line {number}")
    mute_person(by=bob, whom=carol, moment=START)
    assert cost(bob) == before


# By form and poll


def test_form_says_it_and_answers_with_what_is_new(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    before = frozen(match)
    say(match, bob, "one")
    answer = post(alice, match, "two", key="k1", heard="players:0")
    assert (answer.status_code, said_in(text_of(answer))) == (200, ["one", "two"])
    assert 'data-key="k1"' in text_of(answer)
    again = post(alice, match, "two", key="k1", heard="players:2")
    assert (again.status_code, said_in(text_of(again))) == (200, [])
    assert texts_of(match) == ["one", "two"]
    assert frozen(match) == before


def test_refused_line_keeps_its_key_and_tells_why(alice: User, bob: User, mallory: User) -> None:
    match = sit_down(alice, bob)
    cases: list[tuple[User | None, dict[str, str], int, str]] = [
        (alice, {"text": " "}, 422, "bad-input"),
        (alice, {"text": "x" * 301}, 422, "bad-input"),
        (alice, {"text": "hi", "room": "spectators"}, 403, "not-your-room"),
        (alice, {"text": "hi", "room": "nowhere"}, 422, "bad-input"),
        (mallory, {"text": "hi", "room": "players"}, 403, "not-your-room"),
        (None, {"text": "hi", "room": "spectators"}, 403, "not-logged-in"),
    ]
    for user, form, status, code in cases:
        answer = post(user, match, form["text"], room=form.get("room", "players"), key="k9")
        assert (answer.status_code, refusal_of(text_of(answer))) == (status, code), form
        assert 'data-key="k9"' in text_of(answer)
    damaged = post(alice, match, "hi", key='"><b>')
    assert (damaged.status_code, "<b>" in text_of(damaged)) == (422, False)
    for number in range(5):
        post(alice, match, f"line {number}")
    answer = post(alice, match, "one more")
    assert (answer.status_code, refusal_of(text_of(answer))) == (429, "writes-too-fast")
    assert "Please send it again in 10 seconds" in text_of(answer)
    assert len(texts_of(match)) == 5


def test_plain_form_leads_back_to_the_match(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    answer = post(alice, match, "hello", htmx=False)
    assert (answer.status_code, answer["Location"]) == (302, f"/matches/{match.slug}/#chat")
    refused = post(alice, match, " ", htmx=False)
    assert refused.status_code == 422
    assert "Please write something first." in text_of(refused)


def test_form_needs_its_token(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    client = browser(alice, enforce_csrf_checks=True)
    answer = client.post(f"/matches/{match.slug}/chat/", {"room": "players", "text": "hello"}, headers=HTMX)
    assert answer.status_code == 403
    assert not ChatLine.objects.exists()


def test_poll_brings_what_was_missed_and_nothing_twice(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    assert news(bob, match, heard="players:0", reads="players").status_code == 204
    say(match, alice, "one")
    say(match, alice, "two")
    answer = news(bob, match, heard="players:1", reads="players")
    assert (said_in(text_of(answer)), 'data-heard="players:2"' in text_of(answer)) == (["two"], True)
    assert news(bob, match, heard="players:2", reads="players").status_code == 204
    end(match, alice)
    opened = news(bob, match, heard="players:2", reads="players")
    assert 'data-reads="players spectators"' in text_of(opened)
    for nonsense in ("", "players:", "players:x", "nowhere:3", "players:-1", "players:99999999999", "\0", "9" * 5000):
        assert news(bob, match, heard=nonsense).status_code == 200, nonsense


# Over sockets


async def test_line_comes_to_its_room_and_to_nobody_else(alice: User, bob: User, carol: User, mallory: User) -> None:
    match = await do(sit_down, alice, bob)
    async with (
        listening(match, alice, heard="players:0") as own,
        listening(match, bob, heard="players:0") as opposite,
        listening(match, mallory, heard="spectators:0") as outsider,
        listening(match, None, heard="spectators:0") as guest,
    ):
        answer = await own.act("say", room="players", text="good luck", key="k1")
        assert said_in(answer) == ["good luck"]
        assert 'data-key="k1"' in answer
        assert said_in(await opposite.hear()) == ["good luck"]
        assert await outsider.hears_nothing()
        assert await guest.hears_nothing()
        assert said_in(await outsider.act("say", room="spectators", text="who wins?", key="k1")) == ["who wins?"]
        assert said_in(await guest.hear()) == ["who wins?"]
        assert await own.hears_nothing(), "neither the other room's, nor the own line once more"
        assert await opposite.hears_nothing()


async def test_refused_line_is_answered_and_the_match_is_not_drawn(alice: User, bob: User, mallory: User) -> None:
    match = await do(sit_down, alice, bob)
    before = await do(frozen, match)
    async with listening(match, alice, heard="players:0") as socket, watching(match, None) as guest:
        cases = {
            "blank": ({"room": "players", "text": ""}, "bad-input"),
            "NUL": ({"room": "players", "text": "\0"}, "bad-input"),
            "half a pair": ({"room": "players", "text": "\ud800"}, "bad-input"),
            "long": ({"room": "players", "text": "x" * 301}, "bad-input"),
            "no room": ({"text": "hello"}, "bad-input"),
            "no text": ({"room": "players"}, "bad-input"),
            "the other room": ({"room": "spectators", "text": "hello"}, "not-your-room"),
            "a strange key": ({"room": "players", "text": "hello", "key": "\ud800"}, "bad-input"),
        }
        for name, (fields, code) in cases.items():
            frame = await socket.act("say", **fields)
            assert refusal_of(frame) == code, name
            assert "freshness" not in frame
        assert refusal_of(await guest.act("say", room="spectators", text="hello")) == "not-logged-in"
        for number in range(5):
            assert refusal_of(await socket.act("say", room="players", text=f"line {number}")) is None
        assert refusal_of(await socket.act("say", room="players", text="one more")) == "writes-too-fast"
    assert await do(frozen, match) == before


async def test_accident_of_ours_is_told_and_leaves_no_line(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    match = await do(sit_down, alice, bob)

    def broken(*args: Any, **kwargs: Any) -> None:
        raise RuntimeError("disk full")

    async with listening(match, alice, heard="players:0") as socket:
        with monkeypatch.context() as patch:
            patch.setattr(chat, "_append", broken)
            assert refusal_of(await socket.act("say", room="players", text="between us", key="k")) == "failed"
        assert "disk full" in caplog.text
        assert "between us" not in caplog.text
        assert said_in(await socket.act("say", room="players", text="between us", key="k")) == ["between us"]


async def test_reconnect_brings_missed_lines_once(alice: User, bob: User) -> None:
    match = await do(sit_down, alice, bob)
    for text in ("one", "two", "three"):
        await do(say, match, alice, text)
    async with listening(match, bob, heard="players:1") as socket:
        frame = await socket.hear()
        assert numbers_in(frame) == ["players-2", "players-3"]
        assert await socket.hears_nothing()
    async with listening(match, bob, heard="players:3") as socket:
        assert await socket.hears_nothing()
        await do(say, match, alice, "four")
        assert numbers_in(await socket.hear()) == ["players-4"]


async def test_moves_bring_no_chat_and_lines_no_board(alice: User, bob: User) -> None:
    match = await do(sit_down, alice, bob)
    mover = await do(player_to_move, match)
    async with listening(match, other(mover, alice, bob), heard="players:0") as socket:
        await do(play_form, match, mover, await do(move_form, match))
        frame = await socket.hear()
        assert version_of(frame) == match.version + 1
        assert "chat-news" not in frame
        await do(say, match, mover, "your move")
        frame = await socket.hear()
        assert frame.startswith("<div data-chat-news")
        assert await socket.hears_nothing()


async def test_mute_takes_effect_on_an_open_page(alice: User, bob: User, carol: User) -> None:
    match = await do(sit_down, alice, bob, carol)
    async with listening(match, alice, heard="players:0") as socket:
        await do(say, match, bob, "first")
        assert said_in(await socket.hear()) == ["first"]
        await do(mute_person, by=alice, whom=bob, moment=START)
        await do(say, match, bob, "second")
        assert await socket.hears_nothing()
        await do(say, match, carol, "third")
        assert said_in(await socket.hear()) == ["third"]


async def test_rooms_open_at_the_end_and_close_with_the_seat(alice: User, bob: User, mallory: User) -> None:
    match = await do(sit_down, alice, bob)
    await do(say, match, mallory, "we look on", room="spectators")
    async with listening(match, alice, heard="players:0") as socket:
        await do(end, match, bob)
        assert version_of(await socket.hear())
        frame = await socket.hear()
        assert 'data-reads="players spectators"' in frame
        assert said_in(frame) == ["we look on"]
    table = await do(sit_down, alice, seats=3, start=False)
    await do(say, table, alice, "who comes?")
    async with listening(table, bob, heard="spectators:0", stage="table") as socket:
        await socket.act("join")
        frame = await socket.hear()
        assert 'data-reads="players" data-writes="players"' in frame
        assert said_in(frame) == ["who comes?"]
        await socket.act("leave")
        frame = await socket.hear()
        assert 'data-reads="spectators" data-writes="spectators"' in frame
        assert said_in(frame) == []


async def test_who_logs_out_can_write_no_more(alice: User, bob: User) -> None:
    match = await do(sit_down, alice, bob)
    async with listening(match, alice, heard="players:0") as socket:
        await do(User.objects.filter(pk=alice.pk).update, is_active=False)
        frame = await socket.act("say", room="players", text="still here", key="k")
        assert refusal_of(frame) == "not-logged-in"
        assert 'data-reads="spectators" data-writes=""' in frame
        assert await socket.close_code() == NOT_YOURS
    assert await do(texts_of, match) == []


async def test_chat_is_no_act_of_the_match(alice: User, bob: User) -> None:
    """By the door for acts there is none of that name, and the message for the socket is no move."""
    match = await do(sit_down, alice, bob)
    assert "say" not in acts.ACTS
    async with watching(match, alice) as socket:
        await socket.send_to(text_data=json.dumps({"act": "say ", "text": "hello", "room": "players"}))
        assert notice_of(await socket.hear()) == "bad-input"
