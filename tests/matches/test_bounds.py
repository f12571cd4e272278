"""What a process keeps does not grow with how long it runs, how many people come, and how many matches there were."""

from __future__ import annotations

import asyncio
import gc
from zoneinfo import available_timezones

import pytest
from django.utils import timezone
from prometheus_client import REGISTRY

from accounts.people.models import User
from games.matches import events, pieces, queues, snapshots
from games.matches.callers import Caller
from games.matches.fragments.match import draw_stage
from games.matches.lookout import Stored, lookout
from games.matches.pieces import Drawn, Pieces
from games.matches.queues import queue_at
from games.matches.snapshots import snapshot
from tests.matches.conftest import sit_down


def test_of_what_was_drawn_the_newest_is_kept_and_the_rest_drawn_again() -> None:
    drawn = Drawn(3)
    for number in range(10):
        drawn[number] = str(number)
    assert drawn == {7: "7", 8: "8", 9: "9"}
    drawn[7] = "again"
    assert list(drawn) == [7, 8, 9], "one that is there takes no other's place"


def test_pieces_of_a_version_that_stands_for_weeks_are_so_many() -> None:
    found = Pieces(Pieces())
    for number in range(3 * pieces.MOST_PIECES):
        assert found.piece(number, lambda number=number: str(number)) == str(number)  # type: ignore[misc]
    assert len(found._drawn) == pieces.MOST_PIECES
    assert found.piece(0, lambda: "0") == "0"


@pytest.mark.django_db
def test_readers_of_all_zones_fill_no_memory(alice: User, bob: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader chooses the zone, and times of day differ by it where a match by turns has a clock."""
    monkeypatch.setattr("games.matches.fragments.match._tells_times", lambda match: True)
    current = snapshot(slug=sit_down(alice, bob).slug, caller=Caller(user=None))
    for name in sorted(available_timezones())[: pieces.MOST_DRAWN + 20]:
        with timezone.override(name):
            draw_stage(current, None)
    assert len(current.drawings) == pieces.MOST_DRAWN


@pytest.mark.django_db
def test_snapshots_are_kept_of_so_many_matches(alice: User, bob: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshots, "KEPT", 2)
    slugs = [sit_down(alice, bob).slug for _ in range(4)]
    for slug in slugs:
        snapshot(slug=slug, caller=Caller(user=None))
    assert list(snapshots._kept) == slugs[-2:]


async def test_queue_of_a_match_is_there_while_somebody_stands_in_it() -> None:
    async with queue_at("a-match"):
        assert [slug for _, slug in queues._queues] == ["a-match"]
    gc.collect()
    assert not queues._queues


async def test_who_was_told_of_which_match_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """Told early or late: each is known for as long as it delays the next word, and not for the process's life."""
    monkeypatch.setattr(events, "REST_S", 0.01)
    heard: list[str] = []

    async def tell(group: str, message: dict[str, object]) -> bool:
        heard.append(f"{group} {message['slug']}")
        return True

    monkeypatch.setattr(events, "tell", tell)
    for number in range(50):
        for _ in range(2):
            await events._tell_person(number, {"slug": "a-match"})
        await asyncio.sleep(0.001)
    told = events._told[asyncio.get_running_loop()]
    async with asyncio.timeout(20):
        while told.waiting:
            await asyncio.sleep(0.01)
    assert len(heard) == 100
    for _ in range(40):
        await asyncio.sleep(0.011)
        await events._tell_person(1000, {"slug": "a-match"})
    assert len(told.at) == 1


class Page:
    def match_is_at(self, stored: Stored, before: Stored | None) -> None: ...


async def test_lookout_ends_with_the_last_page() -> None:
    def watching() -> float | None:
        return REGISTRY.get_sample_value("tesela_watching_sockets")

    known = watching()
    assert known is not None
    own = lookout()
    with own.watched_by(Page(), "a-match"), own.watched_by(Page(), "a-match"), own.watched_by(Page(), "another"):
        assert watching() == known + 3
    assert watching() == known
    assert (dict(own._watchers), own._known, own._looking) == ({}, {}, None)
