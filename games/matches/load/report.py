"""What a load test has found, as plain data and in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from games.matches.load.figures import percentile

if TYPE_CHECKING:
    from games.matches.load.players import Tally


def as_figures(tally: Tally, *, cpu: dict[str, float]) -> dict[str, Any]:
    """Plain data: times in ms, processor time in ms a move by whose it is, errors by name.

    `cpu` is the processor time in seconds that each took while the moves were counted.
    """
    moves = tally.moves
    return {
        "moves": moves,
        "matches_ended": tally.matches,
        "seconds": round(tally.seconds, 2),
        "moves_per_s": round(moves / tally.seconds, 1) if tally.seconds else 0.0,
        "shown_ms": _times(tally.shown),
        "answered_ms": _times(tally.answered),
        "errors": dict(sorted(tally.errors.items())),
        "came_back": tally.came_back,
        "ran_out": tally.ran_out,
        "pushes_per_move": round(tally.pushes / moves, 2) if moves else 0.0,
        "kb_per_push": round(tally.received / tally.pushes / 1000, 2) if tally.pushes else 0.0,
        "cpu_ms_per_move": {name: round(1000 * spent / moves, 3) for name, spent in cpu.items()} if moves else {},
        "cpu_percent": {name: round(100 * spent / tally.seconds, 1) for name, spent in cpu.items() if tally.seconds},
    }


def _times(seconds: list[float]) -> dict[str, float]:
    if not seconds:
        return {}
    return {f"p{percent}": round(1000 * percentile(seconds, percent), 2) for percent in (50, 95, 99)}


def in_words(figures: dict[str, Any]) -> str:
    """For people, a line for each thing."""
    lines = [
        f"{figures['moves']} moves in {figures['seconds']} s: {figures['moves_per_s']} moves/s; "
        f"{figures['matches_ended']} matches ended",
        f"until the others have it, ms:   {_said(figures['shown_ms'])}",
        f"until the own answer, ms:       {_said(figures['answered_ms'])}",
        f"processor time a move, ms:      {_said(figures['cpu_ms_per_move'])}",
        f"share of one processor, %:      {_said(figures['cpu_percent'])}",
        f"pushes a move:                  {figures['pushes_per_move']}, of {figures['kb_per_push']} kB",
        f"errors:                         {_said(figures['errors']) or 'none'}",
    ]
    if figures["came_back"]:
        lines.append(f"players whose lines broke:      {figures['came_back']} have come back")
    if figures["ran_out"]:
        lines.append("The prepared matches ran out before the time was over: prepare more (--prepared).")
    if (idle := figures.get("idle")) is not None:
        lines.append(f"idle sockets:                   {_said(idle)}")
    if (storm := figures.get("storm")) is not None:
        lines.append(f"reconnect storm:                {_said(storm)}")
    if (bots := figures.get("bots")) is not None:
        lines.append(f"turns of bots, to the screen:   {_said(bots)}")
    return "\n".join(lines)


def _said(values: dict[str, Any]) -> str:
    return ", ".join(f"{name} {value}" for name, value in values.items())
