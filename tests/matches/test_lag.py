"""What a measured line is worth to a claim: HOLD at the most, whatever a page does, and nothing that a page says."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction

from accounts.people.models import User
from games.matches import consumers, pings, screen, sockets
from games.matches.callers import Caller
from games.matches.errors import MoveRefused, StaleTurn
from games.matches.fragments.match import update_parts
from games.matches.models import Match, Presence
from games.matches.selectors import LAG_COUNTS_FOR
from games.matches.services import acts
from tests.matches.auctions import at, auction, bid, bid_form, effective_times, look
from tests.matches.browsing import act, notice_in
from tests.matches.conftest import Clock, frozen
from tests.matches.wire import Socket, do, notice_of, watching
from tests.toy.rules import COUNT, HOLD, WINDOWS

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("toy")]

over_sockets = pytest.mark.django_db(transaction=True)

ABSURD = {
    "at": "1",
    "lag": "999999",
    "lag_at": "2999-01-01T00:00:00Z",
    "now": "0",
    "time": "-5",
    "arrived": "2020-01-01T00:00:00Z",
    "sent": "1e308",
    "effective": "1001",
    "moment": "NaN",
    "ping": "150",
    "rtt": "150",
    "token": "x",
    "clock": "٣",
    "reached": "9" * 30,
}
"""Times and lags as a page might send them along, in every spelling that somebody might try."""


class Seconds:
    """The monotonic clock of the sockets, in the test's hand."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def seconds(monkeypatch: pytest.MonkeyPatch) -> Seconds:
    held = Seconds()
    monkeypatch.setattr(consumers, "monotonic", held)
    return held


async def answer(socket: Socket, seconds: Seconds, *, after: float) -> None:
    """Answer the ping that has come, so many seconds after it was sent."""
    ping = await socket.ping()
    seconds.now += after
    await socket.pong(ping["ping"])


async def lag_of(match: Match) -> int:
    """The lag of the last claim, as it is stored."""
    last = await do(lambda: match.moves.order_by("-ply")[0])
    return last.lag


# The bound


@pytest.mark.parametrize(
    ("lag", "counts"), [(0, 0), (1, 1), (HOLD - 1, HOLD - 1), (HOLD, HOLD), (HOLD + 1, HOLD), (5000, HOLD)]
)
def test_claim_counts_as_made_by_its_lag_earlier_but_never_by_more_than_hold(
    alice: User, bob: User, lag: int, counts: int
) -> None:
    match = auction(alice, bob)
    bid(match, alice, 3000, lag=lag)
    assert effective_times(match)[0] == 3000 - counts


def test_line_of_five_seconds_saves_no_claim_that_is_later_than_hold(alice: User, bob: User) -> None:
    """At the very edge: a claim made within the window is good until HOLD after it, and then the round has closed."""
    ends = COUNT + WINDOWS["long"]
    match = auction(alice, bob)
    bid(match, alice, ends + HOLD - 1, lag=5000)
    assert effective_times(match)[0] == ends - 1
    match = auction(alice, bob)
    with pytest.raises(StaleTurn):
        bid(match, alice, ends + HOLD, lag=5000)
    with pytest.raises(MoveRefused):
        bid(auction(alice, bob), alice, ends + 1, lag=0)


def test_claim_never_counts_as_made_before_the_round_opened(alice: User, bob: User) -> None:
    match = auction(alice, bob)
    bid(match, alice, COUNT + 20, lag=HOLD)
    assert effective_times(match)[0] == COUNT


def test_waiting_for_the_lock_is_added_to_the_lag(alice: User, bob: User) -> None:
    """Bob's later claim was first at the lock: Alice's counts as made when it arrived, less her line."""
    match = auction(alice, bob)
    bid(match, bob, 3000)
    bid(match, alice, 2950, lag=40)
    assert effective_times(match) == [2910, 3000]


@over_sockets
async def test_page_that_delays_all_its_answers_gains_hold_and_no_more(
    alice: User, bob: User, time: Clock, seconds: Seconds
) -> None:
    """Every answer comes as late as one may: the figure is believed, and capped by the rules."""
    match = await do(auction, alice, bob)
    time.moment = at(3000)
    async with watching(match, alice) as socket:
        await answer(socket, seconds, after=2.875)
        await socket.act("move", **await do(bid_form, match, alice))
    assert await lag_of(match) == 2875
    assert (await do(effective_times, match))[0] == 3000 - HOLD


@over_sockets
async def test_claim_carries_the_estimate_of_its_own_socket(
    alice: User, bob: User, time: Clock, seconds: Seconds
) -> None:
    match = await do(auction, alice, bob)
    time.moment = at(3000)
    async with watching(match, alice) as near, watching(match, bob) as far:
        asked = [(await near.ping())["ping"], (await far.ping())["ping"]]
        seconds.now += 0.03125
        await near.pong(asked[0])
        assert await near.hears_nothing()
        seconds.now += 0.09375
        await far.pong(asked[1])
        for socket, user in ((near, alice), (far, bob)):
            await socket.act("move", **await do(bid_form, match, user))
    assert await do(effective_times, match) == [3000 - 31, 3000 - 125]


@over_sockets
async def test_claim_without_an_answered_ping_has_no_lag(alice: User, bob: User, time: Clock, seconds: Seconds) -> None:
    """Neither while the first ping is under way, nor when it was never answered."""
    match = await do(auction, alice, bob)
    time.moment = at(3000)
    async with watching(match, alice) as first, watching(match, bob) as second:
        await first.act("move", **await do(bid_form, match, alice))
        await second.ping()
        seconds.now += 60
        await second.act("move", **await do(bid_form, match, bob))
    assert await do(effective_times, match) == [3000, 3000]


@over_sockets
@pytest.mark.parametrize("how", ["made up", "twice", "without a token", "another socket's"])
async def test_answer_to_no_ping_of_ours_takes_the_lag_away_and_gets_no_reply(
    alice: User, bob: User, time: Clock, seconds: Seconds, how: str
) -> None:
    match = await do(auction, alice, bob)
    time.moment = at(3000)
    async with watching(match, alice) as socket, watching(match, alice) as other_tab:
        ping, foreign = await socket.ping(), await other_tab.ping()
        seconds.now += 0.125
        await socket.pong(ping["ping"])
        wrong = {"made up": "x" * 16, "twice": ping["ping"], "another socket's": foreign["ping"]}
        await (socket.pong(wrong[how]) if how in wrong else socket.say(act="pong"))
        assert await socket.hears_nothing()
        await socket.act("move", **await do(bid_form, match, alice))
    assert (await do(effective_times, match))[0] == 3000


@over_sockets
async def test_claim_is_stamped_as_it_comes_in_though_the_socket_is_busy(
    alice: User, bob: User, time: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While its socket draws what another has done, a person's claim arrives, and waits; its time does not."""
    match = await do(auction, alice, bob)
    time.moment = at(3000)
    form = await do(bid_form, match, alice)
    async with watching(match, alice) as socket:

        def slow(*args: Any, **kwargs: Any) -> Any:
            time.moment = at(3500)  # half a second goes by
            return update_parts(*args, **kwargs)

        monkeypatch.setattr(screen, "update_parts", slow)
        await socket.say(act="end", agreed="perhaps")
        await socket.say(act="move", **form)
        for _ in range(2):
            await socket.hear()
    assert [move.at for move in await do(lambda: list(match.moves.all()))] == [3000]


# The flood limit


@over_sockets
@pytest.mark.usefixtures("time")
async def test_answers_to_our_pings_are_no_flood_and_others_are(
    alice: User, bob: User, seconds: Seconds, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await do(auction, alice, bob)
    monkeypatch.setattr(pings, "PING_EVERY_S", 0)
    async with watching(match, alice) as socket:
        for _ in range(sockets.ACTS_PER_10_S + 20):
            await socket.pong((await socket.ping())["ping"])
        assert notice_of(await socket.act("end", agreed="perhaps")) == "bad-input"
        for _ in range(sockets.ACTS_PER_10_S - 1):
            await socket.pong("made up")
        assert "little fast" in await socket.act("end", agreed="perhaps")


@over_sockets
@pytest.mark.usefixtures("time", "seconds")
async def test_malformed_answers_are_messages_like_others(alice: User, bob: User) -> None:
    """The measuring meets each message first: it must outlive whatever comes."""
    match = await do(auction, alice, bob)
    before = await do(frozen, match)
    wrong = ['{"act": "pong"', '{"act": "pong", "token": 5}', '["pong"]', '"pong"', "pong" * 500, '{"pong": "pong"}']
    async with watching(match, alice) as socket:
        for text in wrong:
            await socket.send_to(text_data=text)
            assert notice_of(await socket.hear()) is not None, text
        await socket.send_to(text_data=json.dumps({"act": "pong", "token": "\0\ud800"}))
        await socket.send_to(text_data=json.dumps({"act": "pong", "token": "x" * 4000}))
        assert await socket.hears_nothing()
    assert await do(frozen, match) == before


# By form: what a socket has found out a moment ago


@pytest.mark.parametrize(("age", "counts"), [(0, 120), (LAG_COUNTS_FOR.total_seconds(), 120), (30.001, 0)])
def test_claim_by_form_has_the_last_estimate_if_it_is_fresh(
    alice: User, bob: User, time: Clock, age: float, counts: int
) -> None:
    match = auction(alice, bob)
    time.moment = at(3000)
    measured = {"lag": 120, "lag_at": time.moment - timedelta(seconds=age)}
    Presence.objects.filter(match=match, user=alice).update(**measured)
    Presence.objects.filter(match=match, user=bob).update(lag=77, lag_at=time.moment)
    assert act(alice, match, "move", bid_form(match, alice)).status_code == 200
    assert effective_times(match)[0] == 3000 - counts


@pytest.mark.parametrize("lag", [151, 2999, 5000])
def test_stored_estimate_is_capped_as_any(alice: User, bob: User, time: Clock, lag: int) -> None:
    match = auction(alice, bob)
    time.moment = at(3000)
    Presence.objects.filter(match=match, user=alice).update(lag=lag, lag_at=time.moment)
    act(alice, match, "move", bid_form(match, alice))
    assert effective_times(match)[0] == 3000 - HOLD


def test_claim_by_form_has_no_lag_where_nothing_was_measured_at_this_match(alice: User, bob: User, time: Clock) -> None:
    """Of this person, that is, and here: not what another one's line takes, or at another match."""
    elsewhere = auction(alice, bob)
    match = auction(alice, bob)
    time.moment = at(3000)
    Presence.objects.filter(match=match, user=alice).delete()
    for presence in Presence.objects.exclude(match=match, user=alice):
        Presence.objects.filter(pk=presence.pk).update(lag=120, lag_at=time.moment)
    assert Presence.objects.filter(match=elsewhere, user=alice, lag=120).exists()
    assert act(alice, match, "move", bid_form(match, alice)).status_code == 200
    assert effective_times(match)[0] == 3000


# What a page says of times


def outcome(match: Match, user: User, name: str, form: dict[str, str]) -> tuple[Any, Any]:
    """What becomes of that act by form, as if it had never been."""
    with transaction.atomic():
        answer = act(user, match, name, form)
        stored = frozen(match)
        transaction.set_rollback(True)
    for move in stored["moves"]:
        del move["id"]  # numbers that were taken back are not given again
    return (answer.status_code, notice_in(answer)), stored


@pytest.mark.parametrize("name", [*acts.ACTS, "here", "pong", "nonsense"])
@pytest.mark.parametrize("begun", [True, False], ids=["match", "table"])
def test_times_in_a_form_change_nothing(alice: User, bob: User, time: Clock, name: str, begun: bool) -> None:
    match = auction(alice, bob) if begun else auction(alice, bob, seats=3, start=False, opened=False)
    time.moment = at(3000)
    form = {"seat": "2", "ready": "1", "agreed": "1", "level": "easy"}
    form |= bid_form(match, alice) if begun else {}
    plain = outcome(match, alice, name, form)
    assert outcome(match, alice, name, {**ABSURD, **form}) == plain
    assert outcome(match, alice, name, {**form, **ABSURD}) == plain
    if name in {"move", "resign", "end"} and begun:
        assert plain[1] != frozen(match), "it does something that might have changed"


@over_sockets
async def test_times_in_a_message_change_nothing(
    alice: User, bob: User, time: Clock, seconds: Seconds, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each act gets the arrival and the lag that we have stamped, and no others."""
    match = await do(auction, alice, bob)
    time.moment = at(3000)
    asked: list[dict[str, Any]] = []

    def listen(**kwargs: Any) -> None:
        asked.append(kwargs)
        if kwargs["act"] == "move":
            acts.perform_act(**kwargs)

    monkeypatch.setattr(consumers, "perform_act", listen)
    async with watching(match, alice) as socket:
        ping = await socket.ping()
        seconds.now += 0.0625
        await socket.say(**{**ABSURD, "act": "pong", "token": ping["ping"]})
        form = await do(bid_form, match, alice)
        for name in acts.ACTS:
            await socket.act(name, **{**ABSURD, **form})
    # In real time a move comes twice: without the lock it is not possible.
    assert list(dict.fromkeys(kwargs["act"] for kwargs in asked)) == list(acts.ACTS)
    assert {(kwargs["arrived"], kwargs["lag"]) for kwargs in asked} == {(at(3000), 62)}
    assert (await do(effective_times, match))[0] == 3000 - 62


@over_sockets
async def test_here_stores_the_line_as_it_was_measured_and_no_figure_of_the_page_s(
    alice: User, bob: User, time: Clock, seconds: Seconds
) -> None:
    match = await do(auction, alice, bob)
    time.moment = at(3000)
    async with watching(match, alice) as socket:
        await answer(socket, seconds, after=0.0625)
        await socket.say(act="here", **{**ABSURD, "last_seen": "2999-01-01"})
        assert notice_of(await socket.act("end", agreed="perhaps")) == "bad-input"
    stored = await do(Presence.objects.get, match=match, user=alice)
    assert (stored.last_seen, stored.lag, stored.lag_at) == (at(3000), 62, at(3000))


def test_bots_have_no_lag(alice: User) -> None:
    match = auction(alice, bots=1)
    look(match, COUNT + WINDOWS["long"])
    claims = list(match.moves.filter(kind="bot"))
    assert [move.lag for move in claims] == [0] * len(claims)
    assert claims


def test_every_caller_has_no_lag_unless_it_was_measured(alice: User, bob: User) -> None:
    """A door that measures nothing gives none away."""
    match = auction(alice, bob)
    acts.perform_act(act="move", slug=match.slug, caller=Caller(alice), data=bid_form(match, alice), arrived=at(3000))
    assert effective_times(match)[0] == 3000
