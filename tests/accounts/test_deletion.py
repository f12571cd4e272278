"""Deleting the account: nothing by which the person could be found stays anywhere in the database, and matches do."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import timedelta
from importlib import import_module
from io import StringIO
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.models import Session
from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.urls import reverse

from accounts.desk import deletion
from accounts.desk.belongings import BELONGINGS, Fate
from accounts.desk.deletion import LastSuperuser, erase_account
from accounts.people.models import BannedAddress, Block, FormerName, Mute, Sanction, Trace, User
from accounts.people.naming import rename_person
from accounts.people.outbox import outbox
from accounts.people.sanctioning import impose_sanction
from accounts.people.services import save_language, save_time_zone
from accounts.people.tracing import note_trace
from games.contract.replay import check_record
from games.matches import sweeper
from games.matches.errors import NotWaiting
from games.matches.models import ChatLine, Invitation, Match, Rating, Seat
from games.matches.services.recompute import deviation
from games.matches.services.tables import reopen_table
from tests.accounts.lives import ADDRESS, DEVICE, EMAIL, LATER, SAID, USERNAME, Life, lived, logged_in
from tests.conftest import PASSWORD
from tests.matches.browsing import browser, text_of
from tests.matches.conftest import START, sit_down
from tests.matches.playing import play_some

pytestmark = pytest.mark.django_db

PAGE = "/account/delete/"


@pytest.fixture
def life(make_person: Callable[..., User], bob: User, carol: User, mod: User) -> Life:
    return lived(make_person, bob, carol, mod)


def dumped() -> Iterator[tuple[str, str]]:
    """Every row of every table, as the database itself gives it, in small letters; sessions as they are read."""
    store = import_module(settings.SESSION_ENGINE).SessionStore()
    with connection.cursor() as cursor:
        tables = connection.introspection.table_names(cursor)
        assert {"people_user", "matches_seat", "django_session", "django_admin_log"} <= set(tables)
        for table in tables:
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")
            for row in cursor.fetchall():
                texts = [bytes(each).decode(errors="replace") if _is_binary(each) else str(each) for each in row]
                if table == Session._meta.db_table:
                    texts.append(str(store.decode(row[1])))
                yield table, " | ".join(texts).casefold()


def _is_binary(value: object) -> bool:
    return isinstance(value, bytes | bytearray | memoryview)


def found(marks: list[str]) -> dict[str, set[str]]:
    """By mark, the tables in which it stands."""
    tables: dict[str, set[str]] = {mark: set() for mark in marks}
    for table, text in dumped():
        for mark in marks:
            # What stands in JSON has its letters escaped.
            if mark.casefold() in text or json.dumps(mark)[1:-1].casefold() in text:
                tables[mark].add(table)
    return tables


def erased(life: Life) -> User:
    erase_account(user=life.person, moment=LATER)
    return User.objects.get(pk=life.person.pk)


# What goes


def test_nothing_by_which_the_person_could_be_found_stays_in_the_database(life: Life) -> None:
    before = found(life.marks)
    for mark, tables in before.items():
        assert tables, mark
    assert before[EMAIL] >= {"people_user", "account_emailaddress", "django_session", "matches_chatline"}
    erased(life)
    assert {mark: tables for mark, tables in found(life.marks).items() if tables} == {}


def test_rows_that_go_are_gone_and_those_that_stay_say_nothing(life: Life) -> None:
    # At a table that waits the seat is somebody else's to take.
    Seat.objects.filter(match=life.tables[1], user=life.person).update(user=None)
    kept = {each.column: each.rows(life.person.pk).count() for each in BELONGINGS if each.fate is Fate.STAYS}
    former = erased(life)
    for each in BELONGINGS:
        rows = each.rows(former.pk)
        if each.fate in (Fate.GOES, Fate.FORGETS):
            assert not rows.exists(), each.column
        elif each.fate is Fate.BLANK:
            assert rows.exists(), each.column
            for column in each.blanks:
                assert not rows.exclude(**{column: ""}).exists(), each.column
        elif each.column == "desk.ModerationAct.whom":
            assert rows.count() == kept[each.column] + 1, "the redaction itself is logged"
        elif each.column != "desk.ModerationAct.who":
            assert rows.count() == kept[each.column], each.column
    assert not Session.objects.exists()


def test_sessions_of_others_stay(life: Life, bob: User) -> None:
    client, guest = browser(bob), Client()
    theirs = [client.session.session_key]
    erased(life)
    assert list(Session.objects.values_list("pk", flat=True)) == theirs
    assert client.get("/account/settings/").status_code == 200
    assert guest.get("/").status_code == 200


def test_row_of_the_person_is_that_of_nobody(life: Life) -> None:
    former = erased(life)
    assert former.username.startswith("former-")
    assert (former.display_name, former.email, former.last_login) == ("", "", None)
    assert (former.is_active, former.is_staff, former.is_superuser) == (False, False, False)
    assert former.deleted_at == former.date_joined == LATER
    assert not former.has_usable_password()
    assert (former.time_zone, former.language) == ("", "")
    assert not former.get_all_permissions()
    response = Client().post(reverse("account_login"), {"login": former.username, "password": PASSWORD})
    assert response.status_code == 200, "nobody logs in by it"


def test_whoever_signs_up_by_the_same_name_and_address_is_somebody_new(life: Life) -> None:
    former = erased(life)
    form = {"username": USERNAME, "display_name": "Somebody", "email": EMAIL, "password1": PASSWORD}
    assert Client().post(reverse("account_signup"), form).status_code == 302
    assert User.objects.get(username=USERNAME).pk != former.pk
    assert Seat.objects.filter(user__username=USERNAME).count() == 0


def test_log_of_the_administration_keeps_its_entries_without_the_person(life: Life) -> None:
    count = LogEntry.objects.count()
    erased(life)
    assert LogEntry.objects.count() == count
    assert LogEntry.objects.filter(object_repr="Bots of the house").count() == 1, "what is about others is left alone"


# What stays


def test_matches_are_left_and_old_ones_replay_under_former_player(life: Life, bob: User) -> None:
    ratings = list(Rating.objects.order_by("pk").values_list("shown", flat=True))
    erased(life)
    for match in [*life.running, *life.tables]:
        match.refresh_from_db()
    assert [match.status for match in life.running[:4]] == [Match.Status.OVER] * 4
    assert life.running[4].status == Match.Status.RUNNING, "a stand-in plays on"
    assert life.running[4].seats.get(user=life.person).kind == Seat.Kind.STAND_IN
    assert [match.status for match in life.tables] == [Match.Status.CLOSED, Match.Status.TABLE, Match.Status.TABLE]
    assert not Seat.objects.filter(user=life.person, match__status=Match.Status.TABLE).exists()
    client = browser(bob)
    for match in [*life.sound, *life.running[:4]]:
        for page in ("", "replay/", "sheet.txt", "final.svg"):
            assert client.get(f"/matches/{match.slug}/{page}").status_code == 200
        record = client.get(f"/matches/{match.slug}/record/").content
        assert sorted(json.loads(record)["players"]) == ["Bob", "former player"]
        check_record(record)
    assert list(Rating.objects.order_by("pk").values_list("shown", flat=True)) == ratings
    assert deviation(game="m") < 1e-9


def test_chat_of_the_person_is_blank_and_that_of_others_is_not(life: Life, bob: User) -> None:
    erased(life)
    page = text_of(browser(bob).get(f"/matches/{life.over[2].slug}/replay/"))
    assert SAID not in page
    assert "deleted" in page
    assert "And to you" in page
    assert set(ChatLine.objects.filter(user=life.person).values_list("text", "key")) == {("", "")}


def test_others_lists_have_the_person_no_more(life: Life, bob: User, carol: User) -> None:
    erased(life)
    assert not Mute.objects.exists()
    assert not Block.objects.exists()
    assert not Invitation.objects.filter(user=life.person).exists()
    for user in (bob, carol):
        for page in ("/lobby/", "/history/", "/account/settings/", "/ratings/m/", "/best-times/blockyou/"):
            text = text_of(browser(user).get(page))
            assert "Quokkadia" not in text
            assert "former-" not in text


def test_ban_outlives_the_account(life: Life) -> None:
    sanction = impose_sanction(user=life.person, kind="ban", reason="Enough", moment=START)
    addresses = BannedAddress.objects.count()
    former = erased(life)
    assert former.is_barred(LATER)
    assert Sanction.objects.filter(pk=sanction.pk, user=former, lifted_at=None).exists()
    assert BannedAddress.objects.count() == addresses > 0


def test_what_a_request_under_way_writes_meanwhile_goes_too(life: Life, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between the two passes, and after both, until the sweeper comes."""
    late, erase = "late@example.org", deletion._erase
    passes: list[int] = []

    def write() -> None:
        User.objects.filter(pk=life.person.pk).update(display_name="Latecomer", email=late, last_login=LATER)
        FormerName.objects.create(user=life.person, name="Latecomer", until=LATER)
        EmailAddress.objects.create(user=life.person, email=late)

    def erase_and_write(*args: Any, **kwargs: Any) -> None:
        erase(*args, **kwargs)
        if not passes:
            write()
        passes.append(1)

    marks = [*life.marks, late, "Latecomer"]
    with monkeypatch.context() as patched:
        patched.setattr(deletion, "_erase", erase_and_write)
        former = erased(life)
    assert len(passes) == 2
    assert {mark: tables for mark, tables in found(marks).items() if tables} == {}
    write()
    monkeypatch.setattr("games.matches.clock.now", lambda: LATER + timedelta(minutes=10))
    sweeper.Sweeper().work()
    assert {mark: tables for mark, tables in found(marks).items() if tables} == {}
    again = User.objects.get(pk=former.pk)
    assert (again.username, again.last_login, again.deleted_at) == (former.username, None, LATER)


def test_nothing_is_written_for_who_is_gone(alice: User) -> None:
    """By a request that has read the person's row before."""
    erase_account(user=User.objects.get(pk=alice.pk), moment=LATER)
    before = User.objects.filter(pk=alice.pk).values().get()
    with pytest.raises(ValidationError):
        rename_person(user=alice, name="Somebody", moment=LATER)
    save_language(user=alice, language="es")
    save_time_zone(user=alice, name="Asia/Tokyo")
    note_trace(user=alice, address=ADDRESS, device=DEVICE, moment=LATER)
    assert User.objects.filter(pk=alice.pk).values().get() == before
    assert not Trace.objects.filter(user=alice).exists()


def test_address_that_was_removed_before_is_in_no_log(life: Life, mod: User) -> None:
    about = ContentType.objects.get_for_model(EmailAddress)
    entry = {"content_type": about, "object_id": "987654", "object_repr": "old@example.org"}
    LogEntry.objects.create(user=mod, action_flag=CHANGE, **entry)
    erased(life)
    assert not found(["old@example.org"])["old@example.org"]


def test_last_mail_says_so(
    life: Life, mailoutbox: list[EmailMessage], django_capture_on_commit_callbacks: Callable[..., Any]
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        erased(life)
    outbox.wait_until_empty()
    (mail,) = [each for each in mailoutbox if "deleted" in each.subject]
    assert mail.to == [EMAIL]


def test_superuser_who_is_barred_keeps_no_house(alice: User, bob: User) -> None:
    User.objects.filter(pk__in=(alice.pk, bob.pk)).update(is_superuser=True)
    User.objects.filter(pk=bob.pk).update(barred_until=LATER + timedelta(days=1))
    alice.refresh_from_db()
    with pytest.raises(LastSuperuser):
        erase_account(user=alice, moment=LATER)


def test_table_that_is_reopened_has_no_seat_of_who_is_gone(alice: User, bob: User, carol: User) -> None:
    table, hers = sit_down(alice, bob, seats=3, start=False), sit_down(alice, seats=2, start=False)
    Match.objects.filter(pk__in=(table.pk, hers.pk)).update(status=Match.Status.CLOSED)
    erase_account(user=alice, moment=LATER)
    reopen_table(slug=table.slug, moment=LATER)
    table.refresh_from_db()
    assert (table.status, table.host) == (Match.Status.TABLE, bob)
    assert [seat.user for seat in table.seats.all() if seat.user is not None] == [bob]
    with pytest.raises(NotWaiting):
        reopen_table(slug=hers.slug, moment=LATER)


# Broken off, done twice, refused


def test_what_was_broken_off_is_begun_again(life: Life, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a crash after the matches, the person is still who they were; after the account, an operator goes on."""

    end_sessions = deletion._end_sessions

    def crash(*args: Any, **kwargs: Any) -> None:
        raise RuntimeError

    def crash_at_the_end(*args: Any, logged_in: bool) -> None:
        return crash() if logged_in else end_sessions(*args, logged_in=False)

    with monkeypatch.context() as patched:
        patched.setattr(deletion, "_erase", crash)
        with pytest.raises(RuntimeError):
            erased(life)
    assert life.client.get("/account/settings/").status_code == 200
    with monkeypatch.context() as patched:
        patched.setattr(deletion, "_end_sessions", crash_at_the_end)
        with pytest.raises(RuntimeError):
            erased(life)
    former = User.objects.get(pk=life.person.pk)
    assert former.deleted_at is not None
    assert life.client.get("/account/settings/").status_code == 302, "logged out all the same"
    call_command("erase_account", former.username, "--yes", stdout=StringIO())
    assert {mark: tables for mark, tables in found(life.marks).items() if tables} == {}
    assert User.objects.get(pk=former.pk).deleted_at == former.deleted_at


def test_last_superuser_stays(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    User.objects.filter(pk__in=(alice.pk, bob.pk)).update(is_superuser=True)
    alice.refresh_from_db()
    bob.refresh_from_db()
    erase_account(user=alice, moment=LATER)
    with pytest.raises(LastSuperuser):
        erase_account(user=bob, moment=LATER)
    with pytest.raises(CommandError):
        call_command("erase_account", "bob", "--yes")
    bob.refresh_from_db()
    assert bob.deleted_at is None
    match.refresh_from_db()
    assert match.seats.get(user=bob).left_order is None


def test_command_asks_and_knows_whom(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(CommandError, match="Nobody"):
        call_command("erase_account", "nobody")
    for typed in ("", "bob"):
        monkeypatch.setattr("builtins.input", lambda *args, typed=typed: typed)
        with pytest.raises(CommandError, match="Nothing"):
            call_command("erase_account", "ALICE")
    monkeypatch.setattr("builtins.input", lambda *args: "alice")
    call_command("erase_account", "ALICE", stdout=StringIO())
    alice.refresh_from_db()
    assert alice.deleted_at is not None


# The page


def confirmed(client: Client) -> Client:
    """Who has just said once more who they are."""
    assert client.post("/account/reauthenticate/", {"password": PASSWORD}).status_code == 302
    return client


def test_page_asks_who_it_is_and_for_the_login_name(client: Client, alice: User) -> None:
    assert client.get(PAGE)["Location"].startswith("/account/login/")
    client.force_login(alice)
    assert client.get(PAGE)["Location"].startswith("/account/reauthenticate/")
    assert client.post(PAGE, {"login": "alice"})["Location"].startswith("/account/reauthenticate/")
    confirmed(client)
    page = client.get(PAGE)
    assert page.status_code == 200
    for typed in ("", "bob", "x" * 500, "alice\0"):
        assert client.post(PAGE, {"login": typed}).status_code == 422, typed
    alice.refresh_from_db()
    assert alice.deleted_at is None
    assert client.delete(PAGE).status_code == 405


def test_whoever_confirms_is_gone_at_once_everywhere(life: Life) -> None:
    elsewhere = Client()
    logged_in(elsewhere)
    response = confirmed(life.client).post(PAGE, {"login": USERNAME.upper()}, follow=True)
    assert response.redirect_chain == [("/", 302)]
    assert "Your account is deleted" in text_of(response)
    for client in (life.client, elsewhere):
        assert client.get("/account/settings/").status_code == 302
    assert not Session.objects.exists()
    former = User.objects.get(pk=life.person.pk)
    assert former.deleted_at is not None
    assert browser(None).get(f"/people/{former.username}/").status_code == 404


def test_last_superuser_is_told_so(client: Client, alice: User) -> None:
    User.objects.filter(pk=alice.pk).update(is_superuser=True, is_staff=True)
    client.force_login(alice)
    response = confirmed(client).post(PAGE, {"login": "alice"})
    assert response.status_code == 422
    assert "superuser" in text_of(response)


def test_matches_of_others_are_left_alone(alice: User, bob: User, carol: User) -> None:
    """Whoever was never at a match is none of its business."""
    match = sit_down(bob, carol)
    play_some(match, 2)
    before = list(Seat.objects.filter(match=match).values())
    erase_account(user=alice, moment=LATER + timedelta(days=1))
    assert list(Seat.objects.filter(match=match).values()) == before
    match.refresh_from_db()
    assert match.status == Match.Status.RUNNING
