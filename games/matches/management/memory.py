"""How a server that runs for weeks looks after what it no longer needs."""

from __future__ import annotations

import gc

COLLECT_AFTER = (5_000, 10, 10)
"""Objects that have come into being beyond those that have gone, until the collector looks at the young ones, and how
many of these looks until it looks at older ones. Python's own 700 is for programs that end: each move makes thousands,
and nearly all of them go by themselves."""


def spare_the_collector() -> None:
    """What has been imported by now stays: it is not looked at again. Call it once, before serving."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECT_AFTER)
