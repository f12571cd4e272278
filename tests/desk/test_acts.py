"""What moderators do: by permission alone, told to whom it concerns, at once, and with an entry in the log."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from html import unescape
from typing import Any

import pytest
from django.test import Client

from accounts.desk.acts import ModerationAct, What
from accounts.desk.models import Report
from accounts.desk.moderators import GROUP
from accounts.desk.rights import PERMISSION
from accounts.people import announcer
from accounts.people.models import FormerName, Notice, Sanction, User
from accounts.people.sanctions import FOR_GOOD
from games.matches.callers import Caller
from games.matches.models import ChatLine, Match
from games.matches.services.play import resign
from tests.matches.browsing import browser, text_of
from tests.matches.chatting import say
from tests.matches.conftest import START, Clock, sit_down

pytestmark = pytest.mark.django_db

Ready = dict[str, tuple[dict[str, Any], dict[str, str]]]
"""By act the fields of its address, and what its form needs."""


def address(what: str, **fields: Any) -> str:
    return f"/admin/desk/report/act/{what}/?" + "&".join(f"{key}={value}" for key, value in fields.items())


def do(client: Client, what: str, form: dict[str, Any] | None = None, **fields: Any) -> Any:
    """The answer to the form of that act."""
    return client.post(address(what, **fields), {"why": "Be polite.", **(form or {})})


def told(user: User) -> list[tuple[str, dict[str, Any]]]:
    return list(Notice.objects.filter(user=user).order_by("pk").values_list("code", "params"))


def last_act() -> ModerationAct:
    act = ModerationAct.objects.first()
    assert act is not None
    return act


# People


def test_warning_is_told_and_entered(desk: Client, bob: User, moderator: User) -> None:
    assert do(desk, "warn", whom=bob.pk).status_code == 302
    assert told(bob) == [("warned", {"reason": "Be polite."})]
    act = last_act()
    assert (act.who, act.what, act.whom, act.why, act.at) == (moderator, What.WARN, bob, "Be polite.", START)


@pytest.mark.parametrize(
    ("what", "code", "column", "form", "until"),
    [
        ("mute", "muted", "muted_until", {"length": "24"}, START + timedelta(days=1)),
        ("suspend", "suspended", "barred_until", {"length": "168"}, START + timedelta(days=7)),
        (
            "suspend",
            "suspended",
            "barred_until",
            {"length": "1", "until": "2026-03-09T08:00"},
            START.replace(day=9, hour=8),
        ),
        ("ban", "banned", "barred_until", {"length": "0"}, FOR_GOOD),
    ],
)
def test_sanctions_are_in_force_at_once(
    desk: Client, bob: User, what: str, code: str, column: str, form: dict[str, str], until: Any
) -> None:
    assert do(desk, what, form, whom=bob.pk).status_code == 302
    bob.refresh_from_db()
    assert getattr(bob, column) == until
    sanction = Sanction.objects.get()
    assert (sanction.reason, sanction.automatic) == ("Be polite.", False)
    ends = until.isoformat() if until < FOR_GOOD else None
    assert told(bob) == [(code, {"reason": "Be polite.", "until": ends, "automatic": False})]
    act = last_act()
    assert act.before[column] is None
    assert act.after == {
        "sanction": sanction.pk,
        "muted_until": None,
        "barred_until": None,
        column: until.isoformat(),
    }


def test_person_hears_of_it_on_every_open_page(
    desk: Client, bob: User, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    heard: list[int] = []
    monkeypatch.setattr(announcer, "announce_person", heard.append)
    with django_capture_on_commit_callbacks(execute=True):
        do(desk, "ban", {"length": "0"}, whom=bob.pk)
    assert heard == [bob.pk]


def test_muted_person_reads_the_reason_as_it_was_written(desk: Client, bob: User, quarrel: Match) -> None:
    """Where the form for a line would be; reasons quote, and end as they end."""
    assert do(desk, "mute", {"why": 'hello "you idiot".', "length": "24"}, whom=bob.pk).status_code == 302
    page = unescape(text_of(browser(bob).get(f"/matches/{quarrel.slug}/")))
    assert 'The reason: \u2068hello "you idiot".\u2069' in page


def test_renaming_keeps_the_old_name_where_it_can_be_erased(desk: Client, bob: User) -> None:
    assert do(desk, "rename", {"name": "Player 7"}, whom=bob.pk).status_code == 302
    bob.refresh_from_db()
    former = FormerName.objects.get(user=bob)
    assert (bob.display_name, former.name) == ("Player 7", "Bob")
    assert told(bob) == [("renamed", {"reason": "Be polite.", "now": "Player 7"})]
    assert last_act().before == {"name": former.pk}


@pytest.mark.parametrize("name", ["Alice", "ALICE", "", " ", "a\u202eb", "Bob", "x" * 41])
def test_new_name_is_one_that_anybody_could_choose(desk: Client, alice: User, bob: User, name: str) -> None:
    assert do(desk, "rename", {"name": name}, whom=bob.pk).status_code == 422
    bob.refresh_from_db()
    assert bob.display_name == "Bob"
    assert not ModerationAct.objects.exists()


# Lines, matches, tables


def test_hidden_line_is_shown_to_nobody(
    desk: Client,
    alice: User,
    bob: User,
    quarrel: Match,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Any,
) -> None:
    gone: list[dict[str, Any]] = []
    monkeypatch.setattr("games.matches.services.chat.announce_hidden_line", lambda **line: gone.append(line))
    where: dict[str, Any] = {"match": quarrel.slug, "room": "players", "line": 2}
    with django_capture_on_commit_callbacks(execute=True):
        assert do(desk, "hide-line", **where).status_code == 302
    assert gone == [{"slug": quarrel.slug, "room": "players", "number": 2}]
    assert "you fool" not in text_of(browser(alice).get(f"/matches/{quarrel.slug}/"))
    assert told(bob) == [("line-hidden", {"match": quarrel.slug, "reason": "Be polite."})]
    assert do(desk, "hide-line", **where).status_code == 409
    assert ModerationAct.objects.count() == 1


def test_match_that_runs_is_ended_without_a_result(desk: Client, alice: User, bob: User, quarrel: Match) -> None:
    assert do(desk, "end", match=quarrel.slug).status_code == 302
    quarrel.refresh_from_db()
    assert (quarrel.status, quarrel.standing) == (Match.Status.OVER, None)
    for person in (alice, bob):
        assert told(person) == [("match-ended", {"match": quarrel.slug, "reason": "Be polite."})]
    assert do(desk, "end", match=quarrel.slug).status_code == 409


def test_table_is_removed(desk: Client, alice: User, bob: User, time: Clock) -> None:
    table = sit_down(alice, bob, seats=3, start=False)
    assert do(desk, "remove-table", match=table.slug).status_code == 302
    table.refresh_from_db()
    assert table.status == Match.Status.CLOSED
    assert told(bob) == [("table-removed", {"match": table.slug, "reason": "Be polite."})]
    assert last_act().whom == alice, "the host"
    assert do(desk, "remove-table", match=table.slug).status_code == 409
    assert do(desk, "void", match=table.slug).status_code == 409


# Reasons, rights, protection


EVERY_ACT = [What(what) for what in PERMISSION]


@pytest.fixture
def ready(alice: User, bob: User, quarrel: Match) -> Ready:
    over, table = sit_down(alice, bob), sit_down(alice, seats=2, start=False)
    resign(slug=over.slug, caller=Caller(bob), moment=START)
    report = Report.objects.create(by=alice, about=bob, place="match", reason="abuse", match=quarrel, created_at=START)
    return {
        What.WARN: ({"whom": bob.pk}, {}),
        What.MUTE: ({"whom": bob.pk}, {"length": "1"}),
        What.SUSPEND: ({"whom": bob.pk}, {"length": "1"}),
        What.BAN: ({"whom": bob.pk}, {"length": "0"}),
        What.RENAME: ({"whom": bob.pk}, {"name": "Player 7"}),
        What.HIDE_LINE: ({"match": quarrel.slug, "room": "players", "line": "1"}, {}),
        What.VOID: ({"match": over.slug}, {}),
        What.END: ({"match": quarrel.slug}, {}),
        What.REMOVE_TABLE: ({"match": table.slug}, {}),
        What.UPHOLD: ({"report": report.pk}, {}),
        What.DISMISS: ({"report": report.pk}, {}),
    }


@pytest.mark.parametrize("what", EVERY_ACT)
def test_each_act_needs_a_reason_and_its_own_permission(
    what: What, ready: Ready, moderator: User, root: User, mallory: User, make_person: Callable[..., User]
) -> None:
    """Staff without it, players and guests get nowhere; a look changes nothing; a superuser needs no group."""
    fields, form = ready[what]
    clerk = make_person("clerk", is_staff=True)
    for who, status in ((clerk, 403), (mallory, 302), (None, 302)):
        client = browser(who)
        assert client.get(address(what, **fields)).status_code == status
        assert do(client, what, form, **fields).status_code == status
    assert not ModerationAct.objects.exists()
    desk = browser(moderator)
    assert desk.get(address(what, **fields)).status_code == 200
    for why in ("", "   ", "x" * 501):
        assert do(desk, what, {**form, "why": why}, **fields).status_code == 422
    assert browser(moderator, enforce_csrf_checks=True).post(address(what, **fields), form).status_code == 403
    assert not ModerationAct.objects.exists()
    assert do(browser(root), what, form, **fields).status_code == 302
    assert last_act().what == what
    group = moderator.groups.get(name=GROUP)
    group.permissions.remove(group.permissions.get(codename=PERMISSION[what].split(".")[1]))
    assert browser(moderator).get(address(what, **fields)).status_code == 403


@pytest.mark.parametrize("what", [What.WARN, What.MUTE, What.SUSPEND, What.BAN, What.RENAME])
def test_moderators_are_a_superuser_s_to_judge_and_nobody_judges_themselves(
    what: What, ready: Ready, moderator: User, colleague: User, root: User, make_person: Callable[..., User]
) -> None:
    form = ready[what][1]
    clerk = make_person("clerk", is_staff=True)
    other = make_person("root2", is_staff=True, is_superuser=True)
    desk, top = browser(moderator), browser(root)
    for whom in (moderator, colleague, clerk, root):
        assert do(desk, what, form, whom=whom.pk).status_code == 403, whom
    for whom in (root, other):
        assert do(top, what, form, whom=whom.pk).status_code == 403, whom
    assert not ModerationAct.objects.exists()
    assert not Notice.objects.exists()
    assert do(top, what, form, whom=colleague.pk).status_code == 302


def test_nobody_decides_about_a_match_at_which_they_sit(desk: Client, alice: User, moderator: User) -> None:
    mine = sit_down(alice, moderator)
    say(mine, alice, "hello")
    say(mine, moderator, "good day")
    table = sit_down(moderator, seats=2, start=False)
    assert do(desk, "void", match=mine.slug).status_code == 403
    assert do(desk, "end", match=mine.slug).status_code == 403
    assert do(desk, "remove-table", match=table.slug).status_code == 403
    assert do(desk, "hide-line", match=mine.slug, room="players", line=2).status_code == 403, "the own line"
    assert not ModerationAct.objects.exists()
    assert ChatLine.objects.filter(hidden=True).count() == 0


def test_end_of_a_sanction_lies_ahead(desk: Client, bob: User) -> None:
    for until in ("2026-03-01T12:00", "2020-01-01T00:00", "nonsense", "0000-00-00T00:00"):
        assert do(desk, "mute", {"length": "24", "until": until}, whom=bob.pk).status_code == 422, until
    assert do(desk, "mute", {"length": "25"}, whom=bob.pk).status_code == 422
    assert not Sanction.objects.exists()


def test_end_is_read_by_the_moderator_s_own_clock(desk: Client, bob: User, moderator: User) -> None:
    """The form says by whose; the last and the first year that there are can't be stored everywhere."""
    User.objects.filter(pk=moderator.pk).update(time_zone="America/Los_Angeles")
    assert "America/Los_Angeles" in text_of(desk.get(address("mute", whom=bob.pk)))
    for until in ("9999-12-31T23:59", "9998-01-01T00:00", "0001-01-01T00:00"):
        assert do(desk, "mute", {"length": "24", "until": until}, whom=bob.pk).status_code == 422, until
    User.objects.filter(pk=moderator.pk).update(time_zone="Asia/Tokyo")
    assert do(desk, "mute", {"length": "24", "until": "0001-01-01T00:00"}, whom=bob.pk).status_code == 422
    assert do(desk, "mute", {"length": "24", "until": "2026-03-09T08:00"}, whom=bob.pk).status_code == 302
    assert Sanction.objects.get().until == datetime(2026, 3, 8, 23, tzinfo=UTC)


def test_moderators_have_no_raw_administration(moderator: User, alice: User) -> None:
    """They see neither addresses nor permissions of people, and change nothing by Django's own forms."""
    desk = browser(moderator)
    for path in (
        "/admin/people/user/",
        f"/admin/people/user/{alice.pk}/change/",
        f"/admin/people/user/{alice.pk}/password/",
        "/admin/auth/group/",
        "/admin/account/emailaddress/",
    ):
        assert desk.get(path).status_code == 403, path
    for path in ("/admin/", "/admin/desk/report/", "/admin/matches/match/", f"/admin/desk/report/person/{alice.pk}/"):
        page = desk.get(path)
        assert page.status_code == 200, path
        assert alice.email not in text_of(page)


def test_seats_are_resigned_where_the_moderator_says_so(
    desk: Client, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    left: list[User] = []
    monkeypatch.setattr("accounts.desk.services.people._resign_everywhere", lambda whom, moment: left.append(whom))
    do(desk, "suspend", {"length": "24"}, whom=bob.pk)
    assert left == []
    do(desk, "ban", {"length": "0", "resign_seats": "on"}, whom=bob.pk)
    assert left == [bob]
