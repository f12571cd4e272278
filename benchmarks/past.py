"""Many finished matches in a database, so that a benchmark shows whether what has been costs what is played now."""

from __future__ import annotations

import psycopg
from psycopg import sql

TABLES = {"matches_seat": "match_id", "matches_move": "match_id", "matches_logentry": "match_id"}
"""What a match has besides, with the column that says whose it is."""

MATCHES = "matches_match"
OWN_TEXTS = {"slug": 12, "invite": 22}
"""Texts of a match that no other has, and their lengths."""


def multiply(database: str, number: int) -> int:
    """Copy the finished matches that are there until there are so many at least; how many there are then.

    Raises `LookupError` if there is none.
    """
    with psycopg.connect(database) as connection:
        connection.execute("CREATE TEMPORARY TABLE model AS SELECT id FROM matches_match WHERE status = 'over'")
        models, highest = _row(connection, "SELECT (SELECT count(*) FROM model), (SELECT max(id) FROM matches_match)")
        if not models:
            raise LookupError("no match has ended that could be copied")
        copies = -(-number // models) - 1
        # A copy's number is the model's, and so many times the highest one further.
        numbers = sql.SQL("FROM {table} row JOIN model ON model.id = row.{whose}, generate_series(1, {copies}) AS copy")
        for table, whose in {MATCHES: "id", **TABLES}.items():
            columns = [name for name in _columns(connection, table) if table == MATCHES or name != "id"]
            told: dict[str, sql.Composable] = {
                whose: sql.SQL("row.{} + copy * {}").format(sql.Identifier(whose), highest)
            }
            if table == MATCHES:
                told |= {
                    name: sql.SQL("left(md5(row.{} || copy), {})").format(sql.Identifier(name), length)
                    for name, length in OWN_TEXTS.items()
                }
                told["finish_number"] = sql.SQL("NULL")
            values = [told.get(name, sql.SQL("row.{}").format(sql.Identifier(name))) for name in columns]
            connection.execute(
                sql.SQL("INSERT INTO {} ({}) SELECT {} {}").format(
                    sql.Identifier(table),
                    sql.SQL(", ").join(map(sql.Identifier, columns)),
                    sql.SQL(", ").join(values),
                    numbers.format(table=sql.Identifier(table), whose=sql.Identifier(whose), copies=copies),
                )
            )
        connection.execute(
            "SELECT setval(pg_get_serial_sequence('matches_match', 'id'), (SELECT max(id) FROM matches_match))"
        )
        (there,) = _row(connection, "SELECT count(*) FROM matches_match WHERE status = 'over'")
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("VACUUM ANALYZE")
    return int(there)


def _columns(connection: psycopg.Connection[tuple[object, ...]], table: str) -> list[str]:
    found = connection.execute(
        "SELECT column_name FROM information_schema.columns WHERE table_name = %s AND is_generated = 'NEVER'"
        " ORDER BY ordinal_position",
        (table,),
    )
    return [str(name) for (name,) in found.fetchall()]


def _row(connection: psycopg.Connection[tuple[object, ...]], question: str) -> tuple[int, ...]:
    row = connection.execute(question.encode()).fetchone()
    assert row is not None
    return tuple(int(str(value)) for value in row)
