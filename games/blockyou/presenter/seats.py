"""The players around the area: where each sits, what each has left and does, and who has just called out.

Places are in units of the board, whose area of 8 by 8 quarters goes from 0 to 800.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from games.blockyou.presenter.words import SHOUT, Words, status_of
from games.blockyou.view import BlockYouView
from games.contract.values import Moment

SIDE = 800
RIM = 84
"""The room for players above the area and, where somebody sits there, on its sides."""
NARROW_RIM = 14
FOOT = 112

EAST, SOUTH, WEST = 2, 4, 6
FROM_EDGE = 42
FOOT_LINE = SIDE + 66
CALL_WIDTH = 380
"""Of what is called out: it covers a badge."""
CALL_MIDDLES = {-1: -150, 0: 64, 1: 150}
"""Where the middle of that is, by `Spot.words`."""


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a seat's badge lies: the middle of its disc, how it is turned, and to which side its words go.

    `words` is 1 for words on the right, -1 on the left, and 0 for the count on the left and the status on the right.
    """

    x: int
    y: int
    turn: int
    words: int

    @property
    def transform(self) -> str:
        turned = f" rotate({self.turn})" if self.turn else ""
        return f"translate({self.x} {self.y}){turned}"


def rims(view: BlockYouView) -> int:
    """The width of the rims on the left and on the right."""
    return RIM if EAST in view.compass or WEST in view.compass else NARROW_RIM


def spot(direction: int, side_rim: int) -> Spot:
    """Where who sits in that direction has the badge."""
    near, far = (20, SIDE - 20) if side_rim == NARROW_RIM else (-FROM_EDGE, SIDE + FROM_EDGE)
    middle = SIDE // 2
    return {
        0: Spot(middle, -FROM_EDGE, 0, 0),
        1: Spot(far, -FROM_EDGE, 0, -1),
        EAST: Spot(SIDE + FROM_EDGE, middle, 90, 0),
        3: Spot(far, FOOT_LINE, 0, -1),
        SOUTH: Spot(middle, FOOT_LINE, 0, 0),
        5: Spot(near, FOOT_LINE, 0, 1),
        WEST: Spot(-FROM_EDGE, middle, -90, 0),
        7: Spot(near, -FROM_EDGE, 0, 1),
    }[direction]


def draw_seats(view: BlockYouView, words: Words) -> Iterator[str]:
    """A badge a seat: its number on a disc, the cards it has left, and what it does as a sign and a word."""
    for seat, direction in enumerate(view.compass):
        status = status_of(view.status[seat], sits_out_next=view.sits_out_next[seat])
        count = cards_left(view, seat)
        own = " by-own" if view.viewer == seat else ""
        shown = None if view.phase == "over" else status
        label = words("seat-at", seat=seat, direction=direction, cards=count, status=shown, own=bool(own))
        place = spot(direction, rims(view))
        sign, word = status.replace(" ", "-"), None if shown is None else words(f"status-{shown}")
        yield (
            f'<g class="by-seat by-is-{sign}{own}" data-way="{direction}" role="img" aria-label="{label}"'
            f' transform="{place.transform}">{_parts(place.words, seat, count, sign, word)}</g>'
        )


def _parts(side: int, seat: int, count: int, sign: str, word: str | None) -> str:
    """What a badge is made of, to the left and the right of its disc; without a word nothing is said of the status."""
    disc = f'<circle class="by-disc" r="31"/><text class="by-number" y="12">{seat + 1}</text>'
    if side > 0:
        cards = f'<use href="#by-cards" x="42" y="-17"/><text x="80" y="12">{count}</text>'
        status = f'<use href="#by-s-{sign}" x="136" y="-16"/><text class="by-status" x="176" y="12">{word}</text>'
    else:
        cards = f'<use href="#by-cards" x="-72" y="-17"/><text class="by-end" x="-80" y="12">{count}</text>'
        at, end = (44, "") if side == 0 else (-168, " by-end")
        status = (
            f'<use href="#by-s-{sign}" x="{at}" y="-16"/>'
            f'<text class="by-status{end}" x="{at + 42 if side == 0 else at - 10}" y="12">{word}</text>'
        )
    return disc + cards + (status if word is not None else "")


def cards_left(view: BlockYouView, seat: int) -> int:
    """The cards that the seat has still to get rid of, the one turned up among them."""
    return view.queues[seat] + view.turned_up[seat]


def draw_shouts(view: BlockYouView, moment: Moment) -> Iterator[str]:
    """The call of each seat that has just placed a card, over its badge; the script shows it once, for a moment."""
    if moment.over and view.places is None:  # broken off: whoever comes later sees the end, not what was before it
        return
    for event in moment.events:
        if event.code != "placed":
            continue
        place = spot(view.compass[event.params["seat"]], rims(view))
        middle = CALL_MIDDLES[place.words]
        left = middle - CALL_WIDTH // 2
        yield (
            f'<g class="by-shout" data-at="{event.at}" data-seat="{event.params["seat"]}" aria-hidden="true"'
            f' transform="{place.transform}"><rect x="{left}" y="-38" width="{CALL_WIDTH}" height="76"'
            f' rx="38"/><text x="{middle}" y="17">{SHOUT}</text></g>'
        )
