"""A rival who copies every block by a half turn is noticed, and its answers are foreseen."""

from random import Random

from games.block_buster.baselines import copy_by_half_turn
from games.block_buster.bots.copying import copy_of, is_copied
from games.block_buster.bots.model import Step, match_node
from games.block_buster.position import Position
from games.block_buster.rules import RULES
from tests.games.block_buster.boards import play, start

OWN = ("I4 a1 b1 c1 d1", "2 e1 e2", "I3 e3 e4 e5")
COPIES = ("I4 i12 j12 k12 l12", "2 h11 h12", "I3 h8 h9 h10")


def seen(begun: Position) -> bool:
    assert begun.to_move is not None
    return is_copied(RULES.view(begun, begun.to_move))


def foreseen(begun: Position, move: str) -> str | None:
    """What the rival is taken to answer to the move."""
    _, node = match_node(RULES.view(play(begun, move), 1))
    match, before = match_node(RULES.view(begun, 0))
    blocks = [block for block, count in enumerate(before.left[0]) if count]
    spots = match.ground.spots(blocks, match.ground.shifted(before.free), match.ground.board.everything)
    spot = next(spot for spot in spots if spot.place == RULES.parse_move(move))
    copy = copy_of(match, node, Step(spot))
    if copy is None:
        return None
    assert copy.spot is not None
    return RULES.format_move(copy.spot.place)


def test_two_copies_are_noticed_but_not_one() -> None:
    once = play(start(), OWN[0], COPIES[0])
    assert not seen(once)
    assert seen(play(once, OWN[1], COPIES[1]))


def test_who_starts_and_then_copies_is_noticed_too() -> None:
    assert seen(play(start(), "1 l11", OWN[0], COPIES[0], OWN[1], COPIES[1]))


def test_a_rival_that_plays_otherwise_is_not_taken_for_a_copier() -> None:
    begun = play(start(), OWN[0], COPIES[0], OWN[1], COPIES[1], OWN[2], "1 g12")
    assert seen(begun), "one other block may be chance"
    assert not seen(play(begun, "1 e6", "I3 d12 e12 f12"))


def test_what_is_foreseen_is_what_the_copier_plays() -> None:
    begun = play(start(), *[move for pair in zip(OWN[:2], COPIES, strict=False) for move in pair])
    answered = play(begun, OWN[2])
    assert foreseen(begun, OWN[2]) == COPIES[2] == copy_by_half_turn(RULES.view(answered, 1), Random(1))


def test_no_copy_is_foreseen_where_it_does_not_fit() -> None:
    begun = play(start(), OWN[0], COPIES[0], OWN[1], COPIES[1], "1 f1", "1 h10")
    assert foreseen(begun, OWN[2]) is None
