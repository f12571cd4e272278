"""Records: times and moves. A move refused gives its number, counted from 1; the first one wrong is named."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from games.contract.record import open_record
from games.contract.replay import check_record, replay
from tests.contract.documents import (
    LARGEST,
    as_bytes,
    changed,
    m_record,
    refusal,
    running,
    toy_record,
    with_text_in_move,
)


@pytest.mark.parametrize("until", [None, "0", 1.0, 181000.0, True, -1, 2**53, []])
def test_until_is_a_whole_number(until: Any) -> None:
    for record in (m_record(), toy_record()):
        assert refusal({**record, "until": until}) == (0, "wrong-type")


def test_until_is_not_before_the_last_move() -> None:
    for record in (m_record(), running(toy_record())):
        last = record["moves"][-1]["at"]
        check_record(as_bytes({**record, "until": last}))
        assert refusal({**record, "until": last - 1}) == (0, "until-too-early")


@pytest.mark.parametrize("at", [None, "1", True, 1.5, -1, 2**53])
def test_until_is_not_compared_with_an_unsound_time_and_that_move_is_refused(at: Any) -> None:
    record = running(toy_record(), 4)
    assert refusal({**changed(record, 4, at=at), "until": 0}) == (4, "wrong-type")
    assert refusal({**record, "moves": [*record["moves"][:3], "bid"], "until": 0}) == (4, "entry-not-an-object")
    del record["moves"][3]["at"]
    assert refusal({**record, "until": 0}) == (4, "missing-key")


def test_until_is_compared_with_the_last_time_only_even_if_it_falls() -> None:
    """A falling time is that move's mistake; the record is read all the same."""
    record = running(toy_record(), 4)
    third, fourth = record["moves"][2]["at"], record["moves"][2]["at"] - 1
    assert refusal({**changed(record, 4, at=fourth), "until": fourth}) == (4, "falling-time")
    assert refusal({**changed(record, 4, at=fourth), "until": third - 2}) == (0, "until-too-early")


def test_time_never_falls_and_may_stand_still() -> None:
    record = m_record()
    before = record["moves"][4]["at"]
    check_record(as_bytes(changed(record, 6, at=before)))
    assert refusal(changed(record, 6, at=before - 1)) == (6, "falling-time")
    check_record(as_bytes(changed(record, len(record["moves"]), at=LARGEST)))


def test_minus_zero_is_zero() -> None:
    record = m_record()
    seat = record["moves"][0]["seat"]
    check_record(with_text_in_move(record, 1, "at", "-0"))
    assert refusal(with_text_in_move(changed(record, 1, seat=0), 1, "seat", "-0" if seat else "-1"))[0] == 1


@pytest.mark.parametrize("value", [None, True, False, 5.0, 0.0, "0", -1, [], {}, 2**53])
@pytest.mark.parametrize("key", ["seat", "at", "lag"])
def test_seat_time_and_lag_are_whole_numbers(key: str, value: Any) -> None:
    """5.0 and true are none, though they are equal to some in Python."""
    assert refusal(changed(toy_record(), 2, **{key: value})) == (2, "wrong-type")


def test_a_lag_left_out_is_0_and_a_large_one_is_valid() -> None:
    record = running(toy_record(), 1)
    assert open_record(changed(record, 1, lag=LARGEST)).moves[0]["lag"] == LARGEST
    check_record(as_bytes(changed(record, 1, lag=LARGEST)))
    with_none, with_zero = copy.deepcopy(record), changed(record, 1, lag=0)
    with_none["moves"][0].pop("lag", None)
    assert list(replay(open_record(with_none))) == list(replay(open_record(with_zero)))


@pytest.mark.parametrize("value", [None, True, 7, [], {}, ["bid 7"], "", "bid", "bid  7", "\ud800", "bid \ud800", "\0"])
def test_a_move_is_an_exact_text(value: Any) -> None:
    assert refusal(changed(toy_record(), 2, move=value))[0] == 2
    assert refusal(changed(m_record(), 2, move=value))[0] == 2


@pytest.mark.parametrize("entry", [None, [], "pass", 1, True, ["seat", "move", "at"]])
def test_an_entry_is_an_object(entry: Any) -> None:
    record = m_record()
    record["moves"][6] = entry
    assert refusal(record) == (7, "entry-not-an-object")


@pytest.mark.parametrize("key", ["seat", "move", "at"])
def test_an_entry_without_one_of_its_keys_is_that_move_refused(key: str) -> None:
    record = m_record()
    del record["moves"][2][key]
    assert refusal(record) == (3, "missing-key")


@pytest.mark.parametrize("seat", [2, 3, 10**6, LARGEST])
def test_a_seat_that_the_match_has_not_is_that_move_refused(seat: int) -> None:
    assert refusal(changed(m_record(), 5, seat=seat)) == (5, "no-such-seat")


def test_a_move_that_the_rules_refuse_is_that_move() -> None:
    record = m_record()
    assert refusal(changed(record, 5, seat=1 - record["moves"][4]["seat"])) == (5, "not-your-turn")
    assert refusal(changed(record, 5, move="take 9,9")) == (5, "no-round")
    assert refusal(changed(record, 5, move="Pass")) == (5, "malformed")


def test_of_several_moves_that_are_wrong_the_first_is_named() -> None:
    """Also when the later one could be seen without playing."""
    record = m_record()
    record["moves"][8] = None
    assert refusal(changed(record, 4, move="take 9,9")) == (4, "no-round")
    assert refusal(record) == (9, "entry-not-an-object")


def test_a_move_after_the_end_is_refused() -> None:
    for record in (m_record(), toy_record()):
        last = record["moves"][-1]
        record["moves"].append({**last, "at": record.get("until", last["at"])})
        assert refusal(record) == (len(record["moves"]), "over")


def test_anything_wrong_outside_the_moves_is_told_before_any_move() -> None:
    record = changed(m_record(), 1, seat="x")
    assert refusal(record)[0] == 1
    wrong: dict[str, Any]
    for wrong in (
        {"format": ""},
        {"players": []},
        {"options": {"x": "y"}},
        {"deal": {}},
        {"until": -1},
        {"outcome": {"reason": "bored"}},
        {"left": [9]},
        {"shuffle": {}},
    ):
        assert refusal({**record, **wrong})[0] == 0
