"""A position as bots think ahead in it: quicker than the rules, and held to them by a test.

Nothing here lists events or checks moves. A colour without a legal placement is noticed when its turn comes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

from games.block_buster.blocks import BLOCKS
from games.block_buster.board import Cells, union
from games.block_buster.bots.ground import STEPS, Spot, ground_with
from games.block_buster.position import Setup
from games.block_buster.tokens import BIG, SMALL, Supply, furthest_gap, payment
from games.block_buster.view import View

Counts = tuple[int, ...]
"""How many cells of a ring each colour has."""


class Match:
    """What stays the same in all nodes of a match."""

    def __init__(self, setup: Setup) -> None:
        mode = setup.mode
        self.setup = setup
        self.ground = ground_with(mode.tiles)
        self.owners = mode.owners
        self.colours = range(len(mode.owners))
        self.seats = range(mode.players)
        self.teams = max(mode.teams) + 1
        self.team_of = tuple(mode.teams[owner] for owner in mode.owners)
        """The team of each colour."""
        tiles = range(mode.tiles**2)
        self.tiles_of = tuple(tuple(tile for tile in tiles if setup.shape(tile) == shape) for shape in mode.shapes)
        """The tiles of each shape."""


@dataclass(slots=True)
class Node:
    """A position in a search. By colour: `cells`, `left` (how many of each block); by tile: `rings`.

    `turn` is the colour that would play next, `out` the colours that are known to play no more. A node is never
    changed.
    """

    cells: tuple[Cells, ...]
    free: Cells
    rings: tuple[Counts, ...]
    left: tuple[tuple[int, ...], ...]
    tokens: tuple[int, ...]
    supply: Supply
    turn: int
    out: frozenset[int]


class Step(NamedTuple):
    """A move in a search: a block lying somewhere, over a gap; or a pass, without a spot."""

    spot: Spot | None
    gap: int = 0


def match_node(view: View) -> tuple[Match, Node]:
    """The view's match, and its position as a node."""
    assert view.colour is not None, "the match is over"
    match = Match(view.setup)
    return match, Node(
        cells=view.cells,
        free=match.ground.board.placeable & ~union(view.cells),
        rings=tuple(ring.counts for ring in view.rings),
        left=tuple(tuple(left.count(block) for block in BLOCKS) for left in view.left),
        tokens=view.tokens,
        supply=view.supply,
        turn=view.colour,
        out=frozenset(view.out),
    )


def reach(match: Match, node: Node) -> int:
    """The widest gap that the player of the colour whose turn it is can pay for."""
    return furthest_gap(node.tokens[match.owners[node.turn]], node.supply)


def shut_out(match: Match, node: Node) -> Node:
    """The node with the colour whose turn it is out, and the next one's turn."""
    return replace(node, turn=(node.turn + 1) % len(match.owners), out=node.out | {node.turn})


def played(match: Match, node: Node, step: Step) -> Node:
    """The node after the step of the colour whose turn it is."""
    colour, spot = node.turn, step.spot
    if spot is None:
        return shut_out(match, node)
    cells, left, rings = list(node.cells), list(node.left), list(node.rings)
    cells[colour] |= spot.cells
    blocks = list(left[colour])
    blocks[spot.block] -= 1
    left[colour] = tuple(blocks)
    for foot in spot.feet:
        if foot:
            tile, count = divmod(foot, STEPS)
            counts = list(rings[tile])
            counts[colour] += count
            rings[tile] = tuple(counts)
    tokens, (big, small) = node.tokens, node.supply
    if step.gap:
        paid = payment(step.gap, node.supply)
        assert paid is not None, "the gap can be paid for"
        points, payer = paid[0] * BIG + paid[1] * SMALL, match.owners[colour]
        tokens = tuple(held - points if seat == payer else held for seat, held in enumerate(tokens))
        big, small = big - paid[0], small - paid[1]
    return Node(
        tuple(cells),
        node.free & ~spot.cells,
        tuple(rings),
        tuple(left),
        tokens,
        (big, small),
        (colour + 1) % len(match.owners),
        node.out,
    )
