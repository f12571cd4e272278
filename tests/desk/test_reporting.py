"""Reporting somebody: from where one may see it, once for each reason, with what moderators need to find it again."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.test import Client

from accounts.desk.errors import DeskRefused
from accounts.desk.models import ModerationAct, Report
from accounts.desk.services.reports import file_report
from accounts.desk.targets import Target
from accounts.people.models import Notice, User
from accounts.people.services import block_person
from games.contract.registry import get_game
from games.matches.callers import Caller
from games.matches.models import ChatLine, Match
from games.matches.services.play import resign
from tests.matches.browsing import browser, notice_in, text_of
from tests.matches.chatting import say
from tests.matches.conftest import START, Clock, sit_down
from tests.matches.crowds import at_once

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _clock(time: Clock) -> None:
    """Reports of tests and of pages share one clock."""


def address(**fields: Any) -> str:
    return "/report/?" + "&".join(f"{key}={value}" for key, value in fields.items())


def send(user: User | None, whom: User, *, reason: str = "abuse", text: str = "Look.", **fields: Any) -> Any:
    form = {"about": str(whom.pk), "reason": reason, "text": text}
    return browser(user).post(address(**fields), form)


# What is attached


def test_line_of_chat_is_reported_with_what_stands_around_it(alice: User, bob: User, quarrel: Match) -> None:
    page = text_of(browser(alice).get(f"/matches/{quarrel.slug}/"))
    links = re.findall(r'href="(/report/\?match=[^"]+line=\d+)"', page)
    assert len(links) == 3, "one for each line of somebody else"
    assert "line=" not in "".join(
        re.findall(r'href="(/report/[^"]+)"', text_of(browser(bob).get(f"/matches/{quarrel.slug}/")))
    )
    path = links[1].replace("&amp;", "&")
    shown = text_of(browser(alice).get(path))
    assert "you fool" in shown
    assert "Report <bdi>Bob</bdi>" in shown
    answer = browser(alice).post(path, {"about": str(bob.pk), "reason": "abuse", "text": " Look. "})
    assert (answer.status_code, answer["Location"]) == (302, f"/matches/{quarrel.slug}/")
    report = Report.objects.get()
    assert (report.by, report.about, report.place, report.reason, report.text) == (alice, bob, "chat", "abuse", "Look.")
    assert (report.match, report.room, report.line, report.first_line, report.last_line) == (
        quarrel, "players", 2, 1, 7,
    )  # fmt: skip
    assert (report.state, report.created_at, report.ply) == ("open", START, 0)


def test_player_is_reported_from_the_match_and_from_a_step_of_its_replay(
    alice: User, bob: User, carol: User, quarrel: Match
) -> None:
    assert f'href="/report/?match={quarrel.slug}"' in text_of(browser(alice).get(f"/matches/{quarrel.slug}/"))
    assert send(alice, bob, match=quarrel.slug).status_code == 302
    report = Report.objects.get()
    assert (report.place, report.room, report.first_line, report.last_line) == ("match", "players", 1, 3)
    resign(slug=quarrel.slug, caller=Caller(bob), moment=START)
    replay = text_of(browser(carol).get(f"/matches/{quarrel.slug}/replay/0/"))
    assert f"/report/?match={quarrel.slug}&amp;ply=0" in replay
    assert send(carol, alice, match=quarrel.slug, ply=0).status_code == 302, "who looks on may report both"
    assert Report.objects.get(by=carol).ply == 0


def test_person_is_reported_from_the_profile(alice: User, bob: User) -> None:
    assert 'href="/report/?about=bob"' in text_of(browser(alice).get("/people/bob/"))
    assert "/report/" not in text_of(browser(bob).get("/people/bob/"))
    answer = send(alice, bob, about="bob", reason="name")
    assert (answer.status_code, answer["Location"]) == (302, "/people/bob/")
    report = Report.objects.get()
    assert (report.place, report.match, report.room) == ("profile", None, "")


def test_page_asks_whom_where_there_are_several(alice: User, bob: User, carol: User) -> None:
    match = sit_down(alice, bob, carol)
    page = text_of(browser(alice).get(address(match=match.slug))).partition('class="card form"')[2]
    assert [name for name in ("Alice", "Bob", "Carol") if f"\u2068{name}\u2069" in page] == ["Bob", "Carol"]
    for about in ("", str(alice.pk), "nonsense", "99999999999999999999"):
        form = {"about": about, "reason": "abuse", "text": ""}
        assert browser(alice).post(address(match=match.slug), form).status_code == 422
    assert send(alice, carol, match=match.slug).status_code == 302


def test_solo_and_bots_have_nobody_to_report(alice: User) -> None:
    match = sit_down(alice, bots=1, public=False)
    assert "/report/" not in text_of(browser(alice).get(f"/matches/{match.slug}/"))
    assert browser(alice).get(address(match=match.slug)).status_code == 404


# Who may


def test_reporting_is_for_who_is_logged_in(bob: User, quarrel: Match) -> None:
    for fields in ({"about": "bob"}, {"match": quarrel.slug}):
        answer = browser().get(address(**fields))
        assert answer.status_code == 302
        assert answer["Location"].startswith("/account/login/?next=/report/")
        assert send(None, bob, **fields).status_code == 302
    assert "/report/" not in text_of(browser().get(f"/matches/{quarrel.slug}/"))
    assert not Report.objects.exists()


def test_what_one_may_not_see_can_not_be_reported(
    alice: User, bob: User, carol: User, mallory: User, time: Clock
) -> None:
    """And looks like what is not there: a hidden line, the other room, a private match, who is gone."""
    match = sit_down(alice, bob)
    say(match, bob, "among us")
    say(match, carol, "we look on", room="spectators")
    hidden = say(match, bob, "gone")
    ChatLine.objects.filter(pk=hidden.pk).update(hidden=True)
    private = sit_down(alice, bob, public=False)
    gone = User.objects.create_user("former-1", display_name="", is_active=False, deleted_at=START)
    for who, about, fields in (
        (mallory, bob, {"match": match.slug, "room": "players", "line": 1}),
        (alice, carol, {"match": match.slug, "room": "spectators", "line": 1}),
        (alice, bob, {"match": match.slug, "room": "players", "line": 2}),
        (alice, bob, {"match": match.slug, "room": "players", "line": 99}),
        (alice, bob, {"match": match.slug, "room": "nonsense", "line": 1}),
        (alice, bob, {"match": match.slug, "room": "players", "line": "1e1"}),
        (mallory, bob, {"match": private.slug}),
        (mallory, bob, {"match": "nosuchmatch"}),
        (alice, carol, {"match": match.slug, "about": "carol"}),
        (alice, gone, {"about": "former-1"}),
        (alice, bob, {"about": "nobody"}),
        (alice, bob, {"about": "%00"}),
        (alice, bob, {"match": "%00"}),
        (alice, bob, {}),
    ):
        assert browser(who).get(address(**fields)).status_code == 404, fields
        assert send(who, about, **fields).status_code == 404, fields
    assert not Report.objects.exists()


def test_own_line_and_oneself_are_not_reported(alice: User, quarrel: Match) -> None:
    say(quarrel, alice, "me")
    assert send(alice, alice, match=quarrel.slug, room="players", line=4).status_code == 422
    assert notice_in(send(alice, alice, about="alice")) == "oneself"
    assert not Report.objects.exists()


def test_one_open_report_for_each_pair_and_reason(alice: User, bob: User, carol: User, quarrel: Match) -> None:
    assert send(alice, bob, about="bob").status_code == 302
    again = send(alice, bob, match=quarrel.slug)
    assert (again.status_code, notice_in(again)) == (409, "reported-already")
    assert send(alice, bob, about="bob", reason="cheating").status_code == 302
    assert send(carol, bob, about="bob").status_code == 302
    Report.objects.filter(by=alice, reason="abuse").update(state="dismissed")
    assert send(alice, bob, about="bob").status_code == 302
    assert Report.objects.count() == 4


def test_reports_are_limited(alice: User, make_person: Callable[..., User]) -> None:
    people = [make_person(f"p{number}") for number in range(11)]
    statuses = [send(alice, person, about=person.username).status_code for person in people]
    assert statuses == [302] * 10 + [429]


def test_odd_forms_are_told_so_and_lose_nothing(alice: User, bob: User) -> None:
    for form in (
        {"reason": "nonsense", "about": str(bob.pk)},
        {"reason": "abuse", "about": str(bob.pk), "text": "x" * 1001},
        {"reason": "abuse", "about": str(bob.pk), "text": "a\0b"},
        {},
    ):
        answer = browser(alice).post(address(about="bob"), form or {"x": "y"})
        assert answer.status_code == 422, form
        assert form.get("text", "") in text_of(answer)
    assert not Report.objects.exists()
    for method in ("put", "patch", "delete"):
        assert getattr(browser(alice), method)(address(about="bob")).status_code == 405
    assert browser(alice, enforce_csrf_checks=True).post(address(about="bob"), {"about": "1"}).status_code == 403


def test_page_tells_nothing_of_who_has_blocked_whom(alice: User, bob: User) -> None:
    before = text_of(browser(alice).get(address(about="bob")))
    block_person(by=bob, whom=alice, moment=START)
    after = text_of(browser(alice).get(address(about="bob")))
    tokens = re.compile(r'(csrfmiddlewaretoken" value=|X-CSRFToken": )"[A-Za-z0-9]{64}"')
    assert tokens.sub("", before) == tokens.sub("", after)


def test_running_match_in_real_time_tells_no_ply(alice: User, bob: User, time: Clock) -> None:
    """It would rise by claims that wait."""
    match = sit_down(alice, bob, game=get_game("blockyou"))
    send(alice, bob, match=match.slug)
    assert Report.objects.get().ply is None


@pytest.mark.django_db(transaction=True)
def test_of_many_at_once_one_is_kept(alice: User, bob: User) -> None:
    def report() -> bool:
        try:
            file_report(by=alice, about=bob, target=Target("profile", [bob]), reason="abuse", text="", moment=START)
        except DeskRefused:
            return False
        return True

    assert sum(at_once([report] * 8)) == 1
    assert Report.objects.count() == 1


# The decision


@pytest.fixture
def report(alice: User, bob: User, quarrel: Match) -> Report:
    send(alice, bob, match=quarrel.slug, room="players", line=2)
    return Report.objects.get()


def decide(client: Client, report: Report, what: str, why: str = "Seen.") -> Any:
    return client.post(f"/admin/desk/report/act/{what}/?report={report.pk}", {"why": why})


@pytest.mark.parametrize(("what", "state", "upheld"), [("uphold", "upheld", True), ("dismiss", "dismissed", False)])
def test_reporter_hears_of_the_outcome_and_nothing_else(
    desk: Client, alice: User, bob: User, moderator: User, report: Report, what: str, state: str, upheld: bool
) -> None:
    assert decide(desk, report, what).status_code == 302
    report.refresh_from_db()
    assert (report.state, report.decided_by, report.decided_at, report.answer) == (state, moderator, START, "Seen.")
    notice = Notice.objects.get()
    assert (notice.user, notice.code, notice.params) == (alice, "report-done", {"report": report.pk, "upheld": upheld})
    act = ModerationAct.objects.get()
    assert (act.who, act.what, act.whom, act.report, act.why) == (moderator, what, bob, report, "Seen.")
    assert decide(desk, report, what).status_code == 409, "it is decided"
    assert Notice.objects.count() == 1


def test_nobody_sees_or_decides_a_report_about_oneself_or_by_oneself(
    desk: Client, alice: User, bob: User, moderator: User, colleague: User, root: User
) -> None:
    """Nor is anything of it in the log, in anybody's history, in counts or in searches; another one decides."""
    about = Report.objects.create(
        by=alice, about=moderator, place="profile", reason="abuse", text="odd", created_at=START
    )
    by = Report.objects.create(by=moderator, about=bob, place="profile", reason="abuse", text="own", created_at=START)
    for report in (about, by):
        path = f"/admin/desk/report/{report.pk}/change/"
        assert desk.get(path).status_code in (302, 404)
        assert f'href="{path}' not in text_of(desk.get("/admin/desk/report/"))
        for what in ("uphold", "dismiss"):
            assert decide(desk, report, what).status_code == 404
        assert desk.get(f"/admin/desk/report/act/warn/?whom={alice.pk}&report={report.pk}").status_code == 404
    for person in (alice, bob):
        page = text_of(desk.get(f"/admin/desk/report/person/{person.pk}/"))
        assert "0 open, 0 upheld, 0 dismissed" in page
        assert "1 open" not in page
    assert decide(browser(colleague), about, "dismiss").status_code == 403, "about a colleague: a superuser's"
    assert decide(browser(colleague), by, "uphold").status_code == 302
    assert decide(browser(root), about, "dismiss").status_code == 302
    act = ModerationAct.objects.get(report=about)
    assert f"/moderationact/{act.pk}/" not in text_of(desk.get("/admin/desk/moderationact/"))
    assert desk.get(f"/admin/desk/moderationact/{act.pk}/change/").status_code in (302, 404)
    assert desk.get(f"/admin/desk/report/undo/{act.pk}/").status_code == 404


@pytest.mark.django_db(transaction=True)
@pytest.mark.postgres
def test_of_two_decisions_at_once_one_stands(
    alice: User, bob: User, moderator: User, colleague: User, quarrel: Match
) -> None:
    from accounts.desk.services.reports import decide_report

    report = Report.objects.create(by=alice, about=bob, place="profile", reason="abuse", created_at=START)

    def quietly(who: User, upheld: bool) -> bool:
        try:
            decide_report(who=who, report=report, upheld=upheld, why="x", moment=START)
        except DeskRefused:
            return False
        return True

    assert sum(at_once([partial(quietly, moderator, True), partial(quietly, colleague, False)] * 3)) == 1
    assert (ModerationAct.objects.count(), Notice.objects.count()) == (1, 1)


# The queue


def test_queue_is_filtered_searched_and_counted(
    desk: Client, alice: User, bob: User, carol: User, time: Clock, quarrel: Match
) -> None:
    old = Report.objects.create(
        by=carol, about=alice, place="profile", reason="name", created_at=START - timedelta(days=9)
    )
    new = Report.objects.create(by=alice, about=bob, place="match", match=quarrel, reason="abuse", created_at=START)
    done = Report.objects.create(
        by=bob, about=carol, place="chat", reason="spam", created_at=START, state="upheld", decided_at=START
    )

    def listed(**query: str) -> list[int]:
        page = text_of(desk.get("/admin/desk/report/", query))
        return [int(pk) for pk in re.findall(r'href="/admin/desk/report/(\d+)/change/', page)]

    assert listed() == [old.pk, new.pk], "what is open, and who waits longest comes first"
    assert listed(state="open") == listed(state="nonsense") == [old.pk, new.pk]
    assert listed(state="upheld") == [done.pk]
    assert set(listed(state="all")) == {old.pk, new.pk, done.pk}
    assert listed(reason__exact="name") == [old.pk]
    assert listed(place__exact="chat", state="all") == [done.pk]
    assert listed(age="day", state="all") == [new.pk, done.pk]
    assert listed(age="month", state="open") == [old.pk, new.pk]
    assert listed(q="bob") == [new.pk, done.pk], "also decided ones"
    assert listed(q="bob", state="open") == [new.pk]
    assert listed(q=quarrel.slug) == [new.pk]
    page = re.sub(r"<[^>]+>", "", text_of(desk.get("/admin/desk/report/")))
    for count in ("2 open", "1 open for more than two days", "1 decided within a week", "0 automatic mutes in force"):
        assert count in page, count


def test_desk_is_closed_to_others(report: Report, alice: User, bob: User, make_person: Callable[..., User]) -> None:
    clerk = make_person("clerk", is_staff=True)
    paths = (
        "/admin/desk/report/",
        f"/admin/desk/report/{report.pk}/change/",
        f"/admin/desk/report/{report.pk}/history/",
        f"/admin/desk/report/person/{bob.pk}/",
        "/admin/desk/report/find/?name=bob",
    )
    for path in paths:
        for who, status in ((clerk, 403), (alice, 302), (None, 302)):
            assert browser(who).get(path).status_code == status, (path, who)
