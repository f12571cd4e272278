"""What the pages of BlockYou! say around the board: at its tables, while it is played, and when it is over."""

from __future__ import annotations

import re

import pytest
from django.db.models import F

from accounts.people.models import User
from games.contract.registry import get_game
from games.matches.callers import Caller
from games.matches.models import Match
from games.matches.services.play import resign
from tests.matches.browsing import browser, text_of
from tests.matches.conftest import START, Clock, sit_down

pytestmark = pytest.mark.django_db

MISSED = re.compile('id="freshness"[^>]* data-missed=')


def test_who_leaves_before_a_round_leaves_no_countdown_behind(alice: User, bob: User, time: Clock) -> None:
    """The match is over, though the rules would open the next round."""
    match = sit_down(alice, bob, game=get_game("blockyou"))
    assert 'data-phase="countdown"' in text_of(browser(bob).get(f"/matches/{match.slug}/"))
    resign(slug=match.slug, caller=Caller(alice), moment=START)
    for path in ("", "replay/"):
        page = text_of(browser(bob).get(f"/matches/{match.slug}/{path}"))
        assert 'data-phase="over"' in page, path
        assert "by-count" not in page, path
        assert 'class="by-status' not in page, path


def test_what_absence_comes_to_is_said_before_it_counts(alice: User, bob: User, time: Clock) -> None:
    """On the page of the rules, and at the table that waits; where one plays alone nobody is missed."""
    assert "three rounds in a row" in text_of(browser(None).get("/rules/blockyou/"))
    table = sit_down(alice, bob, game=get_game("blockyou"), start=False)
    said = "whoever claims nothing in three rounds in a row, and is away, has left the match"
    assert said in text_of(browser(alice).get(f"/matches/{table.slug}/"))
    other = sit_down(alice, bob, start=False)
    assert said not in text_of(browser(alice).get(f"/matches/{other.slug}/"))


def test_who_has_let_rounds_pass_is_told_and_nobody_else(alice: User, bob: User, time: Clock) -> None:
    match = sit_down(alice, bob, game=get_game("blockyou"))
    own, others = f"/matches/{match.slug}/", [bob, None]
    for rounds, said in ((0, None), (1, "in the last round."), (2, "in the last 2 rounds.")):
        match.seats.filter(user=alice).update(idle_rounds=rounds)
        Match.objects.filter(pk=match.pk).update(version=F("version") + 1, revision=F("revision") + 1)
        page = text_of(browser(alice).get(own))
        assert (MISSED.search(page) is not None) == (said is not None)
        assert said is None or f"You claimed nothing {said} Whoever lets three in a row pass" in page
        assert not any(MISSED.search(text_of(browser(user).get(own))) for user in others)
