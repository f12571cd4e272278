"""The SQL that is made once from the models: that PostgreSQL keeps its plans, and which fields are written."""

from __future__ import annotations

import pytest
from django.db import connection

from games.matches import rows
from games.matches.models import Match


@pytest.mark.django_db(transaction=True)
@pytest.mark.postgres
def test_what_is_asked_again_and_again_is_prepared_and_nothing_else_is() -> None:
    """By its settings Django has nothing prepared, not even what asks for it."""
    for number in range(10):
        assert rows.ask("SELECT %s + 1", [number]).fetchone() == (number + 1,)
        with connection.cursor() as cursor:
            cursor.execute("SELECT %s + 2", [number])
            cursor.execute("SELECT statement FROM pg_prepared_statements")
            prepared = [statement for (statement,) in cursor.fetchall()]
        assert "SELECT $1 + 1" in prepared
        assert not any("+ 2" in statement or "pg_prepared" in statement for statement in prepared)


def test_fields_are_written_that_have_another_value_and_no_others() -> None:
    row = Match(slug="one", ply=1, to_move=[0], position={"ply": 1}, takeback_by=None)
    before = rows.kept_values(row)
    assert rows._changed_fields(row, before) == []
    row.to_move, row.position = [0], {"ply": 1}  # equal, and other objects
    assert rows._changed_fields(row, before) == []
    row.to_move, row.ply, row.takeback_by, row.position = [1], 2, 0, None
    assert [field.name for field in rows._changed_fields(row, before)] == [
        field.name
        for field in Match._meta.concrete_fields
        if field.name in {"to_move", "ply", "takeback_by", "position"}
    ]
