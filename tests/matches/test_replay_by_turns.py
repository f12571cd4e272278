"""Replays of games by turns: at every ply the position that was stored then, and to each seat what it saw then."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from accounts.people.models import User
from games.contract.registry import get_game
from games.contract.values import OPEN, SPECTATOR, Moment, Viewer
from games.matches.fragments.match import draw_board
from games.matches.models import Match
from games.matches.replays import film
from tests.matches.browsing import browser, text_of
from tests.matches.conftest import move_form, player_to_move, sit_down
from tests.matches.playing import play_form

pytestmark = pytest.mark.django_db

KINDS = [
    ("m", {"start": "arch"}),
    ("m", {"start": "zigzag"}),
    ("block_buster", {}),
    ("block_buster", {"mode": "official-duel"}),
    ("block_buster", {"mode": "two-colours"}),
]


def played(people: list[User], game: str, options: Mapping[str, Any], chance: Random) -> tuple[Match, list[Any]]:
    """A match by bots to its end, and the position stored after each ply, as plain data."""
    match = sit_down(*people, game=get_game(game), options=dict(options))
    stored = [match.position]
    while match.status == Match.Status.RUNNING:
        user = player_to_move(match)
        [seat] = match.to_move
        view = match.game.rules.view(match.game.rules.load(match.position or {}), seat)
        text = match.game.bot.choose(view, "easy", chance)
        assert text is not None
        play_form(match, user, move_form(match, move=text), seconds=match.ply + 1)
        match.refresh_from_db()
        stored.append(match.position)
    return match, stored


@pytest.mark.parametrize(("game", "options"), KINDS, ids=lambda value: str(value))
def test_replay_is_what_was_stored_at_every_ply_to_every_seat(
    alice: User, bob: User, game: str, options: dict[str, Any]
) -> None:
    match, stored = played([alice, bob], game, options, Random(game))
    rules, frames = match.game.rules, film(match)
    assert len(frames) == len(stored) == match.ply + 1
    viewers: tuple[Viewer, ...] = (0, 1, SPECTATOR, OPEN)
    for frame, then in zip(frames, stored, strict=True):
        position = rules.load(then)
        assert rules.dump(frame.position) == then
        for viewer in viewers:
            assert rules.view(frame.position, viewer) == rules.view(position, viewer)


def test_page_at_a_ply_and_seat_draws_that_position_for_that_seat(alice: User, bob: User) -> None:
    match, stored = played([alice, bob], "m", {}, Random(7))
    rules = match.game.rules
    for ply in range(0, match.ply + 1, 7):
        for seat in (0, 1):
            page = text_of(browser(bob).get(f"/matches/{match.slug}/replay/{ply}/?seat={seat}"))
            view = rules.view(rules.load(stored[ply]), seat)
            assert draw_board(match.game, view, Moment())["hand"] in page
