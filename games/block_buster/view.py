"""What a viewer sees of a position: all of it, since nothing in Block Buster is hidden, and what it makes possible."""

from __future__ import annotations

from dataclasses import dataclass

from games.block_buster.notation import format_board
from games.block_buster.placing import Fit, board_of, count_fits, may_pass, reach, room_now
from games.block_buster.position import Placed, Position, Setup
from games.block_buster.rings import Ring, all_rings
from games.block_buster.scoring import Sets, acquired, held, outcome, scores
from games.contract.values import Outcome, Viewer

Counts = tuple[int, ...]
"""Numbers of point blocks, one for each of the mode's shapes."""


@dataclass(frozen=True, slots=True)
class View:
    """A position as a viewer sees it. A colour is its index in `COLOURS`; those in play are the first ones.

    `to_move` and `colour` are the seat and the colour whose turn it is. `board` has a text for each row: `.` free, `#`
    point block, otherwise the first letter of a colour; `placed` are the blocks in the order of play.

    By colour: `cells` (bit sets, see `board.py`), `left` (blocks not yet placed), `reach` (the widest gap that its
    player can pay for; a placement costs `tokens.cost` of its gap), and `fits`: what could be placed now, also while it
    is another's turn, for the viewer's own colours that are not out. By seat: `tokens` (points, <= 0), `held` (point
    blocks by majorities), `acquired` (those for good) and `scores` (as if the match ended now). By tile: `rings`.

    `supply` are the big and small tokens that nobody holds, `out` the colours that play no more. `may_pass` is whether
    the colour whose turn it is may pass.
    """

    viewer: Viewer
    setup: Setup
    phase: str  # "play" or "over"
    to_move: int | None
    colour: int | None
    board: tuple[str, ...]
    placed: tuple[Placed, ...]
    cells: tuple[int, ...]
    left: tuple[tuple[str, ...], ...]
    reach: tuple[int, ...]
    fits: tuple[tuple[Fit, ...], ...]
    tokens: tuple[int, ...]
    supply: tuple[int, int]
    held: tuple[Counts, ...]
    acquired: tuple[Counts, ...]
    scores: tuple[int, ...]
    rings: tuple[Ring, ...]
    out: tuple[int, ...]
    may_pass: bool
    ply: int
    outcome: Outcome | None

    @property
    def seat(self) -> int | None:
        """The viewer's seat, None for who looks on."""
        return self.viewer if isinstance(self.viewer, int) else None

    @property
    def may_act(self) -> bool:
        """Whether it is the viewer's turn."""
        return self.to_move is not None and self.to_move == self.viewer

    @property
    def own_colours(self) -> tuple[int, ...]:
        """The colours that the viewer plays."""
        return self.colours_of(self.seat)

    def colours_of(self, seat: int | None) -> tuple[int, ...]:
        """The colours of a seat; none without a seat."""
        return tuple(colour for colour, owner in enumerate(self.setup.mode.owners) if owner == seat)


def view_of(position: Position, viewer: Viewer) -> View:
    """The position as this viewer sees it."""
    setup = position.setup
    rings = all_rings(setup, position.cells)
    colours = range(len(position.cells))
    return View(
        viewer=viewer,
        setup=setup,
        phase=position.phase,
        to_move=position.to_move,
        colour=position.colour,
        board=format_board(board_of(position), position.placed),
        placed=position.placed,
        cells=position.cells,
        left=position.left,
        reach=tuple(reach(position, colour) for colour in colours),
        fits=tuple(_fits(position, viewer, colour) for colour in colours),
        tokens=position.tokens,
        supply=position.supply,
        held=_counts(setup, held(setup, rings)),
        acquired=_counts(setup, acquired(setup, rings)),
        scores=scores(position, rings),
        rings=rings,
        out=position.out,
        may_pass=position.colour is not None and may_pass(position),
        ply=position.ply,
        outcome=outcome(position, rings),
    )


def _fits(position: Position, viewer: Viewer, colour: int) -> tuple[Fit, ...]:
    if position.reason is not None or position.setup.mode.owners[colour] != viewer or colour in position.out:
        return ()
    return count_fits(board_of(position), position.left[colour], room_now(position, colour))


def _counts(setup: Setup, sets: Sets) -> tuple[Counts, ...]:
    return tuple(tuple(counts[shape] for shape in setup.mode.shapes) for counts in sets)
