"""Names stand at people alone: whatever shows a match, an old one too, shows what its players are called now."""

from __future__ import annotations

import importlib
import json
from datetime import timedelta
from io import BytesIO
from zipfile import ZipFile

import pytest
from django.apps import apps
from django.utils import timezone, translation

from accounts.people.models import User
from games.contract.replay import check_record
from games.matches.callers import Caller
from games.matches.models import Invitation, Match, Seat
from games.matches.services.play import resign
from games.matches.services.tables import BOT_NAME
from tests.matches.browsing import act, browser, text_of
from tests.matches.chatting import say
from tests.matches.conftest import START, sit_down
from tests.matches.playing import play_some

pytestmark = pytest.mark.django_db


def over(*people: User) -> Match:
    match = sit_down(*people)
    play_some(match, 4)
    resign(slug=match.slug, caller=Caller(people[-1]), moment=START + timedelta(minutes=1))
    match.refresh_from_db()
    return match


def pages_of(match: Match, reader: User) -> dict[str, str]:
    """All that shows who plays a match that is over."""
    client = browser(reader)
    base = f"/matches/{match.slug}/"
    addresses = (base, f"{base}replay/", f"{base}record/", f"{base}sheet.txt", f"{base}final.svg", "/history/")
    found = {address: text_of(client.get(address)) for address in addresses}
    with ZipFile(BytesIO(client.get("/history/archive/").getvalue())) as packed:
        found["archive"] = "".join(packed.read(name).decode() for name in packed.namelist())
    return found


def rename(person: User, name: str) -> None:
    """As whatever changes a name does it: no match is touched."""
    User.objects.filter(pk=person.pk).update(display_name=name)


def delete(person: User) -> None:
    """What is left of somebody who has deleted the account, as far as names go."""
    columns = {"username": f"former-{person.pk}", "display_name": "", "is_active": False}
    User.objects.filter(pk=person.pk).update(deleted_at=timezone.now(), **columns)


def test_nothing_is_stored_of_names_but_those_of_bots(alice: User) -> None:
    match = sit_down(alice, bots=1)
    assert [(seat.name, seat.shown_name) for seat in match.seats.select_related("user")] == [
        ("", "Alice"),
        (BOT_NAME, BOT_NAME),
    ]


def test_old_match_shows_today_s_name_everywhere(alice: User, bob: User) -> None:
    match = over(alice, bob)
    for address, page in pages_of(match, alice).items():
        assert "Bob" in page, address
    rename(bob, "Robertina")
    for address, page in pages_of(match, alice).items():
        assert "Robertina" in page, address
        assert "Bob" not in page, address


def test_whoever_has_deleted_the_account_is_a_former_player_without_a_profile(alice: User, bob: User) -> None:
    match = over(alice, bob)
    delete(bob)
    for address, page in pages_of(match, alice).items():
        assert "former player" in page, address
        assert "Bob" not in page, address
        assert f"former-{bob.pk}" not in page, address
    assert browser(alice).get(f"/people/former-{bob.pk}/").status_code == 404
    record = browser(alice).get(f"/matches/{match.slug}/record/").content
    assert sorted(json.loads(record)["players"]) == ["Alice", "former player"]
    assert check_record(record).plies == 4


def test_former_player_is_called_so_in_the_reader_s_language(bob: User) -> None:
    delete(bob)
    bob.refresh_from_db()
    with translation.override("xx"):
        assert bob.shown_name == "former player"
    assert bob.get_full_name() == bob.get_short_name() == bob.shown_name
    assert not bob.has_profile


def test_running_match_shows_the_new_name_on_the_next_page(alice: User, bob: User) -> None:
    """The snapshot that a process keeps is of the match's revision, which no name raises."""
    match = sit_down(alice, bob)
    play_some(match, 2)
    page = f"/matches/{match.slug}/"
    assert "Bob" in text_of(browser(alice).get(page))
    for name in ("Robertina", "Bobette"):
        rename(bob, name)
        assert name in text_of(browser(alice).get(page))
        assert name in text_of(browser().get("/lobby/"))
        assert name in text_of(browser().get("/"))
    delete(bob)
    text = text_of(browser(alice).get(page))
    assert "former player" in text
    assert "Bobette" not in text


def test_table_shows_the_new_names_of_who_sits_there_and_who_is_invited(alice: User, bob: User, carol: User) -> None:
    match = sit_down(alice, bob, seats=3, start=False)
    assert act(alice, match, "invite", {"name": "carol"}).status_code == 200
    page = f"/matches/{match.slug}/"
    assert "Carol" in text_of(browser(alice).get(page))
    rename(carol, "Carolina the First")
    assert "Carolina the First" in text_of(browser(alice).get(page))
    rename(alice, "Alicia")
    for reader in (alice, bob, carol):
        assert "Alicia" in text_of(browser(reader).get(page))
    assert "Alicia" in text_of(browser(carol).get("/lobby/"))
    assert Invitation.objects.count() == 1


def test_chat_names_a_former_player_and_has_no_blank_lines(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    line = say(match, bob, "good luck")
    delete(bob)
    type(line).objects.filter(pk=line.pk).update(text="")
    page = text_of(browser(alice).get(f"/matches/{match.slug}/"))
    chat = page[page.index('class="chat-line"') :]
    chat = chat[: chat.index("</li>")]
    assert "former player" in chat
    assert "deleted" in chat
    assert "href" not in chat
    assert "Bob" not in chat


def test_nobody_finds_a_former_player_by_the_name_of_the_row(alice: User, bob: User) -> None:
    over(alice, bob)
    delete(bob)
    response = browser(alice).get("/history/", {"opponent": f"former-{bob.pk}"})
    assert response.status_code == 422


def test_migration_forgets_the_names_of_people_and_keeps_those_of_bots(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    with_bot = sit_down(alice, bots=1)
    Seat.objects.filter(user__isnull=False).update(name="As it was")
    match.seats.filter(user=bob).update(user=None, kind=Seat.Kind.STAND_IN)
    migration = importlib.import_module("games.matches.migrations.0012_names_looked_up")
    migration.forget_names(apps, None)
    assert sorted(seat.shown_name for seat in match.seats.all()) == ["Alice", "former player"]
    assert [seat.shown_name for seat in with_bot.seats.all()] == ["Alice", BOT_NAME]
