"""Company at once: a rematch, an invitation, a start, a move taken back, pressed by all or twice; one effect each."""

from __future__ import annotations

from collections import Counter

import pytest

from accounts.people.models import User
from games.contract.registry import get_game
from games.matches.callers import Caller
from games.matches.models import Invitation, Match
from games.matches.services.invitations import invite_person
from tests.matches.conftest import START, Clock, legal_texts, move_form, player_to_move, sit_down
from tests.matches.crowds import Answer, Browser, at_once
from tests.matches.playing import other, play_some
from tests.matches.test_rematches import over, press
from tests.soundness import assert_sound

pytestmark = pytest.mark.django_db(transaction=True)

BLOCK_BUSTER = get_game("block_buster")
ROUNDS = 5
"""How often two orders of the same two acts are given the chance to happen."""


@pytest.fixture(autouse=True)
def _clock(time: Clock) -> None:
    """All stamp the same moment: the order is the lock's alone."""


# Rematch


def test_rematch_pressed_by_all_at_once_begins_one_match(alice: User, bob: User, carol: User) -> None:
    for _ in range(ROUNDS):
        match = over(alice, bob, carol, game=BLOCK_BUSTER)
        browsers = [Browser(user) for user in (alice, bob, carol)]
        answers = at_once([browser.act(match, "rematch", wanted="1") for browser in browsers * 4])
        assert Counter(answers) == {Answer(200, None): 12}
        new = Match.objects.get(rematch_of=match)
        assert new.status == Match.Status.RUNNING
        assert_sound(new)


def test_last_word_said_twice_leads_twice_to_the_same_match(alice: User, bob: User) -> None:
    match = over(alice, bob)
    press(match, alice, seconds=0)
    browser = Browser(bob)
    paths = at_once([lambda: browser.post(f"/matches/{match.slug}/act/rematch/", wanted="1")()["Location"]] * 10)
    assert paths == [f"/matches/{Match.objects.get(rematch_of=match).slug}/"] * 10


def test_agreeing_while_the_other_withdraws(alice: User, bob: User) -> None:
    """Either there is one match, and the withdrawal came too late; or none, and one still would."""
    for _ in range(ROUNDS):
        match = over(alice, bob)
        press(match, alice, seconds=0)
        answers = at_once(
            [Browser(alice).act(match, "rematch", wanted="0"), Browser(bob).act(match, "rematch", wanted="1")]
        )
        assert answers == [Answer(200, None)] * 2
        found = Match.objects.filter(rematch_of=match).count()
        willing = match.seats.filter(wants_rematch_at__isnull=False).count()
        assert (found, willing) in ((1, 2), (0, 1))


def test_rematches_of_several_matches_keep_to_the_limit_of_one_host(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    matches = [over(alice, bob) for _ in range(6)]
    for match in matches:
        press(match, alice, seconds=0)
    monkeypatch.setattr("games.matches.services.admission.MAX_RUNNING", 3)
    answers = at_once([Browser(bob).act(match, "rematch", wanted="1") for match in matches])
    assert Counter(answer.status for answer in answers) == {200: 3, 409: 3} or Counter(
        answer.status for answer in answers
    ) == {200: 3, 429: 3}
    assert Match.objects.filter(rematch_of__isnull=False).count() == 3


# Invitation, join, start


def test_invitation_sent_many_times_is_one(alice: User, bob: User) -> None:
    match = sit_down(alice, seats=2, start=False, public=False)
    browser, path = Browser(alice), f"/matches/{match.slug}/act/invite/"
    answers = at_once([browser.post(path, name=name) for name in ("bob", "Bob") * 5])
    assert {answer.status_code for answer in answers} == {302}
    assert Invitation.objects.count() == 1


def test_invitation_accepted_twice_takes_one_seat(alice: User, bob: User) -> None:
    match = sit_down(alice, seats=4, start=False, public=False)
    invite_person(slug=match.slug, caller=Caller(alice), name="bob", moment=START)
    browser = Browser(bob)
    assert Counter(at_once([browser.act(match, "accept")] * 10)) == {Answer(200, None): 10}
    assert match.seats.filter(user=bob).count() == 1


def test_accepting_and_declining_at_once(alice: User, bob: User) -> None:
    """Either they sit, or they have declined; never both."""
    for _ in range(ROUNDS):
        match = sit_down(alice, seats=3, start=False, public=False)
        invite_person(slug=match.slug, caller=Caller(alice), name="bob", moment=START)
        browser = Browser(bob)
        at_once([browser.act(match, "accept"), browser.act(match, "decline")])
        sits, (state,) = match.seats.filter(user=bob).exists(), match.invitations.values_list("state", flat=True)
        assert (sits, state) in ((True, "accepted"), (False, "declined"))
        match.delete()


def test_last_seat_goes_to_one_of_many_invited(alice: User, bob: User, carol: User, mallory: User) -> None:
    match = sit_down(alice, seats=2, start=False, public=False, pace=Match.Pace.TURNS)
    guests = (bob, carol, mallory)
    for user in guests:
        invite_person(slug=match.slug, caller=Caller(alice), name=user.username, moment=START)
    answers = at_once([Browser(user).act(match, "accept") for user in guests])
    assert Counter(answer.status for answer in answers) == {200: 1, 409: 2}
    match.refresh_from_db()
    assert match.status == Match.Status.RUNNING
    assert_sound(match)


def test_ready_pressed_twice_by_both_starts_one_match(alice: User, bob: User) -> None:
    match = sit_down(alice, bob, start=False)
    answers = at_once([Browser(user).act(match, "ready", ready="1") for user in (alice, bob) * 4])
    assert {answer.code for answer in answers} <= {None, "not-waiting"}
    match.refresh_from_db()
    assert match.status == Match.Status.RUNNING
    assert Match.objects.count() == 1
    assert_sound(match)


# Taking back


def test_move_is_taken_back_once(alice: User, bob: User) -> None:
    for _ in range(ROUNDS):
        match = sit_down(alice, bob, game=BLOCK_BUSTER)
        play_some(match, 3)
        waiting = player_to_move(match)
        mover = other(waiting, alice, bob)
        asked = Browser(mover).act(match, "takeback", answer="ask", ply="3")
        assert Counter(at_once([asked] * 6)) == {Answer(200, None): 6}
        agreed = Browser(waiting).act(match, "takeback", answer="agree", ply="3")
        assert Counter(at_once([agreed] * 6)) == {Answer(200, None): 1, Answer(409, "no-takeback"): 5}
        assert_sound(match)
        assert (match.ply, match.takebacks) == (2, 1)


def test_agreeing_and_moving_at_once(alice: User, bob: User) -> None:
    """Either the move stands and nothing is asked any more, or it came for a position that is gone."""
    for _ in range(ROUNDS):
        match = sit_down(alice, bob, game=BLOCK_BUSTER)
        play_some(match, 3)
        waiting = player_to_move(match)
        mover = other(waiting, alice, bob)
        assert Browser(mover).act(match, "takeback", answer="ask", ply="3")() == Answer(200, None)
        form, browser = move_form(match), Browser(waiting)
        agreed, moved = at_once(
            [browser.act(match, "takeback", answer="agree", ply="3"), browser.act(match, "move", **form)]
        )
        assert_sound(match)
        if match.ply == 4:
            assert (agreed, moved) == (Answer(409, "no-takeback"), Answer(200, None))
        else:
            assert (match.ply, agreed, moved.status) == (2, Answer(200, None), 409)
            assert len(legal_texts(match)) > 0


def test_agreeing_and_refusing_at_once(alice: User, bob: User, carol: User) -> None:
    for _ in range(ROUNDS):
        match = sit_down(alice, bob, carol, game=BLOCK_BUSTER)
        play_some(match, 1)
        first, second = player_to_move(match), None
        mover = match.seats.get(index=match.moves.get().seat).user
        second = next(user for user in (alice, bob, carol) if user not in (first, mover))
        Browser(mover).act(match, "takeback", answer="ask", ply="1")()
        at_once(
            [
                Browser(first).act(match, "takeback", answer="agree", ply="1"),
                Browser(second).act(match, "takeback", answer="refuse", ply="1"),
            ]
        )
        assert_sound(match)
        assert (match.ply, match.takeback_by) == (1, None)
