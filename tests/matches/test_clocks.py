"""The players' clocks: what they count, and what happens when one runs out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from random import Random

import pytest

from accounts.people.models import User
from games.contract.registry import get_game
from games.matches.callers import Caller
from games.matches.errors import NotRunning, NotSeated
from games.matches.models import Match, Seat
from games.matches.services.clocks import DAY, MINUTE, SECOND, TimeLimit
from games.matches.services.due import next_due, settle_due
from games.matches.services.play import agree_to_end, cancel_match, resign
from tests.matches.browsing import browser, text_of
from tests.matches.conftest import START, Clock, move_form, player_to_move, sit_down, to_move
from tests.matches.playing import other, play_form
from tests.matches.test_exported_records import exported, replayed
from tests.matches.timekeeping import LIVE, by_turns, clocks, log_of, look_at, move_at
from tests.soundness import assert_sound

pytestmark = pytest.mark.django_db

GAMES = ("m", "block_buster")


# What they count


def test_clock_of_the_player_to_move_runs_from_the_start(alice: User, bob: User) -> None:
    match = sit_down(alice, bob, clock=LIVE)
    expected: list[tuple[int, int | None]] = [(LIVE.main or 0, None)] * 2
    expected[to_move(match)] = (600_000, 0)
    assert clocks(match) == expected
    assert next_due() == START + timedelta(minutes=10)


def test_live_a_move_costs_its_time_and_earns_the_increment(alice: User, bob: User) -> None:
    match = sit_down(alice, bob, clock=LIVE)
    first = to_move(match)
    move_at(match, 4_321)
    assert clocks(match)[first] == (600_000 - 4_321 + 10_000, None)
    assert clocks(match)[1 - first] == (600_000, 4_321), "the other's runs from the move on"
    move_at(match, 10_000)
    assert clocks(match)[1 - first] == (600_000 - 5_679 + 10_000, None)
    assert clocks(match)[first] == (605_679, 10_000)


def test_by_turns_each_move_has_the_whole_time(alice: User, bob: User) -> None:
    match = by_turns(alice, bob)
    first = to_move(match)
    move_at(match, 2 * DAY)
    assert clocks(match)[first] == (3 * DAY, None)
    move_at(match, 4 * DAY)
    move_at(match, 7 * DAY - 1)
    assert match.status == Match.Status.RUNNING, "each of them took nearly three days"


def test_without_a_clock_nothing_runs_and_nothing_is_due(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    move_at(match, 1000)
    assert clocks(match) == [(None, None)] * 2
    assert match.due_at is None


def test_bots_have_no_clock(alice: User, time: Clock) -> None:
    """Their time is the house's."""
    match = sit_down(alice, bots=1, clock=LIVE)
    while to_move(match) != 1:
        move_at(match, 1000 + match.ply)
    assert clocks(match)[1] == (None, None)
    assert clocks(match)[0][1] is None, "and the person's stands while a bot thinks"


def random_texts(match: Match, rng: Random) -> Iterator[str]:
    """Moves of a random match, as many as there are; takes among them where there are scoring rounds."""
    while match.status == Match.Status.RUNNING:
        rules = match.game.rules
        view = rules.view(rules.load(match.position or {}), to_move(match))
        yield match.game.bot.choose(view, rng.choice(match.game.bot.LEVELS), rng) or ""
        match.refresh_from_db()


@pytest.mark.parametrize("slug", GAMES)
@pytest.mark.parametrize("seed", [1, 2])
def test_clocks_of_a_random_match_are_the_sums_of_its_log(
    alice: User, bob: User, carol: User, slug: str, seed: int
) -> None:
    """Every ms from the start to the end was on exactly one clock: that of the seat whose move came next."""
    rng = Random(f"{slug}/{seed}")
    match = sit_down(alice, bob, carol, game=get_game(slug), clock=TimeLimit(45 * MINUTE, 30 * SECOND))
    at = 0
    for text in random_texts(match, rng):
        at += rng.randrange(0, 20_000)
        move_at(match, at, move=text)
    assert match.outcome is not None, "played to the end by the rules"
    used, earned, before = [0] * 3, [0] * 3, 0
    for move in match.moves.order_by("ply"):
        used[move.seat] += move.at - before
        earned[move.seat] += 0 if move.text.startswith("take") else 30_000
        before = move.at
    assert sum(used) == at
    assert [left for left, _ in clocks(match)] == [
        45 * MINUTE - spent + more for spent, more in zip(used, earned, strict=True)
    ]
    assert {since for _, since in clocks(match)} == {None}, "and at the end they all stand"


def test_picks_of_a_scoring_round_run_on_the_picker_s_clock_and_earn_nothing(
    alice: User, bob: User, carol: User
) -> None:
    match, rng = sit_down(alice, bob, carol, clock=LIVE), Random(4)
    at, takers = 0, []
    for text in random_texts(match, rng):
        seat = to_move(match)
        left, since = clocks(match)[seat]
        assert left is not None
        assert since == at, "the clock of whose pick or turn it is, from the last move on"
        assert [other for other, (_, runs) in enumerate(clocks(match)) if runs is not None] == [seat]
        at += 1_500
        is_take = text.startswith("take")
        move_at(match, at, move=text)
        takers += [seat] if is_take else []
        if len(takers) > 6 and len(set(takers)) > 1:
            break
        # Who placed may pick first: then the same clock runs on at once.
        assert clocks(match)[seat][0] == left - 1_500 + (0 if is_take else 10_000), text
    assert len(set(takers)) > 1, "also those whose turn it was not"


# What happens when one runs out


def test_move_in_the_last_millisecond_stands_and_one_ms_later_does_not(alice: User, bob: User) -> None:
    in_time, late = sit_down(alice, bob, clock=LIVE), sit_down(alice, bob, clock=LIVE)
    move_at(in_time, 599_999)
    assert (in_time.status, in_time.ply) == (Match.Status.RUNNING, 1)
    loser = to_move(late)
    with pytest.raises(NotRunning):
        move_at(late, 600_000)
    late.refresh_from_db()
    assert (late.status, late.reason, late.ply) == (Match.Status.OVER, "timeout", 0)
    assert late.standing is not None
    assert late.standing["places"][loser] == 2
    assert late.standing["places"][1 - loser] == 1
    assert log_of(late) == [("flagged", 600_000, loser)]
    assert clocks(late)[loser] == (0, None)
    assert clocks(late)[1 - loser] == (600_000, None)
    assert late.seats.get(index=loser).exit == Seat.Exit.FLAGGED


def test_flag_falls_at_its_own_time_whoever_looks_when(alice: User, bob: User) -> None:
    """The keeper at once, or the other player a day later: the same match comes of it."""
    seen = []
    for comer in ("keeper", "late keeper", "other player"):
        match = sit_down(alice, bob, clock=LIVE)
        seat, waiting = to_move(match), other(player_to_move(match), alice, bob)
        look_at(match, 599_999)
        assert match.status == Match.Status.RUNNING
        if comer == "other player":
            day_after = START + timedelta(days=1)
            agree_to_end(slug=match.slug, caller=Caller(waiting), agreed=True, moment=day_after)
        else:
            look_at(match, 600_000 if comer == "keeper" else DAY)
        match.refresh_from_db()
        assert not match.seats.filter(wants_end=True).exists()
        entries = [(code, at, flagged == seat) for code, at, flagged in log_of(match)]
        place = (match.standing or {})["places"][seat]
        seen.append((match.status, match.reason, place, match.finished_at, match.due_at, entries))
    ended = (Match.Status.OVER, "timeout", 2, START + timedelta(minutes=10), None, [("flagged", 600_000, True)])
    assert seen == [ended] * 3


@pytest.mark.parametrize("slug", GAMES)
def test_of_several_who_runs_out_of_time_has_left_and_a_stand_in_plays_on(
    alice: User, bob: User, carol: User, slug: str
) -> None:
    match = sit_down(alice, bob, carol, game=get_game(slug), clock=LIVE)
    flagged, user = to_move(match), player_to_move(match)
    look_at(match, 600_000)
    assert match.status == Match.Status.RUNNING
    seat = match.seats.get(index=flagged)
    assert (seat.kind, seat.left_order, seat.exit) == (Seat.Kind.STAND_IN, 1, Seat.Exit.FLAGGED)
    assert {(move.seat, move.kind, move.at) for move in match.moves.all()} == {(flagged, Seat.Kind.STAND_IN, 600_000)}
    assert to_move(match) != flagged
    assert clocks(match)[to_move(match)] == (600_000, 600_000)
    with pytest.raises(NotSeated):
        play_form(match, user, move_form(match), seconds=601)
    page = re.sub("[\u2068\u2069]", "", text_of(browser(alice).get(f"/matches/{match.slug}/")))
    assert f"{user.display_name} has run out of time." in page[page.index('id="log"') :]
    at = 600_000
    while match.status == Match.Status.RUNNING:
        at += 1000
        move_at(match, at)
    assert clocks(match)[flagged] == (0, None), "a stand-in has no clock, and earns no time"
    assert match.outcome is not None
    assert match.standing is not None
    assert match.standing["places"][flagged] == 3
    assert_sound(match)


@pytest.mark.parametrize("act", [resign, cancel_match])
@pytest.mark.parametrize("keeper", [True, False], ids=["keeper", "no-keeper"])
def test_whose_flag_has_fallen_can_do_nothing_more_whoever_looks_first(
    act: Callable[..., None], keeper: bool, alice: User, bob: User, carol: User
) -> None:
    """They left at the flag, once: nothing is resigned or called off after it, also if their own act was the look."""
    match = sit_down(alice, bob, carol, clock=LIVE)
    flagged, caller = to_move(match), Caller(player_to_move(match))
    moment = START + timedelta(milliseconds=600_020)
    if keeper:
        look_at(match, 600_010)
        with pytest.raises(NotSeated):
            act(slug=match.slug, caller=caller, moment=moment)
    else:
        act(slug=match.slug, caller=caller, moment=moment)
    match.refresh_from_db()
    seat = match.seats.get(index=flagged)
    assert match.status == Match.Status.RUNNING
    assert (seat.left_order, seat.exit, seat.cancelled) == (1, Seat.Exit.FLAGGED, False)
    assert log_of(match) == [("flagged", 600_000, flagged)]


def test_who_is_left_after_two_flags_has_won(alice: User, bob: User, carol: User) -> None:
    match = sit_down(alice, bob, carol, clock=LIVE)
    first = to_move(match)
    look_at(match, 600_000)
    second = to_move(match)
    look_at(match, 1_200_000)
    assert (match.status, match.reason) == (Match.Status.OVER, "timeout")
    assert match.standing is not None
    places = match.standing["places"]
    assert (places[first], places[second], sorted(places)) == (3, 2, [1, 2, 3])
    assert log_of(match) == [("flagged", 600_000, first), ("flagged", 1_200_000, second)]


def test_two_looks_too_late_do_what_two_in_time_did(alice: User, bob: User, carol: User) -> None:
    """A keeper that was away: the second clock began when the first had run out."""
    match = sit_down(alice, bob, carol, clock=LIVE)
    look_at(match, 9_999_999)
    assert (match.status, match.reason) == (Match.Status.OVER, "timeout")
    assert [at for _, at, _ in log_of(match)] == [600_000, 1_200_000]


def test_in_pairs_the_partner_keeps_the_team_s_result(alice: User, bob: User, carol: User, mallory: User) -> None:
    game = get_game("block_buster")
    match = sit_down(alice, bob, carol, mallory, game=game, options={"mode": "pairs"}, clock=LIVE)
    teams = game.rules.teams(match.options, 4)
    flagged = to_move(match)
    look_at(match, 600_000)
    at = 600_000
    while match.status == Match.Status.RUNNING:
        at += 1000
        move_at(match, at)
    assert match.outcome is not None
    assert match.standing is not None
    ruled, places = match.outcome["places"], match.standing["places"]
    assert places[flagged] == 4
    partner = next(seat for seat in range(4) if seat != flagged and teams[seat] == teams[flagged])
    ahead = sum(ruled[seat] < ruled[partner] for seat in range(4))
    assert places[partner] == 1 + ahead, "as if nobody had left"


def test_in_pairs_a_team_without_players_has_lost_on_time(alice: User, bob: User, carol: User, mallory: User) -> None:
    people = [alice, bob, carol, mallory]
    match = sit_down(*people, game=get_game("block_buster"), options={"mode": "pairs"}, clock=LIVE)
    teams = match.game.rules.teams(match.options, 4)
    partner = next(seat for seat in range(4) if seat != to_move(match) and teams[seat] == teams[to_move(match)])
    resign(slug=match.slug, caller=Caller(people[partner]), moment=START)
    assert clocks(match)[partner][1] is None
    flagged = to_move(match)
    look_at(match, 600_000)
    assert (match.status, match.reason) == (Match.Status.OVER, "timeout")
    places = (match.standing or {})["places"]
    assert (places[partner], places[flagged]) == (4, 3)
    assert sorted(places) == [1, 1, 3, 4]


def test_person_who_runs_out_of_time_against_bots_has_lost(alice: User) -> None:
    match = sit_down(alice, bots=2, clock=LIVE)
    while to_move(match) != 0:
        assert match.due_at is not None
        settle_due(moment=match.due_at)
    began = clocks(match)[0][1]
    assert began is not None
    look_at(match, began + 600_000)
    assert (match.status, match.reason) == (Match.Status.OVER, "timeout")
    assert match.standing is not None
    assert match.standing["places"] == [3, 1, 1]


def test_resigning_stops_the_clock_where_it_stood(alice: User, bob: User, carol: User) -> None:
    match = sit_down(alice, bob, carol, clock=LIVE)
    seat, user = to_move(match), player_to_move(match)
    resign(slug=match.slug, caller=Caller(user), moment=START + timedelta(seconds=100))
    assert clocks(match)[seat] == (500_000, None)
    assert clocks(match)[to_move(match)] == (600_000, 100_000)


def test_end_by_agreement_keeps_what_was_left(alice: User, bob: User) -> None:
    match = sit_down(alice, bob, clock=LIVE)
    seat = to_move(match)
    for user in (alice, bob):
        agree_to_end(slug=match.slug, caller=Caller(user), agreed=True, moment=START + timedelta(seconds=61))
    match.refresh_from_db()
    assert match.status == Match.Status.OVER
    assert clocks(match)[seat] == (539_000, None)
    page = text_of(browser(alice).get(f"/matches/{match.slug}/"))
    assert sorted(re.findall(r'class="clock-figure">([\d:]+)<', page)) == ["10:00", "10:00", "8:59", "8:59"]
    assert "running" not in "".join(re.findall(r'class="(clock [^"]*)"', page))


def test_records_of_matches_that_ended_on_time_check_clean(alice: User, bob: User, carol: User) -> None:
    two, three = sit_down(alice, bob, clock=LIVE), sit_down(alice, bob, carol, clock=LIVE)
    move_at(two, 1000)
    loser = to_move(two)
    look_at(two, 2_000_000)
    record = exported(two)
    assert replayed(record) is None
    assert (record["outcome"]["reason"], record["left"]) == ("timeout", [loser])
    assert record["outcome"]["places"][loser] == 2

    flagged = [entry for _, _, entry in log_of(three)]
    record = exported(three)
    assert replayed(record) is None
    assert (record["outcome"]["reason"], record["left"]) == ("timeout", flagged)

    played_on = sit_down(alice, bob, carol, clock=LIVE)
    left = to_move(played_on)
    look_at(played_on, 600_000)
    play_to_the_end_from(played_on, 600_000)
    record = exported(played_on)
    assert replayed(record) is not None
    assert record["left"] == [left]


def play_to_the_end_from(match: Match, at: int) -> None:
    while match.status == Match.Status.RUNNING:
        at += 500
        move_at(match, at)
