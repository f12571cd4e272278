"""A move and the flag at the same moment: exactly one of them stands, and all see the same."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from datetime import timedelta

import pytest

from accounts.people.models import User
from games.matches.callers import Caller
from games.matches.errors import Refused
from games.matches.models import LogEntry, Match
from games.matches.services.acts import perform_act
from games.matches.services.due import settle_due
from tests.matches.browsing import browser, text_of
from tests.matches.conftest import START, Clock, move_form, player_to_move, sit_down, to_move
from tests.matches.crowds import Answer, Browser, at_once
from tests.matches.playing import other
from tests.matches.timekeeping import LIVE, clocks
from tests.matches.wire import version_of
from tests.sizes import size
from tests.soundness import assert_sound

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.soak]

FLAG = START + timedelta(minutes=10)
IN_TIME = FLAG - timedelta(milliseconds=1)
MOVED, TOO_LATE = Answer(200, None), Answer(409, "not-running")


def straight(match: Match, user: User, act: str, form: dict[str, str], moment: object) -> Callable[[], Answer]:
    """The act without a page around it, as over a socket that is open."""

    def send() -> Answer:
        try:
            perform_act(act=act, slug=match.slug, caller=Caller(user), data=form, arrived=moment)  # type: ignore[arg-type]
        except Refused as refusal:
            return Answer(refusal.status, refusal.code)
        return MOVED

    return send


def keeper() -> Answer:
    settle_due(moment=FLAG)
    return Answer(0, "keeper")


def test_move_and_flag_at_once_one_of_them_stands(alice: User, bob: User, time: Clock) -> None:
    """The move has arrived in the last millisecond; who comes at the flag comes at the same moment. The lock decides.

    By turns the move comes by page and straight, and the flag by a keeper, two of them, or the waiting player's own
    act: so each comes first now and then.
    """
    rounds = size("move and flag at once", ci=24, soak=1000)
    outcomes: Counter[str] = Counter()
    for number in range(rounds):
        time.moment = IN_TIME
        match = sit_down(alice, bob, clock=LIVE)
        seat, mover = to_move(match), player_to_move(match)
        waiting, form = other(mover, alice, bob), move_form(match)
        by_page = Browser(mover).act(match, "move", **form)
        move = by_page if number % 2 else straight(match, mover, "move", form, IN_TIME)
        flags = (
            [keeper],
            [keeper, keeper],
            [straight(match, waiting, "end", {"agreed": "0"}, FLAG)],
        )[number % 3]
        jobs = [*flags, move] if number % 4 < 2 else [move, *flags]
        answers = at_once(jobs)
        moved = answers[jobs.index(move)]

        assert_sound(match)
        flagged = list(LogEntry.objects.filter(match=match).values_list("code", "at"))
        if moved == MOVED:
            assert (match.status, match.ply, flagged) == (Match.Status.RUNNING, 1, [])
            assert clocks(match)[seat] == (10_001, None)
            assert clocks(match)[1 - seat] == (600_000, 599_999)
            assert match.due_at == IN_TIME + timedelta(minutes=10)
        else:
            assert moved == TOO_LATE
            assert (match.status, match.reason, match.ply) == (Match.Status.OVER, "timeout", 0)
            assert flagged == [("flagged", 600_000)]
            assert match.standing is not None
            assert match.standing["places"][seat] == 2
            assert clocks(match)[seat] == (0, None)
        assert_both_see_the_same(match, mover, waiting)
        outcomes[moved.code or "moved"] += 1
        match.delete()
    print(f"of {rounds}: {dict(outcomes)}")  # noqa: T201
    assert sum(outcomes.values()) == rounds
    assert set(outcomes) == {"moved", "not-running"}, "either order has happened"


def assert_both_see_the_same(match: Match, mover: User, waiting: User) -> None:
    """One version, one board, one result: theirs by each one's point of view."""
    pages = [
        re.sub("[\u2068\u2069]", "", text_of(browser(user).get(f"/matches/{match.slug}/"))) for user in (mover, waiting)
    ]
    assert {version_of(page) for page in pages} == {match.version}
    states = [re.findall(r'data-ply="(\d+)"[^>]*data-status="(\w+)"', page) for page in pages]
    assert states == [[(str(match.ply), match.status)]] * 2
    shown = [re.findall(r'data-left="(\d*)" data-since="(\d*)"', page) for page in pages]
    assert shown[0] == shown[1]
    if match.status == Match.Status.OVER:
        assert "Your time ran out." in pages[0]
        assert "You have won." in pages[1]
        assert f"The time of {mover.display_name} ran out." in pages[1]
