"""What a load test measures of the machine: percentiles, and the processor time and memory of processes (Linux)."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from math import ceil
from pathlib import Path

PROC = Path("/proc")
_TICKS_A_SECOND = os.sysconf("SC_CLK_TCK")


def percentile(values: Sequence[float], percent: float) -> float:
    """The smallest of the values that so many percent do not exceed (nearest rank). Raises `ValueError` for none."""
    if not values:
        raise ValueError("of nothing there is no percentile")
    ranked = sorted(values)
    return ranked[max(0, ceil(percent / 100 * len(ranked)) - 1)]


def cpu_seconds(pid: int) -> float | None:
    """Processor time that the process has taken so far, with all its threads; None if there is none."""
    try:
        text = (PROC / str(pid) / "stat").read_text()
    except OSError:
        return None
    # The name in brackets may hold anything, also spaces and brackets.
    fields = text.rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS_A_SECOND


def cpu_of_all(pids: Iterable[int]) -> dict[int, float]:
    """By process, those that are there."""
    return {pid: spent for pid in pids if (spent := cpu_seconds(pid)) is not None}


def spent_between(before: dict[int, float], after: dict[int, float]) -> float:
    """Seconds of processor time from one look to the other; who was not there at the first has begun since."""
    return sum(spent - before.get(pid, 0.0) for pid, spent in after.items())


def resident_bytes(pid: int) -> int | None:
    """Memory of the process that is its own: anonymous pages, not the files that it shares; None if there is none."""
    try:
        lines = (PROC / str(pid) / "status").read_text().splitlines()
    except OSError:
        return None
    found = [int(line.split()[1]) for line in lines if line.startswith("RssAnon:")]
    return found[0] * 1024 if found else None


def listener_of(port: int) -> int | None:
    """The process that listens on that TCP port of this machine, as far as this user may see; the first of several."""
    inodes = set()
    for table in ("net/tcp", "net/tcp6"):
        try:
            lines = (PROC / table).read_text().splitlines()[1:]
        except OSError:
            continue
        for fields in map(str.split, lines):
            if fields[3] == "0A" and int(fields[1].rpartition(":")[2], 16) == port:
                inodes.add(f"socket:[{fields[9]}]")
    for folder in sorted(PROC.glob("[0-9]*"), key=lambda found: int(found.name)):
        try:
            if any(os.readlink(link) in inodes for link in (folder / "fd").iterdir()):
                return int(folder.name)
        except OSError:
            continue
    return None
