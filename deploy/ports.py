"""Ports of this machine at which nobody listens now.

They are below those from which connections go out: a port that is left for a restart might be taken by one of these.
"""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import closing
from random import SystemRandom

HERE = "127.0.0.1"

FIRST, LAST = 12_000, 30_000
"""Between these a port is drawn where any will do."""


_given: set[int] = set()


def free_port() -> int:
    """Some free port, and another one each time; by lot, for other processes may look for one as well."""
    port = next(port for port in free_ports(SystemRandom().randrange(FIRST, LAST)) if port not in _given)
    _given.add(port)
    return port


def free_ports(first: int) -> Iterator[int]:
    """From this one on."""
    return (port for port in range(first, 65_536) if is_free(port))


def is_free(port: int) -> bool:
    """Whether one could listen there."""
    with closing(socket.socket()) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HERE, port))
        except OSError:
            return False
        return True
