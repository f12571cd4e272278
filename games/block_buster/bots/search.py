"""Thinking ahead: deeper by a move each time, over the few best steps of each node, as long as the budget lasts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from games.block_buster.bots.copying import copy_of
from games.block_buster.bots.model import Match, Node, Step, played, shut_out
from games.block_buster.bots.steps import Found, best_of, found_for, wary
from games.block_buster.bots.worth import WIN, Worth
from games.contract.rules import Budget

WIDTHS = {3: (10, 7, 10, 4, 5, 3, 2, 2), 4: (10, 7, 5, 4, 3, 3, 2, 2), 5: (10, 10, 5, 3, 2, 2, 2, 2)}
"""By the board's side in tiles, how many steps are tried in the first move, the second ... On the smallest
board the own second move counts as much as the first; on the largest, where a collection is often complete after a few
moves, no answer to the own one is to be missed."""

COPIED = (10, 4, 10, 4, 10, 3, 5, 2, 3, 2)
"""The same for who is copied: to make use of it takes several moves that bring little at once. The rival has one answer
only, wherever it can copy."""

FORESEEN = 1
"""How many steps of each rival where there are several: they are taken to play for themselves."""

PAID = 1250
"""How many placements an iteration pays for: a large or empty board has more of them, and they take longer to find."""

NODE_OF_TWO = {3: PAID // 2, 4: PAID, 5: PAID}
"""Between two colours alone a node costs always the same, by the board's side in tiles: the opening, which has most
placements, is not to be thought about less."""

OPENING, TRYING = 100, 30
"""To open a node costs as much as to find so many placements for the colour that plays and for each colour of rivals,
whose threats are looked at, and each step that is tried then as much as so many."""

SOON = 0.999
"""How much of a match's end counts one move later: better to win sooner, and to lose later."""


class UsedUp(Exception):
    """The budget is used up."""


@dataclass(slots=True, eq=False)
class Tree:
    """A node, the step that led to it, and what it is worth to each team; what follows, once it has been opened."""

    node: Node
    step: Step
    values: list[float]
    over: bool = False
    opened: bool = False
    team: int = 0
    children: list[Tree] = field(default_factory=list)


class Search:
    """A search for the best step of the colour whose turn it is in `node`.

    Who is `copied` takes the one rival to answer each block by its image under a half turn, where that is legal.
    """

    def __init__(
        self, match: Match, node: Node, worth: Worth, budget: Budget, rng: Random, *, copied: bool = False
    ) -> None:
        self._match, self._worth, self._budget = match, worth, budget
        self._copied = copied
        self._owed = 0
        self._widths = COPIED if copied else WIDTHS[match.setup.mode.tiles]
        self._mine = match.team_of[node.turn]
        rivals = sum(team != self._mine for team in match.team_of)
        self._opening = OPENING * (1 + rivals)
        self._root = Tree(node, Step(None), [])
        self._open(self._root)
        rng.shuffle(self._root.children)
        self._root.children.sort(key=lambda child: -round(child.values[self._mine], 1))
        self._best = self._root.children[0]

    def best(self) -> Step:
        """The best step that is found before the budget is used up."""
        try:
            for depth in range(1, len(self._widths) * self._match.teams // 2):
                if self._best.over or len(self._root.children) == 1:
                    break
                self._look(depth)
        except UsedUp:
            pass
        return self._best.step

    def _look(self, depth: int) -> None:
        """Try all steps with so many moves after each, the ones that were best so far first."""
        bar = float("-inf")
        found = {}
        for child in self._root.children:
            value = found[id(child)] = self._value(child, depth, 1, bar, float("inf"))
            if value > bar:
                self._best, bar = child, value
        self._root.children.sort(key=lambda child: -found[id(child)])

    def _value(self, tree: Tree, depth: int, level: int, low: float, high: float) -> float:
        """What the tree is worth to the team that thinks, so many moves deeper (alpha-beta: exact between the bounds).

        With several rivals each of them is taken to play what is best for itself at once.
        """
        if depth and not tree.opened and not tree.over:
            self._open(tree)
        if tree.over:
            return tree.values[self._mine] * SOON**level
        if not depth:
            return tree.values[self._mine]
        mine = tree.team == self._mine
        width = self._widths[min(level, len(self._widths) - 1)] if mine or self._match.teams == 2 else FORESEEN
        best, found = None, 0.0
        for child in tree.children[:width]:
            value = self._value(child, depth - 1, level + 1, low, high)
            if best is None or (value > found if mine else value < found):
                best, found = child, value
            low, high = (max(low, value), high) if mine else (low, min(high, value))
            if low >= high:
                break
        assert best is not None, "a match that is not over goes on"
        tree.children.remove(best)
        tree.children.insert(0, best)
        return found

    def _ask(self) -> None:
        """Wait until what has been found is paid for."""
        while self._owed >= 0:
            if not self._budget():
                raise UsedUp
            self._owed -= PAID

    def _open(self, tree: Tree) -> None:
        """Find out whose turn it is and what it can do; the match is over if nobody can do anything."""
        if tree is not self._root:
            if self._copied and self._foresees(tree):
                return
            self._ask()
        match, worth, node = self._match, self._worth, tree.node
        tree.opened = True
        while not (found := found_for(match, node, worth)):
            node = shut_out(match, node)
            if len(node.out) == len(match.colours):
                tree.over, tree.values = True, worth.balance(worth.final(node))
                return
        tree.team = match.team_of[node.turn]
        steps = best_of(match, node, worth, wary(match, node, worth, found))
        foreseen = tree.team != self._mine and match.teams > 2
        for _gain, step in steps[:FORESEEN] if foreseen else steps:
            self._add(tree, node, step)
        self._owed += self._cost(tree, found)
        tree.children.sort(key=lambda child: -child.values[tree.team])

    def _cost(self, tree: Tree, found: Sequence[Found]) -> int:
        """What it has taken to open the node, in placements."""
        match = self._match
        if len(match.colours) == 2:
            return 0 if tree is self._root else NODE_OF_TWO[match.setup.mode.tiles]
        return self._opening + len(found) + TRYING * len(tree.children)

    def _foresees(self, tree: Tree) -> bool:
        """Open a node with the one answer of who copies, if there is one: so quick that no iteration is used for it."""
        team, copy = self._match.team_of[tree.node.turn], copy_of(self._match, tree.node, tree.step)
        if team == self._mine or copy is None:
            return False
        tree.opened, tree.team = True, team
        self._add(tree, tree.node, copy)
        return True

    def _add(self, tree: Tree, node: Node, step: Step) -> None:
        after = played(self._match, node, step)
        values = self._worth.values(after)
        tree.children.append(Tree(after, step, self._worth.balance(values), over=max(values) > WIN / 2))
