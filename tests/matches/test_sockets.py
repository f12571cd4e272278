"""The match's socket: who may open one, what comes over it to whom, and what a reconnect brings."""

from __future__ import annotations

import asyncio
import re
from typing import Any
from unittest import mock

import pytest
from autobahn.exception import Disconnected
from channels.layers import get_channel_layer
from django.contrib.sessions.backends.db import SessionStore

from accounts.people import hub as hubs
from accounts.people.hub import hub
from accounts.people.models import User
from games.matches import snapshots
from games.matches.callers import Caller
from games.matches.consumers import MatchSocket
from games.matches.events import Change, _send, match_group
from games.matches.fragments import match as fragments
from games.matches.lookout import Stored
from games.matches.models import Match
from games.matches.screen import Screen
from games.matches.services import tables
from games.matches.services.results import void_match
from games.matches.snapshots import Stamp
from games.matches.sockets import NOT_HERE
from tests.matches.conftest import START, Clock, move_form, player_to_move, sit_down
from tests.matches.playing import other, play_form
from tests.matches.timekeeping import by_turns
from tests.matches.wire import (
    PATIENCE_S,
    connected,
    do,
    hand_of,
    match_path,
    notice_of,
    session_of,
    socket_at,
    version_of,
    watching,
)

pytestmark = pytest.mark.django_db(transaction=True)


def hands(match: Match) -> list[list[str]]:
    match.refresh_from_db()
    return [list(hand) for hand in match.game.rules.load(match.position or {}).hands]


def own_layer() -> Any:
    layer = get_channel_layer()
    assert layer is not None
    return layer


# Who may open one


async def test_everybody_may_follow_a_public_match_each_with_their_own_eyes(
    alice: User, bob: User, mallory: User
) -> None:
    match = await do(sit_down, alice, bob)
    held = await do(hands, match)
    for user, hand in ((alice, held[0]), (bob, held[1]), (mallory, []), (None, [])):
        async with connected(match_path(match), await do(session_of, user)) as socket:
            frame = await socket.hear()
            assert version_of(frame) == match.version
            assert hand_of(frame) == hand


async def test_private_match_does_not_exist_for_outsiders(alice: User, bob: User, mallory: User) -> None:
    """The same code as for a match that never was: nobody learns that it is there."""
    match = await do(sit_down, alice, bob, public=False)
    missing = Match(slug="0123456789ab")
    for user in (mallory, None):
        for path in (match_path(match), match_path(missing)):
            socket = socket_at(path, await do(session_of, user))
            await socket.connect(timeout=PATIENCE_S)
            assert await socket.close_code() == NOT_HERE


async def test_invitation_opens_a_private_match_to_whoever_holds_it(
    alice: User, bob: User, mallory: User, mod: User
) -> None:
    match = await do(sit_down, alice, bob, public=False)

    def follow() -> str:
        cookie = session_of(mallory)
        session = SessionStore(cookie)
        session["invitations"] = [match.slug]
        session.save()
        return cookie

    for cookie in (await do(follow), await do(session_of, alice), await do(session_of, mod)):
        async with connected(match_path(match), cookie) as socket:
            assert version_of(await socket.hear()) == match.version


async def test_page_of_another_site_opens_nothing(alice: User, bob: User) -> None:
    """A browser sends alice's cookie along with a socket that any site opens."""
    match = await do(sit_down, alice, bob)
    cookie = await do(session_of, alice)
    for origin in ("https://evil.example", "null", None):
        accepted, _ = await socket_at(match_path(match), cookie, origin=origin).connect(timeout=PATIENCE_S)
        assert not accepted


async def test_odd_address_is_closed_plainly() -> None:
    """Whatever stands in the address: it is refused or closed, and no error of ours."""
    for slug in ("x" * 200, "%00", "..", "a b", "0123456789ab/live"):
        socket = socket_at(f"/ws/matches/{slug}/")
        accepted, code = await socket.connect(timeout=PATIENCE_S)
        assert (await socket.close_code() if accepted else code) == NOT_HERE, slug


# What comes over it


async def test_move_over_a_socket_reaches_everybody(alice: User, bob: User, mallory: User) -> None:
    match = await do(sit_down, alice, bob)
    user = await do(player_to_move, match)
    form = await do(move_form, match)
    async with (
        watching(match, user) as own,
        watching(match, other(user, alice, bob)) as opposite,
        watching(match, mallory) as spectator,
    ):
        frames = {
            "own": await own.act("move", **form),
            "opposite": await opposite.hear(),
            "spectator": await spectator.hear(),
        }
        assert await own.hears_nothing(), "its own move is not sent to it twice"
    held = await do(hands, match)
    index = 0 if user == alice else 1
    assert match.ply == 1
    assert {version_of(frame) for frame in frames.values()} == {match.version}
    assert {notice_of(frame) for frame in frames.values()} == {None}
    assert hand_of(frames["own"]) == held[index]
    assert hand_of(frames["opposite"]) == held[1 - index]
    assert hand_of(frames["spectator"]) == []
    assert 'data-turn="1"' in frames["opposite"]
    assert 'data-turn="0"' in frames["own"]
    for frame in frames.values():
        assert form["move"].split("@")[0] in frame, "the board shows the new tile"


async def test_repeated_move_is_answered_as_the_first_time(alice: User, bob: User) -> None:
    match = await do(sit_down, alice, bob)
    form = await do(move_form, match)
    async with watching(match, await do(player_to_move, match)) as socket:
        first = await socket.act("move", **form)
        second = await socket.act("move", **form)
        third = await socket.act("move", **{**form, "move": "pass"})
    assert version_of(first) == version_of(second)
    assert notice_of(first) is notice_of(second) is None
    assert notice_of(third) == "key-reused"
    await do(match.refresh_from_db)
    assert match.ply == 1


async def test_acts_of_a_table_lead_to_the_whole_stage_of_the_match(alice: User, bob: User) -> None:
    """A page that shows the waiting table has no board to be updated: it gets the whole stage at the start."""
    match = await do(sit_down, alice, bob, start=False)
    async with watching(match, alice, stage="table") as host, watching(match, bob, stage="table") as guest:
        frame = await host.act("ready", ready="1")
        assert 'data-stage="table"' in frame
        assert 'data-stage="table"' in await guest.hear()
        frames = [await guest.act("ready", ready="1"), await host.hear()]
        for frame in frames:
            assert 'id="stage" class="match" data-stage="match"' in frame
            assert 'id="move-form"' in frame
        await do(match.refresh_from_db)
        mover = await do(player_to_move, match)
        moved = await (host if mover == alice else guest).act("move", **await do(move_form, match))
        assert 'id="stage"' not in moved, "after that, parts are enough"
        assert 'id="board"' in moved


async def test_page_of_a_table_that_connects_after_the_start_gets_the_match(alice: User, bob: User) -> None:
    match = await do(sit_down, alice, bob)
    cookie = await do(session_of, alice)
    async with connected(match_path(match, version=match.version - 1, stage="table"), cookie) as socket:
        assert 'data-stage="match"' in await socket.hear()


async def test_leaver_of_a_private_table_is_shown_out(alice: User, bob: User) -> None:
    match = await do(sit_down, alice, bob, seats=3, public=False, start=False)
    async with watching(match, bob, stage="table") as guest, watching(match, alice, stage="table") as host:
        await guest.send_to(text_data='{"act": "leave"}')
        assert await guest.close_code() == NOT_HERE
        assert "Bob" not in await host.hear()


async def test_person_asked_to_leave_a_private_table_is_shown_out(alice: User, bob: User) -> None:
    match = await do(sit_down, alice, bob, seats=3, public=False, start=False)
    async with watching(match, bob, stage="table") as guest:
        await do(tables.unseat, slug=match.slug, caller=Caller(alice), index=1, moment=START)
        assert await guest.close_code() == NOT_HERE


async def test_answer_to_a_move_carries_its_key_and_nothing_else_does(alice: User, bob: User) -> None:
    """So a page knows its answer from other news. A key that could do harm is not said again."""
    match = await do(sit_down, alice, bob)
    user = await do(player_to_move, match)
    async with watching(match, user) as own, watching(match, other(user, alice, bob)) as opposite:
        form = await do(move_form, match, key="abc-123")
        assert (await own.act("move", **form)).endswith("<!--answers abc-123-->")
        assert "answers" not in (await opposite.hear())[-60:]
        for key in ("--><script>", "x" * 65, "é", ""):
            frame = await own.act("move", **{**form, "key": key})
            assert "<!--answers" not in frame
            assert "<script>" not in frame
        refused = await own.act("move", **{**form, "key": "def"})
        assert notice_of(refused)
        assert refused.endswith("<!--answers def-->")


async def test_moderator_s_word_reaches_the_open_pages(alice: User, bob: User) -> None:
    match = await do(sit_down, alice, bob)
    async with watching(match, alice) as socket:
        await do(void_match, slug=match.slug, moment=START)
        frame = await socket.hear()
    assert 'data-status="over"' in frame
    assert "voided" in frame


async def test_language_of_the_page_is_the_language_of_its_frames(alice: User, bob: User) -> None:
    """Unknown ones fall back; and one reader's language never reaches another through the kept drawings."""
    match = await do(sit_down, alice, bob)
    cookie = await do(session_of, alice)
    frames = []
    for lang in ("en", "es", "xx", "../../etc/passwd", "en"):
        async with connected(match_path(match, lang=lang), cookie) as socket:
            frames.append(await socket.hear())
    assert frames[0] == frames[2] == frames[3] == frames[4]


async def test_language_stays_wherever_a_frame_is_drawn(alice: User, bob: User) -> None:
    """The chat is drawn in a thread of the database, and a move on the loop."""
    match = await do(sit_down, alice, bob)
    async with connected(match_path(match, lang="es"), await do(session_of, bob)) as socket:
        assert ">Últimas jugadas<" in await socket.hear()
        assert "No existe tal sala" in await socket.act("say", room="cellar", text="hola", key="k")
        await do(play_form, match, await do(player_to_move, match), await do(move_form, match))
        assert ">Últimas jugadas<" in await socket.hear()


async def test_times_follow_the_zone_that_the_reader_chooses(alice: User, bob: User, time: Clock) -> None:
    """Also that which they choose while the page is open: the act that follows finds them anew."""
    match = await do(by_turns, alice, bob)
    async with connected(match_path(match), await do(session_of, await do(player_to_move, match))) as socket:
        assert "UTC" in until_when(await socket.hear())
        await do(User.objects.update, time_zone="Asia/Taipei")
        assert "CST" in until_when(await socket.act(**{"act": "move", **await do(move_form, match)}))


def until_when(frame: str) -> str:
    found = re.search(r"Time until [^<]*", frame)
    assert found is not None, "nobody's clock runs"
    return found[0]


# What is missed, doubled or late


async def test_page_that_is_current_gets_nothing_and_an_older_one_what_it_missed(alice: User, bob: User) -> None:
    match = await do(sit_down, alice, bob)
    cookie = await do(session_of, alice)
    shown = match.version
    async with connected(match_path(match, version=shown), cookie) as socket:
        assert await socket.hears_nothing()
    await do(play_form, match, await do(player_to_move, match), await do(move_form, match))
    async with connected(match_path(match, version=shown), cookie) as socket:
        assert version_of(await socket.hear()) == shown + 1
        assert await socket.hears_nothing()


async def test_version_that_is_none_counts_as_nothing_shown(alice: User, bob: User) -> None:
    match = await do(sit_down, alice, bob)
    for version in ("", "-1", "x", "9" * 400, "1e3", "٣", "\0"):
        async with connected(match_path(match, version=version)) as socket:
            assert version_of(await socket.hear()) == match.version, version


async def test_announcements_may_come_doubled_and_out_of_order(alice: User, bob: User) -> None:
    match = await do(sit_down, alice, bob)
    async with watching(match, alice) as socket:
        shown = match.version
        await do(play_form, match, await do(player_to_move, match), await do(move_form, match))
        assert version_of(await socket.hear()) == shown + 1
        for version in (shown + 1, shown, 1, shown + 1):
            await _send(Change(slug=match.slug, version=version, people=(), in_lobby=False))
        assert await socket.hears_nothing()
        await do(play_form, match, await do(player_to_move, match), await do(move_form, match))
        assert version_of(await socket.hear()) == shown + 2


async def test_lost_announcement_is_made_good_by_the_next(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await do(sit_down, alice, bob)
    async with watching(match, alice) as socket:
        shown = match.version
        with monkeypatch.context() as patch:
            patch.setattr("games.matches.services.sitting.announce", lambda change: None)
            await do(play_form, match, await do(player_to_move, match), await do(move_form, match))
        assert await socket.hears_nothing()
        await do(play_form, match, await do(player_to_move, match), await do(move_form, match))
        assert version_of(await socket.hear()) == shown + 2


async def test_layer_that_is_away_undoes_no_move(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The move is committed and answered, and told within the process; those elsewhere learn of it by their poll."""
    match = await do(sit_down, alice, bob)
    user = await do(player_to_move, match)
    async with watching(match, user) as own, watching(match, other(user, alice, bob)) as opposite:

        async def away(group: str, message: object) -> None:
            raise ConnectionError("no route to the layer")

        monkeypatch.setattr(own_layer(), "group_send", away)
        monkeypatch.setattr(hubs, "_layer", own_layer)
        frame = await own.act("move", **await do(move_form, match))
        assert version_of(frame) == match.version + 1
        assert version_of(await opposite.hear()) == match.version + 1
    assert "could not announce" in caplog.text
    await do(match.refresh_from_db)
    assert match.ply == 1


async def test_socket_that_ends_leaves_its_group(alice: User, bob: User) -> None:
    """Otherwise every page that was ever open would be drawn for, for ever."""
    match = await do(sit_down, alice, bob)
    async with watching(match, alice):
        pass
    assert match_group(match.slug) not in hub().groups()


async def test_socket_that_dies_of_a_mistake_leaves_its_groups_too(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await do(sit_down, alice, bob)

    def broken(*args: object) -> None:
        raise RuntimeError("a mistake")

    socket = socket_at(match_path(match), await do(session_of, alice))
    await socket.connect(timeout=PATIENCE_S)
    await socket.hear()
    assert match_group(match.slug) in hub().groups()
    monkeypatch.setattr(MatchSocket, "chat_heard", broken)
    await hub().send(match_group(match.slug), {"type": "chat.heard", "room": "players"})
    with pytest.raises(RuntimeError, match="a mistake"):
        await socket.wait(timeout=PATIENCE_S)
    assert hub().groups() == []


def test_lookout_s_word_does_not_come_before_the_page_has_connected() -> None:
    """To a page that has said nothing yet, everything looks missed."""
    socket, found = MatchSocket(), Stored(version=3, revision=3, line=1, own={})
    socket.user, socket._arrivals, socket._screen = None, mock.Mock(), Screen(Stamp(0, 0), "")
    socket.match_is_at(found, None)
    assert not socket._arrivals.slip_in.called
    socket.groups_joined = ["match.a"]
    socket.match_is_at(found, None)
    assert socket._arrivals.slip_in.call_count == 2


async def test_many_pages_of_one_match_load_it_once_a_version(alice: User, bob: User) -> None:
    """A hundred who look on must not cost a hundred loads and drawings."""
    match = await do(sit_down, alice, bob)
    sockets = []
    for _ in range(8):
        socket = socket_at(match_path(match))
        await socket.connect(timeout=PATIENCE_S)
        await socket.hear()
        sockets.append(socket)
    with (
        mock.patch.object(snapshots, "_load", wraps=snapshots._load) as loads,
        mock.patch.object(fragments, "_draw_match", wraps=fragments._draw_match) as drawings,
    ):
        await do(play_form, match, await do(player_to_move, match), await do(move_form, match))
        frames = await asyncio.gather(*(socket.hear() for socket in sockets))
    assert len(set(frames)) == 1
    assert loads.call_count <= 4, "one for each database thread at the most"
    assert drawings.call_count <= 4
    for socket in sockets:
        await socket.disconnect(timeout=PATIENCE_S)


async def test_news_for_who_has_just_hung_up_is_no_mistake() -> None:
    """The server refuses to send before the consumer hears that the line is gone."""

    async def refuse(message: dict[str, Any]) -> None:
        raise Disconnected

    socket = MatchSocket()
    socket.base_send = refuse
    await socket.send(text_data="news")
