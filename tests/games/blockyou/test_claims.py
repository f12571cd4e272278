"""Claims: arrival, lag, order, and every verdict."""

from dataclasses import replace
from random import Random

import pytest

from games.blockyou.claims import next_claim
from games.blockyou.position import BLOCKED, ERRED, IDLE, PLACED, SITTING_OUT, Claim, Position
from games.blockyou.rules import RULES
from games.blockyou.timing import CAP, FINAL, HOLD, SEEN
from games.contract.values import SPECTATOR
from tests.games.blockyou.boards import (
    AREA,
    BARREN,
    EAST,
    FIVES,
    FOURS,
    NORTH,
    ONES,
    OPENED,
    SOUTH,
    TWOS,
    WEST,
    claim,
    company,
    happens,
    queues,
    race,
    refusal,
    status,
    told,
    wait,
)

WRONG = "0,0/0"
"""Fits none of the cards of the usual board."""


def waiting(position: Position, seat: int) -> Claim:
    found = position.seats[seat].claim
    assert found is not None
    return found


def verdicts(position: Position, until: int) -> list[tuple[int, str, int]]:
    """What becomes of claims up to that time: when, what, and whose."""
    codes = {"placed", "wrong", "self-block", "bounced", "dropped"}
    return [(at, code, params["seat"]) for at, code, params in happens(position, until) if code in codes]


# Arrival


def test_a_claim_waits_and_is_told_to_its_seat_alone() -> None:
    position, events = RULES.play(company(), 0, RULES.parse_move("1,1/0"), at=5000)
    assert told(events) == [(5000, "claimed", {"seat": 0, "claim": "1,1/0"})]
    assert [event.audience for event in events] == [frozenset({0})]
    assert status(position) == ["searching"] * 4
    assert RULES.to_move(position) == (1, 2, 3)


@pytest.mark.parametrize(
    ("at", "lag", "effective", "due"),
    [
        (5000, 0, 5000, 5150),
        (5000, 40, 4960, 5110),
        (5000, HOLD, 4850, 5001),
        (5000, HOLD + 1, 4850, 5001),
        (5000, 10**12, 4850, 5001),
        (3000, 0, 3000, 3150),
        (3010, 40, 3000, 3150),
        (3149, HOLD, 3000, 3150),
        (3150, HOLD, 3000, 3151),
    ],
)
def test_lag_counts_up_to_hold_and_never_reaches_behind_the_opening(
    at: int, lag: int, effective: int, due: int
) -> None:
    position = claim(company(), 3, "5,5/0", at, lag)
    assert (waiting(position, 3).effective, waiting(position, 3).due) == (effective, due)
    assert RULES.due(position) == due
    assert status(wait(position, due - 1)) == ["searching"] * 4
    assert status(wait(position, due))[3] == PLACED


def test_a_claim_made_earlier_over_a_slower_line_comes_first() -> None:
    """Both want the same window; the second to arrive was made a millisecond before."""
    position = claim(claim(race(), 0, "1,1/3", 5000), 1, "1,1/0", 5100, lag=101)
    assert verdicts(position, 5200) == [(5149, "placed", 1), (5150, "bounced", 0)]
    position = claim(claim(race(), 0, "1,1/3", 5000), 1, "1,1/0", 5100, lag=99)
    assert verdicts(position, 5200) == [(5150, "placed", 0), (5151, "bounced", 1)]


@pytest.mark.parametrize(
    ("seat_status", "code"),
    [
        (IDLE, "not-open"),
        (SITTING_OUT, "sitting-out"),
        (PLACED, "done"),
        (BLOCKED, "blocked"),
        (ERRED, "erred"),
    ],
)
def test_who_is_not_searching_may_not_claim(seat_status: str, code: str) -> None:
    position = company()
    position = position.with_seat(0, replace(position.seats[0], status=seat_status, up=None))
    assert refusal(position, 0, "1,1/0", 5000).code == code
    assert RULES.legal_moves(position, 0) == ()


def test_there_is_no_claim_before_the_opening_or_with_one_waiting() -> None:
    start = RULES.start({}, RULES.deal({}, ["", ""], Random(1)), 2)
    assert refusal(start, 0, "1,1/0", OPENED - 1).code == "not-open"
    assert refusal(claim(company(), 0, "1,1/0", 5000), 0, "1,1/1", 5000).code == "claim-waiting"


def test_nofit_is_a_claim_of_solo_matches_only() -> None:
    assert refusal(company(), 0, "nofit", 5000).code == "nofit-in-company"


def test_a_claim_is_too_late_if_it_was_made_past_the_cap() -> None:
    late = refusal(company(), 0, "1,1/0", OPENED + CAP + 41, lag=40)
    assert (late.code, dict(late.params)) == ("too-late", {"by": 1})
    assert status(wait(claim(company(), 0, "1,1/0", OPENED + CAP + 40, lag=40), OPENED + CAP + HOLD - 1))[0] == (
        "searching"
    )


def test_in_final_a_claim_is_too_late_by_the_end_of_final_alone() -> None:
    """FINAL may run past the cap."""
    closes = OPENED + CAP + FINAL - 5000
    position = company(phase="final", closes=closes)
    assert refusal(position, 0, "1,1/0", closes + 1).code == "too-late"
    assert waiting(claim(position, 0, "1,1/0", closes), 0).effective == closes


# Order


def test_claims_due_at_once_are_committed_by_effective_time() -> None:
    """With a lag of exactly HOLD a claim is due a millisecond later than others that were made when it was."""
    position = claim(claim(race(), 0, "1,1/3", 5001), 1, "1,1/0", 5000 + HOLD, lag=HOLD)
    assert [(waiting(position, seat).effective, waiting(position, seat).due) for seat in (0, 1)] == [
        (5001, 5151),
        (5000, 5151),
    ]
    assert verdicts(position, 5151) == [(5151, "placed", 1), (5151, "bounced", 0)]


def test_then_more_cards_in_the_queue_come_first() -> None:
    """The queue, without the card that is turned up."""
    position = company(queues=[(60,), (61, 62), (63,), (64,)])
    for seat, text in ((0, "1,1/0"), (1, "1,5/0")):
        position = claim(position, seat, text, 5000)
    assert next_claim(position) == (1, waiting(position, 1))


def test_then_the_lower_seat_comes_first() -> None:
    position = company()
    for seat, text in ((3, "5,5/0"), (1, "1,5/0"), (2, "5,1/1")):
        position = claim(position, seat, text, 5000)
    assert next_claim(position) == (1, waiting(position, 1))


def test_claims_come_before_a_closing_of_the_same_time() -> None:
    position = claim(company(), 3, "5,5/0", OPENED + CAP)
    assert waiting(position, 3).due == OPENED + CAP + HOLD
    codes = [code for _, code, _ in happens(position, OPENED + CAP + HOLD)]
    assert codes == ["placed", "capped", "round-over"]


# Verdicts


def test_placed_the_card_lies_on_the_area_and_the_player_is_done() -> None:
    position = claim(company(), 3, "5,5/1", 5000)
    assert happens(position, 5150) == [(5150, "placed", {"seat": 3, "claim": "5,5/1"})]
    after = wait(position, 5150)
    assert after.area.rows[5:7] == ("31133503", "31133553")
    assert after.area.owners[8 * 5 + 5] == FIVES
    assert status(after) == ["searching", "searching", "searching", "placed"]
    assert queues(after) == queues(company())
    assert after.pile == company().pile


def test_placed_blocks_every_searching_player_that_its_fingers_point_at() -> None:
    """Their cards go to the back of their queues. Seat 2 is in the north, seat 3 in the east."""
    position = claim(company(), 0, "1,1/0", 5000)
    assert happens(position, 5150) == [
        (5150, "placed", {"seat": 0, "claim": "1,1/0"}),
        (5150, "blocked", {"seat": 2, "by": 0}),
        (5150, "blocked", {"seat": 3, "by": 0}),
        (5150, "last", {"seat": 1}),
        (5150, "round-over", {"round": 1, "searched": (0, 1, 2, 3)}),
    ]
    assert queues(wait(position, 5150)) == [(60, 61), (62, 63, FOURS), (64, 65, ONES), (66, 67, FIVES)]


def test_fingers_do_not_touch_who_is_not_searching() -> None:
    position = company()
    position = position.with_seat(2, replace(position.seats[2], status=SITTING_OUT, up=None))
    position = position.with_seat(3, replace(position.seats[3], status=PLACED, up=None))
    after = wait(claim(position, 0, "1,1/0", 5000), 5150)
    codes = [code for _, code, _ in happens(claim(position, 0, "1,1/0", 5000), 5150)]
    assert "blocked" not in codes
    assert queues(after)[2:] == queues(position)[2:]


def test_wrong_the_card_stays_one_is_drawn_and_the_next_round_is_lost() -> None:
    """Its fingers, north and east, block nobody; nor does one at the player count as a self-block."""
    position = claim(company(), 0, "0,0/1", 5000)
    assert happens(position, 5150) == [
        (5150, "wrong", {"seat": 0, "claim": "0,0/1", "why": "colours", "penalty": True})
    ]
    after = wait(position, 5150)
    assert after.area.rows[:2] == ("20333333", "22233443")
    assert status(after) == ["erred", "searching", "searching", "searching"]
    assert queues(after)[0] == (60, 61, 70)
    assert after.pile == (71, 72)
    assert [seat.sits_out for seat in after.seats] == [True, False, False, False]


def test_self_block_is_as_wrong_but_the_other_finger_still_blocks() -> None:
    """Turned once the fingers point east, at seat 3, and south, at its own seat."""
    position = claim(company(), 0, "1,1/1", 5000)
    assert happens(position, 5150) == [
        (5150, "self-block", {"seat": 0, "claim": "1,1/1", "penalty": True}),
        (5150, "blocked", {"seat": 3, "by": 0}),
    ]
    after = wait(position, 5150)
    assert after.area.rows[1:3] == ("32033443", "32233443")
    assert status(after) == ["erred", "searching", "searching", "blocked"]
    assert queues(after)[0] == (60, 61, 70)
    assert queues(after)[3] == (66, 67, FIVES)
    assert after.seats[0].sits_out


@pytest.mark.parametrize(("text", "code"), [("0,0/1", "wrong"), ("1,1/1", "self-block")])
def test_with_the_pile_empty_the_card_goes_back_instead(text: str, code: str) -> None:
    position = claim(company(pile=()), 0, text, 5000)
    [(_, happened, params), *_] = happens(position, 5150)
    assert (happened, params["penalty"]) == (code, False)
    after = wait(position, 5150)
    assert after.area == company().area
    assert queues(after)[0] == (60, 61, TWOS)
    assert after.seats[0].sits_out
    assert status(after)[3] == ("blocked" if code == "self-block" else "searching")


def test_a_blocked_players_claim_waits_until_it_is_due_and_is_dropped_without_penalty() -> None:
    position = claim(claim(company(compass=(SOUTH, WEST, NORTH, 1)), 0, "1,1/0", 5000), 2, WRONG, 5020)
    blocked = wait(position, 5150)
    assert status(blocked) == ["placed", "searching", "blocked", "searching"]
    assert RULES.trace(blocked)["waiting"] == 1
    assert happens(blocked, 5170) == [
        (5170, "dropped", {"seat": 2, "claim": WRONG, "why": "blocked", "by": 0, "margin": 20})
    ]
    dropped = wait(blocked, 5170)
    assert dropped.area == blocked.area
    assert queues(dropped) == queues(blocked)
    assert not dropped.seats[2].sits_out


def test_the_end_of_a_round_drops_the_claims_still_waiting() -> None:
    """Seat 0 blocks seats 2 and 3 and leaves seat 1 the last."""
    position = claim(claim(claim(company(), 0, "1,1/0", 5000), 1, "1,5/0", 5010), 3, WRONG, 5030)
    events = happens(position, 6000)
    assert (5150, "dropped", {"seat": 1, "claim": "1,5/0", "why": "round-over"}) in events
    assert (5150, "dropped", {"seat": 3, "claim": WRONG, "why": "blocked", "by": 0, "margin": 30}) in events
    assert events[-1][1] == "round-over"


# Bouncing


def spoilt(changed: int, *, by: int = 0) -> Position:
    """A board on which card 0222 of seat 1 fitted window 1,1 until `changed`, and fits nowhere since."""
    position = company([FIVES, TWOS], [SOUTH, 1], AREA)
    barren = company(drawing=BARREN).area
    return replace(position.with_area(barren, at=changed, seat=by, effective=changed - HOLD), now=changed)


@pytest.mark.parametrize(
    ("looked", "code"),
    [(0, "bounced"), (SEEN - 1, "bounced"), (SEEN, "wrong"), (SEEN + 1, "wrong")],
)
def test_what_fitted_within_seen_before_the_claim_was_made_is_bounced(looked: int, code: str) -> None:
    """The area of before was current up to, not including, the millisecond of the change."""
    position = claim(spoilt(10_000), 1, "1,1/0", 10_000 + looked)
    assert verdicts(position, 11_000)[0] == (10_000 + looked + HOLD, code, 1)


def test_lag_moves_the_time_at_which_the_player_looked() -> None:
    position = claim(spoilt(10_000), 1, "1,1/0", 10_000 + SEEN + 30, lag=31)
    assert [code for _, code, _ in verdicts(position, 11_000)] == ["bounced"]
    position = claim(spoilt(10_000), 1, "1,1/0", 10_000 + SEEN + 30, lag=30)
    assert [code for _, code, _ in verdicts(position, 11_000)] == ["wrong"]


def test_a_bounced_claim_changes_nothing_and_the_player_searches_on() -> None:
    position = claim(spoilt(10_000), 1, "1,1/0", 10_060)
    after = wait(position, 10_210)
    assert after.area == position.area
    assert status(after) == ["searching", "searching"]
    assert queues(after) == queues(position)
    assert RULES.to_move(after) == (0, 1)
    assert refusal(after, 1, "nofit", 10_220).code == "nofit-in-company"
    assert waiting(claim(after, 1, "0,0/0", 10_220), 1).effective == 10_220


def test_a_bounced_claim_learns_who_was_earlier_and_by_how_much() -> None:
    """By effective times: the change at 10000 was claimed at 9850."""
    position = claim(spoilt(10_000), 1, "1,1/0", 10_060)
    assert happens(position, 10_210) == [(10_210, "bounced", {"seat": 1, "claim": "1,1/0", "by": 0, "margin": 210})]


def test_who_is_beaten_to_a_window_is_bounced_and_learns_the_margin() -> None:
    position = claim(claim(race(), 0, "1,1/3", 5000), 1, "1,1/0", 5003)
    assert happens(position, 5153) == [
        (5150, "placed", {"seat": 0, "claim": "1,1/3"}),
        (5153, "bounced", {"seat": 1, "claim": "1,1/0", "by": 0, "margin": 3}),
    ]
    assert [event.audience for event in RULES.advance(position, 5153)[1]] == [None, frozenset({1})]


def test_what_all_are_told_of_a_commit_does_not_depend_on_claims_that_wait() -> None:
    """Nobody learns from a placement that it beat somebody, before or after the one who lost does."""
    first = claim(race(), 0, "1,1/3", 5000)
    beaten = claim(first, 1, "1,1/0", 5003)
    for viewer in (0, 2, SPECTATOR):
        public = [
            [event for event in RULES.advance(position, 6000)[1] if event.seen_by(viewer)]
            for position in (first, beaten)
        ]
        assert public[0] == public[1]


def test_an_area_that_came_while_the_claim_waited_counts_too() -> None:
    """It fits neither when the claim is made nor when it is committed, but did for a moment between."""
    fits, barren = company(drawing=AREA).area, company(drawing=BARREN).area
    position = claim(company([FIVES, TWOS], [SOUTH, 1], BARREN), 1, "1,1/0", 5000)
    position = position.with_area(fits, at=5050, seat=0, effective=4900)
    position = position.with_area(barren, at=5060, seat=0, effective=4910)
    assert verdicts(position, 5150)[0] == (5150, "bounced", 1)


def test_areas_made_and_replaced_within_one_millisecond_count_if_later_than_seen() -> None:
    fits, barren = company(drawing=AREA).area, company(drawing=BARREN).area
    position = company([FIVES, TWOS], [SOUTH, 1], BARREN)
    position = position.with_area(fits, at=10_000, seat=0, effective=9900)
    position = position.with_area(barren, at=10_000, seat=0, effective=9901)
    position = replace(position, now=10_000)
    for made, code in ((10_000 + SEEN - 1, "bounced"), (10_000 + SEEN, "wrong")):
        assert verdicts(claim(position, 1, "1,1/0", made), 11_000)[0][1] == code


def test_bouncing_is_for_what_fitted_also_if_a_finger_pointed_at_its_player() -> None:
    position = spoilt(10_000)
    position = replace(position, setup=replace(position.setup, compass=(SOUTH, NORTH)))
    assert [code for _, code, _ in verdicts(claim(position, 1, "1,1/0", 10_000), 11_000)] == ["bounced"]


def test_directions_are_the_tables_own() -> None:
    """Whoever sits in the east is blocked by a finger that points east, whatever their number."""
    position = claim(company(compass=(SOUTH, EAST, NORTH, WEST)), 0, "1,1/0", 5000)
    hit = [params["seat"] for _, code, params in happens(position, 5150) if code == "blocked"]
    assert hit == [1, 2]
