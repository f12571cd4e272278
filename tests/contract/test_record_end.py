"""Records: the outcome (number of moves + 1 if it is not the one replayed), and what the site adds."""

from __future__ import annotations

import json
from typing import Any

import pytest

from games.contract.record import open_record
from games.contract.registry import get_game
from games.contract.replay import check_record, replay
from tests.contract.documents import (
    LARGEST,
    as_bytes,
    m_record,
    refusal,
    running,
    toy_record,
)
from tests.contract.sampled import TOY


def test_null_is_right_only_while_the_match_is_unfinished() -> None:
    record = m_record()
    assert refusal({**record, "outcome": None}) == (len(record["moves"]) + 1, "outcome-missing")
    assert refusal({**running(record), "outcome": record["outcome"]}) == (4, "outcome-though-running")


@pytest.mark.parametrize(
    "outcome",
    [
        [],
        "scored",
        0,
        False,
        {},
        {"places": [1, 2], "scores": [1, 1]},
        {"reason": None, "places": [1, 2], "scores": [1, 1]},
        {"reason": ["scored"], "places": [1, 2], "scores": [1, 1]},
        {"reason": "Scored", "places": [1, 2], "scores": [1, 1]},
        {"reason": "cleared", "places": [1, 2], "scores": [1, 1]},
        {"reason": "cancelled"},
        {"reason": "scored"},
        {"reason": "scored", "places": [1, 2]},
        {"reason": "scored", "scores": [1, 2]},
        {"reason": "scored", "places": None, "scores": [1, 1]},
        {"reason": "scored", "places": [1, 2, 2], "scores": [1, 1]},
        {"reason": "scored", "places": [1], "scores": [1, 1]},
        {"reason": "scored", "places": [1, 2], "scores": [1, 1, 1]},
        {"reason": "scored", "places": [1, 2], "scores": []},
        {"reason": "scored", "places": [1, -2], "scores": [1, 1]},
        {"reason": "scored", "places": [1, 2.0], "scores": [1, 1]},
        {"reason": "scored", "places": [True, 2], "scores": [1, 1]},
        {"reason": "scored", "places": [1, 2], "scores": [1, None]},
        {"reason": "scored", "places": [1, 2], "scores": [1, 1.0]},
        {"reason": "scored", "places": [1, 2], "scores": [1, -(2**53)]},
        {"reason": "scored", "places": {"0": 1, "1": 2}, "scores": [1, 1]},
        {"reason": "resigned", "places": None},
        {"reason": "voided", "scores": None},
        {"reason": "timeout", "places": [1], "scores": [1, 1]},
        {"reason": "abandoned", "scores": [1, 1, 1]},
        {"reason": "abandoned", "scores": [1, "1"]},
    ],
    ids=json.dumps,
)
def test_an_outcome_that_is_not_well_formed_is_ply_0(outcome: Any) -> None:
    """Whether the match is over or not."""
    assert refusal({**m_record(), "outcome": outcome})[0] == 0
    assert refusal({**running(m_record()), "outcome": outcome})[0] == 0


def test_a_well_formed_outcome_that_is_not_the_one_replayed_comes_after_the_moves() -> None:
    record = m_record()
    after, outcome = len(record["moves"]) + 1, record["outcome"]
    swapped = {**outcome, "places": outcome["places"][::-1]}
    for wrong in (
        swapped,
        {**outcome, "scores": [LARGEST, -LARGEST]},
        {**outcome, "places": [0, LARGEST]},
        {**outcome, "reason": next(reason for reason in get_game("m").info.reasons if reason != outcome["reason"])},
    ):
        assert refusal({**record, "outcome": wrong}) == (after, "wrong-outcome")


@pytest.mark.parametrize("reason", ["resigned", "timeout", "abandoned", "voided"])
def test_an_end_from_outside_may_leave_out_places_and_scores_and_their_numbers_are_not_checked(reason: str) -> None:
    record = running(m_record())
    for numbers in (
        {},
        {"places": [2, 1]},
        {"scores": [-5, LARGEST]},
        {"places": [0, LARGEST], "scores": [0, -LARGEST]},
    ):
        assert check_record(as_bytes({**record, "outcome": {"reason": reason, **numbers}})) == (3, None)


@pytest.mark.parametrize("reason", ["resigned", "timeout", "abandoned", "voided"])
def test_a_match_that_is_over_by_the_rules_did_not_end_from_outside(reason: str) -> None:
    for record in (m_record(), toy_record()):
        wrong = {**record["outcome"], "reason": reason}
        assert refusal({**record, "outcome": wrong}) == (len(record["moves"]) + 1, "outside-though-over")


def test_a_match_in_real_time_runs_on_until_its_until() -> None:
    """Time alone ends the toy match: up to a ms before it is unfinished."""
    record = toy_record()
    rules, last = TOY.rules, list(replay(open_record(record)))[-2].position
    ends = record["until"]
    assert rules.outcome(last) is None
    assert check_record(as_bytes({**record, "until": ends - 1, "outcome": None})) == (len(record["moves"]), None)
    after = len(record["moves"]) + 1
    assert refusal({**record, "until": ends - 1}) == (after, "outcome-though-running")
    assert refusal({**record, "outcome": None}) == (after, "outcome-missing")
    check_record(as_bytes({**record, "until": LARGEST}))


@pytest.mark.parametrize("left", [None, 0, {}, "0", [2], [-1], [True], [0.0], [0, 0], ["0"], [None]])
def test_left_is_a_list_of_seats_each_once(left: Any) -> None:
    assert refusal({**m_record(), "left": left})[0] == 0


def test_seats_that_left_are_read_in_order() -> None:
    assert open_record({**m_record(), "left": [1, 0]}).left == (1, 0)
    assert open_record({**m_record(), "left": []}).left == ()
    assert open_record(m_record()).left == ()
