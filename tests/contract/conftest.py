"""The toy game is known to the registry while the tests of this folder run, and to nobody else."""

from __future__ import annotations

import pytest

from games.contract import registry
from tests.contract.sampled import TOY


@pytest.fixture(autouse=True)
def _toy_is_registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry._added, TOY.slug, TOY)
