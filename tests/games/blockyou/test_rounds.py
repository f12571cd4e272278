"""Rounds in company: how they open, when they end, who sits out, and how a match ends."""

from dataclasses import replace
from typing import Any

import pytest

from games.blockyou.position import COUNTDOWN, IDLE, Position
from games.blockyou.rules import RULES
from games.blockyou.timing import CAP, COUNT, FINAL, HOLD, PAUSE
from games.contract.values import ROUND_OVER, Event
from tests.games.blockyou.boards import (
    BARREN,
    EAST,
    FIVES,
    FOURS,
    ONES,
    OPENED,
    SOUTH,
    TWOS,
    claim,
    company,
    happens,
    queues,
    status,
    told,
    wait,
)

ALL = (0, 1, 2, 3)


def between(*sits_out: int, opens: int = 9000, **fields: Any) -> Position:
    """The countdown to round 7, which these seats must sit out."""
    begun = company(up=(TWOS, FOURS, ONES, FIVES))
    seats = tuple(
        replace(seat, queue=(seat.up or 0, *seat.queue), up=None, status=IDLE, sits_out=number in sits_out)
        for number, seat in enumerate(begun.seats)
    )
    return replace(begun, phase=COUNTDOWN, now=opens - 1, opens=opens, closes=None, round=7, seats=seats, **fields)


def codes(position: Position, until: int) -> list[str]:
    return [code for _, code, _ in happens(position, until)]


# Opening


def test_at_the_opening_all_turn_up_the_front_card_and_search() -> None:
    assert RULES.due(between()) == 9000
    assert happens(between(), 9000) == [(9000, "opened", {"round": 7})]
    opened = wait(between(), 9000)
    assert [seat.up for seat in opened.seats] == [TWOS, FOURS, ONES, FIVES]
    assert queues(opened) == [(60, 61), (62, 63), (64, 65), (66, 67)]
    assert status(opened) == ["searching"] * 4
    assert (opened.phase, opened.opens, opened.closes) == ("open", 9000, 9000 + CAP)


def test_who_erred_sits_out_one_round_and_keeps_the_card() -> None:
    opened = wait(between(1), 9000)
    assert status(opened) == ["searching", "sitting out", "searching", "searching"]
    assert opened.seats[1].up is None
    assert queues(opened)[1] == (FOURS, 62, 63)
    assert not opened.seats[1].sits_out


def test_if_only_one_may_play_the_round_is_at_once_in_final() -> None:
    position = between(0, 1, 3)
    assert happens(position, 9000) == [(9000, "opened", {"round": 7}), (9000, "final", {"until": 9000 + FINAL})]
    opened = wait(position, 9000)
    assert (opened.phase, opened.closes) == ("final", 9000 + FINAL)
    assert RULES.due(opened) == 9000 + FINAL + HOLD


def test_if_nobody_may_play_the_round_is_passed_over_and_the_next_takes_its_time() -> None:
    """It uses up its number, its sit-outs are served, and it is not one of five in which nobody placed a card."""
    position = between(*ALL, quiet=4)
    assert happens(position, 9000) == [(9000, "passed-over", {"round": 7}), (9000, "opened", {"round": 8})]
    opened = wait(position, 9000)
    assert status(opened) == ["searching"] * 4
    assert (opened.round, opened.opens, opened.quiet) == (8, 9000, 4)


# Going on


def test_one_who_is_left_after_a_placement_is_last_and_the_card_goes_back() -> None:
    position = company([FIVES, FOURS], [SOUTH, 1])
    position = claim(position, 0, "5,5/0", 5000)
    assert happens(position, 5150)[1:] == [
        (5150, "last", {"seat": 1}),
        (5150, ROUND_OVER, {"round": 1, "searched": (0, 1)}),
    ]
    assert queues(wait(position, 5150)) == [(60, 61), (62, 63, FOURS)]


@pytest.mark.parametrize("text", ["0,0/0", "1,1/1"], ids=["wrong", "self-block"])
def test_one_who_is_left_after_an_error_has_final(text: str) -> None:
    position = company([TWOS, FIVES], [SOUTH, 1])
    position = claim(position, 0, text, 5000)
    assert happens(position, 5150)[1:] == [(5150, "final", {"until": 5150 + FINAL})]
    final = wait(position, 5150)
    assert (final.phase, final.closes, status(final)[1]) == ("final", 5150 + FINAL, "searching")


def test_when_final_is_over_the_card_goes_back_and_the_round_ends() -> None:
    final = wait(claim(company([TWOS, FIVES], [SOUTH, 1]), 0, "0,0/0", 5000), 5150)
    assert codes(final, 5150 + FINAL + HOLD - 1) == []
    assert codes(final, 5150 + FINAL + HOLD) == ["final-over", ROUND_OVER]
    assert queues(wait(final, 5150 + FINAL + HOLD))[1] == (62, 63, FIVES)


def test_in_final_one_can_still_place() -> None:
    final = wait(claim(company([TWOS, FIVES], [SOUTH, 1]), 0, "0,0/0", 5000), 5150)
    assert codes(claim(final, 1, "5,5/0", 5150 + FINAL), 5150 + FINAL + HOLD) == ["placed", ROUND_OVER]


def test_two_who_are_left_after_an_error_search_on_without_final() -> None:
    after = wait(claim(company(), 0, "0,0/0", 5000), 5150)
    assert (after.phase, after.closes) == ("open", OPENED + CAP)


def test_the_round_ends_when_nobody_searches() -> None:
    """The last two fall in the same millisecond."""
    position = claim(claim(company([TWOS, FIVES], [SOUTH, 1]), 0, "0,0/0", 5000), 1, "0,3/0", 5000)
    after = wait(position, 5150)
    assert codes(position, 5150) == ["wrong", "final", "wrong", ROUND_OVER]
    assert after.phase == COUNTDOWN
    assert status(after) == ["idle", "idle"]
    assert [seat.sits_out for seat in after.seats] == [True, True]


def test_at_the_cap_all_who_search_put_their_cards_back() -> None:
    assert codes(company(), OPENED + CAP + HOLD - 1) == []
    assert happens(company(), OPENED + CAP + HOLD) == [
        (OPENED + CAP + HOLD, "capped", {}),
        (OPENED + CAP + HOLD, ROUND_OVER, {"round": 1, "searched": ALL}),
    ]
    assert queues(wait(company(), OPENED + CAP + HOLD)) == [
        (60, 61, TWOS),
        (62, 63, FOURS),
        (64, 65, ONES),
        (66, 67, FIVES),
    ]


def test_final_may_begin_at_the_very_end_and_run_past_the_cap() -> None:
    position = claim(company([TWOS, FIVES], [SOUTH, 1]), 0, "0,0/0", OPENED + CAP)
    end = OPENED + CAP + HOLD
    assert codes(position, end) == ["wrong", "final"]
    assert codes(wait(position, end), end + FINAL + HOLD) == ["final-over", ROUND_OVER]


# Stalemate


def test_it_is_a_stalemate_if_no_searching_player_has_a_safe_placement() -> None:
    """At the opening, too. All cards go back, and the area is refreshed by the top of the pile."""
    position = replace(between(), area=company(drawing=BARREN).area)
    after = wait(position, 9000)
    assert codes(position, 9000) == ["opened", "stalemate", "refreshed", ROUND_OVER]
    assert queues(after) == [(60, 61, TWOS), (62, 63, FOURS), (64, 65, ONES), (66, 67, FIVES)]
    assert after.pile == (71, 72)
    assert 70 in after.area.owners


def test_what_fits_but_points_at_its_player_does_not_help_and_what_does_for_who_is_out_neither() -> None:
    """Seat 0 fits turned 1 alone, with a finger at itself; seat 1 has placed the only other card that fitted."""
    drawing = """
        33333333
        32533333
        32233333
        33333333
        33333333
        33333553
        33333553
        33333333
    """
    position = company([TWOS, FIVES, FOURS], [SOUTH, 1, EAST], drawing)
    assert RULES.due(position) == OPENED + CAP + HOLD
    position = claim(claim(position, 1, "5,5/0", 5000), 0, "1,1/1", 5010)
    assert codes(position, 5160) == ["placed", "stalemate", "dropped", "refreshed", ROUND_OVER]


def test_entering_final_without_a_safe_placement_is_a_stalemate() -> None:
    position = claim(company([TWOS, FIVES], [SOUTH, 1], BARREN), 0, "0,0/0", 5000)
    assert codes(position, 5150) == ["wrong", "final", "stalemate", "refreshed", ROUND_OVER]


def test_one_who_is_last_after_a_placement_is_so_also_without_a_safe_placement() -> None:
    """There is nothing to be done, so nothing is refreshed."""
    drawing = BARREN.replace("33333333", "55333333", 2)
    position = claim(company([FIVES, FOURS], [SOUTH, 1], drawing), 0, "0,0/0", 5000)
    assert codes(position, 5150) == ["placed", "last", ROUND_OVER]


# Ends


def test_the_next_round_opens_after_a_pause_and_the_countdown() -> None:
    """Counted from the commit or the closing that ended it."""
    after = wait(claim(company([FIVES, FOURS], [SOUTH, 1]), 0, "5,5/0", 5000), 6000)
    assert (after.phase, after.round, after.opens) == (COUNTDOWN, 2, 5150 + PAUSE + COUNT)
    assert RULES.due(after) == after.opens


def test_an_empty_queue_ends_the_match_with_the_round_not_before() -> None:
    position = company([TWOS, FIVES, FOURS], [SOUTH, 1, EAST], queues=[(60, 61), (), (62,)])
    placed = wait(claim(position, 1, "5,5/0", 5000), 5150)
    assert RULES.outcome(placed) is None
    assert codes(claim(placed, 0, "1,1/3", 6000), 6150) == ["placed", "last", ROUND_OVER, "cleared"]
    over = wait(claim(placed, 0, "1,1/3", 6000), 6150)
    assert (over.phase, over.reason, over.round, status(over)) == ("over", "cleared", 1, ["idle"] * 3)
    assert RULES.due(over) is None


def test_the_last_card_is_not_gone_while_it_is_turned_up() -> None:
    """Blocked, it goes back to the queue, and the match goes on."""
    position = company([TWOS, FOURS, ONES, FIVES], queues=[(60,), (61,), (), (62,)])
    after = wait(claim(position, 0, "1,1/0", 5000), 5150)
    assert RULES.outcome(after) is None
    assert queues(after)[2] == (ONES,)


def test_five_rounds_in_a_row_without_a_card_end_the_match() -> None:
    end = OPENED + CAP + HOLD
    assert codes(company(quiet=3), end) == ["capped", ROUND_OVER]
    assert codes(company(quiet=4), end) == ["capped", ROUND_OVER, "stalled"]
    over = wait(company(quiet=4), end)
    assert (over.phase, over.reason, over.round) == ("over", "stalled", 1)


@pytest.mark.parametrize("text", ["5,5/0", "0,0/0"], ids=["placed", "wrong"])
@pytest.mark.parametrize("pile", [(), (70,)], ids=["no pile", "pile"])
def test_any_card_placed_or_error_made_begins_the_count_anew(text: str, pile: tuple[int, ...]) -> None:
    position = claim(company(quiet=4, pile=pile), 3, text, 5000)
    after = wait(position, OPENED + CAP + HOLD)
    assert (after.phase, after.quiet) == (COUNTDOWN, 0)


def test_a_refresh_that_is_due_comes_before_the_end_of_the_match() -> None:
    position = replace(between(quiet=4), area=company(drawing=BARREN).area)
    assert codes(position, 9000) == ["opened", "stalemate", "refreshed", ROUND_OVER, "stalled"]


def test_the_end_of_a_round_tells_who_could_act_in_it() -> None:
    opened = wait(between(1), 9000)
    [*_, (_, code, params)] = happens(opened, 9000 + CAP + HOLD)
    assert (code, params) == (ROUND_OVER, {"round": 7, "searched": (0, 2, 3)})


# Time


def test_nothing_depends_on_when_it_is_looked_at() -> None:
    """Rounds by time alone, ended by stalling: looked at once, or every 997 ms."""
    until = OPENED + 5 * (CAP + HOLD + PAUSE + COUNT)
    at_once, events = RULES.advance(company(), until)
    position, met = company(), list[Event]()
    for look in range(OPENED, until, 997):
        position, more = RULES.advance(position, look)
        met += more
    position, more = RULES.advance(position, until)
    assert position == at_once
    assert [*met, *more] == [*events]
    assert told(events)[-1][1] == "stalled"


def test_a_move_does_first_what_is_due_at_its_arrival_or_before() -> None:
    end = OPENED + CAP + HOLD
    position, events = RULES.play(company(), 0, RULES.parse_move("1,1/0"), at=end + PAUSE + COUNT)
    assert [event.code for event in events] == ["capped", ROUND_OVER, "opened", "claimed"]
    assert position.round == 2
    assert position.now == end + PAUSE + COUNT


def test_areas_are_remembered_no_longer_than_they_can_matter() -> None:
    placed = wait(claim(company(), 3, "5,5/0", 5000), 5150)
    assert [past.until for past in placed.past] == [5150]
    assert [past.until for past in wait(placed, 5150 + 349).past] == [5150]
    assert wait(placed, 5150 + 350).past == ()
