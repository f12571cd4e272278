"""Who is there: said by any page of a player, kept for players alone, shown as nothing new; and matches that wait."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.people.models import User
from games.contract.registry import get_game
from games.matches import consumers, sockets
from games.matches.attendance import AWAY_AFTER
from games.matches.callers import Caller
from games.matches.models import Match, Presence
from games.matches.selectors import presence_of
from games.matches.services import play, tables
from games.matches.services.presence import POLL_COUNTS_EVERY, renew_presence
from tests.matches.browsing import act, browser, text_of
from tests.matches.conftest import START, Clock, frozen, sit_down
from tests.matches.crowds import at_once
from tests.matches.wire import Socket, do, notice_of, watching

pytestmark = pytest.mark.django_db

over_sockets = pytest.mark.django_db(transaction=True)


def here(match: Match, moment: datetime) -> dict[int, bool]:
    return presence_of(match=match, moment=moment)


async def is_done(socket: Socket) -> None:
    """All that was said over this socket has been looked at: it answers in order."""
    assert notice_of(await socket.act("end", agreed="perhaps")) == "bad-input"


# What is kept


def test_who_was_seen_is_here_until_they_are_away(alice: User, bob: User) -> None:
    match = sit_down(alice, bob, start=False)
    renew_presence(slug=match.slug, user=alice, moment=START)
    assert here(match, START) == {0: True, 1: False}
    assert here(match, START + AWAY_AFTER - timedelta(milliseconds=1)) == {0: True, 1: False}
    assert here(match, START + AWAY_AFTER) == {0: False, 1: False}
    renew_presence(slug=match.slug, user=alice, moment=START + AWAY_AFTER)
    assert here(match, START + AWAY_AFTER) == {0: True, 1: False}
    assert Presence.objects.count() == 1


def test_only_seats_of_people_are_here_or_away(alice: User, bob: User) -> None:
    match = sit_down(alice, bob, bots=1)
    play.resign(slug=match.slug, caller=Caller(bob), moment=START)
    assert list(here(match, START)) == [0]


def test_nothing_is_kept_of_who_looks_on_or_has_left_or_of_what_is_over(
    alice: User, bob: User, carol: User, mallory: User
) -> None:
    match = sit_down(alice, bob, carol)
    play.resign(slug=match.slug, caller=Caller(carol), moment=START)
    Presence.objects.all().delete()
    for user in (mallory, carol):
        renew_presence(slug=match.slug, user=user, moment=START)
    renew_presence(slug="0123456789ab", user=alice, moment=START)
    play.resign(slug=match.slug, caller=Caller(bob), moment=START)
    renew_presence(slug=match.slug, user=alice, moment=START)
    assert not Presence.objects.exists()


def test_being_there_is_nothing_new_to_anybody(alice: User, bob: User) -> None:
    """No version, no revision, no change that a list would sort by."""
    match = sit_down(alice, bob)
    before = frozen(match)
    renew_presence(slug=match.slug, user=alice, moment=START + timedelta(hours=1), lag=70)
    assert frozen(match) == before


def test_line_is_kept_with_its_time_and_a_tab_without_one_leaves_it(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    later = START + timedelta(seconds=5)
    renew_presence(slug=match.slug, user=alice, moment=START, lag=70)
    renew_presence(slug=match.slug, user=alice, moment=later)
    row = Presence.objects.get(user=alice)
    assert (row.last_seen, row.lag, row.lag_at) == (later, 70, START)
    renew_presence(slug=match.slug, user=alice, moment=later, lag=0)
    row.refresh_from_db()
    assert (row.lag, row.lag_at) == (0, later)


def test_presence_is_never_written_under_the_lock(alice: User, bob: User) -> None:
    """Else everybody who looks in would wait for whoever moves, and the other way round."""
    match = sit_down(alice, bob, start=False)
    with CaptureQueriesContext(connection) as queries:
        tables.set_ready(slug=match.slug, caller=Caller(alice), ready=True, moment=START)
    said = [query["sql"] for query in queries]
    writes = [number for number, sql in enumerate(said) if sql.startswith("INSERT") and "matches_presence" in sql]
    reads_the_match = [number for number, sql in enumerate(said) if sql.startswith("SELECT") and '"deal"' in sql]
    assert len(writes) == 1
    assert writes[0] < reads_the_match[0], "the lock begins with the first look at the match's row"


@pytest.mark.django_db(transaction=True)
def test_tabs_over_many_processes_make_one_row(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    Presence.objects.all().delete()
    moments = [START + timedelta(milliseconds=number) for number in range(20)]
    at_once(
        lambda moment=moment: renew_presence(slug=match.slug, user=alice, moment=moment)  # type: ignore[misc]
        for moment in moments
    )
    assert Presence.objects.get().last_seen in moments


# By socket, and by poll


@over_sockets
async def test_page_says_over_its_socket_that_it_is_there(alice: User, bob: User, time: Clock) -> None:
    """No answer comes, and nobody else hears of it."""
    match = await do(sit_down, alice, bob)
    time.tick(minutes=1)
    async with watching(match, alice) as socket, watching(match, bob) as opposite:
        assert await do(here, match, time.moment) == {0: False, 1: False}, "to look is not yet to be there"
        await socket.say(act="here")
        await is_done(socket)
        assert await do(here, match, time.moment) == {0: True, 1: False}
        assert await socket.hears_nothing()
        assert await opposite.hears_nothing()


@over_sockets
async def test_tab_that_closes_takes_nobody_away(alice: User, bob: User, time: Clock) -> None:
    """Another one is open: it says so within AWAY_AFTER, and that is enough."""
    match = await do(sit_down, alice, bob)
    time.tick(minutes=1)
    async with watching(match, alice) as first:
        async with watching(match, alice) as second:
            await second.say(act="here")
            await is_done(second)
        assert (await do(here, match, time.moment))[0]
        time.tick(seconds=20)
        await first.say(act="here")
        await is_done(first)
        time.tick(seconds=40)
        assert (await do(here, match, time.moment))[0]


@over_sockets
async def test_whoever_has_no_seat_is_not_noted(alice: User, bob: User, mallory: User, time: Clock) -> None:
    match = await do(sit_down, alice, bob)
    await do(Presence.objects.all().delete)
    for user in (mallory, None):
        async with watching(match, user) as socket:
            await socket.say(act="here")
            await is_done_for_a_guest(socket)
    assert not await do(Presence.objects.exists)


async def is_done_for_a_guest(socket: Socket) -> None:
    assert notice_of(await socket.act("end", agreed="1")) in {"not-logged-in", "not-seated"}


@over_sockets
async def test_failure_to_note_it_is_not_the_page_s_concern(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    match = await do(sit_down, alice, bob)

    def broken(**kwargs: object) -> None:
        raise RuntimeError("disk full")

    monkeypatch.setattr(consumers, "renew_presence", broken)
    async with watching(match, alice) as socket:
        await socket.say(act="here")
        assert await socket.hears_nothing()
        await is_done(socket)
    assert "disk full" in caplog.text


@over_sockets
async def test_saying_it_again_and_again_is_a_flood(alice: User, bob: User) -> None:
    match = await do(sit_down, alice, bob)
    async with watching(match, alice) as socket:
        for _ in range(sockets.ACTS_PER_10_S + 1):
            await socket.say(act="here")
        assert "little fast" in await socket.hear()
        assert await socket.close_code() == sockets.FLOOD


def test_poll_of_a_page_without_a_socket_says_it_too(alice: User, bob: User, mallory: User, time: Clock) -> None:
    """Whether there is news or not; and it writes now and then only."""
    match = sit_down(alice, bob)
    for age, written in ((0, False), (POLL_COUNTS_EVERY.total_seconds(), True), (1, False), (60, True)):
        seen = Presence.objects.get(user=alice).last_seen
        moment = time.moment = seen + timedelta(seconds=age)
        for version in (match.version, 1):
            browser(alice).get(f"/matches/{match.slug}/live/?version={version}&own=0&stage=match")
        assert Presence.objects.get(user=alice).last_seen == (moment if written else seen), age
    for user in (mallory, None):
        browser(user).get(f"/matches/{match.slug}/live/?version=1")
    assert set(Presence.objects.values_list("user", flat=True)) == {alice.pk, bob.pk}


def test_poll_of_a_private_match_by_an_outsider_notes_nothing(alice: User, bob: User, mallory: User) -> None:
    match = sit_down(alice, bob, public=False)
    assert browser(mallory).get(f"/matches/{match.slug}/live/?version=1").status_code == 404
    assert not Presence.objects.filter(user=mallory).exists()


# The start of a match in real time: everybody ready, and there


def auction_table(*people: User) -> Match:
    """A table of the toy game at which these people sit; nobody has said anything, nobody has been seen."""
    return sit_down(*people, game=get_game("toy"), start=False)


def say_ready(match: Match, user: User, moment: datetime, *, ready: bool = True) -> None:
    tables.set_ready(slug=match.slug, caller=Caller(user), ready=ready, moment=moment)
    match.refresh_from_db()


def states(match: Match) -> dict[str, tuple[bool, bool]]:
    """By name, whether they are ready, and whether the match did not begin for want of them."""
    return {str(seat.user): (seat.ready, seat.missed_start) for seat in match.seats.select_related("user")}


@pytest.mark.usefixtures("toy")
def test_match_in_real_time_begins_when_all_are_ready_and_there(alice: User, bob: User) -> None:
    """Who says that they are ready is there: no socket is needed."""
    match = auction_table(alice, bob)
    say_ready(match, alice, START)
    say_ready(match, bob, START + AWAY_AFTER - timedelta(seconds=1))
    assert match.status == Match.Status.RUNNING


@pytest.mark.usefixtures("toy")
def test_who_has_gone_away_is_ready_no_more_and_all_are_told(alice: User, bob: User, carol: User) -> None:
    match = auction_table(alice, bob, carol)
    say_ready(match, alice, START)
    later = START + AWAY_AFTER
    say_ready(match, bob, later)
    version = match.version
    say_ready(match, carol, later + timedelta(seconds=1))
    assert match.status == Match.Status.TABLE
    assert match.version == version + 1, "all see it"
    assert states(match) == {"alice": (False, True), "bob": (True, False), "carol": (True, False)}
    say_ready(match, alice, later + timedelta(seconds=2))
    assert match.status == Match.Status.RUNNING
    assert not match.seats.filter(missed_start=True).exists()


@pytest.mark.usefixtures("toy")
def test_any_tab_that_is_open_keeps_somebody_there(alice: User, bob: User) -> None:
    match = auction_table(alice, bob)
    say_ready(match, alice, START)
    for seconds in (20, 40, 60):
        renew_presence(slug=match.slug, user=alice, moment=START + timedelta(seconds=seconds))
    say_ready(match, bob, START + timedelta(seconds=80))
    assert match.status == Match.Status.RUNNING


@pytest.mark.usefixtures("toy")
def test_presence_at_another_table_is_none_at_this(alice: User, bob: User) -> None:
    match, elsewhere = auction_table(alice, bob), auction_table(alice, bob)
    say_ready(match, alice, START)
    renew_presence(slug=elsewhere.slug, user=alice, moment=START + AWAY_AFTER)
    say_ready(match, bob, START + AWAY_AFTER)
    assert match.status == Match.Status.TABLE


@pytest.mark.usefixtures("toy")
@pytest.mark.parametrize("how", ["says not ready", "gets up", "another comes"])
def test_it_is_said_until_they_answer_or_the_company_changes(alice: User, bob: User, carol: User, how: str) -> None:
    match = sit_down(alice, bob, game=get_game("toy"), start=False)
    say_ready(match, alice, START)
    say_ready(match, bob, START + AWAY_AFTER)
    assert states(match)["alice"] == (False, True)
    moment = START + AWAY_AFTER
    if how == "says not ready":
        say_ready(match, alice, moment, ready=False)
    elif how == "gets up":
        tables.leave_table(slug=match.slug, caller=Caller(alice), moment=moment)
    else:
        tables.unseat(slug=match.slug, caller=Caller(alice), index=1, moment=moment)
        tables.join_table(slug=match.slug, caller=Caller(carol), index=None, moment=moment)
        assert states(match)["carol"] == (False, False)
    assert not match.seats.filter(missed_start=True).exists()


@pytest.mark.usefixtures("toy")
def test_table_says_who_was_away_and_what_to_do(alice: User, bob: User, carol: User, mallory: User) -> None:
    match = auction_table(alice, bob, carol)
    page = f"/matches/{match.slug}/"
    assert "everybody is on this page and ready" in text_of(browser(alice).get(page))
    say_ready(match, alice, START)
    say_ready(match, bob, START + timedelta(seconds=1))
    say_ready(match, carol, START + timedelta(minutes=1))
    seen = {user: text_of(browser(user).get(page)) for user in (alice, bob, carol, mallory)}
    assert all("You were away" in seen[user] for user in (alice, bob))
    assert "Alice\u2069 and \u2068Bob\u2069 were away when the match was about to begin" in seen[carol]
    assert all(seen[user].count("was away</span>") == 2 for user in (carol, mallory))
    say_ready(match, alice, START + timedelta(minutes=1))
    assert "\u2068Bob\u2069 was away when the match was about to begin" in text_of(browser(carol).get(page))


@over_sockets
@pytest.mark.usefixtures("toy")
async def test_all_pages_hear_that_somebody_was_away(alice: User, bob: User, time: Clock) -> None:
    match = await do(auction_table, alice, bob)
    async with watching(match, alice, stage="table") as first, watching(match, bob, stage="table") as second:
        await first.act("ready", ready="1")
        await second.hear()
        time.tick(minutes=1)
        assert 'id="missed-start"' in await second.act("ready", ready="1")
        assert "You were away" in await first.hear()
        assert 'data-stage="match"' in await first.act("ready", ready="1")


def test_other_live_games_begin_without_regard_to_it(alice: User, bob: User) -> None:
    """By turns and with a clock nobody misses a round: as before, ready is ready."""
    match = sit_down(alice, bob, start=False)
    say_ready(match, alice, START)
    say_ready(match, bob, START + timedelta(minutes=20))
    assert match.status == Match.Status.RUNNING


@pytest.mark.usefixtures("toy")
def test_who_may_not_sit_there_is_not_noted_by_saying_ready(alice: User, bob: User, mallory: User) -> None:
    match = auction_table(alice, bob)
    assert act(mallory, match, "ready", {"ready": "1"}).status_code == 403
    assert not Presence.objects.exists()
