"""What an answer comes to, in the words of the table; and whether anything stored has changed by it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

from django.core.cache import cache
from django.db import connection, transaction
from django.shortcuts import resolve_url
from django.urls import reverse

from games.matches import errors
from games.matches.errors import Refused
from tests.matches.browsing import notice_in
from tests.matches.twins import forget_all

UNSEEN = frozenset(
    {"django_session", "matches_presence", "matches_reminder", "people_trace", "usersessions_usersession"}
)
"""Tables in which answers of all kinds may leave something: the session's own row, and when somebody was last seen."""

STATUS_OF = {
    kind.code: kind.status for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, Refused)
}
"""By the code of a refusal, as sockets say it."""

AT_THE_DOOR = "as at the administration's door"

WORD_OF = {204: "nothing", 403: "no", 405: "no", 404: "hidden", 409: "refused", 422: "refused"}


def answer_to(response: Any, *, changed: bool, stores: bool) -> str:
    """The word for the answer to a request; a status that the table has no word for is its own.

    `changed` says whether something was stored; where that tells nothing (`stores` is false) the answer alone counts.
    `AT_THE_DOOR` stands for whatever the administration's log-in page says.
    """
    status = response.status_code
    if status in (301, 302):
        return _answer_that_leads(response, changed=changed, stores=stores)
    if status == 200 and response.request["REQUEST_METHOD"] == "POST":
        return "refused" if _has_mistakes(response) else "yes" if changed or not stores else "nothing"
    if status == 200:
        return "yes"
    if status not in (204, 405):
        assert response.content.strip(), "refused without a word"
    return _word(status, notice_in(response))


def answer_on_socket(frame: str, *, changed: bool) -> str:
    """The word for what comes back over a socket."""
    found = re.search(r'data-code="([a-z-]+)"', frame)
    if found is not None:
        return _word(STATUS_OF[found[1]], found[1])
    return "yes" if changed else "nothing"


def _word(status: int, code: str | None) -> str:
    if code == errors.NotLoggedIn.code:
        return "log in"
    return WORD_OF.get(status, str(status))


def _answer_that_leads(response: Any, *, changed: bool, stores: bool) -> str:
    path, posted = urlsplit(response["Location"]).path, response.request["REQUEST_METHOD"] == "POST"
    if posted and changed:
        return "yes"
    if path == resolve_url("account_login"):
        return "log in"
    if path == reverse("admin:login") and response.request["PATH_INFO"] != path:
        return AT_THE_DOOR
    if posted:
        return "nothing" if stores else "yes"
    return "elsewhere"


def _has_mistakes(response: Any) -> bool:
    """Whether a form came back with what is wrong in it."""
    context = response.context or {}
    form = context.get("form") or context.get("adminform")
    return bool(getattr(form, "errors", None))


# What is stored


class Writes:
    """What has been written to the database meanwhile, and which tables look different for it."""

    def __init__(self) -> None:
        self.written: set[str] = set()
        self.changed: set[str] = set()

    def note(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        """Around every statement: remember the table that it writes to."""
        found = re.match(r'\s*(?:INSERT (?:OR \w+ )?INTO|UPDATE|DELETE FROM) "?(\w+)"?', sql)
        if found is not None:
            self.written.add(found[1])
        return execute(sql, params, many, context)


@contextmanager
def rolled_back(*, forget: bool = True) -> Iterator[None]:
    """Whatever is done in it has never been; and what this process keeps of matches in memory has not, if asked."""
    point = transaction.savepoint()
    try:
        yield
    finally:
        _go_back_to(point, forget=forget)


@contextmanager
def tried() -> Iterator[Writes]:
    """The same for one request; afterwards `changed` names the tables that looked different for it."""
    point, writes = transaction.savepoint(), Writes()
    try:
        with connection.execute_wrapper(writes.note):
            yield writes
        after = {table: _rows_of(table) for table in writes.written}
    finally:
        _go_back_to(point, forget=any(table.startswith("matches_") for table in writes.written))
    writes.changed = {table for table, rows in after.items() if rows != _rows_of(table)}


def _go_back_to(point: str, *, forget: bool) -> None:
    transaction.set_rollback(False)
    transaction.savepoint_rollback(point)
    cache.clear()
    if forget:
        forget_all()


def _rows_of(table: str) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)} ORDER BY 1")
        return list(cursor.fetchall())
