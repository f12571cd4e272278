"""What is counted: each thing once, under labels that name neither person nor match."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

import pytest
from django.db import transaction
from prometheus_client import REGISTRY

from accounts.people.models import User
from games.contract.registry import all_games
from games.matches import errors, metrics, sockets
from games.matches.errors import Refused
from games.matches.keeper import Keeper
from games.matches.models import Seat
from games.matches.services.due import settle_due
from games.matches.services.sitting import locked_match
from tests.matches.browsing import act, browser
from tests.matches.conftest import Clock, move_form, player_to_move, sit_down
from tests.matches.playing import other
from tests.matches.wire import do, watching
from tests.pondered import bot as pondered_bot
from tests.toy import bot as toy_bot

pytestmark = pytest.mark.django_db(transaction=True)


def figures() -> dict[tuple[str, tuple[str, ...]], float]:
    """All counts of this house, by name and labels; of times only how many were taken."""
    return {
        (sample.name, tuple(sample.labels.values())): sample.value
        for metric in REGISTRY.collect()
        if metric.name.startswith("tesela_")
        for sample in metric.samples
        if sample.name.endswith(("_total", "_count", "_open_sockets"))
    }


class Counted(dict[tuple[str, tuple[str, ...]], float]):
    """By how much each figure has changed."""


@contextmanager
def counted() -> Iterator[Counted]:
    change, before = Counted(), figures()
    yield change
    change.update({key: now - before.get(key, 0) for key, now in figures().items() if now != before.get(key, 0)})
    # Times of pages are tests/config's.
    for key in [key for key in change if key[0] == "tesela_response_seconds_count"]:
        del change[key]


def test_a_move_is_counted_when_it_is_committed_and_bots_moves_apart(alice: User, time: Clock) -> None:
    match = sit_down(alice, bots=1)
    while player_is_bot(match.slug):
        settle_due(moment=time.tick(seconds=2))
    form = move_form(match)
    with counted() as change:
        assert act(alice, match, "move", form).status_code == 200
        assert act(alice, match, "move", form).status_code == 200, "the same once more"
    assert change == {("tesela_moves_total", ("m", "person", "accepted")): 1}
    with counted() as change:
        settle_due(moment=time.tick(seconds=2))
    assert change == {("tesela_moves_total", ("m", "bot", "accepted")): 1}


def player_is_bot(slug: str) -> bool:
    with locked_match(slug=slug) as sitting:
        return bool(sitting.seats_to_move(Seat.Kind.BOT))


def test_what_is_taken_back_is_not_counted(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    form = move_form(match)
    with counted() as change, transaction.atomic():
        assert act(player_to_move(match), match, "move", form).status_code == 200
        transaction.set_rollback(True)
    assert change == {}


def test_a_refusal_is_counted_once_whichever_door_it_came_by(alice: User, bob: User, mallory: User) -> None:
    match = sit_down(alice, bob)
    mover = player_to_move(match)
    form = {**move_form(match), "move": "nonsense"}
    with counted() as change:
        assert act(mover, match, "move", form).status_code == 422
        assert browser(mallory).post(f"/matches/{match.slug}/act/move/", form).status_code == 403
        assert browser(other(mover, alice, bob)).post(f"/matches/{match.slug}/act/void/").status_code == 422
        assert browser(None).post("/play-now/m/").status_code == 403
        assert browser(alice).post("/vacation/", {"away": "x"}).status_code == 422
    assert change == {
        ("tesela_moves_total", ("m", "person", "refused")): 1,
        ("tesela_refusals_total", ("move-refused",)): 1,
        ("tesela_refusals_total", ("not-seated",)): 1,
        ("tesela_refusals_total", ("bad-input",)): 2,
        ("tesela_refusals_total", ("not-logged-in",)): 1,
    }


async def test_sockets_pushes_and_floods_are_counted(alice: User, bob: User) -> None:
    match = await do(sit_down, alice, bob)
    mover = await do(player_to_move, match)
    watcher = other(mover, alice, bob)
    with counted() as change:
        async with watching(match, mover) as own, watching(match, watcher) as theirs:
            assert figures()["tesela_open_sockets", ("match",)] == 2
            await own.act("move", **await do(move_form, match))
            await theirs.hear()
            await own.act("move", move="nonsense", turn_key="0")
            for _ in range(sockets.ACTS_PER_10_S):
                await theirs.send_to(text_data=json.dumps({"act": "here"}))
            await theirs.send_to(text_data="one more")
            await theirs.hear()
            assert await theirs.close_code() == sockets.FLOOD
    assert change == {
        ("tesela_moves_total", ("m", "person", "accepted")): 1,
        ("tesela_moves_total", ("m", "person", "refused")): 1,
        ("tesela_refusals_total", ("stale-turn",)): 1,
        ("tesela_push_seconds_count", ()): 1,
        ("tesela_sockets_closed_for_flood_total", ()): 1,
    }
    assert figures()["tesela_open_sockets", ("match",)] == 0


def test_the_keeper_tells_how_late_it_was(time: Clock) -> None:
    with counted() as change:
        Keeper()._settled(time.now() - timedelta(milliseconds=40))
    assert change == {("tesela_keeper_lateness_seconds_count", ()): 1}


OF_TESTS = {*toy_bot.LEVELS, *pondered_bot.LEVELS}
"""Levels of bots that only tests have: the figures of a process know them all."""


def test_labels_have_few_values_and_name_nobody(alice: User, bob: User) -> None:
    """A figure for each match or person would tell of them, and fill the memory of whoever reads it."""
    match = sit_down(alice, bob)
    act(player_to_move(match), match, "move", move_form(match))
    act(alice, match, "nonsense", {})
    kinds = {kind.value for kind in Seat.Kind}
    allowed = {
        "game": {game.slug for game in all_games()} | {"toy"},
        "by": kinds,
        "level": {level for game in all_games() for level in game.bot.LEVELS} | OF_TESTS,
        "outcome": {"accepted", "refused", "sent", "failed", "tried again", "eased", "no hint"},
        "code": _codes(),
        "kind": {"match", "lobby"},
        "status": {"2xx", "3xx", "4xx", "5xx"},
    }
    for metric in REGISTRY.collect():
        if metric.name.startswith("tesela_"):
            for sample in metric.samples:
                for label, value in sample.labels.items():
                    assert label == "le" or value in allowed[label], sample


def _codes() -> set[str]:
    found = {kind.code for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, Refused)}
    assert len(found) > 20
    return found


def test_counting_costs_microseconds() -> None:
    from timeit import timeit

    error = errors.NotYourTurn()
    assert min(timeit(lambda: metrics.count_refusal(error), number=1000) for _ in range(5)) < 0.05
