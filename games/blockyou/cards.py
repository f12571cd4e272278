"""The 88 cards of either deck, and how a card turns. A card is known by its number; its face depends on the deck.

Colours are digits, 0 to 5: white (wild), orange, light green, sky blue, magenta, indigo. Directions are 0 to 7,
clockwise from north.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

CARDS = 88
DIRECTIONS = 8

WHITE = "0"
COLOURS = "012345"

_FINGERS = ((0, 2), (0, 4), (1, 3), (1, 5), (0, 1), (0, 3), (0, 5), (0, 7))


@dataclass(frozen=True, slots=True)
class CardFace:
    """A card as it is printed, unturned: four colour digits clockwise from the top left, and two directions, rising."""

    quarters: str
    fingers: tuple[int, ...]


@cache
def turned(face: CardFace, turn: int) -> CardFace:
    """The face after so many quarter-turns clockwise (0..3)."""
    return CardFace(
        quarters=face.quarters[-turn:] + face.quarters[:-turn] if turn else face.quarters,
        fingers=tuple(sorted((finger + 2 * turn) % DIRECTIONS for finger in face.fingers)),
    )


def _deck(colours: int, spread: int) -> tuple[CardFace, ...]:
    """The faces by number: a white quarter and three of so many colours; `spread` cards later fingers shift once more.

    [ruling] A card's "four-coloured patches" are read as four coloured quarters, which may repeat. The step of 27
    meets every combination of three colours once before one comes again.
    """
    faces = []
    for number in range(CARDS):
        mixed = (27 * number + 31) % colours**3
        digits = (0, 1 + mixed % colours, 1 + mixed // colours % colours, 1 + mixed // colours**2)
        shift = 2 * ((number // 8 + number // spread) % 4)
        fingers = sorted((finger + shift) % DIRECTIONS for finger in _FINGERS[number % 8])
        faces.append(CardFace("".join(map(str, digits)), tuple(fingers)))
    return tuple(faces)


DECKS: dict[str, tuple[CardFace, ...]] = {"standard": _deck(5, CARDS), "easy": _deck(4, 64)}
"""By the option `deck`: the faces by card number. Nothing is shifted once more in the standard deck."""
