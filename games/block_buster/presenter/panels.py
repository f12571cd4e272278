"""What lies before each player: colours, team, score, tokens, point blocks by shape, and the blocks left."""

from __future__ import annotations

from games.block_buster.blocks import SQUARES
from games.block_buster.modes import COLOURS
from games.block_buster.presenter import kit
from games.block_buster.presenter.hand import tray_colour
from games.block_buster.presenter.outline import UNIT
from games.block_buster.presenter.words import Words, signed
from games.block_buster.view import View
from games.contract.values import Moment


def draw_panel(view: View, seat: int, moment: Moment, words: Words) -> str:
    """The panel of a seat. What lies in the viewer's tray is not drawn in it once more."""
    colours = view.colours_of(seat)
    tray = tray_colour(view) if view.seat == seat else None
    kits = "".join(_kit(view, colour, words) for colour in colours if colour != tray and view.left[colour])
    return (
        f'<div class="bb-panel"><div class="bb-counts">{_signs(view, colours, words)}{_team(view, seat, words)}'
        f"{_tokens(view, seat, moment, words)}"
        f"{_points(view, seat, words)}</div>{_sets(view, seat, words)}{kits}</div>"
    )


def draw_tally(view: View, seat: int, words: Words) -> str:
    """The seat in one line: its colours and its score."""
    signs = "".join(_sign(view, colour, words) for colour in view.colours_of(seat))
    return f'<span class="bb-tally">{signs}{_points(view, seat, words)}</span>'


def _points(view: View, seat: int, words: Words) -> str:
    points = view.scores[seat]
    return f'<span class="bb-points" role="img" aria-label="{words("points", points=points)}">{signed(points)}</span>'


def _signs(view: View, colours: tuple[int, ...], words: Words) -> str:
    """The seat's colours; which one plays is marked, and which are out."""
    out = f'<span class="tag" aria-hidden="true">{words("out")}</span>'
    return "".join(_sign(view, colour, words) + (out if colour in view.out else "") for colour in colours)


def _sign(view: View, colour: int, words: Words) -> str:
    code = COLOURS[colour]
    state = "out" if colour in view.out else "now" if colour == view.colour else "in"
    return (
        f'<svg class="bb-sign bb-is-{state}" viewBox="0 0 14 14" role="img"'
        f' aria-label="{words("colour", colour=code, state=state)}"><use href="#bb-sign-{code}"/></svg>'
    )


def _team(view: View, seat: int, words: Words) -> str:
    teams = view.setup.mode.teams
    if len(set(teams)) == len(teams):
        return ""
    return f'<span class="tag bb-team">{words("team", number=teams[seat] + 1)}</span>'


def _tokens(view: View, seat: int, moment: Moment, words: Words) -> str:
    points = view.tokens[seat]
    new = any(event.code == "jumped" and event.params["seat"] == seat for event in moment.events)
    return (
        f'<span class="bb-tokens{" bb-new" if new else ""}" role="img" aria-label="{words("tokens", points=points)}">'
        f'<svg viewBox="0 0 20 20"><use href="#bb-token"/></svg>{signed(points)}</span>'
    )


def _sets(view: View, seat: int, words: Words) -> str:
    """How many point blocks of each shape go to the seat as things stand; a dot for each that is its own for good."""
    mode = view.setup.mode
    counts = tuple(zip(mode.shapes, view.held[seat], view.acquired[seat], strict=True))
    drawn = []
    for number, (_shape, held, acquired) in enumerate(counts):
        if held:
            drawn.append(f'<text x="{36 * number + 23}" y="15">{held}</text>')
        drawn += [f'<circle cx="{36 * number + 3 + 5 * dot}" cy="24" r="1.8"/>' for dot in range(acquired)]
    return (
        f'<svg class="bb-sets" viewBox="0 0 {36 * mode.tiles} 27" role="img"'
        f' aria-label="{words("sets", counts=counts, collection=view.setup.collection)}">'
        f'<use href="#bb-row-{mode.tiles}"/>{"".join(drawn)}</svg>'
    )


def _kit(view: View, colour: int, words: Words) -> str:
    """The blocks left of a colour, each in its place; where there are two of each, the second ones beside the first."""
    left, code = view.left[colour], COLOURS[colour]
    label = words("left", colour=code, blocks=tuple(left), count=sum(SQUARES[block] for block in left))
    box = f'viewBox="-1 -1 {UNIT * kit.WIDTH + 2} {UNIT * kit.HEIGHT + 3}"'
    copies = max(map(left.count, left))
    drawn = "".join(
        f'<svg {box} fill="url(#bb-print-{code})"><use href="#bb-kit"/>'
        + "".join(f'<use href="#bb-k-{block}"/>' for block in dict.fromkeys(left) if left.count(block) > copy)
        + "</svg>"
        for copy in range(copies)
    )
    return f'<div class="bb-kit bb-{code}" role="img" aria-label="{label}">{drawn}</div>'
