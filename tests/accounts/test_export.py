"""Own data to take away: all of it, row by row as the database counts, and nothing that is others' or hidden."""

from __future__ import annotations

import json
from collections.abc import Callable
from io import BytesIO
from typing import Any
from zipfile import ZipFile

import pytest
from allauth.usersessions.models import UserSession
from django.test import Client
from django.urls import reverse

from accounts.desk import export as exporting
from accounts.desk.belongings import BELONGINGS
from accounts.desk.export import export
from accounts.people.models import User
from games.contract.registry import get_game
from games.contract.replay import check_record
from games.matches.ledger import RatingChange
from games.matches.models import Match, Move, Seat, TurnNotice
from tests.accounts.lives import ADDRESS, EMAIL, FORMER_NAME, LATER, NAME, SAID, USERNAME, Life, lived
from tests.matches.conftest import sit_down

pytestmark = pytest.mark.django_db

PAGE = "/account/data/"


@pytest.fixture
def life(make_person: Callable[..., User], bob: User, carol: User, mod: User) -> Life:
    return lived(make_person, bob, carol, mod)


def unpacked(data: bytes) -> dict[str, Any]:
    """The files by name, read."""
    with ZipFile(BytesIO(data)) as packed:
        assert packed.testzip() is None
        return {name: json.loads(packed.read(name)) for name in packed.namelist() if name.endswith(".json")}


def exported(user: User) -> dict[str, Any]:
    return unpacked(b"".join(export(user, moment=LATER)))


@pytest.mark.parametrize("at_once", [500, 1])
def test_each_file_has_as_many_rows_as_the_database(life: Life, monkeypatch: pytest.MonkeyPatch, at_once: int) -> None:
    monkeypatch.setattr(exporting, "ROWS_AT_ONCE", at_once)
    person, files = life.person, exported(life.person)
    for each in BELONGINGS:
        if each.file:
            count = each.rows(person.pk).count()
            assert len(files[f"{each.file}.json"]) == count > 0, each.column
    played = sum(
        Move.objects.filter(match=s.match, seat=s.index, kind=Seat.Kind.PERSON).count() for s in _seats(person)
    )
    assert len(files["moves.json"]) == played > 0
    assert len(files["rating-changes.json"]) == RatingChange.objects.filter(rating__user=person).count() > 0
    assert len(files["turns-told.json"]) == TurnNotice.objects.filter(seat__user=person).count() > 0
    records = [name for name in files if name.startswith("records/")]
    assert len(records) == Seat.objects.filter(user=person, match__status=Match.Status.OVER).count() == len(life.over)


def _seats(person: User) -> list[Seat]:
    return list(Seat.objects.filter(user=person).select_related("match"))


def test_what_is_in_it(life: Life) -> None:
    files = exported(life.person)
    profile = files["profile.json"]
    assert (profile["username"], profile["display_name"], profile["email"]) == (USERNAME, NAME, EMAIL)
    assert files["settings.json"]["time_zone"] == "Australia/Perth"
    assert [row["name"] for row in files["former-names.json"]] == [FORMER_NAME]
    assert {row["text"] for row in files["chat.json"]} == {SAID}
    assert files["mutes.json"][0]["whom"] == {"name": "Bob", "login": "bob"}
    assert files["invitations-received.json"][0]["inviter"] == {"name": "Carol", "login": "carol"}
    records = {name: record for name, record in files.items() if name.startswith("records/")}
    assert all(NAME in record["players"] for record in records.values())
    for match in life.sound:
        (record,) = (records[name] for name in records if match.slug in name)
        check_record(json.dumps(record).encode())


def test_nothing_secret_or_of_others_is_in_it(life: Life, carol: User) -> None:
    """Nor who has blocked or muted the person: carol has."""
    text = json.dumps({name: rows for name, rows in exported(life.person).items() if not name.startswith("records/")})
    for secret in (life.person.password, life.session_key, "a" * 64, "b" * 64, "And to you"):
        assert secret not in text
    assert ADDRESS not in text or "sessions" in text
    files = exported(life.person)
    for name in ("mutes.json", "blocks.json"):
        assert "Carol" not in json.dumps(files[name])


def test_running_matches_tell_nothing_that_their_pages_would_not(life: Life) -> None:
    files = exported(life.person)
    text = json.dumps(files)
    for match in life.running:
        match.refresh_from_db()
        assert match.deal_nonce not in text
        assert not [name for name in files if match.slug in name], "no record"
        seat = match.seats.get(user=life.person)
        rows = [row for row in files["moves.json"] if row["match"] == match.slug]
        assert all(row["seat"] == seat.index for row in rows)


def test_claims_that_wait_are_not_counted_by_the_number_of_one_s_own(alice: User, bob: User) -> None:
    """In real time the ply of a move tells how many claims others have made meanwhile."""
    match = sit_down(alice, bob, game=get_game("blockyou"))
    index = match.seats.get(user=alice).index
    claim = {"match": match, "ply": 2, "seat": index, "text": "x", "public_text": "x", "at": 1}
    Move.objects.create(**claim)
    (row,) = exported(alice)["moves.json"]
    assert "ply" not in row
    Match.objects.filter(pk=match.pk).update(status=Match.Status.CLOSED)
    (row,) = exported(alice)["moves.json"]
    assert row["ply"] == 2


def test_moves_of_a_stand_in_are_not_the_person_s(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    seat = match.seats.get(user=alice)
    stand_in = {"kind": Seat.Kind.STAND_IN, "text": "x", "public_text": "x", "at": 1}
    Move.objects.create(match=match, ply=1, seat=seat.index, **stand_in)
    assert "moves.json" not in exported(alice)


def test_files_with_nothing_in_them_are_left_out(alice: User) -> None:
    files = exported(alice)
    assert "chat.json" not in files
    assert files["profile.json"]["username"] == "alice"


def test_readme_says_of_each_file_what_it_holds(life: Life) -> None:
    with ZipFile(BytesIO(b"".join(export(life.person, moment=LATER)))) as packed:
        lines = packed.read("README.txt").decode().splitlines()
        for name in packed.namelist():
            start = "records/: " if name.startswith("records/") else f"{name}: "
            assert name == "README.txt" or any(line.startswith(start) for line in lines), name


def test_log_ins_that_have_ended_are_no_sessions(life: Life) -> None:
    UserSession.objects.create(user=life.person, session_key="ended", ip="192.0.2.99", user_agent="Old")
    assert "192.0.2.99" not in json.dumps(exported(life.person).get("sessions.json", []))


# The page


def test_page_is_for_who_is_logged_in_and_downloads_by_its_button_alone(client: Client, alice: User, bob: User) -> None:
    assert client.get(PAGE).status_code == client.post(PAGE).status_code == 302
    client.force_login(alice)
    page = client.get(PAGE)
    assert page.status_code == 200
    assert page["Content-Type"].startswith("text/html")
    response = client.post(PAGE)
    assert response["Content-Type"] == "application/zip"
    assert "no-store" in response["Cache-Control"]
    assert unpacked(response.getvalue())["profile.json"]["username"] == "alice"
    assert client.delete(PAGE).status_code == 405


def test_three_times_a_day(client: Client, alice: User) -> None:
    client.force_login(alice)
    for _ in range(3):
        assert client.post(PAGE).status_code == 200
    response = client.post(PAGE)
    assert response.status_code == 429
    assert b"tomorrow" in response.content
    assert client.get(PAGE).status_code == 200


def test_pages_lead_to_it(client: Client, alice: User) -> None:
    for page in ("/account/signup/", "/", "/help/"):
        assert reverse("privacy") in client.get(page).content.decode()
    client.force_login(alice)
    settings = client.get("/account/settings/").content.decode()
    for name in ("data-export", "account-delete", "privacy"):
        assert f'href="{reverse(name)}"' in settings
    assert client.get(reverse("privacy")).status_code == 200
    assert "30 days" in client.get(reverse("privacy")).content.decode()
