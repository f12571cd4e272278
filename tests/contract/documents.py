"""Records to try the format with, and what becomes of them."""

from __future__ import annotations

import copy
import json
from functools import cache
from random import Random
from typing import Any

import pytest

from games.contract.record import RecordError
from games.contract.registry import get_game
from games.contract.replay import check_record
from games.contract.simulate import simulate_match
from games.matches.record_texts import record_error
from tests.contract.sampled import TOY

LARGEST = 2**53 - 1
HUGE = "9" * 100_000
"""A number that Python refuses to read, and would take long to."""


@cache
def _simulated(slug: str, *, players: int, seed: int) -> dict[str, Any]:
    game = TOY if slug == TOY.slug else get_game(slug)
    return simulate_match(game, players=players, options={}, rng=Random(seed))


def m_record() -> dict[str, Any]:
    """A finished match of M for two."""
    return copy.deepcopy(_simulated("m", players=2, seed=4))


def toy_record() -> dict[str, Any]:
    """A finished match of the toy game for three, in real time, with lags."""
    return copy.deepcopy(_simulated("toy", players=3, seed=5))


def running(record: dict[str, Any], moves: int = 3) -> dict[str, Any]:
    """The record as it was after its first moves."""
    cut = {**record, "moves": record["moves"][:moves], "outcome": None}
    return {**cut, "until": cut["moves"][-1]["at"]} if "until" in record else cut


def as_bytes(record: Any) -> bytes:
    return json.dumps(record).encode()


def refusal(record: Any) -> tuple[int, str]:
    """The ply and the code with which a record (or its bytes) is refused; there is a sentence for each."""
    with pytest.raises(RecordError) as refused:
        check_record(record if isinstance(record, bytes) else as_bytes(record))
    said = record_error(refused.value)
    assert said.encode("utf-8")
    assert "refuse this" not in said, "the game has no sentence for this, only its code"
    return refused.value.ply, refused.value.code


def with_text(record: dict[str, Any], **texts: str) -> bytes:
    """The bytes of a record in which keys have a value written as it is, be it JSON or not."""
    text = json.dumps({**record, **dict.fromkeys(texts, "@@")})
    for key, value in texts.items():
        text = text.replace(f'"{key}": "@@"', f'"{key}": {value}')
    return text.encode()


def changed(record: dict[str, Any], ply: int, **entry: Any) -> dict[str, Any]:
    """The record with other values in the entry of one move."""
    record = copy.deepcopy(record)
    record["moves"][ply - 1].update(entry)
    return record


def with_text_in_move(record: dict[str, Any], ply: int, key: str, text: str) -> bytes:
    """The bytes of a record in which an entry has a value written as it is."""
    return as_bytes(changed(record, ply, **{key: "@@"})).replace(b'"@@"', text.encode())
