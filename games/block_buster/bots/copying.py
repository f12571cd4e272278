"""Rivals who answer each block by its image under a half turn: what they do next is known, and can be used.

On a board whose shapes a half turn mixes up, who knows the answers can choose rings that are worth more than their
images. Who takes the rival to play well does not see that, and loses by the tokens it starts with.
"""

from __future__ import annotations

from games.block_buster.board import board_with
from games.block_buster.bots.model import Match, Node, Step, reach
from games.block_buster.placing import gap_between
from games.block_buster.view import View

CERTAIN = 2
"""So many copied blocks, and at most one other, are no chance."""


def is_copied(view: View) -> bool:
    """Whether all blocks of others but one at most are images of those of the colour that plays.

    Two other colours place more blocks than there are to copy, so this is so of a single one only.
    """
    board = board_with(view.setup.mode.tiles)
    own = {placed.cells for placed in view.placed if placed.colour == view.colour}
    theirs = [board.half_turned(placed.cells) for placed in view.placed if placed.colour != view.colour]
    copied = sum(cells in own for cells in theirs)
    return copied >= CERTAIN and len(theirs) - copied <= 1


def copy_of(match: Match, node: Node, step: Step) -> Step | None:
    """The image of the step, if the colour whose turn it is can play it."""
    if step.spot is None or node.turn in node.out:
        return None
    spot = match.ground.half_turned(step.spot)
    if spot.cells & ~node.free or not node.left[node.turn][spot.block]:
        return None
    gap = gap_between(match.ground.board, node.cells[node.turn], spot.cells)
    return Step(spot, gap) if gap <= reach(match, node) else None
