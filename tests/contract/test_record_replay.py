"""Records: making them, and replaying them."""

from __future__ import annotations

import pytest

from games.contract.record import Entry, RecordError, make_record, open_record, read_record
from games.contract.replay import check_record, replay, trace_lines
from games.contract.seal import seal_deal
from games.contract.values import OPEN, Json, Outcome
from tests.contract.documents import (
    as_bytes,
    changed,
    m_record,
    running,
    toy_record,
)


def test_a_record_that_is_made_has_its_keys_in_the_formats_order_and_is_read_back() -> None:
    played = toy_record()
    shuffle = {"sha256": seal_deal(played["deal"], "0" * 64), "nonce": "0" * 64}
    record = make_record(
        game="toy",
        options={"window": "long"},
        players=("Mimi", "Tom", "Emma"),
        deal=played["deal"],
        moves=[Entry(e["seat"], e["move"], e["at"], e.get("lag", 0)) for e in played["moves"]],
        until=played["until"],
        outcome=Outcome(played["outcome"]["reason"], *(tuple(played["outcome"][key]) for key in ("places", "scores"))),
        left=(2, 0),
        shuffle=shuffle,
    )
    assert list(record) == [
        *("format", "game", "options", "players", "deal", "moves", "until", "outcome", "left", "shuffle")
    ]
    assert record["moves"] == [
        {key: value for key, value in entry.items() if value or key != "lag"} for entry in played["moves"]
    ]
    assert record["outcome"] == played["outcome"]
    assert record["shuffle"] == shuffle
    read = read_record(as_bytes(record))
    assert read.players == ("Mimi", "Tom", "Emma")
    assert read.left == (2, 0)
    assert dict(read.options) == {"window": "long", "rounds": 3}


def test_a_record_that_ended_outside_the_rules_is_made_without_what_it_does_not_have() -> None:
    played = running(m_record())
    parts = {key: played[key] for key in ("game", "options", "players", "deal", "moves")}
    assert make_record(**parts, outcome={"reason": "voided"})["outcome"] == {"reason": "voided"}
    bare = make_record(**parts, outcome=None)
    assert list(bare) == ["format", "game", "options", "players", "deal", "moves", "outcome"]
    assert check_record(as_bytes(bare)) == (3, None)


def test_a_replay_steps_through_every_position_from_the_start() -> None:
    for document in (m_record(), toy_record()):
        record = open_record(document)
        steps = list(replay(record))
        real_time = record.game.info.real_time
        assert [step.ply for step in steps] == list(range(len(record.moves) + 1 + real_time))
        assert steps[0] == (0, record.start, ())
        outcome = record.game.rules.outcome(steps[-1].position)
        assert outcome is not None
        assert outcome.as_json() == document["outcome"]
        assert record.game.rules.view(steps[1].position, OPEN) is not None


def test_a_replay_tells_all_events_once_in_the_order_of_time() -> None:
    """What fell due before a move belongs to the move's step."""
    record = open_record(toy_record())
    events = [event for step in replay(record) for event in step.events]
    assert [event.at for event in events] == sorted(event.at for event in events)
    assert sum(event.code == "opened" for event in events) == 3
    assert sum(event.code == "bid" for event in events) == len(record.moves)
    assert sum(event.code in ("won", "unsold") for event in events) == 3


def test_a_replay_and_a_trace_stop_at_the_move_that_is_wrong() -> None:
    record = open_record(changed(m_record(), 4, move="take 9,9"))
    lines: list[dict[str, Json]] = []
    with pytest.raises(RecordError):
        lines.extend(trace_lines(record))
    steps = replay(record)
    assert [next(steps).ply for _ in range(4)] == [0, 1, 2, 3]
    with pytest.raises(RecordError):
        next(steps)
