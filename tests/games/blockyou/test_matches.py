"""Whole matches, dense and by time alone: no card is lost, and nothing depends on when it is looked at."""

from random import Random

import pytest

from games.blockyou.position import Position, fully_covered
from games.blockyou.rules import RULES
from games.contract.values import Event
from tests.games.blockyou.dense import dense_match

over_players = pytest.mark.parametrize("players", range(1, 6))


def held(position: Position) -> list[int]:
    """Every card that is in a queue, turned up, in the pile or seen, each once; and those that are covered."""
    cards = [card for seat in position.seats for card in seat.queue]
    cards += [seat.up for seat in position.seats if seat.up is not None]
    return [*cards, *position.pile, *set(position.area.owners), *fully_covered(position)]


@over_players
def test_all_88_cards_are_there_at_all_times(players: int) -> None:
    """None twice: what is covered is all that is not anywhere else, so a card held twice would show."""
    buried: set[int] = set()
    for seed in range(4):
        begun, *positions = dense_match(players, seed)
        buried = {*begun.area.owners, *fully_covered(begun)}
        for position in (begun, *positions):
            assert sorted(held(position)) == list(range(88))
            on_area = {*position.area.owners, *fully_covered(position)}
            assert buried <= on_area, "a card that has come to the area stays there"
            buried = on_area


@over_players
def test_any_way_of_looking_gives_the_same_position_and_the_same_events(players: int) -> None:
    rng = Random(players)
    for seed in range(3):
        for position in rng.sample(dense_match(players, seed), 12):
            until = position.now + rng.choice([1, 150, 400, 5000, 120_000, 500_000])
            at_once = RULES.advance(position, until)
            looks = sorted([*(rng.randint(position.now, until) for _ in range(rng.randrange(12))), until])
            met: list[Event] = []
            step = position
            for look in looks:
                step, events = RULES.advance(step, look)
                met += events
            assert (step, tuple(met)) == at_once


@over_players
def test_a_claim_plays_the_same_whether_or_not_somebody_looked_before(players: int) -> None:
    rng = Random(players)
    for position in rng.sample(dense_match(players, 5), 20):
        at = position.now + rng.choice([1, 100, 200, 400, 9000])
        looked, met = RULES.advance(position, at)
        for seat in RULES.to_move(looked):
            for move in rng.sample(RULES.legal_moves(looked, seat), 8):
                lag = rng.randrange(0, 200)
                after, events = RULES.play(looked, seat, move, at=at, lag=150 + lag)
                assert RULES.play(position, seat, move, at=at, lag=150 + lag) == (after, (*met, *events))


@over_players
def test_due_is_when_something_happens_and_not_before(players: int) -> None:
    for position in dense_match(players, 6):
        due = RULES.due(position)
        if due is not None:
            assert due > position.now
            quiet, events = RULES.advance(position, due - 1)
            assert events == ()
            assert RULES.due(quiet) == due
            assert RULES.advance(position, due)[1]


@over_players
def test_every_claim_gets_exactly_one_verdict(players: int) -> None:
    verdicts = {"placed", "wrong", "self-block", "bounced", "dropped"}
    for seed in range(3):
        positions = dense_match(players, seed)
        waiting = [sum(seat.claim is not None for seat in position.seats) for position in positions]
        for position, count in zip(positions, waiting, strict=True):
            _, events = RULES.advance(position, position.now + 100_000)
            assert sum(event.code in verdicts for event in events) == count
