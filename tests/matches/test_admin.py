"""The administration of matches: searched and read by moderators, changed by nobody, and voiding with a trace."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.desk.models import ModerationAct
from accounts.people.models import User
from games.matches import clock
from games.matches.callers import Caller
from games.matches.models import Match, Move, Seat
from games.matches.services.play import resign
from tests.matches.browsing import browser, text_of
from tests.matches.conftest import Clock, frozen, move_form, player_to_move, sit_down
from tests.matches.playing import play_form, play_to_the_end

pytestmark = pytest.mark.django_db

MATCHES, MOVES, SEATS = "/admin/matches/match/", "/admin/matches/move/", "/admin/matches/seat/"


@pytest.fixture(autouse=True)
def _clock(time: Clock) -> None:
    """Nothing moves while a test looks."""


def grant(user: User, *names: str) -> User:
    user.user_permissions.add(*Permission.objects.filter(content_type__app_label="matches", codename__in=names))
    return user


@pytest.fixture
def moderator(mod: User) -> User:
    """May read everything, and void."""
    return grant(mod, "view_match", "view_move", "view_seat", "void_match")


@pytest.fixture
def root(make_person: Callable[..., User]) -> User:
    """May do whatever anybody may."""
    return make_person("root1", is_staff=True, is_superuser=True)


def played(alice: User, bob: User, moves: int = 1) -> Match:
    match = sit_down(alice, bob)
    for _ in range(moves):
        play_form(match, player_to_move(match), move_form(match))
    match.refresh_from_db()
    return match


WHY = "Agreed upon beforehand."


def void(client: Client, *matches: Match, why: str | None = WHY) -> Any:
    """The answer to voiding these; without `why`: as the list asks for it."""
    chosen: dict[str, Any] = {"action": "void", "_selected_action": [str(match.pk) for match in matches]}
    return client.post(MATCHES, chosen | ({"why": why} if why is not None else {}), follow=True)


def listed(client: Client, base: str, words: str) -> list[str]:
    """The rows' keys that a search finds, each as often as it is shown."""
    return re.findall(rf'href="{base}(\d+)/change/', text_of(client.get(base, {"q": words})))


# Who comes in


def test_list_of_matches_says_game_and_end_in_words(alice: User, bob: User, moderator: User) -> None:
    match = played(alice, bob)
    resign(slug=match.slug, caller=Caller(bob), moment=clock.now())
    page = text_of(browser(moderator).get(MATCHES))
    assert 'class="field-game">M<' in page
    assert re.search(r'class="field-ended_by">\W*Bob\W* resigned<', page)


def test_administration_is_for_staff_with_the_right_to_it(alice: User, bob: User, mod: User) -> None:
    match = played(alice, bob)
    for path in (MATCHES, MOVES, f"{MATCHES}{match.pk}/change/"):
        for user in (alice, None):
            response = browser(user).get(path)
            assert response.status_code in (302, 403), path
            assert match.slug not in text_of(response)
        assert browser(mod).get(path).status_code == 403, "staff without the right"


def test_moderator_finds_matches(alice: User, bob: User, carol: User, moderator: User) -> None:
    match = played(alice, bob)
    User.objects.filter(pk=carol.pk).update(display_name="Carola \u5bbd")
    carol.refresh_from_db()
    another = played(carol, bob)
    client = browser(moderator)
    for words, found, absent in (
        (match.slug, match, another),
        ("alice", match, another),
        ("Alice", match, another),
        ("Carola", another, match),
        ("\u5bbd", another, match),
    ):
        page = text_of(client.get(MATCHES, {"q": words}))
        assert found.slug in page, words
        assert absent.slug not in page, words
    page = text_of(client.get(f"{MATCHES}{match.pk}/change/"))
    assert "Alice" in page
    assert match.moves.get().public_text in page


def test_moderator_finds_moves_and_seats_by_match_and_player(
    alice: User, bob: User, carol: User, moderator: User
) -> None:
    """Each row once, also where several of its players are found by the same words."""
    User.objects.filter(pk=carol.pk).update(display_name="Carola \u5bbd")
    carol.refresh_from_db()
    match, another = played(alice, bob, moves=3), played(carol, bob)
    client = browser(moderator)
    in_match, in_another = ({str(move.pk) for move in each.moves.all()} for each in (match, another))
    for words, found in (
        (match.slug, in_match),
        ("alice", in_match),
        ("Alice", in_match),
        ("Carola", in_another),
        ("\u5bbd", in_another),
        ("bob", in_match | in_another),
        ("b", in_match | in_another),
        ("nobody", set()),
    ):
        rows = listed(client, MOVES, words)
        assert set(rows) == found, words
        assert len(set(rows)) == len(rows), words
    for words, count in ((match.slug, 2), ("alice", 1), ("Carola", 1), ("bob", 2), ("nobody", 0)):
        assert len(set(listed(client, SEATS, words))) == count, words


ODD_QUERIES = [
    {"q": "\0"},
    {"q": "%' OR 1=1 --"},
    {"q": "x" * 5000},
    {"o": "9.9.-9"},
    {"p": "99999"},
    {"all": ""},
    {"status__exact": "nonsense"},
    {"created_at__year": "x"},
    {"created_at__year": "99999999"},
    {"created_at__month": "13", "created_at__year": "2026"},
    {"created_at__day": "41", "created_at__month": "2", "created_at__year": "2026"},
    {"created_at__gte": "nonsense"},
    {"e": "1"},
    {"nosuchcolumn": "1"},
    {"public__exact": "perhaps"},
    {"match__game_slug": "m"},
    {"slug__startswith": "0"},
    {"_to_field": "invite"},
    {"_popup": "1", "_to_field": "position"},
]


def test_odd_queries_are_no_fault_of_the_administration(alice: User, bob: User, root: User) -> None:
    played(alice, bob)
    client = browser(root)
    for path in (MATCHES, MOVES, SEATS):
        for query in ODD_QUERIES:
            response = client.get(path, query, follow=True)
            assert response.status_code in (200, 400), (path, query)


def test_filters_and_dates_work(alice: User, bob: User, moderator: User) -> None:
    match = played(alice, bob)
    client = browser(moderator)
    there: list[dict[str, str]] = [
        {"status__exact": "running"},
        {"game_slug": "m"},
        {"pace__exact": "live", "public__exact": "1"},
        {"created_at__year": "2026"},
        {"created_at__year": "2026", "created_at__month": "3", "created_at__day": "1"},
    ]
    for query in there:
        assert match.slug in text_of(client.get(MATCHES, query)), query
    absent: list[dict[str, str]] = [{"status__exact": "over"}, {"created_at__year": "2025"}, {"pace__exact": "turns"}]
    for query in absent:
        page = text_of(client.get(MATCHES, query))
        assert match.slug not in page, query
    assert match.slug in text_of(client.get(MOVES, {"match__game_slug": "m", "kind__exact": "person"}))


def test_page_of_a_match_of_a_game_that_is_gone_can_be_read_and_voided(alice: User, bob: User, moderator: User) -> None:
    match = played(alice, bob)
    Match.objects.filter(pk=match.pk).update(game_slug="gone")
    client = browser(moderator)
    assert client.get(MATCHES).status_code == 200
    assert client.get(f"{MATCHES}{match.pk}/change/").status_code == 200
    assert void(client, match).status_code == 200
    match.refresh_from_db()
    assert match.reason == "voided"


# Nothing is changed here


def test_log_is_read_only_for_everybody(alice: User, bob: User, root: User, moderator: User) -> None:
    """No page to change with, and no post that does, not even for who may do everything."""
    grant(moderator, *(f"{act}_{model}" for act in ("add", "change", "delete") for model in ("match", "move", "seat")))
    match = played(alice, bob, moves=2)
    move, before = match.moves.order_by("ply")[0], frozen(match)
    for user in (root, moderator):
        client = browser(user)
        for base, pk in ((MATCHES, match.pk), (MOVES, move.pk), (SEATS, match.seats.all()[0].pk)):
            for path in (f"{base}add/", f"{base}{pk}/change/", f"{base}{pk}/delete/"):
                response = client.post(path, {"post": "yes", "text": "pass", "status": "over", "_save": "Save"})
                assert response.status_code == 403, path
            assert client.get(f"{base}add/").status_code == 403
            assert client.get(f"{base}{pk}/delete/").status_code == 403
            page = text_of(client.get(f"{base}{pk}/change/"))
            assert 'name="_save"' not in page
            assert "deletelink" not in page
            delete = {"action": "delete_selected", "_selected_action": [str(pk)], "post": "yes"}
            assert client.post(base, delete, follow=True).status_code in (200, 403)
        formset = {"seats-TOTAL_FORMS": "1", "seats-INITIAL_FORMS": "1", "seats-0-name": "Mallory"}
        assert client.post(f"{MATCHES}{match.pk}/change/", formset).status_code == 403
    assert frozen(match) == before
    assert (Match.objects.count(), Move.objects.count(), Seat.objects.count()) == (1, 2, 2)


# Voiding, which goes by the log of moderation: see tests/desk


def test_running_and_finished_matches_are_voided_with_a_trace(alice: User, bob: User, moderator: User) -> None:
    running, over = played(alice, bob), played(alice, bob)
    play_to_the_end(over)
    over.refresh_from_db()
    finished_at = over.finished_at
    response = void(browser(moderator), running, over)
    assert "2 matches were voided." in text_of(response)
    for match in (running, over):
        match.refresh_from_db()
        assert (match.status, match.reason, match.standing, match.due_at) == (Match.Status.OVER, "voided", None, None)
        act = ModerationAct.objects.get(match=match)
        assert (act.who, act.what, act.why) == (moderator, "void", WHY)
        assert browser(alice).get(f"/matches/{match.slug}/record/").status_code == 200
    assert over.finished_at == finished_at
    assert over.outcome is not None, "what the rules said stays in the store"
    assert "voided by a moderator" in text_of(browser(alice).get("/history/"))


def test_voiding_asks_before_it_does(alice: User, bob: User, carol: User, moderator: User) -> None:
    match, spared = played(alice, bob), played(carol, bob)
    before = frozen(match)
    client = browser(moderator)
    page = text_of(void(client, match, why=None))
    assert frozen(match) == before
    assert not ModerationAct.objects.exists()
    assert match.slug in page
    assert "<bdi>Alice</bdi>, <bdi>Bob</bdi>" in page
    assert spared.slug not in page
    form = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page))
    void(client, match, why=" ")
    assert frozen(match) == before
    client.post(MATCHES, {**form, "why": WHY})
    match.refresh_from_db()
    spared.refresh_from_db()
    assert (match.reason, spared.reason) == ("voided", "")


def test_table_can_not_be_voided(alice: User, bob: User, moderator: User) -> None:
    table, closed, running = (
        sit_down(alice, seats=2, start=False),
        sit_down(alice, seats=2, start=False),
        played(alice, bob),
    )
    Match.objects.filter(pk=closed.pk).update(status=Match.Status.CLOSED)
    before = frozen(table)
    page = text_of(void(browser(moderator), table, closed, running))
    assert f"Match {table.slug}: It is not as you saw it" in page
    assert "1 match was voided." in page, "the others are voided all the same"
    assert frozen(table) == before
    assert ModerationAct.objects.get().match == running


def test_voiding_needs_the_right_to_it(alice: User, bob: User, mod: User) -> None:
    grant(mod, "view_match", "view_seat", "view_move")
    match = played(alice, bob)
    before = frozen(match)
    client = browser(mod)
    assert "Void the selected" not in text_of(client.get(MATCHES))
    void(client, match)
    assert frozen(match) == before
    assert not ModerationAct.objects.exists()


def test_voiding_needs_the_form_s_token(alice: User, bob: User, moderator: User) -> None:
    match = played(alice, bob)
    client = browser(moderator, enforce_csrf_checks=True)
    assert void(client, match).status_code == 403
    match.refresh_from_db()
    assert match.status == Match.Status.RUNNING


def test_voided_match_is_told_to_who_plays_it(
    alice: User, bob: User, moderator: User, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    match = played(alice, bob)
    told: list[str] = []
    monkeypatch.setattr("games.matches.services.sitting.announce", lambda change: told.append(change.slug))
    with django_capture_on_commit_callbacks(execute=True):
        void(browser(moderator), match)
    assert told == [match.slug]


# Costs


def test_lists_cost_the_same_with_many_more_matches(alice: User, bob: User, moderator: User) -> None:
    client = browser(moderator)

    def cost(path: str) -> int:
        with CaptureQueriesContext(connection) as queries:
            assert client.get(path).status_code == 200
        return len(queries)

    first = played(alice, bob, moves=2)
    paths = (
        MATCHES,
        MOVES,
        SEATS,
        f"{MATCHES}?q=alice",
        f"{MOVES}?q=alice",
        f"{SEATS}?q=alice",
        f"{MATCHES}{first.pk}/change/",
    )
    for path in paths:
        cost(path)
    costs = [cost(path) for path in paths]
    for _ in range(12):
        played(alice, bob, moves=2)
    for _ in range(6):
        play_form(first, player_to_move(first), move_form(first))
    assert [cost(path) for path in paths] == costs
