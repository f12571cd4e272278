"""Simple players of M that the bots are measured against."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

from games.m.gains import gain, moves, seat_of
from games.m.notation import format_move
from games.m.position import Pass, View


def greedy(view: View, rng: Random) -> str:
    """The best gain in points at once, ties by chance; it passes where nothing else brings as much."""
    listed = moves(view)
    gains = [gain(view, move) for move in listed]
    if not listed or (view.phase == "play" and gain(view, Pass()) > max(gains)):
        hand = view.hands[seat_of(view)] or ()
        return format_move(Pass(rng.choice(hand)) if hand and view.stack else Pass())
    return format_move(rng.choice([move for move, gained in zip(listed, gains, strict=True) if gained == max(gains)]))


PLAYERS: Mapping[str, Callable[[View, Random], str | None]] = {"greedy": greedy}
