"""The modes of Block Buster: who plays what, against whom, on which board, and what is different from the start."""

from __future__ import annotations

from dataclasses import dataclass

from games.block_buster.blocks import BLOCKS

COLOURS = ("blue", "yellow", "red", "green")
"""In the order in which they play. Elsewhere a colour is its index in here."""

SHAPES = "ABCDE"
"""The shapes of point blocks; a board of T x T tiles has the first T of them, each T times."""


@dataclass(frozen=True, slots=True)
class Mode:
    """A mode with one number of players.

    `tiles` is the side of the board in tiles. `owners` gives the seat of each colour, `teams` the team of each seat,
    `penalties` the points in tokens (<= 0) with which each seat starts, `blocks` what each colour has (double copies
    listed twice). `collections` are the numbers of point blocks of one shape that may be agreed on to win at once, the
    usual one first.
    """

    name: str
    tiles: int
    owners: tuple[int, ...]
    teams: tuple[int, ...]
    penalties: tuple[int, ...]
    blocks: tuple[str, ...]
    collections: tuple[int, ...]

    @property
    def players(self) -> int:
        return len(self.teams)

    @property
    def shapes(self) -> str:
        """The shapes of the point blocks on the board."""
        return SHAPES[: self.tiles]


LEFT_OUT_BY_THREE = ("F5",)
LEFT_OUT_BY_TWO = ("F5", "I5")
"""[ruling] Which blocks are left out where the sources only say how many."""

PENALTIES_OF_TWO = (-3, 0)
PENALTIES_OF_THREE = (-4, -2, 0)
PENALTIES_OF_FOUR = (-2, -1, 0, 0)
"""[ruling] The table of starting penalties was a picture; these balance simple play."""

PENALTIES_OF_PAIRS = (-2, 0, 0, 0)
"""The starting team's, held by its first seat."""

OF_TWO, OF_MORE = 3, 4
"""How many point blocks of one shape win at once: with two players, and with three or four."""

LONGER_MATCH = 4
"""[option of this house] The other number that two players may agree on, on the large board."""


def _without(*left_out: str) -> tuple[str, ...]:
    return tuple(block for block in BLOCKS if block not in left_out)


_MODES = (
    Mode("standard", 3, (0, 1), (0, 1), PENALTIES_OF_TWO, _without(*LEFT_OUT_BY_TWO), (OF_TWO,)),
    Mode("standard", 4, (0, 1, 2), (0, 1, 2), PENALTIES_OF_THREE, _without(*LEFT_OUT_BY_THREE), (OF_MORE,)),
    Mode("standard", 5, (0, 1, 2, 3), (0, 1, 2, 3), PENALTIES_OF_FOUR, BLOCKS, (OF_MORE,)),
    Mode("two-colours", 5, (0, 1, 0, 1), (0, 1), PENALTIES_OF_TWO, BLOCKS, (OF_TWO, LONGER_MATCH)),
    Mode(
        "official-duel",
        5,
        (0, 1),
        (0, 1),
        PENALTIES_OF_TWO,
        tuple(block for block in BLOCKS for _copy in range(2)),
        (OF_TWO, LONGER_MATCH),
    ),
    Mode("pairs", 5, (0, 1, 2, 3), (0, 1, 0, 1), PENALTIES_OF_PAIRS, BLOCKS, (OF_MORE,)),
)

MODES: dict[tuple[str, int], Mode] = {(mode.name, mode.players): mode for mode in _MODES}
"""Every mode by its name and number of players."""

MODE_NAMES: tuple[str, ...] = tuple(dict.fromkeys(mode.name for mode in _MODES))


def players_of(name: str) -> tuple[int, ...]:
    """With how many players the mode can be played."""
    return tuple(players for mode, players in MODES if mode == name)
