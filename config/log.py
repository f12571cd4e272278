"""How the log is written, and what never gets into it: who may read it need not know hands, keys or addresses.

Plain lines by default, or one JSON object a line with `LOG_FORMAT=json`. Nothing here imports the site: the settings do
import this.
"""

from __future__ import annotations

import json
import logging
import re
from contextvars import ContextVar
from datetime import UTC, datetime
from logging import LogRecord
from typing import TYPE_CHECKING, Any

from django.urls import Resolver404, resolve

if TYPE_CHECKING:
    from django.http import HttpRequest

request_id: ContextVar[str] = ContextVar("request_id", default="")
"""The request that is being answered here: all that the log says meanwhile carries its number."""

READY = "/readyz"

ELSEWHERE = "(no address of ours)"
"""Stands for what leads to no page: it may be a key with a slip in it."""

SAYABLE = frozenset({"slug", "game", "act", "ply", "object_id"})
"""The parts of our addresses that may be told. All others, as tokens and people's names, stand as in the pattern."""

FIELDS = ("method", "path", "status", "duration_ms", "user")
"""What a line about a request says besides. Of what others attach to a record nothing is written: Django attaches
the request itself, with the address as it was asked for."""

_PART = re.compile(r"\(\?P<(\w+)>[^)]*\)|<(?:\w+:)?(\w+)>")
"""In a pattern, whether it is one of Django's or a regular expression."""

_KEYS_IN_ADDRESSES = re.compile(r"(/(?:invitation|mails/stop|confirm-email|password/reset/key)/)[^/\s'\"<>\\]+")

_QUERY = re.compile(r"(/[^\s?'\"<>]*)\?[^\s'\"<>]+")

_MAIL_ADDRESS = re.compile(r"[\w.!#$%&*+/=?^`{|}~-]+@[\w-]+(?:\.[\w-]+)+")

_VALUES_OF_ROWS = re.compile(r"^DETAIL:.*$", re.MULTILINE)
"""PostgreSQL's second line about a refused row: the values that were in it."""


def sayable_path(request: HttpRequest) -> str:
    """The address that was asked for, without its query, and without what in it may be a key or a person's name."""
    try:
        # Without a match it has failed before its page was looked for.
        match = request.resolver_match or resolve(request.path_info)
    except Resolver404:
        return ELSEWHERE

    def said(part: re.Match[str]) -> str:
        name = part[1] or part[2]
        return str(match.kwargs[name]) if name in SAYABLE and name in match.kwargs else f"<{name}>"

    return f"/{_PART.sub(said, match.route)}".replace("^", "").removesuffix("$")


def without_secrets(text: str) -> str:
    """The text without mail addresses, values of rows, and what in addresses of pages may be a key."""
    text = _VALUES_OF_ROWS.sub("DETAIL: (left out)", text)
    text = _KEYS_IN_ADDRESSES.sub(r"\1(a key)", _QUERY.sub(r"\1?(left out)", text))
    return _MAIL_ADDRESS.sub("(a mail address)", text)


def in_one_line(record: LogRecord) -> bool:
    """For Django's lines about requests: with an address that may be told, and short while the database is away.

    Then every request fails alike: the reason is enough, a traceback each would bury it.
    """
    request: HttpRequest | None = getattr(record, "request", None)
    if request is not None and request.path_info == READY:
        return False  # asked every few seconds, and tells of every change by a line of its own
    if request is not None and isinstance(record.args, tuple):
        asked = request.path.encode("unicode_escape").decode("ascii")  # as Django writes it
        record.args = tuple(sayable_path(request) if part == asked else part for part in record.args)
    if getattr(record, "status_code", None) == 503 and record.exc_info:
        # Before the lines are joined, of which some are left out whole.
        reason = " ".join(without_secrets(str(record.exc_info[1])).split())
        record.msg, record.args = "%s (%s)", (record.getMessage(), reason)
        record.exc_info = None
    return True


class PlainLines(logging.Formatter):
    """A line for people."""

    def __init__(self) -> None:
        super().__init__("{asctime} {levelname} {name}: {message}", style="{")

    def format(self, record: LogRecord) -> str:
        return without_secrets(super().format(record))


class JsonLines(logging.Formatter):
    """A line for programs: one JSON object, with what is listed here and nothing else."""

    def format(self, record: LogRecord) -> str:
        told: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": without_secrets(record.getMessage()),
        }
        if request_id.get():
            told["request_id"] = request_id.get()
        told |= {name: getattr(record, name) for name in FIELDS if hasattr(record, name)}
        if record.exc_info:
            told["exception"] = without_secrets(self.formatException(record.exc_info))
        return json.dumps(told)  # in ASCII, which any stream takes, whatever was in a name or an address
