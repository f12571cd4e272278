"""Claims of many at once, in threads: one order, the same for all; each claim is judged exactly once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import timedelta
from random import Random

import pytest

from accounts.people.models import User
from games.contract.registry import get_game
from games.contract.values import OPEN
from games.matches.callers import Caller
from games.matches.models import LogEntry, Match, Move
from games.matches.services.due import settle_due
from games.matches.snapshots import snapshot
from tests.matches.browsing import browser, text_of
from tests.matches.conftest import START, Clock, sit_down, turn_key
from tests.matches.crowds import Answer, Browser, at_once
from tests.matches.wire import version_of
from tests.sizes import size
from tests.soundness import assert_sound

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.soak]

VERDICTS = ("placed", "wrong", "self-block", "bounced", "dropped")


def claims_of(match: Match) -> Counter[tuple[int, str]]:
    """What has been claimed by whom, and how often."""
    return Counter(Move.objects.filter(match=match).values_list("seat", "text"))


def verdicts_of(match: Match) -> Counter[tuple[int, str]]:
    """Of whose claims a verdict stands in the log, and how often."""
    entries = LogEntry.objects.filter(match=match, code__in=VERDICTS)
    return Counter((entry.params["seat"], entry.params["claim"]) for entry in entries)


def claim_at_once(match: Match, people: Sequence[User], rng: Random) -> list[Answer]:
    """Everybody claims somewhere, from two tabs each, while two keepers look."""
    jobs = []
    for seat, user in enumerate(people):
        for tab in range(2):
            text = f"{rng.randrange(7)},{rng.randrange(7)}/{rng.randrange(4)}"
            form = {"move": text, "turn_key": turn_key(match, seat), "key": f"{match.ply}-{seat}-{tab}"}
            jobs.append(Browser(user).act(match, "move", **form))
    rng.shuffle(jobs)
    return at_once(jobs)


def test_each_claim_is_judged_once_and_all_see_the_same(
    alice: User, bob: User, carol: User, mallory: User, time: Clock
) -> None:
    """Whatever order the lock gives them: the log replays to the stored position, and every screen shows that."""
    people = [alice, bob, carol, mallory]
    rng = Random(8)
    refused: Counter[str | None] = Counter()
    for _ in range(size("matches of claims at once", ci=1, soak=40)):
        time.moment = START
        match = sit_down(*people, game=get_game("blockyou"), options={})
        while match.status == Match.Status.RUNNING and match.ply < 24:
            assert match.due_at is not None
            time.moment = max(time.moment, match.due_at) + timedelta(milliseconds=rng.randrange(400))
            settle_due(moment=time.moment)
            for answer in claim_at_once(match, people, rng):
                assert answer.status in (200, 409, 422), answer
                refused[answer.code] += 1
            match.refresh_from_db()
        time.tick(minutes=3)
        moment = time.moment
        at_once([lambda: settle_due(moment=moment)] * 3)  # noqa: B023
        settle_due(moment=moment)
        assert_sound(match)
        assert claims_of(match) == verdicts_of(match)
        assert_all_see_the_same(match, people)
        match.delete()
    assert refused[None], "claims were taken"
    assert refused["move-refused"], "and others were not"


def assert_all_see_the_same(match: Match, people: Sequence[User]) -> None:
    """One version on every page, and one area."""
    pages = [text_of(browser(user).get(f"/matches/{match.slug}/")) for user in people]
    assert {version_of(page) for page in pages} == {match.version}
    areas = {
        match.game.rules.view(snapshot(slug=match.slug, caller=Caller(user)).position, OPEN).area for user in people
    }
    assert len(areas) == 1


def test_same_claim_sent_many_times_is_one(alice: User, bob: User, time: Clock) -> None:
    """A nervous finger or a retrying page: one claim waits, and every answer is that of the first."""
    match = sit_down(alice, bob, game=get_game("blockyou"), options={})
    time.tick(seconds=4)
    settle_due(moment=time.moment)
    form = {"move": "0,0/0", "turn_key": turn_key(match, 0), "key": "one"}
    assert Counter(at_once([Browser(alice).act(match, "move", **form)] * 20)) == {Answer(200, None): 20}
    assert claims_of(match) == {(0, "0,0/0"): 1}
    assert_sound(match)
