"""The permission matrix: everybody tries everything, and gets what docs/permissions.md says, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from random import Random

import pytest
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from accounts.desk.rights import PERMISSION
from config import monitoring
from config.monitoring import PATHS
from games.matches import clock
from games.matches.services import sitting, tables, timing
from games.matches.services.acts import ACTS
from tests.matches.conftest import START, Clock
from tests.matrix import administration, desk, matches, people, sockets
from tests.matrix import world as states
from tests.matrix.answers import AT_THE_DOOR, UNSEEN, Writes, answer_to, rolled_back, tried
from tests.matrix.asking import Ask, Key, acts_in, address, fields, headers
from tests.matrix.sockets import Sockets
from tests.matrix.table import ROLES, WORDS, Row, roles_explained, rows, words_explained
from tests.matrix.world import BARRED, SANCTIONS, World
from tests.sizes import SHORT

pytestmark = pytest.mark.django_db

AREAS: dict[str, tuple[dict[str, Ask], Callable[[World], object]]] = {
    "A public match that runs": (matches.RUNNING, lambda world: states.running(world, public=True)),
    "A private match that runs": (matches.RUNNING, lambda world: states.running(world, public=False)),
    "A public match in real time that runs": (matches.RUNNING, lambda world: states.in_real_time(world, public=True)),
    "A public table that waits": (matches.TABLE, lambda world: states.waiting(world, public=True)),
    "A private table that waits": (matches.TABLE, lambda world: states.waiting(world, public=False)),
    "A public match that is over": (matches.OVER, lambda world: states.over(world, public=True)),
    "A private match that is over": (matches.OVER, lambda world: states.over(world, public=False)),
    "The site": (people.SITE, lambda world: states.running(world, public=True)),
    "One’s own pages": (people.OWN, lambda world: states.running(world, public=True)),
    "One’s own data": (people.DATA, lambda world: states.running(world, public=True)),
    "Second factor": (people.FACTORS, lambda world: states.running(world, public=True)),
    "Signing up and in": (people.ACCOUNT, lambda world: states.running(world, public=True)),
    "The desk": (desk.DESK, desk.furnish),
    "The administration": (administration.ADMINISTRATION, administration.furnish),
}
"""By heading of the page: how its lines are tried, and what the world is like then."""

ROWS = rows()


async def _no_faults() -> tuple[list[str], list[str]]:
    """Looking for them takes connections of its own, which see nothing of what is tried here."""
    return [], []


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> World:
    """The cast, on a clock that stands still, with chance that is the same in every run."""
    held = Clock()
    monkeypatch.setattr(clock, "now", held.now)
    for module in (sitting, tables, timing):
        monkeypatch.setattr(module, "CHANCE", Random(1))

    sockets.keep_to_this_thread(monkeypatch)
    monkeypatch.setattr(monitoring, "_look", _no_faults)
    return World(held)


def _lines(area: str, door: str) -> list[tuple[Row, str]]:
    """What the table has there, thing by thing."""
    asked = [(row, text) for row in ROWS if row.area == area for text in row.asked]
    return [(row, text) for row, text in asked if text.startswith("SOCKET ") == (door == "socket")]


@pytest.mark.parametrize(
    ("area", "door"), [(area, door) for area in AREAS for door in ("page", "socket") if _lines(area, door)]
)
def test_everybody_gets_what_the_table_says_and_nothing_else(area: str, door: str, world: World) -> None:
    """In a short run each line is tried by half of all roles, the next line by the other half."""
    asks, prepare = AREAS[area]
    prepare(world)
    mistakes: list[str] = []
    with closing(Sockets(world)) as pages:
        for number, (row, text) in enumerate(_lines(area, door)):
            roles = list(ROLES)[number % 2 :: 2] if SHORT else ROLES
            mistakes += _try_as(roles, world, pages, row, text, asks.get(text, Ask()))
    assert not mistakes, "\n".join(["", *mistakes])


def _try_as(roles: Iterable[str], world: World, pages: Sockets, row: Row, text: str, ask: Ask) -> Iterator[str]:
    """What is not as the table says."""
    key, match = Key.of(text), world.match
    with rolled_back():
        if ask.before is not None:
            ask.before(world)
        for role in roles:
            found, writes = (_try_socket if key.method == "SOCKET" else _try_page)(world, pages, key, ask, role)
            yield from _mistakes(row, text, role, found, writes.changed - UNSEEN - ask.leaves)
    world.clock.moment, world.match = START, match
    world.match.refresh_from_db()


def _try_page(world: World, pages: Sockets, key: Key, ask: Ask, role: str) -> tuple[str, Writes]:
    """The word for what this role gets, and what has been written by it."""
    with rolled_back(forget=False):
        world.impose(role)
        client = world.browser(role if ask.logged_in else "guest")
        with tried() as writes:
            path, form = address(key, ask, world), fields(ask, world, role)
            send = client.get if key.method == "GET" else client.post
            response = send(path, form if key.method == "POST" else None, headers=headers(key, ask), follow=ask.follow)
        found = answer_to(response, changed=_has_counted(writes, ask, role), stores=ask.stores)
        if found == AT_THE_DOOR:
            # The same for every page: looked up once for each role.
            if role not in world.said_at_the_door:
                world.said_at_the_door[role] = answer_to(client.get(reverse("admin:login")), changed=False, stores=True)
            found = world.said_at_the_door[role]
        return found, writes


def _try_socket(world: World, pages: Sockets, key: Key, ask: Ask, role: str) -> tuple[str, Writes]:
    """The same over a socket, which was open before any sanction."""
    with rolled_back(forget=False):
        opening = pages.open_page(role) if key.rest else ""
        world.impose(role)
        if opening.startswith(sockets.CLOSED):
            return sockets.word_for_opening(opening), Writes()
        with tried() as writes:
            if key.rest:
                if ask.told:
                    pages.tell_of_change(role)
                answer = pages.send(key, ask, role)
            else:
                pages.forget(role)
                answer = pages.open_page(role) if key.name == "match" else pages.open_lobby(role)
        for each in (role, *world.same_person(role)) if role in SANCTIONS else ():
            # Whom the house has shown out by it is a guest there from now on.
            pages.forget(each)
        if key.rest:
            return sockets.word_for_answer(key, answer, changed=_has_counted(writes, ask, role)), writes
        return sockets.word_for_opening(answer), writes


def _has_counted(writes: Writes, ask: Ask, role: str) -> bool:
    """Whether something was done."""
    # A session that is good for nothing any more is thrown away by whatever its holder asks for.
    counts = ask.counts if role not in BARRED else frozenset()
    return bool(writes.changed - (UNSEEN - counts))


def _mistakes(row: Row, text: str, role: str, found: str, stored: set[str]) -> Iterator[str]:
    expected = row.cells[role]
    if found != expected:
        yield f"{text}, {role}: {found!r}, though the table says {expected!r}"
    does_something = found == "yes" and not text.startswith("GET ")
    if stored and not does_something:
        yield f"{text}, {role}: {found!r}, and yet something has changed in {sorted(stored)}"


@pytest.mark.parametrize("area", AREAS)
def test_where_the_table_has_no_form_none_does_anything(area: str, world: World) -> None:
    asks, prepare = AREAS[area]
    prepare(world)
    forms = {Key.of(text).name for row in ROWS for text in row.asked if text.startswith("POST ")}
    for text in (text for _, text in _lines(area, "page") if text.startswith("GET ")):
        key, ask = Key.of(text), asks.get(text, Ask())
        if key.name in forms or ask.before is not None:
            continue
        for role in ("player", "superuser"):
            with tried() as writes:
                response = world.browser(role).post(address(key, ask, world), {"confirm": "yes"})
            assert not writes.changed - UNSEEN, (text, role, response.status_code)


# The table is whole


def test_table_has_every_page_and_every_action() -> None:
    asked = {Key.of(text) for row in ROWS for text in row.asked}
    named = {key.name for key in asked}
    missing = [name for name in _addresses() if name not in named]
    assert not missing, f"pages without a line in the table: {missing}"
    done = {key.rest[0] for key in asked if key.method == "POST" and key.name == "admin:desk_act"}
    assert done == set(PERMISSION), "acts of moderation without a line in the table"
    for door, acts in acts_in({text for row in ROWS for text in row.asked}).items():
        assert acts == set(ACTS), f"acts without a line in the table, by {door}: {set(ACTS) - acts}"


def test_table_has_nothing_that_is_unknown() -> None:
    known = set(_addresses()) | {"lobby", "match"}
    for row in ROWS:
        assert row.area in AREAS, row.area
        for text in row.asked:
            assert Key.of(text).name in known, text
    assert {row.area for row in ROWS} == set(AREAS)
    assert words_explained() == set(WORDS)
    assert roles_explained() == set(ROLES)
    for area, (asks, _) in AREAS.items():
        lines = [text for row in ROWS if row.area == area for text in row.asked]
        assert len(lines) == len(set(lines)), f"asked for twice: {area}"
        assert lines, area
        assert asks is not None


def _addresses() -> Iterator[str]:
    """The names of all addresses of the site, and where there is none, the address itself."""
    yield from sorted(PATHS)
    yield from _named(get_resolver().url_patterns, "", "")


def _named(patterns: list[URLPattern | URLResolver], prefix: str, namespace: str) -> Iterator[str]:
    for pattern in patterns:
        route = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            inner = f"{namespace}{pattern.namespace}:" if pattern.namespace else namespace
            yield from _named(pattern.url_patterns, route, inner)
        else:
            yield namespace + pattern.name if pattern.name else f"/{route}"
