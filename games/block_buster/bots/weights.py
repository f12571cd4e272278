"""How the bots weigh what a position has, by mode: found by matches of bots with slightly different weights."""

from __future__ import annotations

from dataclasses import dataclass

from games.block_buster.position import Setup


@dataclass(frozen=True, slots=True)
class Weights:
    """What counts how much, in points.

    A lead of n cells in a ring with f free ones makes it exp(n * `sharp` / f ** `power`) times as likely to be kept as
    to be lost; `tie` is how likely nobody gets a ring, beside one who has most of it. `collection` is what enough point
    blocks of a shape count at the end, beyond their points, and `race` what lacks nothing more to be acquired at once:
    half of it for each `pace` cells that lack. `squares` is what a placed block counts by its size, `token` a point in
    tokens, `outlook` a free cell beside the own blocks.
    """

    sharp: float
    power: float
    tie: float
    collection: float
    race: float
    pace: float
    squares: tuple[float, ...]
    token: float
    outlook: float


SMALL_BOARD = Weights(
    sharp=1.18,
    power=0.145,
    tie=0.231,
    collection=5.8,
    race=23.0,
    pace=4.68,
    squares=(0.0, 0.2, 0.75, 1.64, 2.85, 4.37),
    token=0.92,
    outlook=0.124,
)
DUEL = Weights(
    sharp=1.03,
    power=0.345,
    tie=0.183,
    collection=10.0,
    race=63.0,
    pace=3.17,
    squares=(0.0, 0.22, 0.56, 0.98, 1.47, 2.0),
    token=0.72,
    outlook=0.144,
)

_WEIGHTS = {
    ("standard", 2): SMALL_BOARD,
    ("standard", 3): SMALL_BOARD,
    ("standard", 4): SMALL_BOARD,
    ("two-colours", 2): DUEL,
    ("official-duel", 2): DUEL,
    ("pairs", 4): SMALL_BOARD,
}


def weights_of(setup: Setup) -> Weights:
    """The weights for a match of this mode."""
    return _WEIGHTS[setup.mode.name, setup.mode.players]
