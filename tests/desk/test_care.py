"""Automatic care: who is believed without a moderator, and what the house does then."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.test import Client

from accounts.desk.credibility import Reporter, independent, is_credible
from accounts.desk.models import ModerationAct, Report
from accounts.desk.services.reports import file_report
from accounts.desk.services.undoing import undo_act
from accounts.desk.targets import Target
from accounts.people.models import Notice, Sanction, User
from accounts.people.sanctioning import impose_sanction
from games.matches.models import Match
from tests.matches.browsing import text_of
from tests.matches.conftest import START, Clock, sit_down
from tests.matches.crowds import at_once

# The arithmetic


@pytest.mark.parametrize(
    ("reporter", "believed"),
    [
        (Reporter(START - timedelta(days=8), False, 0, 0), True),
        (Reporter(START - timedelta(days=7), False, 0, 0), False),
        (Reporter(START - timedelta(days=8), True, 9, 0), False),
        (Reporter(START - timedelta(days=8), False, 2, 2), True),
        (Reporter(START - timedelta(days=8), False, 2, 3), False),
    ],
)
def test_who_is_believed(reporter: Reporter, believed: bool) -> None:
    assert is_credible(reporter, START) is believed


@pytest.mark.parametrize(
    ("reports", "count"),
    [
        ([], 0),
        ([(1, 1), (1, 2), (1, 3)], 1),
        ([(1, 1), (2, 1), (3, 1)], 1),
        ([(1, 1), (2, 2), (3, 3)], 3),
        ([(1, 1), (1, 2), (2, 1)], 2),
        ([(1, 1), (2, 1), (2, 2), (3, 2), (3, 3)], 3),
        ([(1, 1), (1, 2), (2, 1), (2, 2), (3, 1), (3, 2)], 2),
    ],
)
def test_reports_count_that_are_of_different_people_and_matches(reports: list[tuple[int, int]], count: int) -> None:
    assert independent(reports) == count


# The house


@pytest.fixture
def witnesses(make_person: Callable[..., User], bob: User, time: Clock) -> list[tuple[User, Match]]:
    """Four people who are long here, each with a match of Bob's."""
    people = [make_person(f"w{number}", date_joined=START - timedelta(days=30)) for number in range(4)]
    return [(person, sit_down(person, bob)) for person in people]


def file(by: User, match: Match, about: User, moment: Any = START, reason: str = "abuse") -> Report:
    target = Target("match", [about], match=match)
    return file_report(by=by, about=about, target=target, reason=reason, text="", moment=moment)


pytestmark = pytest.mark.django_db


def test_third_credible_report_mutes_for_a_day(bob: User, witnesses: list[tuple[User, Match]], desk: Client) -> None:
    for person, match in witnesses[:2]:
        file(person, match, bob)
    assert not Sanction.objects.exists()
    third = file(*witnesses[2], bob)
    bob.refresh_from_db()
    assert bob.muted_until == START + timedelta(hours=24)
    sanction, act = Sanction.objects.get(), ModerationAct.objects.get()
    assert (sanction.kind, sanction.automatic, sanction.reason) == ("mute", True, "")
    assert (act.who, act.what, act.whom, act.why) == (None, "mute", bob, "")
    assert act.after["reports"] == sorted(Report.objects.values_list("pk", flat=True))
    notice = Notice.objects.get()
    assert (notice.user, notice.code) == (bob, "muted")
    assert notice.params == {"reason": "", "until": bob.muted_until.isoformat(), "automatic": True}
    assert set(Report.objects.values_list("counted_for", "state")) == {(act.pk, "open")}
    page = text_of(desk.get("/admin/desk/report/"))
    assert "<strong>1</strong> automatic mutes in force" in page
    assert "Muted automatically by it" in text_of(desk.get(f"/admin/desk/report/{third.pk}/change/"))
    assert "the house" in text_of(desk.get("/admin/desk/moderationact/"))


def test_moderator_lifts_it_and_the_same_reports_do_not_mute_again(
    bob: User, witnesses: list[tuple[User, Match]], moderator: User
) -> None:
    for person, match in witnesses[:3]:
        file(person, match, bob)
    undo_act(who=moderator, act=ModerationAct.objects.get(), why="x", moment=START)
    bob.refresh_from_db()
    assert not bob.is_muted(START)
    file(*witnesses[3], bob, START + timedelta(minutes=1))
    for person, match in witnesses[:1]:
        file(person, match, bob, START + timedelta(minutes=2), "spam")
    assert not ModerationAct.objects.filter(who=None, pk__gt=ModerationAct.objects.order_by("pk")[0].pk).exists()
    file(*witnesses[1], bob, START + timedelta(minutes=3), "spam")
    bob.refresh_from_db()
    assert bob.is_muted(START + timedelta(minutes=4)), "three others do"


Spoil = Callable[[list[tuple[User, Match]], User, User], None]


def _new(witnesses: Any, bob: User, mod: User) -> None:
    User.objects.filter(pk=witnesses[0][0].pk).update(date_joined=START - timedelta(days=6))


def _muted(witnesses: Any, bob: User, mod: User) -> None:
    impose_sanction(user=witnesses[0][0], kind="mute", reason="", moment=START)


def _often_wrong(witnesses: Any, bob: User, mod: User) -> None:
    Report.objects.create(
        by=witnesses[0][0], about=mod, place="profile", reason="abuse", created_at=START, state="dismissed"
    )


def _same_match(witnesses: Any, bob: User, mod: User) -> None:
    witnesses[0] = (witnesses[0][0], witnesses[1][1])


def _same_person(witnesses: Any, bob: User, mod: User) -> None:
    witnesses[0] = (witnesses[1][0], witnesses[0][1])


def _moderator(witnesses: Any, bob: User, mod: User) -> None:
    User.objects.filter(pk=bob.pk).update(is_staff=True)


def _muted_already(witnesses: Any, bob: User, mod: User) -> None:
    impose_sanction(user=bob, kind="mute", reason="", moment=START, until=START + timedelta(hours=1))


@pytest.mark.parametrize(
    "spoil",
    [_new, _muted, _often_wrong, _same_match, _same_person, _moderator, _muted_already],
    ids=lambda f: f.__name__,
)
def test_less_than_three_credible_reports_do_nothing(
    bob: User, mod: User, witnesses: list[tuple[User, Match]], spoil: Spoil
) -> None:
    spoil(witnesses, bob, mod)
    for number, (person, match) in enumerate(witnesses[:3]):
        file(person, match, bob, reason=("abuse", "spam", "other")[number])
    assert not ModerationAct.objects.exists()
    assert not Sanction.objects.filter(automatic=True).exists()


def test_reports_of_another_day_without_a_match_or_dismissed_do_not_count(
    bob: User, witnesses: list[tuple[User, Match]], carol: User
) -> None:
    carol.date_joined = START - timedelta(days=30)
    carol.save()
    file(*witnesses[0], bob, START - timedelta(hours=24))
    file(*witnesses[1], bob)
    file_report(by=carol, about=bob, target=Target("profile", [bob]), reason="abuse", text="", moment=START)
    Report.objects.filter(pk=file(*witnesses[2], bob).pk).update(state="dismissed")
    file(*witnesses[3], bob)
    assert not Sanction.objects.exists()


@pytest.mark.parametrize(("needed", "muted"), [(0, False), (1, True), (4, False)])
def test_setting_says_how_many(
    bob: User, witnesses: list[tuple[User, Match]], settings: Any, needed: int, muted: bool
) -> None:
    settings.REPORTS_THAT_MUTE = needed
    for person, match in witnesses[:3]:
        file(person, match, bob)
    assert Sanction.objects.exists() is muted


@pytest.mark.django_db(transaction=True)
def test_reports_at_the_same_moment_mute_once(bob: User, witnesses: list[tuple[User, Match]]) -> None:
    at_once([partial(file, person, match, bob) for person, match in witnesses])
    assert Sanction.objects.count() == ModerationAct.objects.count() == Notice.objects.count() == 1
    assert Report.objects.exclude(counted_for=None).count() >= 3
