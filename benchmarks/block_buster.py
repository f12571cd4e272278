"""What Block Buster's rules cost: `python -m benchmarks.block_buster [--matches N] [--seed S]`.

First the widest position there is, the first move on the large board. Then, for each mode, random matches: the median
and the longest time of a list of legal moves, of counting them, of a move and of a view, and of a whole match replayed
from the texts of its moves.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from random import Random
from statistics import median
from time import perf_counter
from typing import Any

from games.block_buster.modes import MODES, Mode
from games.block_buster.position import Position
from games.block_buster.rules import RULES, count_legal

MEASURED = ("list", "count", "play", "view", "replay")


def timed(call: Callable[[], Any], seconds: list[float]) -> Any:
    """What the call gives; its time is added to `seconds`."""
    begun = perf_counter()
    result = call()
    seconds.append(perf_counter() - begun)
    return result


def first_position(mode: Mode, rng: Random) -> Position:
    options = {"mode": mode.name, "layout": "random"}
    return RULES.start(options, RULES.deal(options, [""] * mode.players, rng), mode.players)


def measure_widest() -> None:
    position = first_position(MODES["standard", 4], Random(1))
    lists, counts = list[float](), list[float]()
    for _again in range(50):
        moves = timed(lambda: RULES.legal_moves(position, 0), lists)
        timed(lambda: count_legal(position), counts)
    print(f"first move on the large board: {len(moves)} moves")
    print(f"  list, first time {1000 * lists[0]:.1f} ms, then {1000 * median(lists):.2f} ms")
    print(f"  count {1000 * median(counts):.3f} ms")


def measure_match(mode: Mode, rng: Random, seconds: dict[str, list[float]]) -> int:
    """Plays one random match; gives the number of plies."""
    begun = position = first_position(mode, rng)
    texts: list[str] = []
    while position.to_move is not None:
        seat = position.to_move
        moves = timed(lambda: RULES.legal_moves(position, seat), seconds["list"])  # noqa: B023 (called at once)
        timed(lambda: count_legal(position), seconds["count"])  # noqa: B023
        timed(lambda: RULES.view(position, seat), seconds["view"])  # noqa: B023
        move = rng.choice(moves)
        texts.append(RULES.format_move(move))
        position, _ = timed(lambda: RULES.play(position, seat, move, at=0), seconds["play"])  # noqa: B023
    timed(lambda: replay(begun, texts), seconds["replay"])
    return len(texts)


def replay(position: Position, texts: list[str]) -> None:
    for text in texts:
        assert position.to_move is not None
        position, _ = RULES.play(position, position.to_move, RULES.parse_move(text), at=0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=10, help="matches for each mode (default 10)")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    measure_widest()
    print(f"{'median (longest), ms':<22}{'plies':>6}" + "".join(f"{name:>18}" for name in MEASURED))
    for mode in MODES.values():
        rng = Random(given.seed)
        seconds: dict[str, list[float]] = {name: [] for name in MEASURED}
        plies = median(measure_match(mode, rng, seconds) for _match in range(given.matches))
        shown = "".join(f"{f'{1000 * median(times):.3f} ({1000 * max(times):.2f})':>18}" for times in seconds.values())
        print(f"{f'{mode.name} {mode.players}':<22}{plies:>6.0f}{shown}")


if __name__ == "__main__":
    main()
