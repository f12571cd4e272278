"""What a leaver is shown of it on their own pages, and that nobody else is shown anything."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest

from accounts.people.models import User
from games.matches.models import Seat
from games.matches.services.leavers import weigh_leaving
from tests.matches.browsing import act, browser, notice_in, text_of
from tests.matches.conftest import START, Clock, sit_down
from tests.matches.test_rated_pauses import HOUR, RATED, left_by

pytestmark = pytest.mark.django_db

OWN = ("/people/bob/", "/account/settings/")
BEFORE_PLAY = ("/lobby/", "/tables/new/m/")


def shown(user: User | None, path: str) -> str:
    """The page's text, in one line."""
    answer = browser(user).get(path)
    assert answer.status_code == 200
    return re.sub(r"\s+", " ", re.sub("<[^>]+>", "", text_of(answer)))


def test_who_has_left_nothing_is_shown_nothing(bob: User, time: Clock) -> None:
    for path in (*OWN, *BEFORE_PLAY):
        page = shown(bob, path)
        assert "left the others alone" not in page
        assert "ated play pauses" not in page


def test_own_pages_say_how_many_count_what_the_next_would_do_and_how_it_passes(
    alice: User, bob: User, time: Clock
) -> None:
    left_by(bob, alice)
    time.moment = START + HOUR
    for path in OWN:
        page = shown(bob, path)
        assert "1 match in which you left the others alone counts" in page
        assert "One more would not change anything yet." in page
        assert "half as much after a week" in page
    assert "ated play pauses" not in shown(bob, "/tables/new/m/")
    left_by(bob, alice, hours=1)
    would = "If you leave one more live rated match, rated play pauses for you for 30 minutes."
    for path in (*OWN, "/tables/new/m/"):
        assert would in shown(bob, path)
    assert "rated play pauses" not in shown(bob, "/lobby/")
    time.moment = START + timedelta(days=29)
    assert "left the others alone" not in shown(bob, "/people/bob/")


def test_pause_is_said_with_its_end_on_own_pages_and_where_one_would_play(alice: User, bob: User, time: Clock) -> None:
    for hours in (0, 1, 2):
        left_by(bob, alice, hours=hours)
    time.moment = START + 2 * HOUR
    weigh_leaving(user_id=bob.pk, moment=time.moment)
    for path in (*OWN, *BEFORE_PLAY):
        assert re.search(r"Rated play pauses for you until [^.]*2026[^.]*14:30", shown(bob, path))
    assert "rated play pauses for 4 hours from then on" in shown(bob, "/account/settings/")
    table = sit_down(alice, start=False, seats=2, moment=time.moment, **RATED)
    answer = act(bob, table, "join")
    assert (answer.status_code, notice_in(answer)) == (403, "rated-paused")
    assert "/account/settings/#leaving" in text_of(answer)
    time.moment += timedelta(minutes=30)
    assert "ated play pauses" not in shown(bob, "/lobby/")


def test_nobody_else_is_shown_any_of_it(alice: User, bob: User, mod: User, time: Clock) -> None:
    left_by(bob, alice)
    for user in (None, alice, mod):
        before = shown(user, "/people/bob/")
        Seat.objects.update(abandoned_at=None)
        assert shown(user, "/people/bob/") == before
        Seat.objects.filter(user=bob).update(abandoned_at=START)
        assert "left the others alone" not in before
        assert "ated play pauses" not in before
