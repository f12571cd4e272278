"""Matches of BlockYou! as tests arrange them behind the stage: dealt and played so far, and their time held or let go.

While its time is held, a match stays as it is, whoever looks.
"""

from __future__ import annotations

import json
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

from django.db import transaction

from accounts.people.models import User
from games.contract.registry import get_game
from games.matches import clock
from games.matches.log import event_of
from games.matches.models import Match
from games.matches.services import sitting, tables, timing
from games.matches.services.due import settle_due
from tests.matches.alone import begun
from tests.matches.conftest import START, sit_down
from tests.matches.playing import play_form, play_in_real_time

HELD_FOR = timedelta(hours=1)
"""Longer than any test looks at a match whose time is held."""


def seat_rounds(
    players: list[str], seed: int = 0, deal: dict[str, Any] | None = None, fewest: int = 12, until: str = "countdown"
) -> str:
    """The slug of a match of these people in this order, dealt so, or as the seed says; one person plays alone.

    It is played, with errors now and then, until somebody has only so few cards left and nobody has to sit out. There
    its time is held: before the next round opens ("countdown"), or as it does ("open"). Or it is played until "over".
    """
    chance = Random(seed)

    def is_far_enough(match: Match) -> bool:
        position = match.game.rules.load(match.position or {})
        few = min(len(seat.queue) for seat in position.seats) <= fewest
        return until != "over" and position.phase == "countdown" and few and not any(s.sits_out for s in position.seats)

    with _dealt(deal, chance):
        match = _seated(players)
        play_in_real_time(match, chance, until=is_far_enough)
        if until == "open":
            _settle_next(match)
        if until != "over":
            _hold(match.slug)
    return match.slug


def seat_scene(players: list[str], file: str) -> str:
    """The slug of a match dealt and played as that record says, its time held at the record's `until`."""
    record = json.loads(Path(file).read_text())
    with _dealt(record["deal"], Random(0)):
        match = _seated(players)
        people = {seat.index: seat.user for seat in match.seats.all()}
        for move in record["moves"]:
            settle_due(moment=START + timedelta(milliseconds=move["at"]))
            match.refresh_from_db()
            turn_key = match.game.rules.turn_key(match.game.rules.load(match.position or {}), move["seat"])
            form = {"move": move["move"], "turn_key": turn_key, "key": ""}
            play_form(match, people[move["seat"]], form, seconds=move["at"] / 1000)
        settle_due(moment=START + timedelta(milliseconds=record["until"]))
        _hold(match.slug)
    return match.slug


def open_round(slug: str, in_ms: int = 0) -> None:
    """The next round opens so soon, and time goes on, held or not; does nothing if one is open already."""
    with sitting.locked_match(slug=slug) as held:
        if held.position.phase == "countdown":
            at = held.rules.due(held.position)
            assert at is not None
            held.match.epoch = clock.now() + timedelta(milliseconds=in_ms - at)
            held.reschedule(held.match.moment_of(at))


def position(slug: str) -> dict[str, Any]:
    """All that the rules know of the match."""
    return Match.objects.get(slug=slug).position or {}


def story(slug: str) -> dict[str, Any]:
    """Since when match time runs, in ms since 1970; the claims with when they arrived and their lag; what happened."""
    match = Match.objects.get(slug=slug)
    assert match.epoch is not None
    entries = match.entries.filter(of_house=False).order_by("pk")
    return {
        "epoch": match.epoch.timestamp() * 1000,
        "claims": list(match.moves.order_by("ply").values("seat", "text", "at", "lag")),
        "events": [[event.at, event.code, dict(event.params)] for event in map(event_of, entries)],
    }


def _seated(players: list[str]) -> Match:
    people = [User.objects.get(username=name) for name in players]
    return begun(people[0]) if len(people) == 1 else sit_down(*people, game=get_game("blockyou"))


def long_ago(chance: Random) -> ExitStack:
    """In this context matches are played in the past with that luck, the same whenever and however slowly it is done.

    No outage of today falls into them, and nobody is away.
    """
    stack = ExitStack()
    stack.enter_context(transaction.atomic())  # nobody else may bring the match up to now meanwhile
    for module in (sitting, tables):
        stack.enter_context(patch.object(module, "CHANCE", chance))
    for module in (sitting, tables):
        stack.enter_context(patch.object(module, "counted", side_effect=lambda moment: moment))
    stack.enter_context(patch.object(sitting, "notice_outage"))
    stack.enter_context(patch.object(timing, "judge_absences"))
    return stack


def _dealt(deal: dict[str, Any] | None, chance: Random) -> ExitStack:
    stack = long_ago(chance)
    if deal is not None:
        rules = type(get_game("blockyou").rules)
        stack.enter_context(patch.object(rules, "deal", return_value=deal))
    return stack


def _settle_next(match: Match) -> None:
    match.refresh_from_db()
    assert match.due_at is not None
    settle_due(moment=match.due_at)


def _hold(slug: str) -> None:
    """Match time begins in the future: until then it stands where it is."""
    with sitting.locked_match(slug=slug) as held:
        match = held.match
        assert match.epoch is not None
        assert match.due_at is not None
        due = match.milliseconds(match.due_at)
        match.epoch = clock.now() + HELD_FOR
        held.reschedule(match.moment_of(due))


ACTS = (seat_rounds, seat_scene, open_round, position, story)
