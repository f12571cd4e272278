"""The lessons of Block Buster: rings, joining, jumping, majorities, sets, acquiring, passing, collections.

What a legal move may fail by, as codes that `texts/lessons.py` explains: `small-block`, `two-rings`, `jumped` (a jump
is not asked for), `joined` (a jump is asked for), `jumped-far`, `tie`, `behind`,
`other-ring`, `not-for-good` (whoever leads can be caught up with), `passed-for-good`, `not-complete`.

Where a block can be joined passing is not legal, so that most steps are answered by placements alone.
"""

from __future__ import annotations

from games.block_buster.board import board_with
from games.block_buster.dealing import FIXED_LAYOUTS
from games.block_buster.modes import MODES
from games.block_buster.position import Pass, Position
from games.block_buster.rings import Ring, all_rings, rings_of
from games.block_buster.scoring import held
from games.contract.lessons import Answer, Judge, Lesson, Played, Step
from games.contract.values import Json

PLAYERS, LEARNER = 2, 0
BLUE, YELLOW = 0, 1
TILES = MODES["standard", PLAYERS].tiles
LARGE = 4
"""Squares of a block that the first lesson asks for."""

MIDDLE, LAST = 4, 8
"""The tiles that lessons are about: the middle one, and the one at the lower right."""

SET = "A"
"""The shape of which the lesson on sets asks for a second one."""


def _lesson(key: str, judge: Judge, *opening: str) -> Lesson:
    """A lesson of one step for blue, who plays first of two; the moves of both that lead to it take turns."""
    moves = tuple(Played(number % PLAYERS, move) for number, move in enumerate(opening))
    layout: list[Json] = [*FIXED_LAYOUTS[TILES]]
    return Lesson(key, PLAYERS, {}, {"layout": layout}, (Step(judge),), moves, seat=LEARNER)


def _ring(position: Position, tile: int) -> Ring:
    [ring] = rings_of(position.setup, position.cells, [tile])
    return ring


def _lies_in_one_ring(answer: Answer) -> str | None:
    cells = answer.move.cells
    if len({board_with(TILES).tile_of(cell) for cell in cells}) > 1:
        return "two-rings"
    return None if len(cells) >= LARGE else "small-block"


def _joins(answer: Answer) -> str | None:
    return "jumped" if answer.happened("jumped") else None


def _jumps_over_one(answer: Answer) -> str | None:
    if answer.happened("jumped", gap=1):
        return None
    return "jumped-far" if answer.happened("jumped") else "joined"


def _leads_in_the_middle(answer: Answer) -> str | None:
    ring = _ring(answer.after, MIDDLE)
    if ring.leader == BLUE:
        return None
    return "tie" if ring.leader is None else "behind"


def _makes_a_pair(answer: Answer) -> str | None:
    position: Position = answer.after
    has = held(position.setup, all_rings(position.setup, position.cells))[LEARNER]
    return None if has[SET] > 1 else "other-ring"


def _acquires_the_last(answer: Answer) -> str | None:
    return None if answer.happened("acquired", tile=LAST) else "not-for-good"


def _goes_on(answer: Answer) -> str | None:
    return "passed-for-good" if isinstance(answer.move, Pass) else None


def _collects(answer: Answer) -> str | None:
    return None if answer.happened("collected", seat=LEARNER) else "not-complete"


LESSONS: tuple[Lesson, ...] = (
    _lesson("rings", _lies_in_one_ring),
    _lesson("joining", _joins, "L5 a1 a2 a3 a4 b4", "I4 i5 i6 i7 i8"),
    _lesson("jumping", _jumps_over_one, "V5 b5 c5 d5 d6 d7", "I4 e5 e6 e7 e8"),
    _lesson("majority", _leads_in_the_middle, "I4 d5 d6 d7 d8", "I3 f5 g5 h5"),
    _lesson("sets", _makes_a_pair, "I4 d1 d2 d3 d4", "L4 i9 j9 k9 i10"),
    _lesson("acquiring", _acquires_the_last, "V5 i10 i11 i12 j12 k12", "2 k9 l9"),
    # No block of blue can be joined any more; some can still jump.
    _lesson(
        "passing",
        _goes_on,
        "V5 b9 c9 d9 d10 d11",
        "N5 f4 g4 d5 e5 f5",
        "Y5 e8 f8 g8 h8 f9",
        "1 e6",
        "P5 i8 j8 h9 i9 j9",
        "Y5 k4 i5 j5 k5 l5",
        "L5 k9 l9 l10 l11 l12",
        "T4 h4 g5 h5 h6",
        "L4 a11 a12 b12 c12",
        "2 a5 a6",
        "S4 i10 h11 i11 h12",
        "L5 a7 a8 b8 c8 d8",
        "1 k8",
        "V3 b4 c4 c5",
        "I3 d12 e12 f12",
        "P5 i1 h2 i2 h3 i3",
        "2 i6 i7",
        "I3 f1 g1 h1",
        "V3 d6 d7 e7",
        "I4 a1 a2 a3 a4",
    ),
    # Two of the shape A are acquired; the third one wants three cells more.
    _lesson(
        "collection",
        _collects,
        "V5 e2 e3 c4 d4 e4",
        "I4 a12 b12 c12 d12",
        "L5 a1 b1 c1 d1 d2",
        "L5 l11 i12 j12 k12 l12",
        "N5 h3 i3 f4 g4 h4",
        "L4 a8 b8 a9 a10",
        "Y5 h5 i5 j5 k5 i6",
        "S4 d11 e11 e12 f12",
    ),
)
