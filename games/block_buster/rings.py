"""The rings around point blocks: who has most of one, and who can no longer be caught up with."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from games.block_buster.board import board_with
from games.block_buster.position import Setup


@dataclass(frozen=True, slots=True)
class Ring:
    """The 12 cells around a point block of this `shape`: how many each colour has of them, and how many are free."""

    shape: str
    counts: tuple[int, ...]
    free: int

    @property
    def leader(self) -> int | None:
        """The colour that the block goes to as things stand: with strictly more cells than every other colour.

        A tie gives it to no one, also one with a partner's or one's own other colour.
        """
        most = max(self.counts)
        return self.counts.index(most) if self.counts.count(most) == 1 else None

    @property
    def lead(self) -> int:
        """By how many cells the leader is ahead of the next colour; 0 at a tie."""
        *_, second, most = sorted(self.counts)
        return most - second

    @property
    def acquirer(self) -> int | None:
        """The colour that has acquired the block for good.

        [ruling] Its cells exceed the largest rival's plus the free ones, and every other colour is a rival.
        """
        return self.leader if self.lead > self.free else None


def all_rings(setup: Setup, cells: tuple[int, ...]) -> tuple[Ring, ...]:
    """The rings of all tiles, where the colours have these cells."""
    return rings_of(setup, cells, range(len(board_with(setup.mode.tiles).rings)))


def rings_of(setup: Setup, cells: tuple[int, ...], tiles: Iterable[int]) -> tuple[Ring, ...]:
    """The rings of these tiles."""
    masks = board_with(setup.mode.tiles).rings
    found = []
    for tile in tiles:
        mask = masks[tile]
        counts = tuple((own & mask).bit_count() for own in cells)
        found.append(Ring(setup.shape(tile), counts, mask.bit_count() - sum(counts)))
    return tuple(found)
