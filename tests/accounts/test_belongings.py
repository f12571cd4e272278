"""Whatever the database keeps of people is known: what of it they get, and what becomes of it when they go."""

from __future__ import annotations

from collections import Counter

import pytest
from django.core.exceptions import FieldDoesNotExist

from accounts.desk.belongings import (
    BELONGINGS,
    IN_FORCE,
    PROFILE,
    SETTINGS,
    WITHHELD,
    Fate,
    columns_of_people,
)
from accounts.people.models import User


def test_every_column_that_points_to_a_person_is_known() -> None:
    """Whoever adds one lists it in accounts/desk/belongings.py: what is exported, and what deletion does to it."""
    known = Counter(each.column for each in BELONGINGS)
    assert [column for column in columns_of_people() if column not in known] == []
    assert [column for column, times in known.items() if times > 1] == []


def test_what_is_listed_is_there() -> None:
    columns = set(columns_of_people())
    assert [each.column for each in BELONGINGS if each.column not in columns] == []


def test_each_is_exported_or_has_a_reason_not_to_be() -> None:
    for each in BELONGINGS:
        assert bool(each.file) != bool(each.why_not), each.column
        assert bool(each.shown) == bool(each.file), each.column
        assert bool(each.blanks) == (each.fate is Fate.BLANK), each.column
    files = [each.file for each in BELONGINGS if each.file]
    assert len(set(files)) == len(files)


def test_no_secret_is_exported() -> None:
    """Keys of sessions, secrets of second factors, hashes of addresses and devices."""
    secrets = ("session_key", "data", "address", "device", "password", "hash", "invite", "deal", "position", "nonce")
    for each in BELONGINGS:
        for path in each.shown.values():
            assert not any(part in secrets for part in path.lstrip("@").split("__")), (each.column, path)


@pytest.mark.parametrize("name", [*PROFILE, *SETTINGS, *IN_FORCE, *WITHHELD])
def test_columns_of_the_person_s_own_row_are_there(name: str) -> None:
    try:
        User._meta.get_field(name)
    except FieldDoesNotExist:
        pytest.fail(f"{name} is no column")
