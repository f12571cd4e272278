"""What is killed, and what is timed: these tests run alone, one after the other."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.faults.house import House
from tests.faults.stores import Stores


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(__file__.rpartition("/")[0]):
            item.add_marker(pytest.mark.faults)


@pytest.fixture(scope="session")
def own_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """Two doors, two keepers, and a PostgreSQL and a Redis of its own, all open. Whoever breaks it mends it."""
    stores = Stores()
    house = House(tmp_path_factory.mktemp("own-house"), stores=stores, doors=2)
    try:
        house.open()
        yield house
    finally:
        house.close()
        stores.close()
