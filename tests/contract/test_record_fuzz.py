"""No bytes do anything to the reader of records but be a record, or be refused with a ply and a sentence."""

from __future__ import annotations

import copy
from collections import deque
from collections.abc import Iterable, Iterator
from random import Random
from typing import Any

import pytest

from games.contract.record import RecordError, open_record
from games.contract.replay import Step, check_record, replay
from games.contract.strict_json import TooLarge
from games.matches.record_texts import record_error
from tests.contract.documents import HUGE, as_bytes, m_record, toy_record
from tests.contract.test_contract import JUNK

ROUNDS = 400

SCRAPS = (b'"', b"\\", b"{", b"}", b"[", b"]", b",", b":", b"\xff", b"\0", b"-", b"1e999", b"NaN", b"\\ud800", b"null")


SOME_JUNK = [junk for junk in JUNK if not isinstance(junk, TooLarge)]


def error_in(steps: Iterable[Any]) -> RecordError | None:
    """The error with which the steps end, None without one; fails for any other that happens."""
    try:
        deque(steps, maxlen=0)
    except RecordError as error:
        return error
    return None


def is_refused(data: bytes) -> bool:
    """Whether the record is; if it is, there is a ply, and a sentence that can be printed."""
    error = error_in(check_record(part) for part in (data,))
    if error is None:
        return False
    assert error.ply >= 0
    assert record_error(error).strip()
    assert record_error(error).encode()
    return True


@pytest.mark.parametrize("make", [m_record, toy_record])
def test_bytes_changed_at_random_are_refused_or_do_not_matter(make: Any) -> None:
    rng, whole = Random(1), as_bytes(make())
    refused = 0
    for _ in range(ROUNDS):
        data = whole
        for _ in range(rng.randint(1, 3)):
            at, length = rng.randrange(len(data)), rng.choice([0, 1, 1, 2, 10, 400])
            data = data[:at] + rng.choice([*SCRAPS, b"", whole[at : at + length] * 2]) + data[at + length :]
        refused += is_refused(data)
    assert refused > ROUNDS / 2


@pytest.mark.parametrize("make", [m_record, toy_record])
def test_values_changed_at_random_are_refused_or_do_not_matter(make: Any) -> None:
    rng, whole = Random(2), make()
    refused = 0
    for _ in range(ROUNDS):
        document = copy.deepcopy(whole)
        parent, key = rng.choice(list(places(document)))
        parent[key] = rng.choice(["@@", *SOME_JUNK])
        refused += is_refused(as_bytes(document).replace(b'"@@"', HUGE.encode()))
    assert refused > ROUNDS / 2


@pytest.mark.parametrize("make", [m_record, toy_record])
def test_a_replay_that_is_refused_at_a_ply_has_given_all_positions_before_it(make: Any) -> None:
    rng, whole = Random(3), make()
    for _ in range(ROUNDS // 4):
        document = copy.deepcopy(whole)
        entry = rng.choice(document["moves"])
        entry[rng.choice(["seat", "move", "at"])] = rng.choice([*SOME_JUNK, 0, 1, "pass"])
        document["until"] = 10**9
        given: list[int] = []
        error = error_in(noted(replay(open_record(document)), given))
        assert given == list(range(len(given)))
        if error is not None and error.ply <= len(document["moves"]):
            assert len(given) == error.ply


def noted(steps: Iterable[Step], plies: list[int]) -> Iterator[Step]:
    """The steps, with the ply of each written down."""
    for step in steps:
        plies.append(step.ply)
        yield step


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """All places of a document that hold a value: the list or object, and where in it."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield value, key
        yield from places(inner)
