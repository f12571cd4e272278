"""The board of BlockYou! as an SVG: the area of quarters, the players around it, and the round's time below it.

A quarter is 100 units. What is drawn depends on nothing but the view: no place is marked as fitting.
"""

from __future__ import annotations

from collections.abc import Iterator

from games.blockyou.placement import SIZE, Placement
from games.blockyou.presenter.card import QUARTER, draw_card
from games.blockyou.presenter.seats import FOOT, RIM, SIDE, draw_seats, draw_shouts, rims
from games.blockyou.presenter.words import Words, lasted
from games.blockyou.view import BlockYouView, CardFace
from games.contract.durations import to_the_millisecond
from games.contract.values import Event, Moment


def draw_board(view: BlockYouView, moment: Moment, words: Words) -> str:
    """The board, with `data-phase` for the script, and in match ms `data-opens` and `data-closes` where known."""
    rim = rims(view)
    times = "".join(
        f' data-{name}="{at}"' for name, at in (("opens", view.opens), ("closes", view.closes)) if at is not None
    )
    if view.solo:
        times += f' data-solo="yes" data-first-opened="{view.first_opened}" data-penalties="{view.penalties}"'
    parts = [
        f'<svg class="by-board by-in-{view.phase}" viewBox="{-rim} {-RIM} {SIDE + 2 * rim} {RIM + SIDE + FOOT}"'
        f' role="group" aria-label="{words("board")}" data-phase="{view.phase}" data-round="{view.round}"'
        f"{times}>",
        f'<rect class="by-mat" x="-7" y="-7" width="{SIDE + 14}" height="{SIDE + 14}" rx="12"/>',
        *_area(view, words),
        f'<path class="by-edges" d="{"".join(_edges(view.owners))}"/>',
        *_last(moment, words),
        *_claims(view, words),
        *draw_seats(view, words),
        *_foot(view, words),
        *draw_shouts(view, moment),
        _field(view, words),
        _countdown(view),
        "</svg>",
    ]
    return "".join(parts)


def _area(view: BlockYouView, words: Words) -> Iterator[str]:
    """Row by row, each named by its colours."""
    for y, row in enumerate(view.area):
        quarters = "".join(f'<use href="#by-q{colour}" x="{x * QUARTER}"/>' for x, colour in enumerate(row))
        label = words("row", row=y, colours=row)
        yield f'<g role="img" aria-label="{label}" transform="translate(0 {y * QUARTER})">{quarters}</g>'


def _edges(owners: tuple[tuple[int, ...], ...]) -> Iterator[str]:
    """The lines between quarters of different cards, and around the area; what runs on is one stroke."""
    yield f"M0 0H{SIDE}V{SIDE}H0Z"
    for line in range(1, SIZE):
        across = [owners[line - 1][x] != owners[line][x] for x in range(SIZE)]
        down = [owners[y][line - 1] != owners[y][line] for y in range(SIZE)]
        yield from (f"M{start * QUARTER} {line * QUARTER}H{end * QUARTER}" for start, end in _runs(across))
        yield from (f"M{line * QUARTER} {start * QUARTER}V{end * QUARTER}" for start, end in _runs(down))


def _runs(marked: list[bool]) -> Iterator[tuple[int, int]]:
    """The stretches of marked places, as first and behind last."""
    start = None
    for at, is_marked in enumerate([*marked, False]):
        if is_marked and start is None:
            start = at
        elif not is_marked and start is not None:
            yield start, at
            start = None


def _last(moment: Moment, words: Words) -> Iterator[str]:
    """A frame around the card that has come onto the area last."""
    for event in reversed(moment.events):
        if _lies(event):
            row, col = _window(event.params["claim"])
            label = words("last-card", row=row, col=col)
            yield (
                f'<rect class="by-last" data-at="{event.at}" role="img" aria-label="{label}"'
                f' x="{col * QUARTER - 3}" y="{row * QUARTER - 3}" width="206" height="206" rx="8"/>'
            )
            return


def _lies(event: Event) -> bool:
    """Whether the event has put a card onto the area. With no penalty card to draw, a wrong one goes back."""
    if event.code in ("wrong", "self-block"):
        return bool(event.params["penalty"])
    return event.code in ("placed", "refreshed")


def _window(claim: str) -> tuple[int, int]:
    """Row and column of a claim's text, as `3,0/2`."""
    row, _, col = claim.partition("/")[0].partition(",")
    return int(row), int(col)


def _claims(view: BlockYouView, words: Words) -> Iterator[str]:
    """The claims that wait for their verdict, as far as the viewer may know them."""
    for seat, placement in enumerate(view.waiting):
        if placement is not None:
            yield _claim(seat, placement, view.cards[seat], words)


def _claim(seat: int, placement: Placement, card: CardFace | None, words: Words) -> str:
    drawn = draw_card(card, placement.turn) if card is not None else ""
    label = words("claim-waits", seat=seat, row=placement.row, col=placement.col)
    return (
        f'<g class="by-claim" role="img" aria-label="{label}" data-seat="{seat}"'
        f' transform="translate({placement.col * QUARTER} {placement.row * QUARTER})">{drawn}'
        '<rect class="by-claim-frame" x="-4" y="-4" width="208" height="208" rx="12"/></g>'
    )


def _foot(view: BlockYouView, words: Words) -> Iterator[str]:
    """Below the area: what is left of the round's time, its number, and the penalty pile; solo, the time so far."""
    number = words("card-number" if view.solo else "round-number", number=view.round)
    yield (
        f'<g class="by-foot"><rect class="by-track" x="0" y="{SIDE + 12}" width="{SIDE}" height="7" rx="3.500"/>'
        f'<rect class="by-left" x="0" y="{SIDE + 12}" width="{0 if view.closes is None else SIDE}" height="7"'
        f' rx="3.500"/><text x="0" y="{SIDE + 57}">{number}</text><text class="by-time" x="0" y="{SIDE + 97}"></text>'
        f'<g role="img" aria-label="{words("pile", cards=view.pile)}"><text class="by-end by-caption" x="{SIDE}"'
        f' y="{SIDE + 57}">{words("pile-caption")}</text><text class="by-end" x="{SIDE}" y="{SIDE + 97}">{view.pile}'
        f'</text><use href="#by-cards" x="{SIDE - 88}" y="{SIDE + 66}"/></g></g>'
    )
    if view.solo:
        shown = to_the_millisecond(view.scores[0]) if view.phase == "over" else ""
        yield (
            f'<g class="by-foot"><text x="0" y="-30">{words("time-so-far")} <tspan class="by-so-far">{shown}</tspan>'
            f'</text><text class="by-end by-penalties" x="{SIDE}" y="-30">'
            f"{words('penalties', time=lasted(view.penalties))}</text></g>"
        )


def _field(view: BlockYouView, words: Words) -> str:
    """What catches pointers, and has the focus, where somebody plays: the only stop for the tabulator on the board."""
    if not isinstance(view.viewer, int) or view.phase == "over":
        return ""
    return (
        f'<rect id="by-field" class="by-field" width="{SIDE}" height="{SIDE}" tabindex="0" role="application"'
        f' aria-label="{words("field")}"/>'
    )


def _countdown(view: BlockYouView) -> str:
    """The place of the numbers that the script counts down, in the middle."""
    if view.phase != "countdown":
        return ""
    return f'<text class="by-count" x="{SIDE // 2}" y="{SIDE // 2 + 78}" aria-hidden="true"></text>'
