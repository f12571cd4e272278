"""Announcements: of what is committed, and of nothing else; and no failure of theirs reaches a move."""

from __future__ import annotations

import asyncio
import threading
from datetime import UTC, datetime
from typing import Any

import pytest
from channels.layers import InMemoryChannelLayer
from django.db import transaction

from accounts.people import announcer
from accounts.people import hub as hubs
from accounts.people.announcer import person_group
from accounts.people.models import User
from games.matches import clock, events
from games.matches.callers import Caller
from games.matches.errors import MoveRefused, NotSeated
from games.matches.events import LOBBY, Change, announce, match_group
from games.matches.services import play, sitting, tables
from tests.matches.conftest import START, move_form, player_to_move, sit_down
from tests.matches.playing import play_form, play_to_the_end

PATIENCE_S = 30

CHANGE = Change(slug="0123456789ab", version=7, people=(3, 5), in_lobby=True)


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[Change]:
    """All that is announced."""
    changes: list[Change] = []
    monkeypatch.setattr(sitting, "announce", changes.append)
    return changes


# When


@pytest.mark.django_db(transaction=True)
def test_every_change_is_announced_once_with_its_version(alice: User, bob: User, told: list[Change]) -> None:
    match = sit_down(alice, bob)
    versions = [change.version for change in told]
    assert versions == list(range(2, match.version + 1)), "no version is left out, none comes twice"
    assert {change.slug for change in told} == {match.slug}
    told.clear()
    play_form(match, player_to_move(match), move_form(match))
    (change,) = told
    match.refresh_from_db()
    assert change == Change(slug=match.slug, version=match.version, people=(alice.pk, bob.pk), in_lobby=False)


@pytest.mark.django_db(transaction=True)
def test_nothing_is_announced_before_the_commit_nor_after_a_rollback(
    alice: User, bob: User, told: list[Change]
) -> None:
    match = sit_down(alice, bob)
    told.clear()
    with transaction.atomic():
        play_form(match, player_to_move(match), move_form(match))
        assert told == []
        transaction.set_rollback(True)
    assert told == []
    match.refresh_from_db()
    with transaction.atomic():
        play_form(match, player_to_move(match), move_form(match))
        assert told == []
    assert len(told) == 1


@pytest.mark.django_db(transaction=True)
def test_refusals_and_accidents_are_not_announced(
    alice: User, bob: User, mallory: User, told: list[Change], monkeypatch: pytest.MonkeyPatch
) -> None:
    match = sit_down(alice, bob)
    told.clear()
    user, form = player_to_move(match), move_form(match)
    with pytest.raises(MoveRefused):
        play_form(match, user, {**form, "move": "nonsense"})
    with pytest.raises(NotSeated):
        play.resign(slug=match.slug, caller=Caller(mallory), moment=START)
    with monkeypatch.context() as patch:

        def broken(*args: Any, **kwargs: Any) -> None:
            raise RuntimeError("disk full")

        patch.setattr("games.matches.rows.write_changes", broken)
        with pytest.raises(RuntimeError):
            play_form(match, user, form)
    assert told == []
    play_form(match, user, form)
    play_form(match, user, form)
    assert len(told) == 1, "nor is a repetition"


@pytest.mark.django_db(transaction=True)
def test_announcement_that_fails_undoes_nothing(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    match = sit_down(alice, bob)

    def broken(change: Change) -> None:
        raise RuntimeError("no layer")

    monkeypatch.setattr(sitting, "announce", broken)
    play_form(match, player_to_move(match), move_form(match))
    match.refresh_from_db()
    assert match.ply == 1
    assert "no layer" in caplog.text


@pytest.mark.django_db(transaction=True)
def test_lobby_is_told_of_what_it_shows(alice: User, bob: User, told: list[Change]) -> None:
    match = sit_down(alice, bob, seats=3, start=False)
    tables.leave_table(slug=match.slug, caller=Caller(bob), moment=START)
    tables.close_table(slug=match.slug, caller=Caller(alice), moment=START)
    assert all(change.in_lobby for change in told)
    match = sit_down(alice, bob)
    told.clear()
    play_to_the_end(match)
    assert {change.in_lobby for change in told[:-1]} == {False}
    assert told[-1].in_lobby, "the end of a match takes it from the list of those to look on"
    assert {change.people for change in told} == {(alice.pk, bob.pk)}


# Where to


class Layer:
    """A channel layer that remembers, and fails where it is told to."""

    def __init__(self, failing: str = "") -> None:
        self.failing = failing
        self.sent: list[tuple[str, dict[str, Any]]] = []
        self.done = threading.Event()
        self.loops: set[Any] = set()

    async def group_send(self, group: str, message: dict[str, Any]) -> None:
        self.loops.add(asyncio.get_running_loop())
        message = {name: value for name, value in message.items() if name not in ("hub", "group")}
        if group == self.failing:
            self.done.set()
            raise ConnectionError("gone")
        self.sent.append((group, message))
        if len(self.sent) == 4:
            self.done.set()


@pytest.fixture
def no_server(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that serves no sockets."""
    monkeypatch.setattr(announcer, "_server_loop", None)


def test_change_goes_to_the_match_its_people_and_the_lobby_and_holds_nothing_secret(
    monkeypatch: pytest.MonkeyPatch, no_server: None
) -> None:
    layer = Layer()
    monkeypatch.setattr(announcer, "get_channel_layer", lambda: layer)
    monkeypatch.setattr(hubs, "_layer", lambda: layer)
    moment = datetime(2026, 3, 1, tzinfo=UTC)
    monkeypatch.setattr(clock, "now", lambda: moment)
    announce(CHANGE)
    assert layer.done.wait(PATIENCE_S)
    message = {"type": "match.changed", "slug": "0123456789ab", "version": 7, "committed_at": moment.timestamp()}
    assert layer.sent == [
        (match_group("0123456789ab"), message),
        (LOBBY, {**message, "type": "lobby.changed"}),
        *((group, message) for group in (person_group(3), person_group(5))),
    ]


def test_layer_that_is_away_is_no_error(monkeypatch: pytest.MonkeyPatch, no_server: None) -> None:
    layer = Layer(failing=person_group(3))
    monkeypatch.setattr(announcer, "get_channel_layer", lambda: layer)
    monkeypatch.setattr(hubs, "_layer", lambda: layer)
    announce(CHANGE)
    assert layer.done.wait(PATIENCE_S)
    assert [group for group, _ in layer.sent][:2] == [match_group("0123456789ab"), LOBBY]
    monkeypatch.setattr(hubs, "_layer", lambda: None)
    asyncio.run(events._send(CHANGE))


def test_threads_of_a_process_without_sockets_share_one_loop(monkeypatch: pytest.MonkeyPatch, no_server: None) -> None:
    """The keeper's process, or a WSGI server's: not a loop for each announcement."""
    layer = Layer()
    monkeypatch.setattr(announcer, "get_channel_layer", lambda: layer)
    monkeypatch.setattr(hubs, "_layer", lambda: layer)
    for _ in range(5):
        layer.done.clear()
        layer.sent.clear()
        thread = threading.Thread(target=announce, args=(CHANGE,))
        thread.start()
        thread.join(PATIENCE_S)
        assert layer.done.wait(PATIENCE_S)
    assert len(layer.loops) == 1


def test_in_memory_layer_without_a_server_has_no_listeners(monkeypatch: pytest.MonkeyPatch, no_server: None) -> None:
    monkeypatch.setattr(announcer, "get_channel_layer", InMemoryChannelLayer)

    def never(*args: object) -> None:
        raise AssertionError("nobody listens")

    monkeypatch.setattr(announcer, "_run_on", never)
    announce(CHANGE)


async def test_announcements_of_threads_reach_the_loop_of_the_sockets(monkeypatch: pytest.MonkeyPatch) -> None:
    """An in-memory layer belongs to the loop on which the sockets live."""
    layer = Layer()
    monkeypatch.setattr(announcer, "get_channel_layer", lambda: layer)
    monkeypatch.setattr(hubs, "_layer", lambda: layer)
    announcer.remember_server_loop()
    await asyncio.to_thread(announce, CHANGE)
    async with asyncio.timeout(PATIENCE_S):
        while not layer.done.is_set():
            await asyncio.sleep(0)
    assert layer.loops == {asyncio.get_running_loop()}


def test_loop_that_has_ended_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server goes down while a keeper still announces."""
    loop = asyncio.new_event_loop()
    monkeypatch.setattr(announcer, "_server_loop", loop)
    loop.close()
    announce(CHANGE)
    announcer._run_on(loop, events._send(CHANGE))
