"""How a server that runs for weeks looks after what it no longer needs."""

from __future__ import annotations

import gc

COLLECT_AFTER = (5_000, 10, 1)
"""Objects that have come into being beyond those that have gone, until the collector looks at the young ones, and how
many of these looks until it looks at older ones, and at all. Python's own 700 is for programs that end: each move makes
thousands, and nearly all of them go by themselves. What a closed socket leaves in circles has grown old with it, and
only a look at all finds it: some thousand of them, and not ten times as many, wait for one. Python puts it off anyway
until a quarter of what there is has come since the last."""


def spare_the_collector() -> None:
    """What has been imported by now stays: it is not looked at again. Call it once, before serving."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECT_AFTER)
