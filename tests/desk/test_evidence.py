"""What a moderator is shown to decide by, on one page, and what not."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.desk.acts import What
from accounts.desk.evidence import person_file
from accounts.desk.models import Report
from accounts.desk.services.people import sanction_person, warn_person
from accounts.people.models import Trace, User
from games.contract.registry import get_game
from games.contract.rules import TellsGifts
from games.matches.callers import Caller
from games.matches.models import ChatLine, Match
from games.matches.services.play import resign
from tests.matches.browsing import browser, text_of
from tests.matches.chatting import say
from tests.matches.conftest import START, Clock, move_form, player_to_move, sit_down
from tests.matches.ledgers import end, rated_table
from tests.matches.playing import play_form

pytestmark = pytest.mark.django_db


@pytest.fixture
def report(alice: User, bob: User, quarrel: Match) -> Report:
    return Report.objects.create(
        by=alice, about=bob, place="chat", reason="abuse", text="<b>Look</b> here.", match=quarrel, ply=0,
        room="players", line=2, first_line=1, last_line=7, created_at=START,
    )  # fmt: skip


def evidence(client: Client, report: Report) -> str:
    return text_of(client.get(f"/admin/desk/report/{report.pk}/change/"))


def test_all_of_it_stands_on_one_page(desk: Client, bob: User, report: Report, moderator: User, quarrel: Match) -> None:
    ChatLine.objects.filter(number=3).update(hidden=True)
    warn_person(who=moderator, whom=bob, why="Mind your words.", moment=START)
    page = evidence(desk, report)
    for part in (
        "&lt;b&gt;Look&lt;/b&gt; here.",
        "you fool",
        "well played",
        '<span class="desk-mark">hidden</span>',
        "Mind your words.",
        f'href="/matches/{quarrel.slug}/"',
        "Reported: ",
        "Reported by: ",
        "1 open, 0 upheld, 0 dismissed",
    ):
        assert part in page, part
    resign(slug=quarrel.slug, caller=Caller(bob), moment=START)
    page = evidence(desk, report)
    assert f'href="/matches/{quarrel.slug}/replay/0/"' in page
    assert "Resigned: 1" in page


def test_page_offers_what_may_be_done_and_only_that(desk: Client, bob: User, report: Report, moderator: User) -> None:
    page = evidence(desk, report)
    for what in ("warn", "mute", "suspend", "ban", "rename", "hide-line", "end", "void", "uphold", "dismiss"):
        assert f"/admin/desk/report/act/{what}/?" in page, what
    moderator.groups.get().permissions.remove(*moderator.groups.get().permissions.filter(codename__in=["ban_person"]))
    assert "/act/ban/" not in evidence(desk, report)
    User.objects.filter(pk=bob.pk).update(is_staff=True)
    page = evidence(desk, report)
    for what in ("warn", "uphold", "hide-line"):
        assert f"/act/{what}/?whom={bob.pk}" not in page
    assert "/act/uphold/" not in page


def test_moderator_who_plays_there_does_not_read_the_other_room(alice: User, moderator: User, carol: User) -> None:
    """Spectators may say what players must not know."""
    match = sit_down(alice, moderator)
    say(match, carol, "he has the fork", room="spectators")
    report = Report.objects.create(
        by=alice, about=carol, place="chat", reason="other", match=match, room="spectators", line=1, first_line=1,
        last_line=6, created_at=START,
    )  # fmt: skip
    page = evidence(browser(moderator), report)
    assert "he has the fork" not in page
    assert "You play this match yourself" in page
    resign(slug=match.slug, caller=Caller(moderator), moment=START)
    assert "he has the fork" in evidence(browser(moderator), report)


def test_accounts_from_the_same_place_are_shown_for_thirty_days(
    desk: Client, alice: User, bob: User, carol: User, mallory: User, report: Report
) -> None:
    rows = (
        (bob, "a", "d", 1),
        (alice, "a", "", 2),
        (carol, "x", "d", 3),
        (mallory, "a", "d", 31),
    )
    for user, place, device, days in rows:
        Trace.objects.create(user=user, address=place, device=device, seen_at=START - timedelta(days=days))
    found = person_file(person=bob, viewer=carol, moment=START)
    seen = [(each.place.user, each.place.by_address, each.place.by_device) for each in found.neighbours]
    assert seen == [(alice, True, False), (carol, False, True)]
    assert found.neighbours[0].shared == 1
    page = evidence(desk, report)
    assert "same address" in page
    assert "same device" in page


def test_chips_paid_by_passing_to_the_other_account_are_counted(alice: User, bob: User, time: Clock) -> None:
    """In rated matches that are over; moves taken back and other games count nothing."""
    Trace.objects.bulk_create(Trace(user=user, address="a", seen_at=START) for user in (alice, bob))
    match = rated_table(alice, bob)
    paid = {alice: 0, bob: 0}
    for number in range(5):
        player = player_to_move(match)
        text = "pass" if player == alice else move_form(match)["move"]
        play_form(match, player, move_form(match, move=text), seconds=number)
        paid[player] += text == "pass"
    (neighbour,) = person_file(person=alice, viewer=bob, moment=START).neighbours
    assert neighbour.gifts == [], "it still runs"
    end(match, (2, 1), 1)
    (neighbour,) = person_file(person=alice, viewer=bob, moment=START).neighbours
    (gift,) = neighbour.gifts
    assert (gift.game, gift.given, gift.taken) == ("M", paid[alice], 0)
    (neighbour,) = person_file(person=bob, viewer=alice, moment=START).neighbours
    assert (neighbour.gifts[0].given, neighbour.gifts[0].taken) == (0, paid[alice])
    assert paid[alice] > 0
    assert not isinstance(get_game("block_buster").rules, TellsGifts)


def test_looking_for_gifts_costs_the_same_however_many_matches_were_shared(alice: User, bob: User, time: Clock) -> None:
    Trace.objects.bulk_create(Trace(user=user, address="a", seen_at=START) for user in (alice, bob))

    def cost_after(matches: int) -> int:
        for _ in range(matches):
            end(rated_table(alice, bob), (2, 1), 1)
        with CaptureQueriesContext(connection) as queries:
            person_file(person=alice, viewer=bob, moment=START)
        return len(queries)

    assert cost_after(1) == cost_after(3)


def test_person_s_page_shows_what_is_in_force(desk: Client, bob: User, moderator: User) -> None:
    sanction_person(who=moderator, what=What.MUTE, whom=bob, why="x", moment=START, until=START + timedelta(days=1))
    page = text_of(desk.get(f"/admin/desk/report/person/{bob.pk}/"))
    assert "Muted now" in page
    assert "in force" in page
    assert desk.get(f"/admin/desk/report/person/{moderator.pk}/").status_code == 403
    found = text_of(desk.get("/admin/desk/report/find/", {"name": "BO"}))
    assert f"/admin/desk/report/person/{bob.pk}/" in found


def test_page_costs_the_same_with_many_more_of_everything(
    desk: Client, alice: User, bob: User, moderator: User, report: Report, quarrel: Match
) -> None:
    def cost() -> int:
        with CaptureQueriesContext(connection) as queries:
            assert "you fool" in evidence(desk, report)
        return len(queries)

    warn_person(who=moderator, whom=bob, why="x", moment=START)
    cost()
    before = cost()
    for number in range(6):
        warn_person(who=moderator, whom=bob, why="x", moment=START)
        ChatLine.objects.create(
            match=quarrel, room="players", number=4 + number, user=bob, text="word", created_at=START
        )
        Report.objects.create(by=alice, about=bob, place="profile", reason="name", created_at=START, state="dismissed")
    assert cost() == before


def test_moderator_who_plays_there_acts_upon_no_line_of_the_other_room(
    alice: User, moderator: User, carol: User
) -> None:
    """The form for hiding a line shows the line."""
    match = sit_down(alice, moderator)
    say(match, carol, "he has the fork", room="spectators")
    say(match, alice, "good luck")
    desk = browser(moderator)
    other, own = (
        f"/admin/desk/report/act/hide-line/?match={match.slug}&room={room}&line=1" for room in ("spectators", "players")
    )
    for answer in (desk.get(other), desk.post(other, {"why": ""}), desk.post(other, {"why": "x"})):
        assert answer.status_code == 403
        assert "he has the fork" not in text_of(answer)
    assert not ChatLine.objects.filter(hidden=True).exists()
    assert "good luck" in text_of(desk.get(own))
    resign(slug=match.slug, caller=Caller(moderator), moment=START)
    assert "he has the fork" in text_of(desk.get(other))


def test_act_is_entered_under_no_report_about_something_else(
    desk: Client, alice: User, bob: User, carol: User, report: Report, quarrel: Match
) -> None:
    other = sit_down(alice, carol)
    say(other, carol, "hello")
    for path, fits in (
        (f"warn/?whom={bob.pk}", True),
        (f"warn/?whom={alice.pk}", True),
        (f"warn/?whom={carol.pk}", False),
        (f"void/?match={quarrel.slug}", True),
        (f"void/?match={other.slug}", False),
        (f"hide-line/?match={quarrel.slug}&room=players&line=2", True),
        (f"hide-line/?match={other.slug}&room=players&line=1", False),
    ):
        answer = desk.get(f"/admin/desk/report/act/{path}&report={report.pk}")
        assert answer.status_code == (200 if fits else 404), path
