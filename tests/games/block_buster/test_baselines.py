"""The players that bots are measured against: one takes the most points at hand, one copies by a half turn."""

from random import Random

from games.block_buster.baselines import copy_by_half_turn, play_greedily
from games.block_buster.position import Position
from games.block_buster.rules import RULES
from tests.games.block_buster.boards import LACKING_ONE, legal, play, position, start


def greedy(begun: Position, seed: int = 1) -> str:
    assert begun.to_move is not None
    return str(play_greedily(RULES.view(begun, begun.to_move), Random(seed)))


def copier(begun: Position) -> str:
    assert begun.to_move is not None
    return str(copy_by_half_turn(RULES.view(begun, begun.to_move), Random(1)))


def test_greedy_gains_as_much_as_any_move_can() -> None:
    rng, current = Random(3), start()
    while current.to_move is not None:
        seat = current.to_move
        after = {move: play(current, move) for move in legal(current)}
        points = {move: RULES.scores(position)[seat] for move, position in after.items()}
        chosen = greedy(current)
        assert after[chosen].winner == seat or points[chosen] == max(points.values())
        current = play(current, rng.choice(legal(current)))


def test_greedy_takes_a_collection_before_points() -> None:
    begun = position(LACKING_ONE, left={"b": "1 I5"})
    assert play(begun, greedy(begun)).winner == 0


def test_greedy_passes_rather_than_pay_for_less() -> None:
    costly = position("byyyyy\ny##yy##y\ny##.y##.\nyyyyyyyy\nyyyyyyyy\n", left={"b": "1"})
    assert greedy(costly) == "pass"


def test_copier_plays_the_image_of_what_it_has_not_copied() -> None:
    begun = play(start(), "I4 a1 b1 c1 d1")
    assert copier(begun) == "I4 i12 j12 k12 l12"
    later = play(begun, copier(begun), "2 e1 e2")
    assert copier(later) == "2 h11 h12"


def test_copier_is_greedy_where_it_cannot_copy() -> None:
    assert copier(start()) == greedy(start())
