"""The record of a stored match checks clean, however the match ended."""

from __future__ import annotations

import json
from typing import Any

from accounts.people.models import User
from games.contract.replay import check_record
from games.contract.values import Outcome
from games.matches.callers import Caller
from games.matches.models import Match
from games.matches.replays import match_record
from games.matches.services.play import agree_to_end, resign
from games.matches.services.results import void_match
from tests.matches.conftest import START, sit_down
from tests.matches.playing import play_some, play_to_the_end


def exported(match: Match) -> dict[str, Any]:
    """The match's record."""
    match.refresh_from_db()
    return match_record(match, list(match.seats.order_by("index")))


def replayed(record: dict[str, Any]) -> Outcome | None:
    """What the rules say of the end, after all moves of the record."""
    plies, outcome = check_record(json.dumps(record).encode())
    assert plies == len(record["moves"])
    return outcome


def test_a_match_played_to_its_end(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    play_to_the_end(match)
    record = exported(match)
    outcome = replayed(record)
    assert outcome is not None
    assert record["outcome"] == outcome.as_json()
    assert "left" not in record


def test_a_resigned_match_names_who_left_and_keeps_the_standing(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    play_some(match, 3)
    resign(slug=match.slug, caller=Caller(alice), moment=START)
    record = exported(match)
    assert replayed(record) is None
    assert record["left"] == [0]
    assert (record["outcome"]["reason"], record["outcome"]["places"]) == ("resigned", [2, 1])


def test_a_match_that_a_stand_in_finished(alice: User, bob: User, carol: User) -> None:
    """Its moves are ordinary plies, and the outcome is the rules': the leaver is named beside it."""
    match = sit_down(alice, bob, carol)
    resign(slug=match.slug, caller=Caller(bob), moment=START)
    play_to_the_end(match)
    record = exported(match)
    assert replayed(record) is not None
    assert record["left"] == [1]


def test_matches_without_a_result(alice: User, bob: User) -> None:
    agreed, voided, voided_later = sit_down(alice, bob), sit_down(alice, bob), sit_down(alice, bob)
    for match in (agreed, voided):
        play_some(match, 3)
    for person in (alice, bob):
        agree_to_end(slug=agreed.slug, caller=Caller(person), agreed=True, moment=START)
    void_match(slug=voided.slug, moment=START)
    play_to_the_end(voided_later)
    void_match(slug=voided_later.slug, moment=START)
    assert replayed(exported(agreed)) is None
    assert exported(agreed)["outcome"] == {"reason": "abandoned"}
    assert replayed(exported(voided)) is None
    assert exported(voided)["outcome"] == {"reason": "voided"}
    assert replayed(exported(voided_later)) is not None, "the moves lead to the end by the rules all the same"
