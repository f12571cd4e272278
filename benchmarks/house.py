"""The house beside a bare floor, in one run on one machine: `python -m benchmarks.house [--only a,c] [--rounds N]`.

For each scenario the production shape is started on loopback, with databases of its own, and `benchmarks.floor` beside
it; the same players play at one and at the other in turn, and the medians and their ratios are printed, with the goal.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import secrets
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from math import isnan, nan
from statistics import median
from typing import Any

from benchmarks.past import multiply
from benchmarks.shape import NotHere, Shape
from games.matches.load import runs
from games.matches.load.scripts import Crowd, Prepared, Step
from games.matches.load.stores import Stores

Figures = dict[str, Any]
SERVERS = ("sockets", "keeper", "database", "redis")
STEPS = 60
"""Moves of a match at the floor: about as many as of a random match of M."""


@dataclass(frozen=True)
class Goal:
    """A figure of one round, of the floor's figures and the house's, and the bound that its median is to keep."""

    name: str
    figure: Callable[[Figures, Figures], float]
    bound: float
    at_least: bool = False

    def said(self, found: Sequence[float]) -> str:
        middle = median(found) if not any(map(isnan, found)) else nan
        kept = middle >= self.bound if self.at_least else middle <= self.bound
        rounds = " ".join(f"{value:.4g}" for value in found)
        return (
            f"  {self.name}: {middle:.4g} (goal: at {'least' if self.at_least else 'most'} {self.bound:g}) "
            f"{'reached' if kept else 'MISSED'}   [{rounds}]"
        )


@dataclass(frozen=True)
class Scenario:
    """What is played, and what it is to show. `load` are options of `manage.py loadtest`."""

    title: str
    load: dict[str, float]
    goals: tuple[Goal, ...]
    sockets: int = 1
    embedded: bool = False
    afresh: bool = False  # each round in processes that have just begun
    with_floor: bool = True
    past: int = 0  # so many finished matches; instead of the floor there is another house without any
    apart: bool = False  # the seats of a match at different processes, as where no proxy brings them together
    bots: int = 0  # so many matches of bots beside; instead of the floor there is the same house without them


def _ratio(*path: str) -> Callable[[Figures, Figures], float]:
    return lambda floor, house: _at(house, path) / _at(floor, path)


def _own(*path: str) -> Callable[[Figures, Figures], float]:
    return lambda _floor, house: _at(house, path)


def _at(figures: Figures, path: Sequence[str]) -> float:
    found: Any = figures
    for name in path:
        found = found.get(name, {})
    return float(found) if found != {} else nan


def _errors(_floor: Figures, house: Figures) -> float:
    return float(sum(house["errors"].values()))


def _all_servers(_floor: Figures, house: Figures) -> float:
    return float(sum(house["cpu_ms_per_move"].get(name, 0.0) for name in SERVERS))


def _ratio_of_servers(without: Figures, house: Figures) -> float:
    return _all_servers(without, house) / _all_servers(house, without)


NO_ERROR = Goal("errors", _errors, 0)
CPU = (
    Goal("CPU of the sockets processes, ms a move", _own("cpu_ms_per_move", "sockets"), 3),
    Goal("CPU of all servers, ms a move", _all_servers, 5),
)

SCENARIOS = {
    "a": Scenario(
        "one match of M, nobody thinks",
        {"matches": 1},
        (Goal("p50, house / floor", _ratio("shown_ms", "p50"), 6), NO_ERROR),
    ),
    "b": Scenario(
        "200 matches of M, 4 s of thought",
        {"matches": 200, "think": 4, "warm-up": 6},
        (Goal("p95, house / floor", _ratio("shown_ms", "p95"), 4), NO_ERROR),
        sockets=2,  # as `make production` starts them on two cores
    ),
    "c": Scenario(
        "saturated by 50 matches of M, one sockets process",
        {"matches": 50},
        (
            Goal("moves/s, house / floor", _ratio("moves_per_s"), 0.09, at_least=True),
            Goal("moves/s", _own("moves_per_s"), 300, at_least=True),
            *CPU,
            NO_ERROR,
        ),
    ),
    "d": Scenario(
        "saturated by 50 matches of M, two sockets processes",
        {"matches": 50},
        (
            Goal("moves/s, house / floor", _ratio("moves_per_s"), 0.15, at_least=True),
            Goal("moves/s", _own("moves_per_s"), 500, at_least=True),
            *CPU,
            NO_ERROR,
        ),
        sockets=2,
    ),
    "e": Scenario(
        "1,000 sockets that only listen",
        {"matches": 1, "think": 1, "seconds": 2, "idle": 1000},
        (Goal("memory of a further socket, KiB", _own("idle", "kib_per_socket"), 48),),
        afresh=True,
    ),
    "f": Scenario(
        "2,000 sockets come back at once",
        {"matches": 10, "think": 1, "seconds": 5, "storm": 2000},
        (
            Goal("all are served after, s", _own("storm", "all_s"), 30),
            Goal("not served", _own("storm", "not_served"), 0),
            NO_ERROR,
        ),
    ),
    "g": Scenario(
        "embedded: one match of M, nobody thinks",
        {"matches": 1},
        (Goal("p50, house / floor", _ratio("shown_ms", "p50"), 8), NO_ERROR),
        embedded=True,
    ),
    "h": Scenario(
        "embedded: 20 matches of M, 1 s of thought",
        {"matches": 20, "think": 1, "warm-up": 3},
        (NO_ERROR,),
        embedded=True,
        with_floor=False,
    ),
    "i": Scenario(
        "saturated by 50 matches of M, with 100,000 finished matches; beside it another house without",
        {"matches": 50},
        (
            Goal("moves/s, with / without", _ratio("moves_per_s"), 0.9, at_least=True),
            Goal("CPU of all servers, with / without", _ratio_of_servers, 1.1),
            NO_ERROR,
        ),
        past=100_000,
    ),
    "j": Scenario(
        "50 matches of M, 2 s of thought, beside 20 matches of hard bots; beside it the same without",
        {"matches": 50, "think": 2, "warm-up": 4},
        (
            Goal("p95, beside bots / without", _ratio("shown_ms", "p95"), 1.5),
            Goal("p95 of a bot's turn to the screen, its pause included, ms", _own("bots", "p95_ms"), 1000),
            Goal("matches of bots under way, the fewest", _own("bots", "fewest_matches"), 15, at_least=True),
            Goal("bots that have failed", _own("bots", "failed"), 0),
            NO_ERROR,
        ),
        bots=20,
    ),
    "k": Scenario(
        "saturated by 50 matches of M, two sockets processes, the two players of each at different ones",
        {"matches": 50},
        (*CPU, NO_ERROR),
        sockets=2,
        apart=True,
    ),
}


def play_at_floor(shape: Shape, load: dict[str, float]) -> Figures:
    """The figures of one round at the floor."""
    plan = runs.Plan(
        addresses=[shape.floor],
        matches=int(load["matches"]),
        think=load.get("think", 0),
        seconds=load["seconds"],
        warm_up=load.get("warm-up", 2),
        idle=int(load.get("idle", 0)),
        storm=int(load.get("storm", 0)),
    )
    crowd = Crowd(floor_matches(plan.prepared), [""] * max(plan.idle, plan.storm))

    async def more(number: int) -> list[Prepared]:
        return floor_matches(number)

    stores = Stores(database=shape.database)
    return asyncio.run(runs.run(plan, crowd, cookie="nobody", stores=stores, more=more))


def floor_matches(number: int) -> list[Prepared]:
    """So many matches of two that the floor has not seen yet."""
    steps = [Step(ply % 2, "pass RT3", str(ply)) for ply in range(STEPS)]
    return [Prepared(secrets.token_hex(6), steps, ("", "")) for _ in range(number)]


def play_at_house(shape: Shape, load: dict[str, float], *others: str) -> Figures:
    """The figures of one round at the site."""
    options = [f"--{name}={value:g}" for name, value in load.items()]
    keeper = [f"--processes=keeper={shape.keeper}"] if shape.keeper is not None else []
    addresses = ",".join(shape.addresses)
    figures: Figures = json.loads(
        shape.manage("loadtest", "--json", "--keep", f"--address={addresses}", *keeper, *options, *others).splitlines()[
            -1
        ]
    )
    return figures


def give_a_past(shape: Shape, number: int) -> None:
    """Let some matches be played to their end, and copy them."""
    load: dict[str, float] = {"matches": 5, "prepared": 15, "seconds": 300, "warm-up": 0}
    play_at_house(shape, load, "--game=block_buster")
    print(f"  {multiply(shape.database, number)} finished matches", flush=True)


def measure(scenario: Scenario, *, rounds: int, seconds: float) -> None:
    """Print what so many rounds have shown."""
    load = {"seconds": seconds, **scenario.load}
    floors: list[Figures] = []
    houses: list[Figures] = []
    with ExitStack() as open_shapes:
        shape = open_shapes.enter_context(closing(Shape(sockets=scenario.sockets, embedded=scenario.embedded)))
        young = None
        if scenario.past:
            give_a_past(shape, scenario.past)
            young = open_shapes.enter_context(closing(Shape(sockets=scenario.sockets)))
        for number in range(rounds):
            if scenario.afresh and number:
                shape.stop_site()
                shape.start_site()
            if young is not None:
                floors.append(play_at_house(young, load))
            elif scenario.bots:
                floors.append(play_at_house(shape, load))
            elif scenario.with_floor:
                floors.append(play_at_floor(shape, load))
            besides: dict[str, float] = {"bots": scenario.bots} if scenario.bots else {}
            houses.append(play_at_house(shape, load | besides, *(["--apart"] if scenario.apart else [])))
    with_something = scenario.past or scenario.bots
    if floors:
        print(f"  {'without' if with_something else 'floor'}: {_in_short(floors)}")
    print(f"  {'with' if with_something else 'house'}: {_in_short(houses)}")
    for goal in scenario.goals:
        pairs = zip(floors or [{}] * rounds, houses, strict=True)
        print(goal.said([goal.figure(floor, house) for floor, house in pairs]), flush=True)


def _in_short(rounds: Sequence[Figures]) -> str:
    """Medians of what all rounds have."""
    parts = [f"{median(found['moves_per_s'] for found in rounds):.4g} moves/s"]
    if all(found["shown_ms"] for found in rounds):
        parts += [
            f"{name} {median(found['shown_ms'][name] for found in rounds):.4g} ms" for name in rounds[0]["shown_ms"]
        ]
    names = [name for name in rounds[0]["cpu_ms_per_move"] if all(name in found["cpu_ms_per_move"] for found in rounds)]
    spent = [f"{name} {median(found['cpu_ms_per_move'][name] for found in rounds):.3g}" for name in names]
    parts += [f"CPU ms a move: {', '.join(spent)}"] if spent else []
    for what in ("idle", "storm", "bots"):
        if what in rounds[0]:
            parts += [f"{what} {name} {median(found[what][name] for found in rounds):.4g}" for name in rounds[0][what]]
    errors: dict[str, int] = {}
    for found in rounds:
        for name, count in found["errors"].items():
            errors[name] = errors.get(name, 0) + count
    parts += [f"errors in all: {errors}"] if errors else []
    if any(found["ran_out"] for found in rounds):
        parts.append("(prepared matches ran out)")
    return "; ".join(parts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default=",".join(SCENARIOS), help="letters of scenarios, with commas between")
    parser.add_argument("--rounds", type=int, default=5, help="floor and house in turn, so often (default 5)")
    parser.add_argument("--seconds", type=float, default=10, help="how long each is measured (default 10)")
    given = parser.parse_args()
    wanted = [letter.strip() for letter in given.only.split(",") if letter.strip()]
    if unknown := sorted(set(wanted) - set(SCENARIOS)):
        parser.error(f"there is no scenario {', '.join(unknown)}; there are {', '.join(SCENARIOS)}")
    if given.rounds < 1 or not 0 < given.seconds <= 3600:
        parser.error("at least one round, of more than 0 and at most 3600 seconds")
    for letter in wanted:
        scenario = SCENARIOS[letter]
        print(f"({letter}) {scenario.title}", flush=True)
        try:
            measure(scenario, rounds=given.rounds, seconds=given.seconds)
        except NotHere as error:
            sys.exit(str(error))


if __name__ == "__main__":
    main()
