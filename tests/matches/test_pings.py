"""The line of a socket: measured by our clock alone, by pings that its page answers, and by nothing that it says."""

from __future__ import annotations

import asyncio

import pytest

from accounts.people.models import User
from games.matches import consumers, pings, sockets
from games.matches.callers import Caller
from games.matches.models import Match
from games.matches.pings import ANSWER_WITHIN_S, KEPT, Line
from games.matches.services import play
from games.matches.services.tables import set_ready
from games.matches.snapshots import snapshot
from tests.matches.auctions import at, auction
from tests.matches.conftest import START, Clock, sit_down
from tests.matches.wire import PATIENCE_S, do, match_path, socket_at, watching

# The measuring, with the time in the test's hand


def answered(line: Line, delay: float, *, at: float) -> int | None:
    """The estimate after a ping at that second whose answer took so long."""
    token = f"token-{at}"
    line.ping(token, at)
    line.pong(token, at + delay)
    return line.lag(at + delay)


def test_nothing_is_known_of_a_line_before_the_first_answer() -> None:
    line = Line()
    assert line.lag(0.0) is None
    line.ping("a", 0.0)
    assert line.lag(0.1) is None, "an answer may still come"


def test_round_trip_is_counted_in_whole_milliseconds_rounded_down() -> None:
    assert answered(Line(), 0.0809, at=5.0) == 80


def test_lowest_of_the_recent_figures_counts() -> None:
    """A moment of a slow line is no slow line."""
    line = Line()
    estimates = [answered(line, delay, at=2.0 * number) for number, delay in enumerate((0.125, 0.5, 0.0625, 0.25))]
    assert estimates == [125, 125, 62, 62]


def test_figures_are_forgotten_after_so_many() -> None:
    """A line that has become slower is believed in the end."""
    line = Line()
    answered(line, 0.02, at=0.0)
    estimates = [answered(line, 0.25, at=2.0 + 2 * number) for number in range(KEPT)]
    assert estimates == [20] * (KEPT - 1) + [250]


def test_ping_without_an_answer_counts_as_no_lag() -> None:
    """Who picks which pings to answer gains nothing by it."""
    line = Line()
    answered(line, 0.2, at=0.0)
    line.ping("left out", 2.0)
    assert line.lag(2.0 + ANSWER_WITHIN_S) == 200
    assert line.lag(2.01 + ANSWER_WITHIN_S) == 0


def test_answer_that_comes_too_late_is_none() -> None:
    line = Line()
    line.ping("late", 0.0)
    assert not line.pong("late", ANSWER_WITHIN_S + 0.01)
    assert line.lag(ANSWER_WITHIN_S + 0.02) == 0


def test_no_figure_is_larger_than_an_answer_may_take() -> None:
    line = Line()
    assert answered(line, ANSWER_WITHIN_S, at=0.0) == ANSWER_WITHIN_S * 1000


@pytest.mark.parametrize("token", ["made up", ""])
def test_made_up_answer_counts_as_no_lag(token: str) -> None:
    line = Line()
    answered(line, 0.2, at=0.0)
    line.ping("true", 2.0)
    assert not line.pong(token, 2.1)
    assert line.lag(2.1) == 0


def test_second_answer_to_the_same_ping_counts_as_no_lag() -> None:
    line = Line()
    line.ping("once", 0.0)
    assert line.pong("once", 0.15)
    assert line.lag(0.15) == 150
    assert not line.pong("once", 0.2)
    assert line.lag(0.2) == 0


def test_answers_may_come_out_of_order() -> None:
    """Over a very slow line the next ping goes out before the last one is answered."""
    line = Line()
    line.ping("first", 0.0)
    line.ping("second", 2.0)
    assert line.pong("second", 2.25)
    assert line.pong("first", 2.5)
    assert line.lag(2.5) == 250


def test_what_is_kept_of_a_line_stays_small() -> None:
    """A page that never answers, or answers without end, fills no memory."""
    line = Line()
    for number in range(1000):
        line.ping(str(number), 2.0 * number)
        line.pong("nonsense", 2.0 * number)
    assert len(line._sent) <= 2
    assert len(line._figures) == KEPT


# Over a socket: who is asked, and how often


over_sockets = pytest.mark.django_db(transaction=True)


@over_sockets
@pytest.mark.usefixtures("toy")
async def test_player_in_real_time_is_asked_at_once_and_again_and_again(
    alice: User, bob: User, time: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each time with a token that nobody can know before, and the server's time."""
    match = await do(auction, alice, bob)
    time.moment = at(1500)
    monkeypatch.setattr(pings, "PING_EVERY_S", 0.005)
    async with watching(match, alice) as socket:
        heard = [await socket.ping() for _ in range(3)]
    assert len({ping["ping"] for ping in heard}) == 3
    assert all(len(ping["ping"]) >= 16 for ping in heard)
    assert {ping["now"] for ping in heard} == {int(START.timestamp() * 1000) + 1500}
    assert {tuple(ping) for ping in heard} == {("ping", "now")}


def pauses(match: Match, *people: User | None) -> list[float | None]:
    """Seconds between two pings to each of these people's pages."""
    return [consumers._ping_pause(snapshot(slug=match.slug, caller=Caller(user)), user) for user in people]


@pytest.mark.django_db
@pytest.mark.usefixtures("toy")
def test_who_is_asked_how_often(alice: User, bob: User, carol: User, mallory: User) -> None:
    """Often where the line counts; where a clock is shown so that the page knows the server's; else not at all."""
    often, seldom = pings.PING_EVERY_S, pings.CLOCK_EVERY_S
    table = auction(alice, bob, carol, start=False)
    assert pauses(table, alice, mallory, None) == [None, None, None]
    match = auction(alice, bob, carol)
    assert pauses(match, alice, bob, mallory, None) == [often, often, seldom, seldom]
    play.resign(slug=match.slug, caller=Caller(carol), moment=at(1500))
    assert pauses(match, alice, carol) == [often, seldom], "who has left makes no claims"
    play.resign(slug=match.slug, caller=Caller(bob), moment=at(1500))
    assert pauses(match, alice, bob) == [None, None], "it is over"
    by_turns = sit_down(alice, bob)
    assert pauses(by_turns, alice, None) == [None, None]
    Match.objects.filter(pk=by_turns.pk).update(clock_main=600_000, revision=99)
    assert pauses(by_turns, alice, None) == [seldom, seldom]


@over_sockets
@pytest.mark.usefixtures("toy", "time")
async def test_table_s_page_is_asked_from_the_start_on_and_a_finished_match_s_no_more(alice: User, bob: User) -> None:
    match = await do(auction, alice, bob, opened=False, start=False)
    async with watching(match, alice, stage="table") as socket:
        assert pinging_tasks("pings") == 0
        for user in (alice, bob):
            await do(set_ready, slug=match.slug, caller=Caller(user), ready=True, moment=START)
            await socket.hear()
        assert (await socket.ping())["ping"]
        await do(play.resign, slug=match.slug, caller=Caller(bob), moment=START)
        assert 'data-status="over"' in await socket.hear()
        await asyncio.sleep(0)
        assert pinging_tasks("pings") == 0


def pinging_tasks(name: str) -> int:
    """How many sockets have a task of that name at work."""
    return sum(task.get_name() == name and not task.done() for task in asyncio.all_tasks())


@over_sockets
@pytest.mark.usefixtures("toy", "time")
async def test_nothing_is_left_at_work_when_a_socket_has_ended(alice: User, bob: User, mallory: User) -> None:
    """However it ends: the page goes, we close it, or the server gives it up."""
    match = await do(auction, alice, bob)
    for user in (alice, mallory):
        async with watching(match, user) as socket:
            await socket.ping()
            assert (pinging_tasks("pings"), pinging_tasks("arrivals")) == (1, 1)
        assert (pinging_tasks("pings"), pinging_tasks("arrivals")) == (0, 0)
    given_up = socket_at(match_path(match))
    await given_up.connect(timeout=PATIENCE_S)
    await given_up.hear()
    given_up.future.cancel()
    await asyncio.wait([given_up.future])
    await asyncio.sleep(0)
    assert (pinging_tasks("pings"), pinging_tasks("arrivals")) == (0, 0)
    async with watching(match, alice) as socket:
        await socket.ping()
        await do(Match.objects.filter(slug=match.slug).delete)
        await socket.say(act="resign")
        assert await socket.close_code() == sockets.NOT_HERE
        await asyncio.sleep(0)
        assert pinging_tasks("pings") == 0, "the page may be slow to close its end"
