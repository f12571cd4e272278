"""The disk is full when a move is to be committed: who moved is told, nothing is half done, and later it goes on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest
from django.db import OperationalError, connection

from accounts.people.models import User
from games.matches.models import Match
from tests.matches.browsing import browser
from tests.matches.conftest import move_form, player_to_move, sit_down
from tests.matches.wire import do, notice_of, version_of, watching
from tests.soundness import assert_sound

pytestmark = pytest.mark.django_db(transaction=True)

NO_SPACE = """
CREATE FUNCTION no_space() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$;
CREATE CONSTRAINT TRIGGER no_space AFTER INSERT ON matches_move DEFERRABLE INITIALLY DEFERRED
FOR EACH ROW EXECUTE FUNCTION no_space();
"""
"""Every commit with a move in it fails as PostgreSQL does where there is no space."""

FIT_AT_MOST = 50

SPACE = "DROP TRIGGER no_space ON matches_move; DROP FUNCTION no_space()"


@contextmanager
def no_space() -> Iterator[None]:
    """Nothing more can be stored. Of SQLite's file every page is taken, and it may get no further ones."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(NO_SPACE)
        else:
            _fill(cursor)
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            if connection.vendor == "postgresql":
                cursor.execute(SPACE)
            else:
                cursor.execute("PRAGMA max_page_count = 1073741823")
                cursor.execute("DROP TABLE ballast")


def _fill(cursor: Any) -> None:
    cursor.execute("CREATE TABLE ballast (stuff BLOB)")
    cursor.execute("PRAGMA page_count")
    pages = cursor.fetchone()[0]
    cursor.execute(f"PRAGMA max_page_count = {pages + 1}")
    for length in (3000, 300, 30):
        with suppress(OperationalError):
            while True:
                cursor.execute("INSERT INTO ballast VALUES (zeroblob(%s))", [length])


def stored(match: Match) -> tuple[Any, ...]:
    match.refresh_from_db()
    return match.version, match.ply, match.position, list(match.moves.values_list("key", "text"))


def test_by_form(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    address = f"/matches/{match.slug}/act/move/"
    clients = {user: browser(user) for user in (alice, bob)}
    for client in clients.values():
        client.raise_request_exception = False
    with no_space():
        for number in range(FIT_AT_MOST):  # where tables have some room left, some moves find a place
            before = stored(match)
            client, form = clients[player_to_move(match)], move_form(match) | {"key": f"move-{number}"}
            answer = client.post(address, form, headers={"HX-Request": "true"})
            if answer.status_code != 200:
                break
        assert answer.status_code == 503
        assert notice_of(answer.content.decode()) == "503"
        assert stored(match) == before
        assert client.get(f"/matches/{match.slug}/").status_code == 200, "what is there can be looked at"
    assert client.post(address, form, headers={"HX-Request": "true"}).status_code == 200
    assert stored(match)[1] == before[1] + 1
    assert_sound(match)


@pytest.mark.postgres  # SQLite's limit is one of a connection, and sockets have their own
async def test_over_a_socket(alice: User, bob: User) -> None:
    match = await do(sit_down, alice, bob)
    user, form = await do(player_to_move, match), await do(move_form, match) | {"key": "the-move"}
    before = await do(stored, match)
    async with watching(match, user) as socket, watching(match, None) as other:
        space = no_space()
        await do(space.__enter__)
        try:
            frame = await socket.act("move", **form)
        finally:
            await do(space.__exit__, None, None, None)
        assert notice_of(frame) == "away"
        assert version_of(frame) == before[0]
        assert await do(stored, match) == before
        assert await other.hears_nothing()
        frame = await socket.act("move", **form)
        assert notice_of(frame) is None
        assert version_of(frame) == version_of(await other.hear()) == before[0] + 1
    await do(assert_sound, match)
