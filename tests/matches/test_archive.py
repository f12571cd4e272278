"""The archive of one's own matches: all of them, nobody else's, sent in pieces, for few queries and little memory."""

from __future__ import annotations

import asyncio
import gc
import io
import json
import tracemalloc
import zipfile
from typing import Any

import pytest
from asgiref.testing import ApplicationCommunicator
from django.db import connection
from django.test import override_settings
from django.test.utils import CaptureQueriesContext

from accounts.people.models import User
from config.asgi import application
from games.contract.registry import get_game
from games.contract.replay import check_record
from games.matches import archives
from games.matches.archives import archive
from games.matches.callers import Caller
from games.matches.models import Match, Move, Seat, new_slug
from games.matches.services.play import cancel_match, resign
from games.matches.services.results import void_match
from tests.matches.browsing import browser, text_of
from tests.matches.conftest import START, sit_down
from tests.matches.playing import play_some, play_to_the_end

pytestmark = pytest.mark.django_db

PAGE = "/history/archive/"

Communicator: Any = ApplicationCommunicator


def unpacked(data: bytes) -> dict[str, Any]:
    """The documents of the archive by the names of their files; each is whole."""
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        assert packed.testzip() is None
        return {name: json.loads(packed.read(name)) for name in packed.namelist()}


def voided(*people: User, **table: Any) -> Match:
    match = sit_down(*people, **table)
    void_match(slug=match.slug, moment=START)
    match.refresh_from_db()
    return match


def copies(match: Match, number: int) -> None:
    """So many more rows of a finished match, with the same people, but without moves."""
    seats = list(match.seats.all())
    rows = [Match(**_columns(match, slug=new_slug())) for _ in range(number)]
    for row in Match.objects.bulk_create(rows):
        Seat.objects.bulk_create(Seat(**_columns(seat, match=row)) for seat in seats)


def _columns(row: Any, **changed: Any) -> dict[str, Any]:
    columns = {field.name: getattr(row, field.name) for field in row._meta.concrete_fields if not field.primary_key}
    return {**columns, **changed}


# What is in it


def test_an_archive_has_the_records_of_all_matches_that_one_has_finished(alice: User, bob: User, carol: User) -> None:
    played, left = sit_down(alice, bob), sit_down(bob, alice, carol, game=get_game("block_buster"), public=False)
    play_to_the_end(played)
    resign(slug=left.slug, caller=Caller(alice), moment=START)
    play_to_the_end(left)
    over = [played, left, voided(alice, carol)]
    # These are not finished, or not Alice's.
    cancelled = sit_down(alice, bob)
    cancel_match(slug=cancelled.slug, caller=Caller(alice), moment=START)
    play_some(sit_down(alice, bob), 2)
    sit_down(alice, bob, start=False)
    voided(bob, carol)
    answer = browser(alice).get(PAGE)
    assert answer.headers["Content-Type"] == "application/zip"
    found = unpacked(answer.getvalue())
    assert sorted(found) == sorted(f"2026-03-01-{match.game_slug}-{match.slug}.json" for match in over)
    for match in over:
        document = found[f"2026-03-01-{match.game_slug}-{match.slug}.json"]
        check_record(json.dumps(document).encode())
        assert document == json.loads(browser(alice).get(f"/matches/{match.slug}/record/").content)


def test_moves_that_were_taken_back_are_left_out(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    play_some(match, 2)
    undone = Move.objects.get(match=match, ply=2)
    Move.objects.create(**_columns(undone, key="", undone=True, ply=3))
    void_match(slug=match.slug, moment=START)
    (document,) = unpacked(browser(alice).get(PAGE).getvalue()).values()
    assert len(document["moves"]) == 2


def test_names_of_all_kinds_come_through(alice: User, bob: User) -> None:
    voided(alice, bob)
    name = "</script>\u202e 名 \x07"
    User.objects.filter(pk=alice.pk).update(display_name=name)
    (document,) = unpacked(browser(bob).get(PAGE).getvalue()).values()
    assert document["players"] == [name, "Bob"]


# Who gets it


def test_an_archive_is_its_persons_alone(alice: User, bob: User, mallory: User) -> None:
    voided(alice, bob)
    assert unpacked(browser(mallory).get(PAGE).getvalue()) == {}
    guest = browser().get(PAGE)
    assert guest.status_code == 302
    assert guest.headers["Location"].startswith("/account/login/")
    assert browser(alice).post(PAGE).status_code == 405
    assert "no-store" in browser(alice).get(PAGE).headers["Cache-Control"]


def test_the_history_leads_to_it_once_there_is_something(alice: User, bob: User) -> None:
    assert PAGE not in text_of(browser(alice).get("/history/"))
    voided(alice, bob)
    assert f'href="{PAGE}"' in text_of(browser(alice).get("/history/"))
    assert PAGE not in text_of(browser(alice).get("/people/bob/"))


def test_who_asks_too_often_waits(alice: User) -> None:
    with override_settings(ACCOUNT_RATE_LIMITS={"archive": "2/h/user"}):
        assert [browser(alice).get(PAGE).status_code for _ in range(3)] == [200, 200, 429]


# What it costs


def test_few_queries_for_many_matches(alice: User, bob: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "AT_ONCE", 10)
    copies(voided(alice, bob), 24)
    with CaptureQueriesContext(
        connection,
    ) as queries:
        data = b"".join(archive(alice))
    assert len(unpacked(data)) == 25
    assert len(queries) <= 1 + 3 * 5


def test_matches_that_were_sent_are_kept_no_longer(alice: User, bob: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "AT_ONCE", 10)
    match = voided(alice, bob)
    largest = []
    gc.freeze()  # what was there before need not be looked through each time
    for number in (30, 150):
        copies(match, number - Match.objects.count())
        tracemalloc.start()
        fill_the_drivers_caches()
        held = []
        for _piece in archive(alice):
            gc.collect()  # matches and their seats refer to each other
            held.append(tracemalloc.get_traced_memory()[0])
        tracemalloc.stop()
        largest.append(max(held))
    gc.unfreeze()
    assert largest[1] - largest[0] < 120 * 1000, "of each match only its line in the list at the archive's end is kept"


def fill_the_drivers_caches() -> None:
    """psycopg keeps the texts of the last statements: one that comes from now on takes the place of another."""
    with connection.cursor() as cursor:
        for number in range(150):
            cursor.execute(f"SELECT '{number:1500}'")


# Under ASGI


async def streamed(user: User) -> list[bytes]:
    """The pieces in which the server sends the archive."""
    client = await asyncio.to_thread(browser, user)
    cookies = client.cookies.output(header="", sep=";").strip()
    headers = [(b"host", b"localhost"), (b"cookie", cookies.encode())]
    asked = Communicator(
        application, {"type": "http", "method": "GET", "path": PAGE, "query_string": b"", "headers": headers}
    )
    await asked.send_input({"type": "http.request"})
    start = await asked.receive_output(10)
    assert start["status"] == 200
    pieces = []
    while True:
        part = await asked.receive_output(10)
        pieces.append(part.get("body", b""))
        if not part.get("more_body"):
            break
    await asked.wait(10)
    return [piece for piece in pieces if piece]


@pytest.mark.django_db(transaction=True)
def test_pieces_are_sent_as_they_are_made(alice: User, bob: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "AT_ONCE", 5)
    copies(voided(alice, bob), 19)
    pieces = asyncio.run(streamed(alice))
    assert len(pieces) == 5, "four of five matches each, and the list of all at the end"
    assert len(unpacked(b"".join(pieces))) == 20
