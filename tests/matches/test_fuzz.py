"""Whatever is sent to the site, by whomever: no fault of ours, and nothing changes for which they have no right."""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from asgiref.testing import ApplicationCommunicator
from django.apps import apps
from django.core.cache import cache
from django.db.models import Model

from accounts.people.models import User
from config.asgi import application
from games.contract.registry import all_games
from games.matches.callers import Caller
from games.matches.services.chat import send_line
from tests import sizes
from tests.matches.browsing import act, browser
from tests.matches.conftest import START, Clock, move_form, player_to_move, sit_down
from tests.matches.fuzzing import Fuzz, Request
from tests.matches.wire import connected, match_path, session_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.soak]

Communicator: Any = ApplicationCommunicator

SLICE_SEED = 6

PATIENCE_S = 30
AT_ONE_SOCKET = 40
"""Messages; more would be a flood, and no longer looked at."""

NOT_LOOKED_AT = {"sessions.session", "admin.logentry", "contenttypes.contenttype", "auth.permission"}


@pytest.fixture(autouse=True)
def _clock(time: Clock) -> None:
    """Nothing becomes due by itself: what changes, somebody has changed."""


@pytest.fixture
def seed() -> int:
    """The same in every slice; another one in each full run, unless TESELA_FUZZ_SEED says which."""
    drawn = int(os.environ.get("TESELA_FUZZ_SEED") or (secrets.randbelow(10**9) if sizes.SOAKING else SLICE_SEED))
    print(f"fuzz seed: {drawn}")  # noqa: T201
    return drawn


class Faults(logging.Handler):
    """What the log has of our faults; each is told with the request that met it."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.found: list[str] = []
        self.under_way = ""

    def emit(self, record: logging.LogRecord) -> None:
        why = repr(record.exc_info[1]) if record.exc_info else ""
        self.found.append(f"{record.getMessage()} {why}\n    {self.under_way}")


@contextmanager
def faults() -> Iterator[Faults]:
    handler = Faults()
    logging.getLogger().addHandler(handler)
    try:
        yield handler
    finally:
        logging.getLogger().removeHandler(handler)


Row = dict[str, Any]


def everything() -> dict[tuple[str, Any], Row]:
    """Every row of the database, but for what counts visits."""
    return {
        (model._meta.label_lower, row[model._meta.pk.attname]): row
        for model in apps.get_models()
        if model._meta.label_lower not in NOT_LOOKED_AT
        for row in model._default_manager.values()
    }


class Town:
    """Alice's and Bob's matches, to which Mallory has no right, and what is known of them all."""

    def __init__(self, alice: User, bob: User, mallory: User, mod: User) -> None:
        self.alice, self.bob, self.mallory, self.mod = alice, bob, mallory, mod
        mod.is_superuser = True
        mod.save()
        self.private, self.public = sit_down(alice, bob, public=False), sit_down(alice, bob)
        self.table = sit_down(bob, seats=3, public=False, start=False)
        self.matches = (self.private, self.public, self.table)
        send_line(slug=self.private.slug, caller=Caller(bob), room="players", text="Good luck!", key="", moment=START)
        form = move_form(self.private)
        slugs = (self.private.slug, self.public.slug, self.table.slug)
        self.known: dict[str, tuple[str, ...]] = {
            "slug": slugs,
            "game": tuple(game.slug for game in all_games()),
            "token": (self.private.invite[:-1] + "x", "x"),
            "username": ("alice", "bob", "mallory"),
            "name": ("alice", "bob", "mallory"),
            "person": ("alice", "bob", "nobody"),
            "login": ("alice", "alice@example.org", "new"),
            "email": ("alice@example.org", "new@example.org"),
            "invite": ("alice", "bob"),
            "object_id": (*(str(match.pk) for match in self.matches), *(str(user.pk) for user in (alice, mallory))),
            "id": (str(alice.pk), str(mallory.pk)),
            "app_label": ("people", "matches"),
            "move": (form["move"], "pass", "take 0,1"),
            "turn_key": (form["turn_key"],),
            "ply": ("0", "1", "99"),
            "seat": ("0", "1", "2"),
            "ready": ("0", "1"),
            "agreed": ("0", "1"),
            "wanted": ("0", "1"),
            "away": ("0", "1"),
            "answer": ("ask", "yes", "no"),
            "room": ("players", "spectators"),
            "text": ("Hello",),
            "language": ("en", "es"),
            "next": ("/lobby/",),
            "stage": ("match", "table"),
            "action": ("delete_selected",),
            "_selected_action": (str(alice.pk), str(self.private.pk)),
            "post": ("yes",),
            "content_type_id": ("1", "7"),
        }

    def forbidden(self, before: dict[tuple[str, Any], Row], after: dict[tuple[str, Any], Row]) -> list[str]:
        """What has changed of what is nobody's but Alice's, Bob's and the moderator's."""
        found = [
            f"{key}: {row} became {after.get(key)}"
            for key, row in before.items()
            if after.get(key) != row and not self._is_mallorys(key, row)
        ]
        return found + [
            f"{key}: {row} is new" for key, row in after.items() if key not in before and self._is_theirs(key, row)
        ]

    def _is_mallorys(self, key: tuple[str, Any], row: Row) -> bool:
        return key == ("people.user", self.mallory.pk) or self.mallory.pk in _people(key, row)

    def _is_theirs(self, key: tuple[str, Any], row: Row) -> bool:
        """A new row of one of their matches, or of theirs; what Mallory wants of them is Mallory's."""
        if row.get("match_id") in {match.pk for match in self.matches}:
            spectates = row["match_id"] == self.public.pk and self.mallory.pk in _people(key, row)
            return not spectates or row.get("room") == "players"
        if self.mallory.pk in _people(key, row) or row.get("match_id") is not None:
            return False
        return bool(_people(key, row) & {self.alice.pk, self.bob.pk, self.mod.pk})


def _people(key: tuple[str, Any], row: Row) -> set[Any]:
    model: type[Model] = apps.get_model(key[0])
    return {
        row[field.attname] for field in model._meta.concrete_fields if field.is_relation and field.related_model is User
    }


async def answer(request: Request) -> int:
    """The status; raises what the application raises."""
    communicator = Communicator(application, request.scope())
    await communicator.send_input({"type": "http.request", "body": request.body})
    start = await communicator.receive_output(PATIENCE_S)
    while (await communicator.receive_output(PATIENCE_S)).get("more_body"):
        pass
    await communicator.wait(PATIENCE_S)
    return int(start["status"])


async def ask(fuzz: Fuzz, cookies: list[str], count: int, told: Faults) -> dict[int, int]:
    """So many requests by these people in turn; how often each status came."""
    statuses: dict[int, int] = {}
    for number in range(count):
        if number % 25 == 0:
            cache.clear()  # or limits would answer most of it
        request = fuzz.request(cookies[number % len(cookies)])
        told.under_way = str(request)
        try:
            status = await answer(request)
        except Exception as error:
            told.found.append(f"{error!r}\n    {request}")
            continue
        if status >= 500:
            told.found.append(f"{status}\n    {request}")
        statuses[status] = statuses.get(status, 0) + 1
    return statuses


async def talk(fuzz: Fuzz, paths: list[str], cookies: list[str], count: int, told: Faults) -> None:
    """So many messages over sockets at these addresses, by these people in turn; each socket outlives them."""
    for begin in range(0, count, AT_ONE_SOCKET):
        turn = begin // AT_ONE_SOCKET
        path = paths[turn % len(paths)]
        async with connected(path, cookies[turn // len(paths) % len(cookies)]) as socket:
            for _ in range(min(AT_ONE_SOCKET, count - begin)):
                message = fuzz.message()
                told.under_way = f"{path} {str(message)[:300]}"
                await socket.send_input({"type": "websocket.receive", **message})
            await socket.send_to(text_data='{"act": "nothing", "key": "the-end"}')
            await _until_closed_or(socket, "answers the-end") if "/matches/" in path else None


async def _until_closed_or(socket: Any, mark: str) -> None:
    while True:
        output = await socket.receive_output(PATIENCE_S)
        if output["type"] == "websocket.close" or mark in output.get("text", ""):
            return


def test_nobody_breaks_it_and_who_has_no_right_changes_nothing(
    alice: User, bob: User, mallory: User, mod: User, seed: int
) -> None:
    """First guests and an outsider, of whom nothing may be left that is not theirs; then players and staff."""
    count = sizes.size("fuzzed requests and messages", ci=500, soak=10_000)
    town = Town(alice, bob, mallory, mod)
    fuzz = Fuzz(seed, town.known)
    cookies = {user: session_of(user) for user in (None, alice, bob, mallory, mod)}
    lobby, paths = "/ws/lobby/?lang=xx", [match_path(match) for match in town.matches]
    with faults() as told:
        before = everything()

        async def outside() -> None:
            strangers = [cookies[None], cookies[mallory]]
            statuses = await ask(fuzz, strangers, count * 45 // 100, told)
            print(f"answers to strangers, by status: {dict(sorted(statuses.items()))}")  # noqa: T201
            assert {200, 302, 403, 404, 405} <= set(statuses)
            await talk(fuzz, [*paths, lobby], strangers, count * 15 // 100, told)

        asyncio.run(outside())
        after = everything()
        assert town.forbidden(before, after) == []

        async def inside() -> None:
            await ask(fuzz, [cookies[mod], cookies[alice]], count * 25 // 100, told)
            await talk(fuzz, [*paths, lobby], [cookies[alice]], count * 15 // 100, told)

        asyncio.run(inside())
    assert told.found == [], "\n".join(told.found)


def test_what_a_stranger_must_not_change_is_noticed(alice: User, bob: User, mallory: User, mod: User) -> None:
    """The test above has teeth: for a move, a word and a name of others, and none for what strangers may do."""
    town = Town(alice, bob, mallory, mod)
    before = everything()
    act(mallory, town.public, "chat-that-is-not-there", {})
    browser(mallory).post(f"/matches/{town.public.slug}/chat/", {"room": "spectators", "text": "Hello"})
    browser(mallory).post("/play-now/m/")
    browser(mallory).get(f"/matches/{town.public.slug}/live/")
    mallory.display_name = "Somebody"
    mallory.save()
    assert everything() != before
    assert town.forbidden(before, everything()) == []
    for change in (
        lambda: act(player_to_move(town.private), town.private, "move", move_form(town.private)),
        lambda: act(alice, town.public, "resign", {}),
        lambda: browser(alice).post(f"/matches/{town.public.slug}/chat/", {"room": "players", "text": "Hello"}),
        lambda: User.objects.filter(pk=bob.pk).update(display_name="Rob"),
        lambda: browser(bob).post("/play-now/m/"),
    ):
        before = everything()
        change()
        assert town.forbidden(before, everything()) != []
