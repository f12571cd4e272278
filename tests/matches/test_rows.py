"""The SQL that is made once from the models: that PostgreSQL keeps its plans."""

from __future__ import annotations

import pytest
from django.db import connection

from games.matches import rows

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgres]


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
