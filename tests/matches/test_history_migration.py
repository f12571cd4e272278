"""Matches that were over before histories were written get theirs by the migration, as a match that ends now does."""

from __future__ import annotations

import importlib
from datetime import timedelta

import pytest
from django.apps import apps

from accounts.people.models import User
from games.contract.registry import get_game
from games.matches.callers import Caller
from games.matches.models import Match, Seat
from games.matches.services.play import cancel_match, resign
from games.matches.services.results import void_match
from tests.matches import alone
from tests.matches.conftest import START, sit_down
from tests.matches.ledgers import end, play_rated

pytestmark = pytest.mark.django_db

EMPTY = {"finished_at": None, "game_slug": "", "mode": "", "result": "", "rated": False, "public": False}


def stored() -> list[tuple[object, ...]]:
    return list(Seat.objects.order_by("match", "index").values_list("match", "index", *EMPTY))


def test_migration_writes_what_services_write(
    alice: User, bob: User, carol: User, mallory: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    block_buster = get_game("block_buster")
    people = (alice, bob, carol, mallory)
    end(sit_down(alice, bob, carol), (1, 1, 3), 1)
    end(sit_down(*people, game=block_buster, options={"mode": "pairs"}), (1, 3, 1, 3), 2)
    leavers = sit_down(*people, game=block_buster, options={"mode": "pairs"})
    for user in (bob, alice, mallory):
        resign(slug=leavers.slug, caller=Caller(user), moment=START + timedelta(hours=3))
    play_rated(alice, bob, places=(2, 1), hours=4)
    void_match(slug=end(sit_down(alice, carol, public=False), (1, 2), 5).slug, moment=START + timedelta(hours=6))
    alone.ended(alice, 80_000, minutes=600)
    sit_down(bob, carol)
    cancel_match(slug=sit_down(alice, bob).slug, caller=Caller(alice), moment=START)
    written = stored()
    assert {row[5] for row in written} == {"won", "shared", "lost", "alone", "none", ""}
    assert {row[4] for row in written} == {"", "pairs"}
    Seat.objects.update(**EMPTY)
    assert stored() != written
    migration = importlib.import_module("games.matches.migrations.0009_history")
    monkeypatch.setattr(migration, "BATCH", 2)
    migration.enter_finished_matches(apps, None)
    assert stored() == written
    migration.enter_finished_matches(apps, None)
    assert stored() == written


def test_match_of_a_game_that_is_gone_gets_a_history_too(alice: User, bob: User) -> None:
    match = end(sit_down(alice, bob), (2, 1), 1)
    Match.objects.update(game_slug="gone")
    Seat.objects.update(**EMPTY)
    importlib.import_module("games.matches.migrations.0009_history").enter_finished_matches(apps, None)
    rows = list(match.seats.order_by("index").values_list("game_slug", "result", "finished_at"))
    assert rows == [("gone", "lost", match.finished_at), ("gone", "won", match.finished_at)]
