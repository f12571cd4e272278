"""Reads JSON as records need it: nothing is guessed, no spelling is forgiven, and no document takes long."""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from typing import Any, NoReturn, TypeGuard

from games.contract.errors import RulesError

MAX_BYTES = 4_000_000
MAX_DEPTH = 500
"""Lists and objects inside each other; as deep as Python's own reader goes from any depth of calls."""
MAX_WHOLE = 2**53 - 1
"""The largest number that every reader of JSON keeps exactly."""

_LONGEST_WHOLE = len(str(-MAX_WHOLE))
# Possessive, so that a text of any length, also one that never closes, is passed over in one go.
_TEXTS = re.compile(r'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)
_TEXT_OR_NAN = re.compile(r'"(?:[^"\\]++|\\.)*+"|NaN')
_BRACKETS = re.compile(r"[\[\]{}]")


class BadJson(RulesError):
    """The bytes are no JSON document that we read."""


@dataclass(frozen=True, slots=True)
class TooLarge:
    """A number that is too large to be exact everywhere: of no type that anybody asks for, and harmless if nobody does.

    It is not even made a number, since making one of a million digits takes minutes.
    """

    literal: str


def read_json(data: bytes) -> Any:
    """The document in these bytes; numbers beyond ±(2^53 - 1), and those that no float holds, are `TooLarge`.

    Raises `BadJson`: `file-too-large` (`limit` in bytes), `not-utf-8`, `byte-order-mark`, `too-deep`, `not-json`
    (`line`, `column`), `not-a-number` (`literal`), `duplicate-key` (`key`).
    """
    if len(data) > MAX_BYTES:
        raise BadJson("file-too-large", limit=MAX_BYTES)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise BadJson("not-utf-8") from None
    if text.startswith("\ufeff"):
        raise BadJson("byte-order-mark")
    _check_depth(text)
    try:
        return json.loads(
            text,
            parse_int=_whole,
            parse_float=_fraction,
            parse_constant=_refuse_constant,
            object_pairs_hook=_object,
        )
    except json.JSONDecodeError as error:
        raise BadJson("not-json", line=error.lineno, column=error.colno) from None
    except RecursionError:
        raise BadJson("too-deep") from None


def canonical_json(value: Any) -> str:
    """The one text of a value: keys sorted, no blanks, ASCII only; a `TooLarge` as it was spelled."""
    spelled: list[str] = []

    def spell(number: TooLarge) -> float:
        # Python's writer, which is fast, asks for these alone, in their order. It writes NaN, which nothing else is.
        spelled.append(number.literal)
        return math.nan

    text = json.dumps(value, sort_keys=True, separators=(",", ":"), default=spell)
    if not spelled:
        return text
    literals = iter(spelled)
    return _TEXT_OR_NAN.sub(lambda found: next(literals) if found[0] == "NaN" else found[0], text)


def is_whole(value: object) -> TypeGuard[int]:
    """Whether this is a whole number of a record: a JSON integer from 0 to 2^53 - 1 (5.0 and true are none)."""
    return type(value) is int and 0 <= value <= MAX_WHOLE


def is_integer(value: object) -> TypeGuard[int]:
    """Whether this is a JSON integer from -(2^53 - 1) to 2^53 - 1."""
    return type(value) is int and -MAX_WHOLE <= value <= MAX_WHOLE


def _check_depth(text: str) -> None:
    depth = 0
    for bracket in _BRACKETS.findall(_TEXTS.sub("", text)):
        depth += 1 if bracket in "[{" else -1
        if depth > MAX_DEPTH:
            raise BadJson("too-deep")


def _whole(literal: str) -> int | TooLarge:
    if len(literal) > _LONGEST_WHOLE:
        return TooLarge(literal)
    number = int(literal)
    return number if is_integer(number) else TooLarge(literal)


def _fraction(literal: str) -> float | TooLarge:
    number = float(literal)
    return number if math.isfinite(number) else TooLarge(literal)


def _refuse_constant(literal: str) -> NoReturn:
    raise BadJson("not-a-number", literal=literal)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise BadJson("duplicate-key", key=key)
            seen.add(key)
    return found
