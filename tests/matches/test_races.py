"""Many at once: whatever is pressed at the same moment, the match is what one of the orders would have made of it."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import timedelta

import pytest

from accounts.people.models import User
from games.contract.registry import Game, all_games
from games.matches.callers import Caller
from games.matches.models import Match, Seat
from games.matches.services import admission, tables
from games.matches.services.due import settle_due
from tests.matches.browsing import table_form, text_of
from tests.matches.conftest import START, Clock, legal_texts, move_form, player_to_move, sit_down, to_move, turn_key
from tests.matches.crowds import Answer, Browser, at_once
from tests.matches.playing import other, play_form
from tests.matches.wire import version_of
from tests.sizes import size
from tests.soundness import assert_sound

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.soak]

MANY = size("of the same at once", ci=30, soak=200)
# In real time nobody is to move alone: see test_claim_races.py.
BY_TURNS = [game for game in all_games() if not game.info.real_time]
games = pytest.mark.parametrize("game", BY_TURNS, ids=lambda game: game.slug)
ROUNDS = size("rounds of two acts at once", ci=3, soak=5)
"""How often two orders of the same two acts are given the chance to happen."""


@pytest.fixture(autouse=True)
def _clock(time: Clock) -> None:
    """All stamp the same moment: the order is the lock's alone."""


# Moves


@games
def test_same_form_sent_many_times_makes_one_ply(alice: User, bob: User, game: Game) -> None:
    """A nervous finger, a retrying browser: every answer is that of the first."""
    match = sit_down(alice, bob, game=game)
    version, post = match.version, Browser(player_to_move(match)).act(match, "move", **move_form(match))
    assert Counter(at_once([post] * MANY)) == {Answer(200, None): MANY}
    assert_sound(match)
    assert (match.ply, match.version) == (1, version + 1)


@games
def test_same_move_from_many_tabs_makes_one_ply(alice: User, bob: User, game: Game) -> None:
    """Each has a key of its own: one is played, and all others are told that the match has moved on."""
    match = sit_down(alice, bob, game=game)
    browser, form = Browser(player_to_move(match)), move_form(match)
    answers = at_once(browser.act(match, "move", **{**form, "key": f"tab-{number}"}) for number in range(MANY))
    assert Counter(answers) == {Answer(200, None): 1, Answer(409, "stale-turn"): MANY - 1}
    assert_sound(match)
    assert match.ply == 1


@games
def test_different_moves_at_once_one_is_played(alice: User, bob: User, game: Game) -> None:
    match = sit_down(alice, bob, game=game)
    browsers = {user: Browser(user) for user in (alice, bob)}
    for ply in range(1, ROUNDS + 1):
        browser, form = browsers[player_to_move(match)], move_form(match)
        texts = legal_texts(match)[:6]
        forms = [{**form, "move": text, "key": f"k{ply}-{number % 3}"} for number, text in enumerate(texts)]
        posts = [browser.act(match, "move", **form) for form in forms]
        answers = at_once(posts)
        assert Counter(answer.status for answer in answers)[200] >= 1
        assert {answer.code for answer in answers} <= {None, "stale-turn", "key-reused"}
        assert_sound(match)
        assert match.ply == ply


@games
def test_two_players_at_once_one_success_and_one_explained_refusal(alice: User, bob: User, game: Game) -> None:
    match = sit_down(alice, bob, game=game)
    browsers = {user: Browser(user) for user in (alice, bob)}
    for ply in range(1, ROUNDS + 1):
        mover = player_to_move(match)
        waiting = other(mover, alice, bob)
        form = move_form(match)
        own, foreign = at_once(
            [
                browsers[mover].act(match, "move", **form),
                browsers[waiting].act(match, "move", move="pass", turn_key=form["turn_key"], key=f"other-{ply}"),
            ]
        )
        assert own == Answer(200, None)
        assert foreign in (Answer(409, "not-your-turn"), Answer(409, "stale-turn"))
        assert_sound(match)
        assert match.ply == ply


# Tables


@pytest.mark.parametrize("pace", [Match.Pace.LIVE, Match.Pace.TURNS])
def test_last_seat_goes_to_one(alice: User, make_person: Callable[..., User], pace: str) -> None:
    comers = [make_person(f"comer{number}") for number in range(8)]
    match = sit_down(alice, seats=2, start=False, pace=pace)
    answers = at_once(Browser(comer).act(match, "join", seat="1") for comer in comers)
    refused = {Answer(409, "seat-taken"), Answer(409, "not-waiting")}
    assert Counter(answer.status for answer in answers) == {200: 1, 409: 7}
    assert set(answers) - {Answer(200, None)} <= refused
    seated = match.seats.get(index=1).user
    assert seated == comers[answers.index(Answer(200, None))]
    match.refresh_from_db()
    if pace == Match.Pace.TURNS:
        assert match.status == Match.Status.RUNNING
        assert_sound(match)


def test_one_person_in_a_hurry_gets_one_seat(alice: User, bob: User) -> None:
    """Also on different seats: moving over is no sitting twice."""
    match = sit_down(alice, seats=4, start=False)
    browser = Browser(bob)
    answers = at_once(browser.act(match, "join", seat=str(1 + number % 3)) for number in range(12))
    assert {answer.code for answer in answers} <= {None, "already-seated", "seat-taken"}
    assert match.seats.filter(user=bob).count() == 1
    assert match.seats.filter(user__isnull=True).count() == 2


def test_ready_pressed_by_all_at_once_starts_one_match(alice: User, bob: User, carol: User) -> None:
    browsers = [Browser(user) for user in (alice, bob, carol)]
    for _ in range(ROUNDS):
        match = sit_down(alice, bob, carol, start=False, seating=Match.Seating.LOT)
        version = match.version
        answers = at_once(browser.act(match, "ready", ready="1") for browser in browsers)
        assert answers == [Answer(200, None)] * 3
        assert_sound(match)
        assert match.status == Match.Status.RUNNING
        assert match.version == version + 3
        assert sorted(seat.shown_name for seat in match.seats.all()) == ["Alice", "Bob", "Carol"]


def test_getting_up_while_another_presses_ready_starts_no_match_with_an_empty_seat(alice: User, bob: User) -> None:
    for _ in range(ROUNDS):
        match = sit_down(alice, bob, start=False)
        tables.set_ready(slug=match.slug, caller=Caller(bob), ready=True, moment=START)
        at_once([Browser(alice).act(match, "ready", ready="1"), Browser(bob).act(match, "leave")])
        match.refresh_from_db()
        seated = {seat.user for seat in match.seats.select_related("user")}
        if match.status == Match.Status.RUNNING:
            assert seated == {alice, bob}
        else:
            assert match.status == Match.Status.TABLE
            assert seated == {alice, None}
            assert not any(seat.ready for seat in match.seats.filter(user__isnull=True))


def test_limits_of_tables_hold_when_many_are_opened_at_once(alice: User) -> None:
    browser = Browser(alice)
    answers = at_once([browser.post("/tables/new/m/", **table_form())] * (admission.MAX_OPEN_TABLES + 6))
    assert Counter(answer.status_code for answer in answers) == {302: admission.MAX_OPEN_TABLES, 429: 6}
    assert Match.objects.count() == admission.MAX_OPEN_TABLES


def test_play_now_pressed_many_times_begins_one_match(alice: User) -> None:
    answers = at_once([Browser(alice).post("/play-now/m/")] * 8)
    assert {answer.status_code for answer in answers} == {302}
    assert len({answer["Location"] for answer in answers}) == 1
    assert Match.objects.count() == 1


# Ends


def test_move_and_resignation_at_once(alice: User, bob: User) -> None:
    """Either the move came first, and stands; or it came too late, and is told so. The match is lost in both cases."""
    browsers = {user: Browser(user) for user in (alice, bob)}
    for _ in range(ROUNDS):
        match = sit_down(alice, bob)
        mover, seat = player_to_move(match), to_move(match)
        waiting = other(mover, alice, bob)
        moved, resigned = at_once(
            [browsers[mover].act(match, "move", **move_form(match)), browsers[waiting].act(match, "resign")]
        )
        assert resigned == Answer(200, None)
        assert moved in (Answer(200, None), Answer(409, "not-running"))
        assert_sound(match)
        assert match.ply == (1 if moved.status == 200 else 0)
        assert (match.status, match.reason) == (Match.Status.OVER, "resigned")
        assert match.standing is not None
        assert match.standing["places"][seat] == 1


def test_both_resign_at_once_and_one_has_won(alice: User, bob: User) -> None:
    for _ in range(ROUNDS):
        match = sit_down(alice, bob)
        answers = at_once(Browser(user).act(match, "resign") for user in (alice, bob))
        assert sorted(answer.status for answer in answers) == [200, 409]
        match.refresh_from_db()
        assert match.standing is not None
        assert sorted(match.standing["places"]) == [1, 2]
        assert match.standing["places"][answers.index(Answer(200, None))] == 2


def test_all_agree_at_once_and_it_ends_once(alice: User, bob: User, carol: User) -> None:
    match = sit_down(alice, bob, carol)
    version = match.version
    answers = at_once(Browser(user).act(match, "end", agreed="1") for user in (alice, bob, carol))
    assert answers == [Answer(200, None)] * 3
    match.refresh_from_db()
    assert (match.status, match.reason, match.version) == (Match.Status.OVER, "abandoned", version + 3)


def test_calling_off_and_moving_at_once(alice: User, bob: User) -> None:
    for _ in range(ROUNDS):
        match = sit_down(alice, bob)
        mover = player_to_move(match)
        moved, cancelled = at_once(
            [
                Browser(mover).act(match, "move", **move_form(match)),
                Browser(other(mover, alice, bob)).act(match, "cancel"),
            ]
        )
        assert cancelled == Answer(200, None), "not everybody had moved, in either order"
        assert moved in (Answer(200, None), Answer(409, "not-running"))
        assert_sound(match)
        assert match.status == Match.Status.CLOSED


# The keeper


def due_matches(alice: User, count: int) -> list[Match]:
    """Matches in which a bot is to move, all at the same moment."""
    matches = []
    for _ in range(count):
        match = sit_down(alice, bots=1)
        while to_move(match) == 0:
            play_form(match, alice, move_form(match), seconds=0)
        matches.append(match)
    Seat.objects.filter(match__in=matches, kind=Seat.Kind.BOT).update(acts_at=1000)
    Match.objects.filter(pk__in=[match.pk for match in matches]).update(due_at=START + timedelta(seconds=1))
    for match in matches:
        match.refresh_from_db()
    return matches


def bots_moves(matches: Sequence[Match]) -> list[int]:
    return [match.moves.filter(kind=Seat.Kind.BOT).count() for match in matches]


def test_several_keepers_never_act_twice(alice: User) -> None:
    matches = due_matches(alice, 8)
    before = bots_moves(matches)
    moment = START + timedelta(seconds=1)
    at_once([lambda: settle_due(moment=moment)] * 5)
    # A row that another keeper holds is left to them: what all have passed over is still due.
    settle_due(moment=moment)
    assert bots_moves(matches) == [count + 1 for count in before]
    for match in matches:
        assert_sound(match)


def test_keepers_and_players_bring_a_match_up_to_now_once(alice: User, time: Clock) -> None:
    (match,) = due_matches(alice, 1)
    (before,) = bots_moves([match])
    time.moment = START + timedelta(seconds=1)
    browser, ply = Browser(alice), match.ply
    key = turn_key(match, 0)
    answers = at_once(
        [
            *[browser.act(match, "move", move="pass", turn_key=key)] * 4,
            *[lambda: Answer(settle_due(moment=time.moment), "keeper")] * 4,
            *[browser.act(match, "end", agreed="0")] * 2,
        ]
    )
    assert {answer for answer in answers if answer.code != "keeper"} <= {
        Answer(409, "stale-turn"),
        Answer(409, "not-your-turn"),
        Answer(200, None),
    }
    assert_sound(match)
    assert bots_moves([match]) == [before + 1]
    assert match.ply == ply + 1
    assert match.moves.get(ply=ply + 1).at == 1000


def test_last_comer_and_the_end_of_an_idle_table(alice: User, bob: User, time: Clock) -> None:
    """Either there is a table with two people at it, or a closed one; never a closed one that somebody joined."""
    for number in range(4):
        match = sit_down(alice, seats=2, start=False, moment=START + timedelta(hours=number))
        time.moment = START + timedelta(hours=number, minutes=30)
        moment = time.moment
        joined, _ = at_once(
            [Browser(bob).act(match, "join"), lambda: Answer(settle_due(moment=moment), None)]  # noqa: B023
        )
        match.refresh_from_db()
        seated = match.seats.filter(user=bob).exists()
        assert (match.status, seated, joined.status) in (
            (Match.Status.TABLE, True, 200),
            (Match.Status.CLOSED, False, 409),
        )
        Match.objects.filter(pk=match.pk).update(due_at=None)


# Readers


def test_pages_read_while_moves_are_played_are_each_of_one_version(alice: User, bob: User) -> None:
    """The drawings that a process keeps are shared by its threads: no version may ever show another's board."""
    match = sit_down(alice, bob)
    browsers = {user: Browser(user) for user in (alice, bob)}
    path = f"/matches/{match.slug}/live/?version=0&stage=match"
    playing = threading.Event()
    playing.set()

    def play() -> list[str]:
        try:
            for _ in range(10):
                answer = browsers[player_to_move(match)].act(match, "move", **move_form(match))()
                assert answer == Answer(200, None)
        finally:
            playing.clear()
        return []

    def watch() -> list[str]:
        client, pages = Browser(None).client(), []
        while playing.is_set():
            pages.append(text_of(client.get(path)))
        return [*pages, text_of(client.get(path))]

    # The match object belongs to the thread that plays.
    seen = at_once([play, *[watch] * 4])
    drawn: dict[int, set[str]] = {}
    for pages in seen[1:]:
        versions = [version_of(page) for page in pages]
        assert versions == sorted(versions), "and nobody is led back in time"
        for version, page in zip(versions, pages, strict=True):
            drawn.setdefault(version, set()).add(page)
    assert {len(pages) for pages in drawn.values()} == {1}
    assert_sound(match)
    assert max(drawn) == match.version
