"""Bots never stall a match in the house: keepers and the processes that think play it to its end, with nobody there."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from time import monotonic

import pytest
from django.conf import settings

from accounts.people.models import User
from games.contract.registry import Game, all_games
from games.matches import clock, thinking
from games.matches.callers import Caller
from games.matches.keeper import Keeper
from games.matches.load.arranging import begin_match
from games.matches.log import EASED
from games.matches.models import Match, Seat
from games.matches.services import thoughts, timing
from games.matches.services.acts import perform_act
from games.matches.services.due import next_due, settle_due
from games.matches.services.play import resign
from tests.matches.conftest import START, Clock, move_form, sit_down
from tests.matches.pondering import PATIENCE_S, children
from tests.sizes import size
from tests.soundness import assert_sound

pytestmark = pytest.mark.soak

BY_TURNS = [game for game in all_games() if not game.info.real_time]
IN_REAL_TIME = [game for game in all_games() if game.info.real_time]

MATCHES = size("matches of each game that keepers play for bots, at once", ci=2, soak=20)

MOST_LOOKS = 5000


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """No pauses, and hardly any search: it is not about how well they play."""
    monkeypatch.setattr(settings, "BOT_WORKERS", 1)
    monkeypatch.setattr(thinking, "SEARCHES_FOR_S", 0.0)
    for module in (timing, thoughts):
        monkeypatch.setattr(module, "BOT_PAUSE_MS", (0, 1))


def some_levels(levels: Sequence[str], seats: int, rng: Random) -> list[str]:
    return [rng.choice(levels) for _ in range(seats)]


def ended(match: Match) -> bool:
    """Whether it is over by the rules, with nothing left to be done at any time."""
    match.refresh_from_db()
    if match.status != Match.Status.OVER:
        return False
    assert match.reason in match.game.info.reasons
    assert match.outcome is not None
    assert match.due_at is None
    return True


def wait_till_all_end(matches: Sequence[Match], person: User) -> None:
    """The keepers play for bots; that person plays what comes first, whenever it is their turn."""
    plies, moved_at = 0, monotonic()
    while running := [match for match in matches if not ended(match)]:
        for match in running:
            if match.seats.filter(user=person, index__in=match.to_move).exists():
                form = move_form(match)
                perform_act(act="move", slug=match.slug, caller=Caller(person), data=form, arrived=clock.now())
        before, plies = plies, sum(match.ply for match in matches)
        if plies > before:
            moved_at = monotonic()
        stalled = [f"{match} at ply {match.ply}" for match in running]
        assert monotonic() < moved_at + PATIENCE_S, f"stalled: {', '.join(stalled)}"


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("keepers", [1, 2])
def test_keepers_play_matches_of_bots_to_their_ends(alice: User, bob: User, hasty: None, keepers: int) -> None:
    """Of bots alone, and those in which one stands in for who has left; all at once, by one process of each keeper."""
    rng, matches = Random(keepers), list[Match]()
    for game in BY_TURNS:
        for number in range(MATCHES):
            if number % 2:
                match = sit_down(alice, bob, game=game, moment=clock.now(), bot_takes_over=True)
                resign(slug=match.slug, caller=Caller(bob), moment=clock.now())
            else:
                seats = rng.randint(max(2, game.info.min_seats), game.info.max_seats)
                match = begin_match(game, some_levels(game.bot.LEVELS, seats, rng), host=alice, options={})
            matches.append(match)
    at_work = [Keeper() for _ in range(keepers)]
    for keeper in at_work:
        keeper.start()
    try:
        wait_till_all_end(matches, alice)
    finally:
        for keeper in at_work:
            keeper.stop()
    assert children() == []
    assert next_due() is None
    for match in matches:
        assert match.moves.filter(kind__in=[Seat.Kind.BOT, Seat.Kind.STAND_IN]).exists()
        assert not match.entries.filter(of_house=True, code=EASED).exists(), "a bot has failed"
        assert_sound(match)


@pytest.mark.django_db
@pytest.mark.parametrize("game", IN_REAL_TIME, ids=lambda game: game.slug)
def test_matches_of_bots_in_real_time_end_by_time_alone(alice: User, game: Game, time: Clock) -> None:
    """Whoever looks whenever something is due brings them to their ends."""
    for number in range(MATCHES):
        rng = Random(number)
        seats = rng.randint(max(2, game.info.min_seats), game.info.max_seats)
        levels = some_levels(game.bot.LEVELS, seats, rng)
        match = begin_match(game, levels, host=alice, options={}, moment=START)
        looks = 0
        while not ended(match):
            looks += 1
            assert match.due_at is not None, f"nothing is due: {match} of {levels}, number {number}"
            assert looks < MOST_LOOKS, f"goes on and on: {match} of {levels}, number {number}"
            settle_due(moment=match.due_at)
        assert match.moves.filter(kind=Seat.Kind.BOT).exists()
        assert_sound(match)
