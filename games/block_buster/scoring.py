"""What counts at the end of Block Buster: sets of point blocks, tokens, blocks left, collections, and places."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

from games.block_buster.blocks import SQUARES
from games.block_buster.position import Position, Setup
from games.block_buster.rings import Ring
from games.contract.values import Outcome

SET_POINTS = (0, 3, 7, 12, 18, 25)
"""What so many point blocks of one shape bring together. [ruling] The values for 4 and 5."""

Sets = tuple[Counter[str], ...]
"""By seat, the number of point blocks of each shape."""


def held(setup: Setup, rings: Sequence[Ring]) -> Sets:
    """The point blocks that each seat holds by majorities. [ruling] Both colours of one player count together."""
    return _by_seat(setup, [(ring.shape, ring.leader) for ring in rings])


def acquired(setup: Setup, rings: Sequence[Ring]) -> Sets:
    """The point blocks that each seat has acquired for good, with all its colours."""
    return _by_seat(setup, [(ring.shape, ring.acquirer) for ring in rings])


def collections(setup: Setup, sets: Sets) -> tuple[tuple[int, str], ...]:
    """The seats that have enough point blocks of a shape, each time with the shape; by seat and then by shape."""
    return tuple(
        (seat, shape)
        for seat, counts in enumerate(sets)
        for shape in setup.mode.shapes
        if counts[shape] >= setup.collection
    )


def scores(position: Position, rings: Sequence[Ring]) -> tuple[int, ...]:
    """The scores by seat: sets by majorities, minus tokens, minus 1 for each square of the blocks left.

    Members of a team are counted each alone, and both have the sum as their score.
    """
    mode = position.setup.mode
    alone = [
        sum(SET_POINTS[count] for count in counts.values()) + tokens
        for counts, tokens in zip(held(position.setup, rings), position.tokens, strict=True)
    ]
    for owner, blocks in zip(mode.owners, position.left, strict=True):
        alone[owner] -= sum(SQUARES[block] for block in blocks)
    return tuple(
        sum(points for points, other in zip(alone, mode.teams, strict=True) if other == team) for team in mode.teams
    )


def outcome(position: Position, rings: Sequence[Ring]) -> Outcome | None:
    """How the match ended; None while it runs.

    Who won at once is ranked first whatever the scores. [ruling] After a match that was played out, so are all who hold
    a collection by majorities.
    """
    if position.reason is None:
        return None
    setup, points = position.setup, scores(position, rings)
    if position.winner is None:
        winners = {seat for seat, _shape in collections(setup, held(setup, rings))}
    else:
        winners = {position.winner}
    return Outcome(position.reason, places(setup, points, winners), points)


def places(setup: Setup, points: Sequence[int], winners: Collection[int]) -> tuple[int, ...]:
    """The place of each seat: the teams of these winning seats come first, then the highest scores.

    Places count teams. [ruling] Equal scores share the place: 1, 1, 3.
    """
    teams = setup.mode.teams
    first = {teams[seat] for seat in winners}
    ranks = {team: (team not in first, -score) for team, score in zip(teams, points, strict=True)}
    return tuple(1 + sum(other < ranks[team] for other in ranks.values()) for team in teams)


def _by_seat(setup: Setup, going: Sequence[tuple[str, int | None]]) -> Sets:
    sets: Sets = tuple(Counter() for _seat in range(setup.mode.players))
    for shape, colour in going:
        if colour is not None:
            sets[setup.mode.owners[colour]][shape] += 1
    return sets
