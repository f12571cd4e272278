"""The area on which all place: 8 x 8 quarters, what may be put where, and what is safe for whom.

Sets of windows are bit sets: bit `8 * row + col` stands for the window with that top left quarter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from games.blockyou.cards import COLOURS, WHITE, CardFace, turned
from games.blockyou.placement import PLACEMENTS, SIZE, TURNS, WINDOWS, Placement

CARDS_IN_A_ROW = 4

_ALL = (1 << SIZE * SIZE) - 1
_WINDOWS = sum(1 << row * SIZE + col for row in range(WINDOWS) for col in range(WINDOWS))
_FITTING = {colour: {ord(other): "01"[other in (colour, WHITE)] for other in COLOURS} for colour in COLOURS[1:]}


@dataclass(frozen=True, slots=True)
class Area:
    """What lies on top, by quarter, row by row: `colours` has a digit each, `owners` the number of its card."""

    colours: str
    owners: tuple[int, ...]

    @property
    def rows(self) -> tuple[str, ...]:
        """The colours as eight rows."""
        return tuple(self.colours[at : at + SIZE] for at in range(0, SIZE * SIZE, SIZE))

    def with_card(self, card: int, face: CardFace, placement: Placement) -> Area:
        """The area after the card has been put there: its quarters replace those it covers."""
        colours, owners = list(self.colours), list(self.owners)
        for cell, colour in zip(placement.cells, turned(face, placement.turn).quarters, strict=True):
            colours[cell], owners[cell] = colour, card
        return Area("".join(colours), tuple(owners))


def lay_out(cards: Iterable[tuple[int, CardFace, int]]) -> Area:
    """The area at the start: sixteen cards with their faces and turns, laid row by row."""
    area = Area(WHITE * SIZE * SIZE, (-1,) * (SIZE * SIZE))
    for at, (card, face, turn) in enumerate(cards):
        row, col = divmod(at, CARDS_IN_A_ROW)
        area = area.with_card(card, face, Placement(2 * row, 2 * col, turn))
    return area


def is_legal(colours: str, face: CardFace, placement: Placement) -> bool:
    """Whether each of the four pairs of quarters has equal colours or at least one white."""
    return all(
        WHITE in (own, colours[cell]) or own == colours[cell]
        for cell, own in zip(placement.cells, turned(face, placement.turn).quarters, strict=True)
    )


def legal_windows(colours: str, face: CardFace, turn: int) -> int:
    """The windows on which the card may be put, turned so."""
    fits = _fits(colours)
    top_left, top_right, bottom_right, bottom_left = (fits[colour] for colour in turned(face, turn).quarters)
    return top_left & top_right >> 1 & bottom_right >> SIZE + 1 & bottom_left >> SIZE & _WINDOWS


def safe_turns(face: CardFace, direction: int) -> list[int]:
    """The turns in which no finger of the card points in that direction."""
    return [turn for turn in range(TURNS) if direction not in turned(face, turn).fingers]


def has_safe(colours: str, face: CardFace, direction: int) -> bool:
    """Whether a player in that direction could place the card without pointing at themselves."""
    return any(legal_windows(colours, face, turn) for turn in safe_turns(face, direction))


def safe_placements(colours: str, face: CardFace, direction: int) -> tuple[Placement, ...]:
    """All placements of the card that are safe for a player in that direction, by number."""
    safe = set(safe_turns(face, direction))
    return tuple(placement for placement in _legal_from(colours, face, 0) if placement.turn in safe)


def legal_placements(colours: str, face: CardFace) -> tuple[Placement, ...]:
    """All placements of the card that are legal, by number."""
    return tuple(_legal_from(colours, face, 0))


def first_legal(colours: str, face: CardFace, start: int) -> Placement | None:
    """The first legal placement counted upward and cyclically from number `start`."""
    return next(_legal_from(colours, face, start), None)


def _legal_from(colours: str, face: CardFace, start: int) -> Iterator[Placement]:
    windows = [legal_windows(colours, face, turn) for turn in range(TURNS)]
    for placement in PLACEMENTS[start:] + PLACEMENTS[:start]:
        if windows[placement.turn] >> placement.cells[0] & 1:
            yield placement


@lru_cache(maxsize=512)
def _fits(colours: str) -> dict[str, int]:
    """For each colour, the quarters of the area that a quarter of that colour may cover."""
    fits = {colour: int(colours.translate(table)[::-1], 2) for colour, table in _FITTING.items()}
    fits[WHITE] = _ALL
    return fits
