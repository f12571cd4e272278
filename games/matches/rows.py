"""Rows of a match in play, read and written by SQL that is made once from the models.

For what happens hundreds of times a second: there the ORM's compiler takes more time than the database. All other
reading and writing is the ORM's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import cache
from typing import Any, TypeVar

import psycopg
from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.models import CharField, Field, Model

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
    if connection.vendor != "postgresql" or connection.queries_logged or connection.execute_wrappers:
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
    return model.from_db(DEFAULT_DB_ALIAS, names, _converted(row, converters))


def selection(model: type[Model], rest: str, *besides: str) -> str:
    """The SQL that asks for whole rows of the model, and for `besides` after them; `rest` follows its table, with %s
    for values."""
    return _columns(model, None, rest, *besides)


def kept_values(row: Model) -> dict[str, Any]:
    """What `write_changes` compares with later."""
    return dict(row.__dict__)


def write_changes(row: Model, before: Mapping[str, Any]) -> None:
    """Write those fields of a stored row that differ from before. Does nothing without any."""
    if fields := _changed_fields(row, before):
        ask(_update(type(row), tuple(field.column for field in fields)), [*_stored(row, fields), row.pk])


Changed = tuple[Model, Mapping[str, Any]]
"""A stored row, and what it was before."""


def write_if(
    condition: str, given: Sequence[Any], first: Changed, others: Sequence[Changed], new: Sequence[Sequence[Model]]
) -> bool:
    """Write changes of stored rows, and new rows of one model each, in one statement of PostgreSQL: all of it if the
    condition holds for the first row, of which something has changed, else nothing. Whether it did.

    `condition` has %s for each value given. Where somebody else is writing the first row, its own columns are compared
    again once they are done; what the condition looks up elsewhere is as it was when the statement began.
    """
    changes = [(row, _changed_fields(row, before)) for row, before in (first, *others)]
    changes = [(row, fields) for row, fields in changes if fields]
    new = [those for those in new if those]
    shape = tuple((type(row), tuple(field.column for field in fields)) for row, fields in changes)
    sql = _write_if(condition, shape, tuple((type(those[0]), len(those)) for those in new))
    values = []
    for number, (row, fields) in enumerate(changes):
        values += [*_stored(row, fields), row.pk, *(given if number == 0 else ())]
    for those in new:
        values += [value for row in those for value in _stored(row, _own_fields(type(row)))]
    count, *keys = ask(sql, values).fetchone()
    if not count:
        return False
    for those, own in zip(new, keys, strict=True):
        _note_keys(those, own)
    return True


def insert_rows(rows: Sequence[Model]) -> Any:
    """Store new rows of one model; their keys are there once `note_keys` has been given the answer."""
    if not rows:
        return None
    fields = _own_fields(type(rows[0]))
    values = [value for row in rows for value in _stored(row, fields)]
    return ask(_insert(type(rows[0]), len(rows)), values)


def note_keys(rows: Sequence[Model], answer: Any) -> None:
    """The rows have been stored: what keys they were given."""
    if answer is not None:
        _note_keys(rows, [key for (key,) in answer.fetchall()])


def _note_keys(rows: Sequence[Model], keys: Sequence[Any]) -> None:
    for row, key in zip(rows, keys, strict=True):
        row.pk = key
        row._state.adding, row._state.db = False, DEFAULT_DB_ALIAS


def _changed_fields(row: Model, before: Mapping[str, Any]) -> list[Field[Any, Any]]:
    now = row.__dict__
    # Most of a row are the same objects as before, and need not be compared.
    return [
        field
        for name, field in _fields_by_name(type(row))
        if (value := now.get(name)) is not (known := before.get(name)) and value != known
    ]


@cache
def _fields_by_name(model: type[Model]) -> tuple[tuple[str, Field[Any, Any]], ...]:
    return tuple((field.attname, field) for field in model._meta.local_concrete_fields)


def _as_stored(value: Any) -> Any:
    return connection.ops.adapt_datetimefield_value(value) if isinstance(value, datetime) else value


def _stored(row: Model, fields: Iterable[Field[Any, Any]]) -> Iterator[Any]:
    """The values of those fields as the database takes them."""
    # `connection` stands for this thread's, and looks for it each time: a row would do so a hundred times.
    own = connections[DEFAULT_DB_ALIAS]
    for field in fields:
        yield field.get_db_prep_save(getattr(row, field.attname), connection=own)


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


@cache
def _write_if(
    condition: str,
    changes: tuple[tuple[type[Model], tuple[str, ...]], ...],
    new: tuple[tuple[type[Model], int], ...],
) -> str:
    parts = []
    for number, (model, columns) in enumerate(changes):
        update = _update(model, columns)
        # All others look whether the first was written.
        end = f"AND {condition} RETURNING 1" if number == 0 else "AND EXISTS (SELECT FROM changed_0)"
        parts.append(f"changed_{number} AS ({update} {end})")
    for number, (model, count) in enumerate(new):
        parts.append(f"new_{number} AS ({_insert_if(model, count)})")
    keys = [f"ARRAY(SELECT key FROM new_{number} ORDER BY key)" for number in range(len(new))]  # noqa: S608
    return f"WITH {', '.join(parts)} SELECT {', '.join(['(SELECT count(*) FROM changed_0)', *keys])}"  # noqa: S608


def _insert_if(model: type[Model], count: int) -> str:
    """As `_insert`, if the first row was written. Keys are given in the order of the rows."""
    fields = _own_fields(model)
    columns = ", ".join(_quoted(field.column) for field in fields)
    # What stands in no column yet would be taken for text; a text that is cast to its length would be cut to it.
    types = ["text" if isinstance(field, CharField) else field.db_type(connection) for field in fields]
    values = ", ".join(f"({number}, {', '.join(f'%s::{type_}' for type_ in types)})" for number in range(count))
    table, key = _quoted(model._meta.db_table), _quoted(model._meta.pk.column)
    return (
        f"INSERT INTO {table} ({columns}) SELECT {columns} FROM (VALUES {values}) AS given (number, {columns})"  # noqa: S608
        f" WHERE EXISTS (SELECT FROM changed_0) ORDER BY number RETURNING {key} AS key"
    )


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
