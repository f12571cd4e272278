"""The solo match: a time attack, one card after the other."""

from dataclasses import replace
from unittest import mock

import pytest

from games.blockyou.cards import DECKS, CardFace
from games.blockyou.position import Position
from games.blockyou.rules import RULES
from games.blockyou.timing import COUNT, PENALTY, SOLO_END
from games.contract.values import Outcome
from tests.games.blockyou.boards import (
    BARREN,
    FIVES,
    OPENED,
    TWOS,
    alone,
    claim,
    company,
    happens,
    queues,
    refusal,
    told,
    wait,
)

SAFE, POINTS_HOME, WRONG = "1,1/0", "1,1/1", "0,0/0"


def settled(position: Position, text: str, at: int = 5000, lag: int = 0) -> list[tuple[int, str, dict[str, object]]]:
    """What happens at once with that claim."""
    return told(RULES.play(position, 0, RULES.parse_move(text), at=at, lag=lag)[1])


def test_the_first_card_opens_at_count() -> None:
    deal = {"deck": list(range(88)), "turns": [0] * 16, "compass": [4]}
    start = RULES.start({}, deal, 1)
    assert refusal(start, 0, SAFE, COUNT - 1).code == "not-open"
    assert happens(start, COUNT) == [(COUNT, "opened", {"round": 1})]
    opened = wait(start, COUNT)
    assert (opened.seats[0].up, len(opened.seats[0].queue), len(opened.pile)) == (16, 11, 60)
    assert (opened.phase, opened.closes) == ("open", COUNT + 30_000)


@pytest.mark.parametrize(("pace", "limit"), [("normal", 30_000), ("expert", 10_000)])
def test_the_pace_says_how_long_a_card_is_up(pace: str, limit: int) -> None:
    deal = {"deck": list(range(88)), "turns": [0] * 16, "compass": [4]}
    start = RULES.start({"pace": pace}, deal, 1)
    assert RULES.due(wait(start, COUNT)) == COUNT + limit


@pytest.mark.parametrize("lag", [0, 100, 10**9])
def test_a_claim_is_settled_on_arrival_and_the_next_card_opens_at_once(lag: int) -> None:
    assert settled(alone(), SAFE, lag=lag) == [
        (5000, "placed", {"seat": 0, "claim": SAFE}),
        (5000, "opened", {"round": 2}),
    ]
    after = claim(alone(), 0, SAFE, 5000, lag)
    assert (after.seats[0].up, queues(after), after.round, after.opens) == (60, [(61,)], 2, 5000)
    assert after.closes == 5000 + 30_000
    assert RULES.trace(after)["waiting"] == 0


@pytest.mark.parametrize(("text", "code"), [(WRONG, "wrong"), (POINTS_HOME, "self-block")])
def test_an_error_leaves_the_card_draws_one_and_costs_ten_seconds(text: str, code: str) -> None:
    [(_, happened, params), _opened] = settled(alone(), text)
    assert (happened, params["penalty"]) == (code, True)
    after = claim(alone(), 0, text, 5000)
    assert TWOS in after.area.owners
    assert (after.seats[0].up, queues(after), after.pile) == (60, [(61, 70)], (71, 72))
    assert after.penalties == PENALTY


@pytest.mark.parametrize("text", [WRONG, POINTS_HOME])
def test_with_the_pile_empty_an_error_costs_as_much_and_the_card_goes_back(text: str) -> None:
    after = claim(alone(pile=()), 0, text, 5000)
    assert after.area == alone().area
    assert (after.seats[0].up, queues(after)) == (60, [(61, TWOS)])
    assert after.penalties == PENALTY


def test_what_fitted_a_moment_ago_is_bounced_and_the_card_stays_up() -> None:
    """Its time runs on."""
    barren = company(drawing=BARREN).area
    position = claim(alone(up=FIVES, queue=(TWOS, 60)), 0, "5,5/0", 5000)
    position = position.with_area(barren, at=5000, seat=0, effective=5000)
    assert settled(position, SAFE, 5199) == [
        (5199, "bounced", {"seat": 0, "claim": SAFE, "by": 0, "margin": 199}),
    ]
    after = claim(position, 0, SAFE, 5199)
    assert (after.seats[0].up, after.opens, after.closes, after.penalties) == (TWOS, 5000, 35_000, 0)
    assert settled(position, SAFE, 5200)[0][1] == "wrong"


def test_a_refresh_that_spoilt_it_is_nobodys() -> None:
    barren = company(drawing=BARREN).area
    position = alone().with_area(barren, at=4900, seat=None, effective=4900)
    [(_, code, params)] = settled(position, SAFE)
    assert (code, params) == ("bounced", {"seat": 0, "claim": SAFE, "margin": 100})


def test_nofit_is_right_if_no_placement_is_safe() -> None:
    """The card goes back, the area is refreshed, and it costs nothing."""
    position = alone(drawing=BARREN)
    assert [code for _, code, _ in settled(position, "nofit")] == ["nofit-right", "refreshed", "opened"]
    after = claim(position, 0, "nofit", 5000)
    assert (after.seats[0].up, queues(after), after.pile, after.penalties) == (60, [(61, TWOS)], (71, 72), 0)


def test_nofit_is_judged_by_what_is_safe_not_by_what_fits() -> None:
    drawing = """
        33333333
        32533333
        32233333
        33333333
        33333333
        33333333
        33333333
        33333333
    """
    assert settled(alone(drawing=drawing), "nofit")[0][1] == "nofit-right"


def test_nofit_is_wrong_otherwise_also_right_after_a_change() -> None:
    """It is judged by the area as it is, and never bounced."""
    position = alone()
    barren = company(drawing=BARREN).area
    position = replace(position, area=barren).with_area(position.area, at=5000, seat=None, effective=5000)
    assert settled(position, "nofit") == [(5000, "nofit-wrong", {"seat": 0}), (5000, "opened", {"round": 2})]
    after = claim(position, 0, "nofit", 5000)
    assert (after.seats[0].up, queues(after), after.pile, after.penalties) == (60, [(61, TWOS)], (70, 71, 72), PENALTY)


def test_a_card_that_runs_out_goes_back_without_a_penalty() -> None:
    end = OPENED + 30_000
    assert happens(alone(), end) == [(end, "ran-out", {"seat": 0}), (end, "opened", {"round": 2})]
    after = wait(alone(), end)
    assert (after.seats[0].up, queues(after), after.penalties, after.pile) == (60, [(61, TWOS)], 0, (70, 71, 72))


def test_a_card_that_runs_out_with_nothing_safe_refreshes_the_area() -> None:
    end = OPENED + 30_000
    codes = [code for _, code, _ in happens(alone(drawing=BARREN), end)]
    assert codes == ["ran-out", "refreshed", "opened"]


def test_a_claim_that_arrives_as_a_card_runs_out_is_for_the_next() -> None:
    end = OPENED + 30_000
    position = alone(up=FIVES, queue=(TWOS, 61))
    assert [code for _, code, _ in settled(position, SAFE, end)] == ["ran-out", "opened", "placed", "opened"]


@pytest.mark.parametrize(("number", "start"), [(1, "0,0/0"), (2, "1,6/1"), (4, "5,4/3")])
def test_a_refresh_starts_by_the_number_of_cards_settled_before(number: int, start: str) -> None:
    """The card 0333 of a deck that has none fits everywhere; the one turned up, 0222, nowhere."""
    anywhere, nowhere = CardFace("3033", (1, 3)), CardFace("0222", (0, 2))
    faces = (nowhere, anywhere, *DECKS["standard"][2:])
    with mock.patch.dict(DECKS, {"standard": faces}):
        happened = settled(alone(up=0, drawing=BARREN, round=number, pile=(1,)), "nofit")
    assert happened[1] == (5000, "refreshed", {"card": 1, "claim": start})


def test_the_match_is_cleared_when_the_last_card_is_placed() -> None:
    """The score is the time from the first opening to the last settling, and the penalties."""
    position = alone(queue=(), penalties=2 * PENALTY, settled=4000)
    assert [code for _, code, _ in settled(position, SAFE, 9000)] == ["placed", "cleared"]
    over = claim(position, 0, SAFE, 9000)
    assert RULES.outcome(over) == Outcome("cleared", (1,), (6000 + 20_000,))
    assert (over.phase, over.round, over.seats[0].status) == ("over", 1, "idle")
    assert RULES.due(over) is None


def test_a_last_card_that_runs_out_comes_again() -> None:
    end = OPENED + 30_000
    after = wait(alone(queue=()), end)
    assert (after.seats[0].up, after.round, after.reason) == (TWOS, 2, None)


def test_after_half_an_hour_the_match_has_stalled_before_anything_else_due_then() -> None:
    """A card still up stays up, and neither runs out nor can be claimed for."""
    position = alone(opens=SOLO_END - 30_000, closes=SOLO_END, now=SOLO_END - 1, penalties=PENALTY, settled=5000)
    assert RULES.due(position) == SOLO_END
    assert happens(position, SOLO_END) == [(SOLO_END, "stalled", {})]
    over = wait(position, SOLO_END)
    assert RULES.outcome(over) == Outcome("stalled", (1,), (SOLO_END - COUNT + PENALTY,))
    assert (over.seats[0].up, over.seats[0].status, queues(over)) == (TWOS, "idle", [(60, 61)])
    assert refusal(position, 0, SAFE, SOLO_END).code == "over"


def test_the_score_of_a_running_match_does_not_tell_the_time() -> None:
    position = alone(settled=4500, penalties=PENALTY)
    assert RULES.scores(position) == RULES.scores(wait(position, 9000)) == (1500 + PENALTY,)


def test_stalemate_final_cap_and_empty_rounds_do_not_exist() -> None:
    position = alone(drawing=BARREN, pile=(), queue=())
    codes = {code for _, code, _ in happens(position, SOLO_END)}
    assert codes <= {"ran-out", "refreshed", "opened", "stalled"}
