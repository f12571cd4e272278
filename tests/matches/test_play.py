"""Moves: what is stored, what is refused, and that a refusal or an accident changes nothing."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from accounts.people.models import User
from games.contract.values import OPEN
from games.matches import rows
from games.matches.errors import (
    BadInput,
    KeyReused,
    MoveRefused,
    NotLoggedIn,
    NotRunning,
    NotSeated,
    NotYourTurn,
    StaleTurn,
)
from games.matches.models import Match
from games.matches.services import sitting, timing
from games.matches.services.due import settle_due
from tests.matches.conftest import START, frozen, move_form, player_to_move, sit_down, to_move, turn_key
from tests.matches.playing import other, play_form, play_to_the_end


def test_move_is_stored_with_its_time_and_brings_the_next_player(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    seat, version = to_move(match), match.version
    form = move_form(match)
    play_form(match, player_to_move(match), form, seconds=2.5)
    match.refresh_from_db()
    move = match.moves.get()
    assert (move.ply, move.seat, move.text, move.at) == (1, seat, form["move"], 2500)
    assert match.ply == 1
    assert match.version == version + 1
    assert match.to_move == [1 - seat]


def test_stored_position_is_the_replayed_one(alice: User, bob: User, carol: User) -> None:
    """The log is the truth: from the deal, the moves lead to the stored position, always."""
    match = sit_down(alice, bob, carol)
    rules = match.game.rules
    play_to_the_end(match)
    position = rules.start(match.options, match.deal or {}, 3)
    for move in match.moves.filter(undone=False).order_by("ply"):
        position, _ = rules.play(position, move.seat, rules.parse_move(move.text), at=move.at)
    assert rules.dump(position) == match.position
    assert match.outcome == rules.outcome(position).as_json()  # type: ignore[union-attr]
    assert match.standing is not None
    assert match.standing["places"] == match.outcome["places"]
    assert rules.view(position, OPEN).hands


def test_arrival_before_the_last_move_never_turns_time_back(alice: User, bob: User) -> None:
    """Two doors stamp arrivals, the lock orders them: `at` never falls."""
    match = sit_down(alice, bob)
    play_form(match, player_to_move(match), move_form(match), seconds=10)
    match.refresh_from_db()
    play_form(match, player_to_move(match), move_form(match), seconds=9)
    assert list(match.moves.values_list("at", flat=True)) == [10_000, 10_000]


def wrong_forms() -> list[tuple[str, Callable[[dict[str, str]], dict[str, str]], type[Exception]]]:
    return [
        ("stale turn key", lambda form: {**form, "turn_key": "999"}, StaleTurn),
        ("no turn key", lambda form: {"move": form["move"], "key": form["key"]}, StaleTurn),
        ("no move at all", lambda form: {"turn_key": form["turn_key"]}, MoveRefused),
        ("malformed", lambda form: {**form, "move": "RT3@1;DROP"}, MoveRefused),
        ("nul", lambda form: {**form, "move": "\0"}, MoveRefused),
        ("far away", lambda form: {**form, "move": form["move"].split("@")[0] + "@50,50"}, MoveRefused),
        ("take in no scoring round", lambda form: {**form, "move": "take 0,1"}, MoveRefused),
        ("too long", lambda form: {**form, "move": "x" * 121}, BadInput),
        ("key too long", lambda form: {**form, "key": "k" * 65}, BadInput),
        ("nul in the key", lambda form: {**form, "key": "a\0b"}, BadInput),
        ("lone surrogate in the key", lambda form: {**form, "key": "\ud800"}, BadInput),
    ]


@pytest.mark.parametrize(("name", "spoil", "refusal"), wrong_forms(), ids=[case[0] for case in wrong_forms()])
def test_wrong_forms_are_refused_and_change_nothing(
    alice: User, bob: User, name: str, spoil: Callable[[dict[str, str]], dict[str, str]], refusal: type[Exception]
) -> None:
    match = sit_down(alice, bob)
    before = frozen(match)
    with pytest.raises(refusal):
        play_form(match, player_to_move(match), spoil(move_form(match)))
    assert frozen(match) == before


def test_out_of_turn_and_outsiders(alice: User, bob: User, mallory: User) -> None:
    match = sit_down(alice, bob)
    before = frozen(match)
    waiting = other(player_to_move(match), alice, bob)
    form = move_form(match, turn_key=turn_key(match, 1 - to_move(match)))
    with pytest.raises(NotYourTurn):
        play_form(match, waiting, form)
    with pytest.raises(NotSeated):
        play_form(match, mallory, move_form(match))
    with pytest.raises(NotLoggedIn):
        play_form(match, None, move_form(match))
    assert frozen(match) == before


def test_same_key_with_the_same_move_is_answered_as_the_first_time(alice: User, bob: User) -> None:
    """A double click, or a form sent again because no answer came, plays one move."""
    match = sit_down(alice, bob)
    user, form = player_to_move(match), move_form(match)
    play_form(match, user, form)
    before = frozen(match)
    play_form(match, user, form)
    assert frozen(match) == before
    with pytest.raises(KeyReused):
        play_form(match, user, {**form, "move": "pass"})
    assert frozen(match) == before


def test_second_tab_with_its_own_key_is_told_that_the_match_has_moved_on(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    user, form = player_to_move(match), move_form(match)
    play_form(match, user, form)
    with pytest.raises(StaleTurn):
        play_form(match, user, {**form, "key": "another"})


def test_nothing_can_be_played_before_the_start_or_after_the_end(alice: User, bob: User) -> None:
    waiting = sit_down(alice, bob, start=False)
    with pytest.raises(NotRunning):
        play_form(waiting, alice, {"move": "pass", "turn_key": "0", "key": "k"})
    match = sit_down(alice, bob)
    play_to_the_end(match)
    for user in (alice, bob):
        with pytest.raises(NotRunning):
            play_form(match, user, {"move": "pass", "turn_key": turn_key(match, 0), "key": "late"})


def test_unexpected_error_leaves_the_match_as_it_was(alice: User, bob: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever breaks inside a move, the transaction takes all of it back."""
    match = sit_down(alice, bob)
    form, user, before = move_form(match), player_to_move(match), frozen(match)

    def broken(*args: Any, **kwargs: Any) -> None:
        raise RuntimeError("disk full")

    for place, name in ((rows, "insert_rows"), (sitting.Sitting, "save"), (timing, "settle_outcome")):
        with monkeypatch.context() as patch:
            patch.setattr(place, name, broken)
            with pytest.raises(RuntimeError):
                play_form(match, user, form)
        assert frozen(match) == before, name
    play_form(match, user, form)
    assert match.moves.count() == 1


def test_bot_answers_within_a_second_after_a_pause(alice: User) -> None:
    match = sit_down(alice, bots=1)
    if to_move(match) == 0:
        play_form(match, alice, move_form(match), seconds=1)
        match.refresh_from_db()
    due_at = match.due_at
    assert due_at is not None
    pause = due_at - match.touched_at
    assert timedelta(milliseconds=300) < pause < timedelta(seconds=1)
    ply = match.ply
    assert settle_due(moment=due_at - timedelta(milliseconds=1)) == 0
    settle_due(moment=due_at + timedelta(seconds=5))
    match.refresh_from_db()
    bot_move = match.moves.get(ply=ply + 1)
    assert bot_move.kind == "bot"
    assert bot_move.at == match.milliseconds(due_at), "at its own time, whoever looked when"
    settle_due(moment=due_at + timedelta(seconds=5))
    match.refresh_from_db()
    assert match.ply >= ply + 1


def test_due_bot_moves_before_a_later_move_is_judged(alice: User, bob: User) -> None:
    """Without any keeper: whoever touches the match first brings it up to now, and a refusal keeps that."""
    match = sit_down(alice, bob, bots=1)
    while to_move(match) != 2:
        play_form(match, player_to_move(match), move_form(match))
    ply = match.ply
    with pytest.raises(StaleTurn):
        play_form(match, alice, {"move": "pass", "turn_key": turn_key(match, 0), "key": "k"}, seconds=60)
    match.refresh_from_db()
    assert match.ply >= ply + 1


def test_match_against_bots_alone_to_the_end(alice: User) -> None:
    """Bots never stall a match: with somebody who always moves, it ends by the rules."""
    match = sit_down(alice, bots=3)
    moment = START
    for _ in range(2000):
        match.refresh_from_db()
        if match.status != Match.Status.RUNNING:
            break
        if to_move(match) == 0:
            play_form(match, alice, move_form(match), seconds=(moment - START).total_seconds())
        else:
            assert match.due_at is not None
            moment = max(moment, match.due_at)
            settle_due(moment=moment)
    assert match.status == Match.Status.OVER
    assert match.reason in match.game.info.reasons
