"""The log of moderation: appended to, and changed by nobody, on no page and by no query."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib import admin
from django.db import IntegrityError, connection, transaction
from django.db.models import ProtectedError
from django.test import Client
from django.urls import reverse

from accounts.desk.acts import ModerationAct, What
from accounts.desk.models import Report
from accounts.desk.services.chat import hide_line
from accounts.desk.services.matches import end_match
from accounts.desk.services.people import sanction_person, warn_person
from accounts.desk.services.undoing import undo_act
from accounts.people.models import User
from games.matches.models import Match
from tests.matches.browsing import browser, text_of
from tests.matches.conftest import START

pytestmark = pytest.mark.django_db


@pytest.fixture
def act(moderator: User, bob: User, quarrel: Match) -> ModerationAct:
    return warn_person(who=moderator, whom=bob, why="Be polite.", moment=START)


def log() -> list[dict[str, Any]]:
    return [dict(row) for row in ModerationAct.objects.order_by("pk").values()]


WAYS: list[Callable[[ModerationAct], object]] = [
    lambda act: ModerationAct.objects.update(why="nothing"),
    lambda act: ModerationAct.objects.filter(pk=act.pk).update(at=START.replace(year=2001)),
    lambda act: act.save(),
    lambda act: ModerationAct.objects.bulk_update([act], ["why"]),
    lambda act: act.delete(),
    lambda act: ModerationAct.objects.all().delete(),
    lambda act: ModerationAct.objects.all()._raw_delete("default"),
    lambda act: connection.cursor().execute("UPDATE desk_moderationact SET who_id = NULL"),
    lambda act: connection.cursor().execute("DELETE FROM desk_moderationact"),
]


@pytest.mark.parametrize("way", range(len(WAYS)))
def test_database_refuses_to_change_or_delete_an_act(act: ModerationAct, way: int) -> None:
    before = log()
    with pytest.raises(IntegrityError, match="only appended to"), transaction.atomic():
        WAYS[way](act)
    assert log() == before


@pytest.mark.parametrize("column", ["id", "undoes_id"])
def test_no_row_takes_the_place_of_another(act: ModerationAct, moderator: User, column: str) -> None:
    """SQLite's REPLACE takes a row away without asking for its deletion; elsewhere the number is taken."""
    undoing = undo_act(who=moderator, act=act, why="x", moment=START)
    before = log()
    columns = [str(field.column) for field in ModerationAct._meta.concrete_fields]
    copied = [name for name in columns if name not in ("id", "undoes_id")]
    verb = "REPLACE" if connection.vendor == "sqlite" else "INSERT"
    taken = "id, undoes_id" if column == "id" else "999, undoes_id"
    query = f"{verb} INTO desk_moderationact (id, undoes_id, {', '.join(copied)}) SELECT {taken}, {', '.join(copied)}"
    with pytest.raises(IntegrityError), transaction.atomic():
        connection.cursor().execute(f"{query} FROM desk_moderationact WHERE id = %s", [undoing.pk])
    assert log() == before


def test_nothing_that_an_act_points_to_can_be_deleted(act: ModerationAct, moderator: User, bob: User) -> None:
    for person in (moderator, bob):
        with pytest.raises(ProtectedError):
            person.delete()
    with pytest.raises(ProtectedError):
        User.objects.all().delete()
    assert log()


def test_no_page_of_the_administration_changes_the_log(
    act: ModerationAct, moderator: User, root: User, quarrel: Match, alice: User, bob: User
) -> None:
    """Every address of every registered model, with every form that Django knows, for both."""
    report = Report.objects.create(by=alice, about=bob, place="profile", reason="abuse", created_at=START)
    before = log()
    objects = {"moderationact": act.pk, "report": report.pk, "match": quarrel.pk, "user": alice.pk}
    refused = 0
    for who in (moderator, root):
        client = browser(who)
        for model in admin.site._registry:
            name = f"{model._meta.app_label}_{model._meta.model_name}"
            pk = str(objects.get(str(model._meta.model_name), 1))
            listed = reverse(f"admin:{name}_changelist")
            one = [reverse(f"admin:{name}_{page}", args=[pk]) for page in ("change", "delete", "history")]
            for path in (reverse(f"admin:{name}_add"), *one):
                if "user" in path or "/auth/" in path or "/account/" in path:
                    continue  # these may well be changed; what they take with them is tested above
                status = post(client, path, {"post": "yes", "why": "x", "what": "ban", "_save": "Save"})
                assert status in (302, 403, 404, 405) or path.endswith("/history/"), path
                refused += status in (403, 405)
            for action in ("delete_selected", "void", "nonsense"):
                post(client, listed, {"action": action, "_selected_action": pk, "post": "yes"})
            edited = {"form-TOTAL_FORMS": "1", "form-INITIAL_FORMS": "1", "form-0-id": pk, "form-0-why": "x"}
            post(client, listed, {**edited, "_save": "Save"})
    assert refused > 20
    assert log() == before


def post(client: Client, path: str, form: dict[str, str]) -> int:
    return int(client.post(path, form).status_code)


def test_log_is_read_by_moderators_and_nobody_else(
    act: ModerationAct, moderator: User, root: User, mallory: User, make_person: Callable[..., User]
) -> None:
    staff = make_person("clerk", is_staff=True)
    paths = ("/admin/desk/moderationact/", f"/admin/desk/moderationact/{act.pk}/change/")
    for path in paths:
        for who, status in ((moderator, 200), (root, 200), (staff, 403), (mallory, 302), (None, 302)):
            assert browser(who).get(path).status_code == status, (path, who)
    assert "Be polite." in browser(moderator).get(paths[1]).content.decode()


def test_log_holds_ids_and_no_names(moderator: User, bob: User, quarrel: Match) -> None:
    sanction = sanction_person(who=moderator, what=What.MUTE, whom=bob, why="x", moment=START)
    undo_act(who=moderator, act=sanction, why="y", moment=START)
    text = json.dumps([(each["before"], each["after"]) for each in log()])
    assert "bob" not in text.casefold()
    assert [each["who_id"] for each in log()] == [moderator.pk] * 2


def test_odd_queries_are_no_fault_of_the_desk(act: ModerationAct, root: User) -> None:
    client = browser(root)
    for path in ("/admin/desk/moderationact/", "/admin/desk/report/"):
        for query in (
            {"q": "\0"},
            {"age": "nonsense"},
            {"age__gt": "1"},
            {"what__exact": "x"},
            {"at__year": "99999999"},
            {"about__password__startswith": "m"},
            {"state__exact": "\0"},
            {"state": "\0"},
            {"e": "1"},
            {"o": "9.-9"},
            {"p": "999999"},
        ):
            assert client.get(path, query, follow=True).status_code in (200, 400), (path, query)
    for path in ("999999999999999999999/change/", "x/change/", "%00/change/"):
        assert client.get(f"/admin/desk/report/{path}").status_code in (302, 404), path
    for path in (
        "find/?name=%00",
        f"find/?name={'x' * 999}",
        "person/99999999999999999999/",
        "undo/99999999999999999999/",
    ):
        assert client.get(f"/admin/desk/report/{path}").status_code in (200, 404), path
    for address in (
        "",
        "?whom=x",
        "?whom=99999999999999999999",
        "?match=%00",
        "?whom=1&report=%00",
        "?match=x&room=y&line=z",
    ):
        for what in ("warn", "void", "hide-line", "uphold"):
            assert client.get(f"/admin/desk/report/act/{what}/{address}").status_code == 404, (what, address)
    for what in ("undo", "redaction", "nonsense"):
        assert client.get(f"/admin/desk/report/act/{what}/").status_code == 403


def test_entries_are_told_in_words(desk: Client, moderator: User, alice: User, bob: User, quarrel: Match) -> None:
    """Which line, what was undone, until when; in lists, and on the entry's own page."""
    report = Report.objects.create(by=alice, about=bob, place="match", reason="abuse", match=quarrel, created_at=START)
    given: dict[str, Any] = {"who": moderator, "why": "x", "moment": START}
    hidden = hide_line(match=quarrel, room="players", number=2, **given)
    undo_act(act=hidden, **given)
    mute = sanction_person(what=What.MUTE, whom=bob, **given)
    ended = end_match(match=quarrel, report=report, **given)
    log_page, person = (
        text_of(desk.get(path)) for path in ("/admin/desk/moderationact/", f"/admin/desk/report/person/{bob.pk}/")
    )
    for page in (log_page, person):
        assert "Undone: Line hidden: Players, line 2" in page
        assert page.count("Line hidden: Players, line 2") == 2
        assert "Match ended" in page, "it came from a report about him"
    assert f"/moderationact/{ended.pk}/" not in text_of(desk.get(f"/admin/desk/report/person/{alice.pk}/"))
    entry = text_of(desk.get(f"/admin/desk/moderationact/{mute.pk}/change/"))
    assert f"#{mute.pk} Muted" in entry
    assert "muted until: for good" in entry
    assert "kept out until: –" in entry
