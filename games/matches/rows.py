"""Rows of a match in play, read and written by SQL that is made once from the models.

For what happens hundreds of times a second: there the ORM's compiler takes more time than the database. All other
reading and writing is the ORM's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import cache
from typing import Any, TypeVar

import psycopg
from django.db import connection
from django.db.models import Field, Model

M = TypeVar("M", bound=Model)

Row = Sequence[Any]


@contextmanager
def one_trip() -> Iterator[None]:
    """What is asked within goes to the database at once, and the answers come together; where it can do that."""
    if connection.vendor != "postgresql":
        yield
        return
    connection.ensure_connection()
    assert connection.connection is not None
    with connection.wrap_database_errors, connection.connection.pipeline():
        yield


def ask(sql: str, values: Sequence[Any]) -> Any:
    """A cursor with the answer. PostgreSQL keeps the plan of the statement."""
    if connection.vendor != "postgresql" or connection.queries_logged:
        cursor = connection.cursor()
        cursor.execute(sql, [_as_stored(value) for value in values])
        return cursor
    connection.ensure_connection()
    # Django's own cursors put values into the text, of which no plan could be kept.
    with connection.wrap_database_errors:
        return psycopg.Cursor(connection.connection).execute(sql, values, prepare=True)


def read(model: type[M], rest: str, values: Sequence[Any]) -> list[M]:
    """Whole rows of the model; `rest` follows its table in SQL, with %s for each of the values."""
    return rows_of(model, ask(selection(model, rest), values))


def read_values(model: type[Model], names: tuple[str, ...], rest: str, values: Sequence[Any]) -> list[list[Any]]:
    """Of such rows those fields alone."""
    _, converters = _reading(model, connection.vendor, names)
    return [_converted(row, converters) for row in ask(_columns(model, names, rest), values).fetchall()]


def rows_of(model: type[M], answer: Any) -> list[M]:
    """The rows of the answer to a `selection` as objects of the model."""
    return [row_of(model, row) for row in answer.fetchall()]


def row_of(model: type[M], row: Row) -> M:
    """One of them."""
    names, converters = _reading(model, connection.vendor)
    return model.from_db(connection.alias, names, _converted(row, converters))


def selection(model: type[Model], rest: str, *besides: str) -> str:
    """The SQL that asks for whole rows of the model, and for `besides` after them; `rest` follows its table, with %s
    for values."""
    return _columns(model, None, rest, *besides)


def kept_values(row: Model) -> dict[str, Any]:
    """What `write_changes` compares with later."""
    return dict(row.__dict__)


def write_changes(row: Model, before: Mapping[str, Any]) -> None:
    """Write those fields of a stored row that differ from before. Does nothing without any."""
    now = row.__dict__
    fields = [
        field for field in type(row)._meta.local_concrete_fields if now.get(field.attname) != before.get(field.attname)
    ]
    if fields:
        values = [_stored(row, field) for field in fields]
        ask(_update(type(row), tuple(field.column for field in fields)), [*values, row.pk])


def insert_rows(rows: Sequence[Model]) -> Any:
    """Store new rows of one model; their keys are there once `note_keys` has been given the answer."""
    if not rows:
        return None
    fields = _own_fields(type(rows[0]))
    values = [_stored(row, field) for row in rows for field in fields]
    return ask(_insert(type(rows[0]), len(rows)), values)


def note_keys(rows: Sequence[Model], answer: Any) -> None:
    """The rows have been stored: what keys they were given."""
    if answer is None:
        return
    for row, (key,) in zip(rows, answer.fetchall(), strict=True):
        row.pk = key
        row._state.adding, row._state.db = False, connection.alias


def _as_stored(value: Any) -> Any:
    return connection.ops.adapt_datetimefield_value(value) if isinstance(value, datetime) else value


def _stored(row: Model, field: Field[Any, Any]) -> Any:
    return field.get_db_prep_save(getattr(row, field.attname), connection=connection)


@cache
def _own_fields(model: type[Model]) -> tuple[Field[Any, Any], ...]:
    return tuple(field for field in model._meta.local_concrete_fields if not field.primary_key)


@cache
def _update(model: type[Model], columns: tuple[str, ...]) -> str:
    changes = ", ".join(f"{_quoted(column)} = %s" for column in columns)
    key = _quoted(model._meta.pk.column)
    return f"UPDATE {_quoted(model._meta.db_table)} SET {changes} WHERE {key} = %s"  # noqa: S608 - names of our own


@cache
def _insert(model: type[Model], count: int) -> str:
    fields = _own_fields(model)
    columns = ", ".join(_quoted(field.column) for field in fields)
    row = f"({', '.join(['%s'] * len(fields))})"
    table, key = _quoted(model._meta.db_table), _quoted(model._meta.pk.column)
    return f"INSERT INTO {table} ({columns}) VALUES {', '.join([row] * count)} RETURNING {key}"  # noqa: S608


def _converted(row: Row, converters: Sequence[tuple[int, Any, Any]]) -> list[Any]:
    values = list(row)
    for index, convert, column in converters:
        values[index] = convert(values[index], column, connection)
    return values


@cache
def _columns(model: type[Model], names: tuple[str, ...] | None, rest: str, *besides: str) -> str:
    table = _quoted(model._meta.db_table)
    columns = [f"{table}.{_quoted(field.column)}" for field in _fields(model, names)]
    return f"SELECT {', '.join([*columns, *besides])} FROM {table} {rest}"  # noqa: S608 - names of our own


def _fields(model: type[Model], names: tuple[str, ...] | None) -> list[Field[Any, Any]]:
    if names is None:
        return list(model._meta.local_concrete_fields)
    fields = {field.attname: field for field in model._meta.local_concrete_fields}
    return [fields[name] for name in names]


@cache
def _reading(
    model: type[Model], vendor: str, names: tuple[str, ...] | None = None
) -> tuple[list[str], list[tuple[int, Any, Any]]]:
    fields = _fields(model, names)
    converters = []
    for index, field in enumerate(fields):
        column = field.get_col(model._meta.db_table)
        for convert in [*connection.ops.get_db_converters(column), *column.get_db_converters(connection)]:
            converters.append((index, convert, column))
    return [field.attname for field in fields], converters


def _quoted(name: str | None) -> str:
    assert name is not None, "only of concrete fields"
    return connection.ops.quote_name(name)
