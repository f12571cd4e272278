"""Non-interference: what a viewer may not know must not show, in any byte that is made for that viewer.

For each game a module `hidden` (beside the game's tests) says what that is. `twin(position, viewer, rng)` gives a
position that may differ in nothing but what the viewer does not know; `twin_move(position, seat, text, viewer, rng)`
such a twin and a move of that seat in it, which the viewer (in another seat, or in none) can't tell from the given one.
A game in which everything lies open says so by `NOTHING_HIDDEN = True`, and is held to it.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Any

import pytest

from games.contract.players import counted
from games.contract.registry import Game
from games.contract.rules import GivesHints, SetsPace
from games.contract.values import OPEN, SPECTATOR, Event, Moment, Viewer
from tests.contract.sampled import CASES, Before, Case, hidden_of, hides_nothing, over_cases, over_games, played, some
from tests.sizes import size

pytestmark = pytest.mark.soak

POSITIONS = size("positions of a match, each with twins", ci=5, soak=15)
MOVES = size("moves of a match, each with twins", ci=12, soak=40)
BOTS = size("positions of a match, each with a twin, given to bots", ci=3, soak=12)

NAMES = ("Mimi", "Tom", "Emma", "Otto", "Lena", "Jim")


@over_games
def test_every_game_says_what_is_hidden(game: Game) -> None:
    """A game without this module would pass everything below by knowing no secrets."""
    assert callable(hidden_of(game).twin)
    assert callable(hidden_of(game).twin_move)


@over_cases
def test_positions_that_a_viewer_cannot_tell_apart_look_the_same_in_every_byte(case: Case) -> None:
    rules, rng, hidden = case.game.rules, case.rng, hidden_of(case.game)
    differing = 0
    for position, _ in some(rng, played(case).positions, POSITIONS):
        for viewer in case.viewers:
            twin = hidden.twin(position, viewer, rng)
            differing += twin != position
            assert rules.view(twin, viewer) == rules.view(position, viewer)
            assert everything_shown(case, twin, viewer) == everything_shown(case, position, viewer)
    assert differing or hides_nothing(case.game), "no twin differs from its position: nothing has been tested"


@over_cases
def test_bots_play_the_same_whatever_their_seat_cannot_know(case: Case) -> None:
    """At every level, searching too; and what they suggest, and how long they take."""
    rules, rng, hidden = case.game.rules, case.rng, hidden_of(case.game)
    for position, now in some(rng, played(case).running(), BOTS):
        for seat in rules.to_move(position):
            twin = hidden.twin(position, seat, rng)
            assert done_by_bots(case, twin, seat, now) == done_by_bots(case, position, seat, now)


@pytest.mark.parametrize("case", [case for case in CASES if hides_nothing(case.game)], ids=str)
def test_a_game_that_hides_nothing_shows_everything_to_everybody(case: Case) -> None:
    """Who looks on sees as much as when the match is over, moves read the same for all, and events are for all."""
    rules = case.game.rules
    for position, _ in some(case.rng, played(case).positions, 15):
        shown = repr(rules.view(position, SPECTATOR))
        assert shown.replace(repr(SPECTATOR), repr(OPEN)) == repr(rules.view(position, OPEN))
    for before in some(case.rng, played(case).moves, 40):
        move = rules.parse_move(before.text)
        assert {rules.view_move(before.position, before.seat, move, viewer) for viewer in case.viewers} == {before.text}
    assert all(event.audience is None for event in played(case).events)


@over_cases
def test_moves_that_a_viewer_cannot_tell_apart_look_the_same(case: Case) -> None:
    """Their texts, their sentences, what happened, and the position after, unless the match has ended by them."""
    rules, rng, hidden = case.game.rules, case.rng, hidden_of(case.game)
    for before in some(rng, played(case).moves, MOVES):
        for viewer in case.viewers:
            if viewer == before.seat:
                continue
            twin, text = hidden.twin_move(before.position, before.seat, before.text, viewer, rng)
            first, second = before, Before(twin, before.seat, text, before.at, before.lag)
            after_first, shown_first = shown_of_move(case, first, viewer)
            after_second, shown_second = shown_of_move(case, second, viewer)
            assert shown_first[0] == shown_second[0]
            if rules.outcome(after_first) is None and rules.outcome(after_second) is None:
                assert shown_first == shown_second


@over_cases
def test_move_that_reveals_nothing_tells_its_own_player_nothing_either(case: Case) -> None:
    """Only such a move can be taken back: whatever chance had hidden, the same position follows for who played it."""
    rules, rng, revealing = case.game.rules, case.rng, case.game.info.revealing
    if revealing is None:
        return
    for before in some(rng, played(case).moves, 60):
        move = rules.parse_move(before.text)
        after, events = rules.play(before.position, before.seat, move, at=before.at, lag=before.lag)
        twin = hidden_of(case.game).twin(before.position, before.seat, rng)
        after_twin, events_twin = rules.play(twin, before.seat, move, at=before.at, lag=before.lag)
        over = rules.outcome(after) is not None or rules.outcome(after_twin) is not None
        if over or {event.code for event in (*events, *events_twin)} & set(revealing):
            continue
        assert rules.view(after, before.seat) == rules.view(after_twin, before.seat)
        assert events == events_twin


@over_cases
def test_events_are_told_to_their_audience_alone(case: Case) -> None:
    """The seats of an audience exist; who is not among them gets neither the event nor its sentence."""
    for event in played(case).events:
        if event.audience is not None:
            assert event.audience <= set(range(case.players))
            for viewer in case.viewers:
                assert event.seen_by(viewer) == (viewer in event.audience)


def done_by_bots(case: Case, position: Any, seat: int, now: int) -> list[Any]:
    """By the same chance: what each level plays there and how long it takes, and the hint."""
    bot: Any = case.game.bot
    levels = bot.LEVELS
    view = case.game.rules.view(position, seat)
    done: list[Any] = [bot.choose(view, level, Random(7), counted(2)) for level in levels]
    if isinstance(bot, SetsPace):
        done += [bot.pause(view, level, Random(7), at=now) for level in levels]
    if isinstance(bot, GivesHints):
        done.append(bot.hint(view, Random(7), counted(2)))
    return done


def everything_shown(case: Case, position: Any, viewer: Viewer) -> dict[str, Any]:
    """All that the house makes of a position for one viewer, as texts."""
    rules = case.game.rules
    view = rules.view(position, viewer)
    shown: dict[str, Any] = {"view": repr(view)}
    if isinstance(viewer, int):
        shown["may act"] = viewer in rules.to_move(position)
        shown["moves"] = [rules.format_move(move) for move in rules.legal_moves(position, viewer)]
        shown["turn key"] = rules.turn_key(position, viewer)
    shown["prompt"] = case.game.texts.prompt(view, NAMES[: case.players])
    shown["drawing"] = repr(case.game.presenter.draw(view, Moment(), case.game.texts.say))
    return shown


def shown_of_move(case: Case, played_in: Before, viewer: Viewer) -> tuple[Any, list[Any]]:
    """The position after a move, and what a viewer gets of it: its text first."""
    rules = case.game.rules
    move = rules.parse_move(played_in.text)
    text = rules.view_move(played_in.position, played_in.seat, move, viewer)
    after, events = rules.play(played_in.position, played_in.seat, move, at=played_in.at, lag=played_in.lag)
    seen = tuple(event for event in events if event.seen_by(viewer))
    moment = Moment(played_in.seat, text, seen)
    drawing = case.game.presenter.draw(rules.view(after, viewer), moment, case.game.texts.say)
    words = sentences(case, text, played_in.seat, seen)
    return after, [text, seen, everything_shown(case, after, viewer), words, repr(drawing)]


def sentences(case: Case, text: str, seat: int, events: Iterable[Event]) -> list[str]:
    """The move and what happened, in words."""
    texts, names = case.game.texts, NAMES[: case.players]
    return [texts.move(text, seat, names), *(texts.event(event, names) for event in events)]
