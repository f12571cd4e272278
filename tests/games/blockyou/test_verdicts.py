"""What came of claims, and how quick they were, as tournaments count it."""

from games.blockyou import events
from games.blockyou.position import Position
from games.blockyou.rules import RULES
from games.contract.values import Event, Verdict
from tests.games.blockyou.boards import OPENED, alone, company


def verdicts(position: Position, *claims: tuple[int, str, int]) -> list[Verdict]:
    """Of these claims, as seat, text and arrival, in a round that opened at 3000."""
    happened: list[Event] = [events.opened(OPENED, 1)]
    for seat, text, at in claims:
        position, more = RULES.play(position, seat, RULES.parse_move(text), at=at)
        happened += more
    _, more = RULES.advance(position, 20_000)
    return list(RULES.verdicts([*happened, *more]))  # type: ignore[attr-defined]


def test_right_and_wrong_claims_count_from_the_opening_to_their_arrival() -> None:
    """Not to their commit, which comes later."""
    claims = (1, "0,0/0", 5000), (0, "1,1/0", 6000)
    assert verdicts(company(), *claims) == [Verdict(1, False, 2000), Verdict(0, True, 3000)]


def test_a_finger_at_oneself_is_an_error() -> None:
    assert verdicts(company(), (0, "1,1/1", 5000)) == [Verdict(0, False, 2000)]


def test_a_claim_that_falls_because_another_was_quicker_is_neither() -> None:
    """Turned 0, the fingers of seat 0 point north, at seat 2."""
    assert verdicts(company(), (0, "1,1/0", 5000), (2, "0,0/0", 5100)) == [Verdict(0, True, 2000)]


def test_solo_each_card_counts_from_when_it_turned_up() -> None:
    """`nofit` is a claim like others; here it is wrong, and the next card comes up at once."""
    judged = verdicts(alone(), (0, "nofit", 5000), (0, "0,0/0", 6500))
    assert [(verdict.right, verdict.after) for verdict in judged] == [(False, 2000), (False, 1500)]
