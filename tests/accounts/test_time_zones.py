"""Times are shown in the reader's zone, on pages and over sockets; what is stored and exported stays in UTC."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation

from accounts.people.models import User
from accounts.people.time_zones import COOKIE, shown_to, zone_called, zone_names, zone_of
from games.matches.callers import Caller
from games.matches.fragments.match import draw_stage
from games.matches.services.play import resign
from games.matches.snapshots import snapshot
from tests.accounts.test_signing_up import sign_up
from tests.matches.conftest import START, sit_down

FORM = {"display_name": "Alice", "confirm_moves": "auto", "language": "en"}


@pytest.mark.parametrize(
    ("text", "zone"),
    [
        ("Europe/Madrid", "Europe/Madrid"),
        ("europe/madrid", "Europe/Madrid"),
        (" Taipei ", "Asia/Taipei"),
        ("new york", "America/New_York"),
        ("UTC", "UTC"),
        ("", ""),
        ("Atlantis", ""),
        ("../../etc/passwd", ""),
        ("\0", ""),
        ("x" * 500, ""),
    ],
)
def test_a_zone_is_found_by_its_name_or_its_city(text: str, zone: str) -> None:
    assert zone_called(text) == zone


def test_the_list_has_a_city_for_everybody() -> None:
    assert {"Asia/Taipei", "Europe/Madrid", "America/Mexico_City", "UTC"} <= set(zone_names())
    assert not [name for name in zone_names() if name.startswith("Etc/")]


def test_what_was_chosen_comes_before_the_browser_and_that_before_the_site() -> None:
    user, cookies = User(time_zone="Asia/Taipei"), {COOKIE: "Europe/Madrid"}
    assert str(zone_of(user, cookies)) == "Asia/Taipei"
    assert str(zone_of(User(), cookies)) == "Europe/Madrid"
    assert str(zone_of(None, cookies)) == "Europe/Madrid"
    assert str(zone_of(None, {COOKIE: "../passwd"})) == "UTC"
    assert str(zone_of(User(time_zone="Gone/Away"))) == "UTC"


def test_settings_take_a_zone_and_refuse_what_is_none(client: Client, alice: User) -> None:
    client.force_login(alice)
    assert client.post(reverse("settings"), {**FORM, "time_zone": "taipei"}).status_code == 302
    alice.refresh_from_db()
    assert alice.time_zone == "Asia/Taipei"
    answer = client.post(reverse("settings"), {**FORM, "time_zone": "Atlantis"})
    assert answer.status_code == 422
    assert "There is no such time zone." in answer.content.decode()
    client.post(reverse("settings"), {**FORM, "time_zone": ""})
    alice.refresh_from_db()
    assert alice.time_zone == ""


@pytest.mark.django_db
@pytest.mark.parametrize(("said", "kept"), [("Asia/Taipei", "Asia/Taipei"), ("Atlantis", ""), ("'; drop", "")])
def test_a_newcomer_gets_the_zone_of_the_browser(client: Client, said: str, kept: str) -> None:
    client.cookies[COOKIE] = said
    sign_up(client)
    assert User.objects.get().time_zone == kept


def test_a_page_and_the_history_tell_times_of_the_readers_zone(client: Client, alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    resign(slug=match.slug, caller=Caller(alice), moment=datetime(2026, 3, 1, 17, 30, tzinfo=UTC))
    client.cookies[COOKIE] = "Asia/Taipei"
    page = client.get(match.get_absolute_url(), follow=True).content.decode()
    assert "2026-03-02 01:30 CST" in page
    client.force_login(alice)
    alice.time_zone = "Europe/Madrid"
    alice.save()
    assert "2026-03-01 18:30 CET" in client.get(reverse("history")).content.decode()
    # The last request's zone is nobody else's.
    assert timezone.get_current_timezone_name() == "UTC"


def test_days_of_the_history_are_the_readers(client: Client, alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    resign(slug=match.slug, caller=Caller(alice), moment=datetime(2026, 3, 1, 17, 30, tzinfo=UTC))
    client.force_login(alice)
    client.cookies[COOKIE] = "Asia/Taipei"
    found = [
        match.slug in client.get(reverse("history"), {"from": day, "to": day}).content.decode()
        for day in ("2026-03-01", "2026-03-02")
    ]
    assert found == [False, True]
    for edge in ("0001-01-01", "9999-12-31"):
        for zone in ("Pacific/Kiritimati", "Pacific/Niue"):
            client.cookies[COOKIE] = zone
            assert client.get(reverse("history"), {"from": edge, "to": edge}).status_code == 200


def test_drawings_that_tell_times_are_not_shared_between_zones(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    resign(slug=match.slug, caller=Caller(alice), moment=START + timedelta(hours=1))
    seen = snapshot(slug=match.slug, caller=Caller(None))
    drawn = {}
    for zone in ("Asia/Taipei", "Europe/Madrid"):
        with shown_to(None, language="en", cookies={COOKIE: zone}):
            drawn[zone] = draw_stage(seen, None)
    assert "2026-03-01 21:00 CST" in drawn["Asia/Taipei"]
    assert "2026-03-01 14:00 CET" in drawn["Europe/Madrid"]
    assert translation.get_language() == "en"


def test_running_live_matches_are_drawn_once_for_all_zones(alice: User, bob: User) -> None:
    seen = snapshot(slug=sit_down(alice, bob).slug, caller=Caller(None))
    drawn: list[Any] = []
    for zone in ("Asia/Taipei", "Europe/Madrid"):
        with shown_to(None, language="en", cookies={COOKIE: zone}):
            drawn.append(draw_stage(seen, None))
    assert drawn[0] is drawn[1]
