"""Free ports: where somebody listens is none."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest

from deploy import ports
from deploy.ports import HERE, free_port, free_ports, is_free


@pytest.fixture
def taken() -> Iterator[int]:
    """A port at which somebody listens."""
    with socket.create_server((HERE, free_port())) as listening:
        yield listening.getsockname()[1]


def test_where_somebody_listens_is_no_free_port(taken: int) -> None:
    assert not is_free(taken)
    assert next(free_ports(taken)) > taken


def test_no_port_is_given_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody listens yet where the first was given, and the second is not the same though the lot falls on it."""
    monkeypatch.setattr(ports, "LAST", ports.FIRST + 1)
    given = [free_port() for _ in range(3)]
    assert given == sorted(set(given))
    assert given[0] >= ports.FIRST
