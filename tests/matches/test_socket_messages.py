"""What may come in over a socket: every message is answered, none kills it, and none changes what it may not."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.contrib.sessions.models import Session

from accounts.people import announcer
from accounts.people.models import User
from accounts.people.sanctions import FOR_GOOD
from accounts.people.sessions import end_sessions
from games.matches import messages, sockets
from games.matches.models import Match
from games.matches.services import acts
from games.matches.services.results import void_match
from tests.matches.conftest import START, frozen, legal_texts, move_form, player_to_move, sit_down, to_move, turn_key
from tests.matches.playing import other
from tests.matches.wire import (
    SILENCE_S,
    connected,
    do,
    hand_of,
    match_path,
    notice_of,
    session_of,
    version_of,
    watching,
)

pytestmark = pytest.mark.django_db(transaction=True)

LONGEST = messages.MAX_MESSAGE

MALFORMED = {
    "no JSON": "move RT3@2,-1",
    "half of one": '{"act": "move", "move": "RT3',
    "nothing": " ",
    "a list": '["move"]',
    "a text": '"move"',
    "a number": "7",
    "null": "null",
    "NaN": "NaN",
    "a number as value": '{"act": "move", "move": 3}',
    "nested": '{"act": {"act": "move"}}',
    "a list as value": '{"act": ["move", "resign"]}',
    "true": '{"act": "ready", "ready": true}',
    "null as value": '{"act": "move", "move": null}',
    "deep": "[" * 2000 + "]" * 2000,
    "deep inside": '{"a":' * 800 + "1" + "}" * 800,
    "a number of many digits": '{"act": ' + "9" * 4000 + "}",
    "too long by one": json.dumps({"act": "move", "move": "x" * LONGEST}),
    "huge": json.dumps({"move": "x" * 1_000_000}),
    "a byte order mark": '\ufeff{"act": "move"}',
    "NUL": "\0",
}

UNKNOWN = {
    "unknown act": {"act": "void"},
    "an act of Python's": {"act": "__class__"},
    "empty act": {"act": ""},
    "NUL in the act": {"act": "move\0"},
    "lone surrogate in the act": {"act": "\ud800"},
    "an upper case act": {"act": "MOVE"},
    "no seat": {"act": "join"},
    "seat of letters": {"act": "join", "seat": "first"},
    "seat of other digits": {"act": "unseat", "seat": "٣"},
    "negative seat": {"act": "bot", "seat": "-1"},
    "huge seat": {"act": "unseat", "seat": "9" * 3000},
    "neither yes nor no": {"act": "ready", "ready": "perhaps"},
    "no answer": {"act": "end"},
    "lone surrogate as key": {"act": "move", "key": "\udfff", "move": "pass"},
    "NUL in the move": {"act": "move", "move": "pass\0", "turn_key": "0"},
    "lone surrogate in the move": {"act": "move", "move": "\ud800", "turn_key": "0"},
    "move as long as may be": {"act": "move", "move": "p" * 120, "turn_key": "0"},
    "no move": {},
    "a field of a strange name": {"\ud800": "\0", "act": "move", "__proto__": "x"},
}


async def test_malformed_messages_are_answered_and_change_nothing(alice: User, bob: User) -> None:
    """One socket outlives them all; each answer is the present board, with a notice for people."""
    match = await do(sit_down, alice, bob)
    before = await do(frozen, match)
    async with watching(match, alice) as socket:
        for name, text in MALFORMED.items():
            await socket.send_to(text_data=text)
            frame = await socket.hear()
            assert notice_of(frame) == "bad-input", name
            assert version_of(frame) == match.version, name
        await socket.send_to(bytes_data=b"\x00\xff\xfe{}")
        assert notice_of(await socket.hear()) == "bad-input"
        await socket.send_input({"type": "websocket.receive", "text": ""})
        assert notice_of(await socket.hear()) == "bad-input"
    assert await do(frozen, match) == before


async def test_messages_that_ask_for_nothing_possible_are_refused(alice: User, bob: User) -> None:
    match = await do(sit_down, alice, bob)
    before = await do(frozen, match)
    async with watching(match, await do(player_to_move, match)) as socket:
        for name, message in UNKNOWN.items():
            await socket.send_to(text_data=json.dumps(message))
            frame = await socket.hear()
            assert notice_of(frame) is not None, name
            assert version_of(frame) == match.version, name
            assert frame.encode(), name
    assert await do(frozen, match) == before


async def test_each_kind_of_refused_move_is_explained_with_the_present_board(
    alice: User, bob: User, mallory: User
) -> None:
    match = await do(sit_down, alice, bob)
    mover = await do(player_to_move, match)
    waiting = other(mover, alice, bob)
    form = await do(move_form, match)
    before = await do(frozen, match)
    cases: list[tuple[User | None, dict[str, str], str]] = [
        (mover, {**form, "turn_key": "999"}, "stale-turn"),
        (mover, {**form, "move": "nonsense"}, "move-refused"),
        (mover, {**form, "move": form["move"].split("@")[0] + "@90,90"}, "move-refused"),
        (mover, {**form, "move": "take 0,1"}, "move-refused"),
        (mover, {**form, "move": "x" * 121}, "bad-input"),
        (mover, {**form, "key": "<script>"}, "bad-input"),
        (waiting, form, "not-your-turn"),
        (mallory, form, "not-seated"),
        (None, form, "not-logged-in"),
    ]
    for user, wrong, code in cases:
        async with watching(match, user) as socket:
            frame = await socket.act("move", **wrong)
            assert notice_of(frame) == code
            assert version_of(frame) == match.version
            assert 'id="board"' in frame
            assert await socket.hears_nothing()
    assert await do(frozen, match) == before


async def test_refusal_reaches_nobody_else(alice: User, bob: User) -> None:
    """Also not as an announcement: what one person tries is their own affair."""
    match = await do(sit_down, alice, bob)
    async with watching(match, await do(player_to_move, match)) as own, watching(match, None) as spectator:
        assert notice_of(await own.act("move", move="nonsense", turn_key="0")) == "move-refused"
        assert await spectator.hears_nothing()


async def test_move_in_a_match_that_has_ended_meanwhile(alice: User, bob: User) -> None:
    match = await do(sit_down, alice, bob)
    form = await do(move_form, match)
    async with watching(match, await do(player_to_move, match)) as socket:
        await do(void_match, slug=match.slug, moment=START)
        assert 'data-status="over"' in await socket.hear()
        frame = await socket.act("move", **form)
    assert notice_of(frame) == "not-running"
    assert 'data-status="over"' in frame


async def test_match_that_vanishes_closes_its_sockets(alice: User, bob: User) -> None:
    match = await do(sit_down, alice, bob)
    async with watching(match, alice) as socket:
        await do(Match.objects.filter(slug=match.slug).delete)
        await socket.send_to(text_data=json.dumps({"act": "resign"}))
        assert await socket.close_code() == sockets.NOT_HERE


async def test_flood_is_refused_without_asking_the_database(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Malformed messages count too; the socket ends, and the person is heard again over a new one."""
    match = await do(sit_down, alice, bob)
    async with watching(match, alice) as socket:
        for _ in range(sockets.ACTS_PER_10_S // 2):
            await socket.send_to(text_data="nonsense")
            await socket.hear()
            await socket.act("nonsense")

        def asked(*args: object, **kwargs: object) -> None:
            raise AssertionError("a flood asked the database")

        with monkeypatch.context() as patch:
            patch.setattr("games.matches.snapshots._load", asked)
            patch.setattr("games.matches.consumers.perform_act", asked)
            patch.setattr("games.matches.sockets.person_now", asked)
            frame = await socket.act("resign")
            assert notice_of(frame) == "bad-input"
            assert "little fast" in frame
            assert await socket.close_code() == sockets.FLOOD, "answers that nobody reads would pile up"
            for _ in range(20):
                await socket.send_to(text_data='{"act": "resign"}')
            assert await socket.receive_nothing(timeout=SILENCE_S)
    async with watching(match, alice) as socket:
        moved = await socket.act("resign")
        assert notice_of(moved) is None
        assert version_of(moved) == match.version + 1


async def test_accident_of_ours_is_told_and_the_socket_lives_on(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Never silence: who has moved hears that it did not work, and may try again with the same form."""
    match = await do(sit_down, alice, bob)
    form = await do(move_form, match)
    before = await do(frozen, match)
    async with watching(match, await do(player_to_move, match)) as socket:
        with monkeypatch.context() as patch:

            def broken(*args: Any, **kwargs: Any) -> None:
                raise RuntimeError("disk full")

            for way in ("insert_rows", "write_if"):  # under the lock, and without
                patch.setattr(f"games.matches.rows.{way}", broken)
            frame = await socket.act("move", **form)
        assert notice_of(frame) == "failed"
        assert version_of(frame) == match.version
        assert await do(frozen, match) == before
        assert notice_of(await socket.act("move", **form)) is None
    assert "disk full" in caplog.text


# The person behind an open socket


async def log_out(cookie: str) -> None:
    await do(Session.objects.filter(session_key=cookie).delete)


async def switch_off(user: User) -> None:
    await do(User.objects.filter(pk=user.pk).update, is_active=False)


async def new_password(user: User) -> None:
    def change() -> None:
        user.set_password("another one, quite new")
        user.save()

    await do(change)


@pytest.mark.parametrize("how", ["logged out", "switched off", "new password", "barred", "sessions ended", "deleted"])
async def test_who_is_no_longer_logged_in_acts_no_more(
    alice: User, bob: User, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A socket outlives the page that opened it, and the word of it may be lost: then the next act finds out."""
    monkeypatch.setattr(announcer, "announce_person", lambda user_id: None)
    match = await do(sit_down, alice, bob)
    mover = await do(player_to_move, match)
    form = await do(move_form, match)
    cookie = await do(session_of, mover)
    async with connected(match_path(match), cookie) as socket:
        assert hand_of(await socket.hear())
        if how == "logged out":
            await log_out(cookie)
        elif how == "switched off":
            await switch_off(mover)
        elif how == "new password":
            await new_password(mover)
        elif how == "barred":
            await do(User.objects.filter(pk=mover.pk).update, barred_until=FOR_GOOD)
        elif how == "sessions ended":
            await do(end_sessions, user=mover)
        else:
            await do(mover.delete)
        frame = await socket.act("move", **form)
        assert notice_of(frame) == "not-logged-in"
        assert hand_of(frame) == [], "and sees what a guest sees"
        assert await socket.close_code() == sockets.NOT_YOURS
    await do(match.refresh_from_db)
    assert match.ply == 0


async def test_logged_out_page_gets_no_hands_pushed_for_long(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await do(sit_down, alice, bob)
    seat = await do(to_move, match)
    mover, waiting = (alice, bob) if seat == 0 else (bob, alice)
    moment = 1000.0
    monkeypatch.setattr("games.matches.sockets.monotonic", lambda: moment)
    cookie = await do(session_of, waiting)
    async with connected(match_path(match), cookie) as left_open, watching(match, mover) as own:
        assert hand_of(await left_open.hear())
        await log_out(cookie)
        moment += sockets.KNOWN_FOR_S
        await own.act("move", **await do(move_form, match))
        assert hand_of(await left_open.hear()) == []
        assert await left_open.close_code() == sockets.NOT_YOURS


async def test_logged_out_page_of_a_private_match_is_closed(alice: User, bob: User) -> None:
    match = await do(sit_down, alice, bob, public=False)
    cookie = await do(session_of, alice)
    async with connected(match_path(match), cookie) as socket:
        await socket.hear()
        await log_out(cookie)
        await socket.send_to(text_data='{"act": "resign"}')
        assert await socket.close_code() == sockets.NOT_YOURS


async def test_new_display_name_counts_for_whoever_sits_down_by_an_old_socket(alice: User, bob: User) -> None:
    """The person of an old socket is read anew: the match must not begin under yesterday's name."""
    match = await do(sit_down, alice, seats=2, start=False, pace=Match.Pace.TURNS)
    async with watching(match, bob, stage="table") as socket:
        await do(User.objects.filter(pk=bob.pk).update, display_name="Robert")
        await socket.act("join", seat="1")
    await do(match.refresh_from_db)
    assert match.status == Match.Status.RUNNING
    assert await do(lambda: match.seats.select_related("user").get(index=1).shown_name) == "Robert"


async def test_every_act_has_a_door(alice: User, bob: User) -> None:
    """The list below grows with the acts: each is known to the socket by name."""
    match = await do(sit_down, alice, bob)
    async with watching(match, None) as socket:
        for act in acts.ACTS:
            assert notice_of(await socket.act(act, seat="0", ready="1", agreed="1")) == "not-logged-in"


async def test_legal_moves_by_socket_and_turn_key_of_the_page_are_the_rules_own(alice: User, bob: User) -> None:
    match = await do(sit_down, alice, bob)
    seat = await do(to_move, match)
    async with watching(match, await do(player_to_move, match)) as socket:
        for _ in range(2):
            key = await do(turn_key, match, seat)
            frame = await socket.act("move", move="nonsense", turn_key=key)
            assert notice_of(frame) == "move-refused"
            assert f'id="turn-key" value="{key}"' in frame
        text = (await do(legal_texts, match))[-1]
        assert notice_of(await socket.act("move", move=text, turn_key=key)) is None
