"""Who is at a running match as the others see it: here, away, gone; pushed when it changes, over any number of tabs and
processes, and never a new version."""

from __future__ import annotations

import asyncio
import re
from datetime import timedelta
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.test.utils import CaptureQueriesContext

from accounts.people.models import User
from games.contract.registry import get_game
from games.matches import asides, attendance
from games.matches.asides import Asides
from games.matches.attendance import AWAY_AFTER, GONE_AFTER, NOBODY, last_seen
from games.matches.callers import Caller
from games.matches.models import Match, Outage
from games.matches.services import play
from games.matches.services.clocks import MINUTE, NO_CLOCK, SECOND, TimeLimit
from games.matches.services.presence import renew_presence
from tests.matches.auctions import auction, bid
from tests.matches.browsing import browser, text_of
from tests.matches.conftest import START, Clock, frozen, player_to_move, sit_down, to_move
from tests.matches.playing import other
from tests.matches.timekeeping import LIVE, by_turns, move_at
from tests.matches.wire import PATIENCE_S, connected, do, match_path, session_of, watching

pytestmark = pytest.mark.django_db

over_sockets = pytest.mark.django_db(transaction=True)

MS = timedelta(milliseconds=1)


def found(match: Match, after: timedelta) -> attendance.Attendance:
    """Who is there so long after the start."""
    match.refresh_from_db()
    seats = list(match.seats.order_by("index"))
    return attendance.attendance(match, seats, last_seen(match=match, seats=seats), START + after)


def key(match: Match, **after: float) -> str:
    """The same in short: by seat h, a or g, and ! where nobody need wait any longer."""
    return found(match, timedelta(**after)).key


def renew(match: Match, user: User, **after: float) -> None:
    renew_presence(slug=match.slug, user=user, moment=START + timedelta(**after))


# What is shown


def test_here_then_away_then_given_up_then_gone(alice: User, bob: User) -> None:
    match = sit_down(alice, bob, clock=LIVE)
    renew(match, alice, seconds=300)
    waited = (AWAY_AFTER + timedelta(minutes=1)).total_seconds()  # a tenth of ten minutes
    assert key(match) == "0h1h"
    assert key(match, seconds=44.999) == "0h1h"
    assert key(match, seconds=45) == "0h1a"
    assert key(match, seconds=waited - 0.001) == "0h1a"
    assert key(match, seconds=waited) == "0h1a!"
    assert key(match, seconds=299.999) == "0h1a!"
    assert key(match, seconds=300) == "0h1g!"
    renew(match, bob, seconds=310)
    assert key(match, seconds=310) == "0h1h"


def test_changes_are_foretold(alice: User, bob: User) -> None:
    """At each of these moments, and not before, something else is shown."""
    match = sit_down(alice, bob)
    moment, seen = START, []
    while (change := found(match, moment - START).changes_at) is not None:
        before = key(match, seconds=(change - MS - START).total_seconds())
        assert before != key(match, seconds=(change - START).total_seconds())
        seen.append((change - START).total_seconds())
        moment = change
    assert seen == [45, 45 + 180, 300]


@pytest.mark.parametrize(
    ("clock", "grace"),
    [
        (TimeLimit(5 * MINUTE, 5 * SECOND), 30),
        (TimeLimit(10 * MINUTE, 10 * SECOND), 60),
        (TimeLimit(20 * MINUTE, 20 * SECOND), 120),
        (TimeLimit(45 * MINUTE, 30 * SECOND), 180),
        (TimeLimit(None), 180),
    ],
)
def test_grace_is_a_tenth_of_the_clock(alice: User, bob: User, clock: TimeLimit, grace: int) -> None:
    match = sit_down(alice, bob, clock=clock)
    assert attendance.grace(match) == timedelta(seconds=grace)


def test_by_turns_nobody_has_to_be_there(alice: User, bob: User) -> None:
    match = by_turns(alice, bob)
    assert key(match, seconds=44) == "0h1h"
    assert key(match, days=2) == "0a1a"


def test_moving_is_a_sign(alice: User, bob: User) -> None:
    """Also where no page has said so."""
    match = sit_down(alice, bob)
    seat = to_move(match)
    move_at(match, 600_000)
    assert key(match, seconds=600) == ("0h1g!" if seat == 0 else "0g!1h")


@pytest.mark.usefixtures("toy")
def test_claiming_is_none(alice: User, bob: User) -> None:
    """Others must not notice that a claim waits, by this either."""
    match = auction(alice, bob)
    match.started_at = START
    before = key(match, seconds=1.5)
    bid(match, alice, 1500)
    assert key(match, seconds=1.5) == before
    assert key(match, seconds=46) == "0a1a"
    bid_moment = last_seen(match=match, seats=list(match.seats.all()))
    assert set(bid_moment.values()) == {START}


def test_nobody_could_be_there_while_the_house_was_down(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    Outage.objects.create(began_at=START + timedelta(minutes=1), ended_at=START + timedelta(minutes=30))
    assert key(match, minutes=30, seconds=44) == "0h1h"
    assert key(match, minutes=30, seconds=45) == "0a1a"


def test_only_people_who_play_have_signs(alice: User, bob: User, carol: User) -> None:
    match = sit_down(alice, bob, carol, bots=1)
    play.resign(slug=match.slug, caller=Caller(carol), moment=START)
    assert key(match) == "0h1h"
    play.resign(slug=match.slug, caller=Caller(bob), moment=START)
    assert key(match) == "0h"
    play.resign(slug=match.slug, caller=Caller(alice), moment=START)
    assert found(match, timedelta()) == NOBODY


@pytest.mark.parametrize("slug", ["m", "block_buster", "blockyou"])
def test_page_says_it_beside_the_names_of_the_others(
    alice: User, bob: User, mallory: User, time: Clock, slug: str
) -> None:
    match = sit_down(alice, bob, game=get_game(slug))
    renew(match, alice, seconds=50)
    time.tick(seconds=50)

    def words(user: User | None) -> list[str]:
        page = text_of(browser(user).get(f"/matches/{match.slug}/"))
        pieces = re.findall(r'<span id="presence-\d" class="presence[^"]*">(.*?)</span>(?=[ <])', page)
        return [re.sub("<[^>]+>", "", piece) for piece in pieces]

    assert words(alice) == ["", "away"]
    assert words(bob) == ["here", ""]
    assert words(mallory) == words(None) == ["here", "away"]
    time.moment = START + GONE_AFTER
    assert words(None) == (["away", "gone"] if slug != "blockyou" else words(None))


def test_looks_cost_the_same_however_many_there_are(alice: User, bob: User, carol: User, mallory: User) -> None:
    costs = set()
    for people in ((alice, bob), (alice, bob, carol, mallory)):
        match = sit_down(*people)
        for user in people:
            renew(match, user)
        seats = list(match.seats.all())
        with CaptureQueriesContext(connection) as queries:
            last_seen(match=match, seats=seats)
        costs.add(len(queries))
    assert costs == {3}


# By poll


def test_poll_brings_it_and_no_version(alice: User, bob: User, time: Clock) -> None:
    match = sit_down(alice, bob)
    renew(match, alice)
    path = f"/matches/{match.slug}/live/?version={match.version}&own=0&stage=match"
    client = browser(alice)
    assert client.get(f"{path}&attendance=0h1h").status_code == 204
    assert client.get(path).status_code == 204, "a page of before"
    time.tick(seconds=46)
    before = frozen(match)
    response = client.get(f"{path}&attendance=0h1h")
    assert response.status_code == 200
    assert 'data-attendance="0h1a"' in text_of(response)
    assert not response.has_header("X-Match-Version")
    assert 'id="board"' not in text_of(response)
    assert client.get(f"{path}&attendance=0h1a").status_code == 204
    assert frozen(match) == before


# Over sockets


@over_sockets
async def test_others_hear_who_comes_back_and_the_match_has_no_new_version(alice: User, bob: User, time: Clock) -> None:
    match = await do(sit_down, alice, bob)
    time.tick(seconds=50)
    before = await do(frozen, match)
    async with watching(match, alice) as socket, watching(match, None) as guest:
        await do(renew, match, bob, seconds=50)
        for page, shown in ((socket, "0a1h"), (guest, "0a1h")):
            heard = await page.hear_beside()
            assert f'data-attendance="{shown}"' in heard
            assert "freshness" not in heard
        assert await socket.hears_nothing()
        # A second tab of the same person, over another process perhaps: nothing new.
        await do(renew, match, bob, seconds=51)
        assert await guest.hears_nothing()
        assert guest.beside == []
    assert await do(frozen, match) == before


@over_sockets
async def test_page_notices_by_itself_who_goes_away(
    alice: User, bob: User, time: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No keeper and no announcement: the page's process looks when it is due. The clock is let go here."""
    monkeypatch.setattr(attendance, "AWAY_AFTER", timedelta(milliseconds=400))
    match = await do(sit_down, alice, bob)
    loop, began = asyncio.get_running_loop(), asyncio.get_running_loop().time()
    monkeypatch.setattr(time, "now", lambda: START + timedelta(seconds=loop.time() - began))
    monkeypatch.setattr("games.matches.clock.now", time.now)
    async with watching(match, None) as socket:
        assert 'data-attendance="0a1a"' in await socket.hear_beside()


@over_sockets
async def test_page_looks_again_whenever_something_is_due(
    alice: User, bob: User, time: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who is away, and then gone, also if it was looked too early, and once more after a look that has failed."""
    monkeypatch.setattr(attendance, "AWAY_AFTER", timedelta(milliseconds=400))
    monkeypatch.setattr(attendance, "GONE_AFTER", timedelta(milliseconds=800))
    monkeypatch.setattr(asides, "AGAIN_AFTER_S", 0.2)
    match = await do(sit_down, alice, bob)
    loop, began = asyncio.get_running_loop(), asyncio.get_running_loop().time()
    # It runs slower than the loop's: each alarm rings before its time.
    monkeypatch.setattr(time, "now", lambda: START + timedelta(seconds=(loop.time() - began) / 2))
    monkeypatch.setattr("games.matches.clock.now", time.now)
    async with watching(match, None) as socket:
        assert 'data-attendance="0a1a"' in await socket.hear_beside()
        look, failures = Asides._look_who_is_there, iter([OperationalError("away")])

        def fails_once(self: Asides, *given: Any, **more: Any) -> Any:
            for error in failures:
                raise error
            return look(self, *given, **more)

        monkeypatch.setattr(Asides, "_look_who_is_there", fails_once)
        assert 'data-attendance="0g1g"' in await socket.hear_beside()
        assert next(failures, None) is None, "it was to fail"


@over_sockets
async def test_page_that_shows_it_already_hears_nothing_on_connect(alice: User, bob: User, time: Clock) -> None:
    match = await do(sit_down, alice, bob)
    time.tick(seconds=50)
    path = match_path(match, version=match.version)
    async with connected(f"{path}&attendance=0a1a") as same, connected(f"{path}&attendance=0h1h") as older:
        assert 'data-attendance="0a1a"' in await older.hear_beside()
        assert await same.hears_nothing()
        assert same.beside == []


@over_sockets
async def test_open_page_keeps_its_player_there_though_the_browser_lets_it_sleep(
    alice: User, bob: User, time: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Any of several; and when the last one is closed nobody says so any more."""
    monkeypatch.setattr(asides, "HERE_EVERY_S", 0.02)
    match = await do(sit_down, alice, bob)
    time.tick(seconds=50)
    async with watching(match, alice):
        async with watching(match, alice):
            await until(match, "0h1a", seconds=50)
        time.tick(seconds=50)
        await until(match, "0h1a", seconds=100)
    time.tick(seconds=50)
    assert (await do(key, match, seconds=150))[:2] == "0a"


@over_sockets
async def test_turns_are_counted_on_every_page_of_the_person(
    alice: User, bob: User, mallory: User, monkeypatch: pytest.MonkeyPatch, time: Clock
) -> None:
    """At another match, and in the lobby; what happens in others' matches is nobody's."""
    monkeypatch.setattr(asides, "COUNT_REST_S", 0.01)
    match = await do(sit_down, alice, bob)
    mover = await do(player_to_move, match)
    waiting = other(mover, alice, bob)
    elsewhere = await do(sit_down, waiting, bots=1)
    first = int(await do(player_to_move_or_none, elsewhere) == waiting)
    lobby_page = connected("/ws/lobby/?lang=en", await do(session_of, waiting))
    async with watching(elsewhere, waiting) as page, watching(elsewhere, mallory) as outside, lobby_page as lobby:
        assert (f'number" aria-hidden="true">{first}</span>' in await lobby.hear()) is bool(first)
        await do(move_at, match, 1000)
        # On a busy machine each may still be told of the turns before.
        while f'aria-hidden="true">{first + 1}</span>' not in await page.hear_beside():
            pass
        heard = await lobby.hear()
        while f'aria-hidden="true">{first + 1}</span>' not in heard:
            heard = await lobby.hear()
        assert await outside.hears_nothing()
        assert outside.beside == []


async def until(match: Match, shown: str, **after: float) -> None:
    """That is what is to be shown, sooner or later."""
    async with asyncio.timeout(PATIENCE_S):
        while await do(key, match, **after) != shown:
            await asyncio.sleep(0)


def player_to_move_or_none(match: Match) -> Any:
    return match.seats.get(index=to_move(match)).user


@pytest.mark.parametrize(
    ("game", "clock", "seconds"),
    [("m", LIVE, "60"), ("m", NO_CLOCK, "180"), ("blockyou", NO_CLOCK, "60")],
)
def test_table_of_a_live_match_says_how_long_the_others_wait(
    alice: User, game: str, clock: TimeLimit, seconds: str
) -> None:
    match = sit_down(alice, seats=2, start=False, game=get_game(game), clock=clock)
    page = text_of(browser(alice).get(f"/matches/{match.slug}/"))
    assert f"When somebody has been away for {seconds} seconds" in page
    by_turns = sit_down(alice, seats=2, start=False, pace=Match.Pace.TURNS)
    assert "When somebody has been away" not in text_of(browser(alice).get(f"/matches/{by_turns.slug}/"))


def test_count_is_in_every_page_s_head_by_one_query(alice: User, bob: User, mallory: User, time: Clock) -> None:
    match = sit_down(alice, bob)
    user = player_to_move(match)
    for path in ("/", "/lobby/", "/rules/m/", "/history/", f"/matches/{match.slug}/", "/account/settings/"):
        page = text_of(browser(user).get(path))
        assert "Your turn in 1 match</span>" in page, path
        assert 'href="/lobby/#lobby-own"' in page
        assert re.search(r'<a id="your-turn"[^>]* hidden>', text_of(browser(mallory).get(path))), path
        assert 'id="your-turn"' not in text_of(browser().get("/"))
    for _ in range(3):
        sit_down(alice, bob)
    with CaptureQueriesContext(connection) as queries:
        browser(user).get("/your-turn/")
    assert sum("matches_seat" in query["sql"] for query in queries) == 1
