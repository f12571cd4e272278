"""Moves of bots that take thought: taken on by one keeper, played once, and only in the turn they were meant for."""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta
from typing import Any

import pytest
from django.db import OperationalError

from accounts.people.models import User
from games.contract import registry
from games.contract.errors import IllegalMove
from games.contract.registry import get_game
from games.matches.callers import Caller
from games.matches.errors import NotFound
from games.matches.models import Match, Seat
from games.matches.services import due
from games.matches.services.at_once import play_now
from games.matches.services.due import settle_due
from games.matches.services.play import agree_to_end, resign
from games.matches.services.tables import set_ready
from games.matches.services.takebacks import answer_takeback
from games.matches.services.thoughts import TAKEN_FOR, Thought, ease_bot, play_thought
from games.matches.services.timing import BOT_PAUSE_MS
from tests.matches.conftest import START, Clock, frozen, legal_texts, move_form, sit_down, to_move
from tests.matches.crowds import at_once
from tests.matches.playing import play_form
from tests.matches.pondering import PAUSED, bots_moves, bots_turn, pondered, taken
from tests.matches.timekeeping import log_of
from tests.soundness import assert_sound

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _bots(monkeypatch: pytest.MonkeyPatch, time: Clock) -> None:
    monkeypatch.setitem(registry._added, "m", pondered())


def match_ply(match: Match) -> int:
    match.refresh_from_db()
    return match.ply


def its_moves(match: Match, thought: Thought) -> list[str]:
    """What may be played in that turn."""
    rules = match.game.rules
    return [rules.format_move(move) for move in rules.legal_moves(thought.position, thought.seat)]


# Taking on


def test_is_begun_as_the_turn_begins_and_comes_after_the_pause(alice: User) -> None:
    """The pause counts from the beginning of the turn, thinking included."""
    match = bots_turn(alice, level="hard")
    assert match.due_at == START
    (thought,) = taken(START + timedelta(milliseconds=20))
    assert (thought.slug, thought.seat, thought.level) == (match.slug, 1, "hard")
    pause = (thought.plays_at - START) / timedelta(milliseconds=1)
    assert BOT_PAUSE_MS[0] <= pause <= BOT_PAUSE_MS[1]
    assert thought.view == match.game.rules.view(thought.position, 1)


def test_two_keepers_share_the_work(alice: User, bob: User) -> None:
    """Whatever one has taken on the other leaves alone."""
    bots_turn(alice, level="hard")
    bots_turn(bob, level="normal")
    assert sorted(thought.level for thought in taken(START)) == ["hard", "normal"]
    assert taken(START) == taken(START + TAKEN_FOR - timedelta(milliseconds=1)) == []


def test_who_dies_over_it_is_succeeded(alice: User) -> None:
    """What was taken on and never played is taken on again."""
    bots_turn(alice, level="hard")
    (first,) = taken(START)
    (second,) = taken(START + TAKEN_FOR)
    assert second.key == first.key
    assert taken(START + TAKEN_FOR) == []


def test_what_was_taken_on_is_thought_about_though_it_cannot_be_kept_in_mind(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise the bot would have its turn when somebody else may take it on."""
    bots_turn(alice, level="hard")

    def away(slug: str) -> None:
        raise OperationalError("the connection is closed")

    monkeypatch.setattr(due, "keep_for_later", away)
    assert len(taken(START)) == 1


def test_taking_on_is_seen_by_nobody(alice: User) -> None:
    match = bots_turn(alice, level="hard")
    before = match.version
    assert taken(START)
    match.refresh_from_db()
    assert match.version == before


def test_whoever_touches_the_match_does_not_think(alice: User, bob: User) -> None:
    """A person's act never waits for a bot: it neither plays for it, nor takes it on."""
    match = bots_turn(alice, bob, level="hard")
    for _ in range(2):
        agree_to_end(slug=match.slug, caller=Caller(alice), agreed=True, moment=START + timedelta(minutes=5))
        assert bots_moves(match) == 0
    assert len(taken(START + timedelta(minutes=5))) == 1


def test_without_anybody_who_thinks_it_waits(alice: User) -> None:
    match = bots_turn(alice, level="hard")
    before = frozen(match)
    settle_due(moment=START + timedelta(hours=1))
    assert frozen(match) == before
    assert len(taken(START + timedelta(hours=1))) == 1


def test_the_weakest_level_takes_no_thought(alice: User) -> None:
    match = play_now(user=alice, game=pondered(), moment=START, level="easy")
    while to_move(match) != match.seats.get(kind=Seat.Kind.BOT).index:
        play_form(match, alice, move_form(match), seconds=0)
    assert taken(START + PAUSED) == []
    assert bots_moves(match) == 1


def test_in_real_time_no_level_does(alice: User, toy: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """There the pause is what a bot needs, and what it does is found at once."""
    monkeypatch.setattr("tests.toy.bot.LEVELS", ("easy", "normal"))
    match = sit_down(alice, bots=1, game=toy, start=False)
    Seat.objects.filter(match=match, kind=Seat.Kind.BOT).update(level="normal")
    set_ready(slug=match.slug, caller=Caller(alice), ready=True, moment=START)
    for seconds in range(1, 60):
        assert taken(START + timedelta(seconds=seconds)) == []
    assert bots_moves(match) > 0


# Playing


def test_is_played_at_its_moment_by_the_bot(alice: User) -> None:
    match = bots_turn(alice, level="hard")
    (thought,) = taken(START)
    moment = START + timedelta(milliseconds=700)
    play_thought(thought, move=legal_texts(match)[0], moment=moment)
    move = match.moves.order_by("ply").last()
    assert move is not None
    assert (move.seat, move.kind, move.at) == (1, Seat.Kind.BOT, 700)
    assert_sound(match)


def test_the_next_bot_is_next(alice: User) -> None:
    """One bot's move is the beginning of another's turn, and whoever plays the one takes on the other."""
    match, moment = bots_turn(alice, level="hard", bots=2), START + timedelta(milliseconds=700)
    (thought,) = taken(START)
    found = play_thought(thought, move=legal_texts(match)[0], moment=moment)
    if to_move(match) == 0:
        assert not found
        play_form(match, alice, move_form(match), seconds=0.7)
        (thought,) = taken(moment)
        found = play_thought(thought, move=legal_texts(match)[0], moment=moment)
    (second,) = found
    assert second.seat != thought.seat
    match.refresh_from_db()
    assert match.due_at == moment + TAKEN_FOR
    assert taken(moment) == []
    assert second.plays_at - moment >= timedelta(milliseconds=BOT_PAUSE_MS[0])


def test_two_answers_for_one_turn_make_one_move(alice: User) -> None:
    """As when somebody took it for lost, and it was not: the first counts, the second changes nothing."""
    match = bots_turn(alice, level="hard")
    (first,), (second,) = taken(START), taken(START + TAKEN_FOR)
    moves = its_moves(match, first)
    play_thought(second, move=moves[0], moment=START + TAKEN_FOR)
    before = frozen(match)
    play_thought(first, move=moves[1], moment=START + TAKEN_FOR)
    assert frozen(match) == before
    assert_sound(match)


@pytest.mark.django_db(transaction=True)
def test_keepers_that_play_at_the_same_moment_make_one_move(alice: User) -> None:
    match = bots_turn(alice, level="hard")
    (thought,) = taken(START)
    move = legal_texts(match)[0]

    def play() -> None:
        with suppress(NotFound):  # another keeper holds the match
            play_thought(thought, move=move, moment=START + PAUSED)

    at_once([play] * 6)
    assert bots_moves(match) == 1
    assert_sound(match)


def test_comes_too_late_after_the_end(alice: User, bob: User) -> None:
    match = bots_turn(alice, level="hard")
    (thought,) = taken(START)
    resign(slug=match.slug, caller=Caller(alice), moment=START)
    before = frozen(match)
    play_thought(thought, move=its_moves(match, thought)[0], moment=START + PAUSED)
    ease_bot(thought, moment=START + PAUSED)
    assert frozen(match) == before


def test_comes_too_late_after_a_move_was_taken_back(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same ply, and another turn: what was thought for the one is not played in the other."""
    monkeypatch.setattr("games.block_buster.bot.LEVELS", ("easy", "normal", "hard"))
    match = bots_turn(alice, level="hard", game=get_game("block_buster"))
    if not match.moves.exists():
        play_thought(taken(START)[0], move=legal_texts(match)[0], moment=START)
        play_form(match, alice, move_form(match), seconds=0)
    (thought,) = taken(START)
    before = bots_moves(match)
    answer_takeback(slug=match.slug, caller=Caller(alice), answer="ask", ply=match_ply(match), moment=START)
    assert to_move(match) == 0
    play_form(match, alice, move_form(match, move=legal_texts(match)[-1], key="another"), seconds=0)
    play_thought(thought, move=its_moves(match, thought)[0], moment=START + PAUSED)
    assert bots_moves(match) == before
    (again,) = taken(START)
    assert again.turn != thought.turn
    assert_sound(match)


def test_a_move_that_is_none_changes_nothing(alice: User) -> None:
    match = bots_turn(alice, level="hard")
    (thought,) = taken(START)
    before = frozen(match)
    for text in ("M9@99,99", "nonsense"):
        with pytest.raises(IllegalMove):
            play_thought(thought, move=text, moment=START + PAUSED)
    assert frozen(match) == before


# When it fails


def test_the_weakest_level_plays_on_and_it_is_said(alice: User) -> None:
    match = bots_turn(alice, level="hard")
    (thought,) = taken(START)
    ease_bot(thought, moment=START + timedelta(milliseconds=10))
    ease_bot(thought, moment=START + timedelta(milliseconds=20))
    assert match.seats.get(index=1).level == "easy"
    assert log_of(match) == [("eased", 10, 1)]
    assert taken(START + 2 * PAUSED) == []
    assert bots_moves(match) == 1
    play_thought(thought, move=its_moves(match, thought)[0], moment=START + 2 * PAUSED)
    assert bots_moves(match) == 1, "what came of it after all is too late"
    assert_sound(match)
