"""Dense random matches, played by the rules and by their naive telling (`slow`): everything must come out the same."""

from __future__ import annotations

import os
from collections import Counter
from random import Random
from typing import Any

from games.blockyou.position import Position
from games.blockyou.rules import RULES
from games.contract.values import Event
from tests.games.blockyou import slow_matches
from tests.games.blockyou.dense import LONGEST, begin, draw_claim, next_time, play

MATCHES = int(os.environ.get("BLOCKYOU_MATCHES", "10"))
"""For each number of players; the environment may ask for more."""


def test_the_rules_and_their_naive_telling_agree() -> None:
    """In matches that meet everything: agreeing on what never happens would prove nothing."""
    met: Counter[str] = Counter()
    for seed in range(MATCHES):
        for players in range(1, 6):
            compare_match(players, Random(f"{players}/{seed}"), met)
    assert set(met) >= RARE, RARE - set(met)


RARE = {
    *("opened", "claimed", "placed", "blocked", "wrong", "self-block", "bounced", "dropped", "last", "final"),
    *("stalemate", "capped", "final-over", "refreshed", "passed-over", "round-over", "cleared", "stalled"),
    *("ran-out", "nofit-right", "nofit-wrong"),
    *("refused over", "refused not-open", "refused sitting-out", "refused done", "refused blocked", "refused erred"),
    *("refused claim-waiting", "refused too-late", "refused nofit-in-company"),
}


def compare_match(players: int, rng: Random, met: Counter[str]) -> None:
    """Plays one match both ways; `met` counts the codes of what happened."""
    options = {"deck": rng.choice(["standard", "easy"]), "pace": rng.choice(["normal", "expert"])}
    deal: dict[str, Any] = dict(RULES.deal(options, [""] * players, rng))
    deal |= {"queue": rng.choice([1, 2, 4, 12]), "pile": rng.choice([0, 1, 3, 20, 88]), "barren": rng.random() < 0.4}
    position, table = begin(options, deal), slow_matches.begin(deal, options)
    mood = rng.choice(["busy", "busy", "busy", "late", "idle"])
    for _ in range(LONGEST):
        at = next_time(position, mood, rng)
        if position.phase == "over" and rng.random() < 0.6:
            break
        seat, text, lag = draw_claim(position, rng)
        told, refused = play(position, seat, text, at, lag)
        position = told[0]
        assert table.claim(seat, text, at, lag) == refused
        met.update([f"refused {refused}"] if refused else [])
        met.update(event.code for event in told[1])
        assert_same(position, told[1], table)
    for _ in range(400):
        due = RULES.due(position)
        if due is None:
            break
        position, events = RULES.advance(position, due)
        table.run(due)
        met.update(event.code for event in events)
        assert_same(position, events, table)
    outcome = RULES.outcome(position)
    assert outcome is not None
    assert (outcome.reason, [*outcome.places], [*outcome.scores]) == (table.reason, *table.result())


def assert_same(position: Position, events: tuple[Event, ...], table: slow_matches.Company | slow_matches.Solo) -> None:
    """All that there is of the match, and what has happened since it was last compared."""
    assert RULES.trace(position) == table.shown()
    assert [list(seat.queue) for seat in position.seats] == [player.queue for player in table.players]
    assert [seat.up for seat in position.seats] == [player.up for player in table.players]
    assert [seat.sits_out for seat in position.seats] == [player.sits_out_next for player in table.players]
    assert list(position.pile) == table.pile
    assert position.area.owners == tuple(card for row in table.grid for _, card in row)
    told = [(event.at, event.code, event.params.get("seat"), event.params.get("claim")) for event in events]
    assert sorted(told, key=repr) == sorted(table.told, key=repr)
    table.told.clear()
