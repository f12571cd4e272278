"""Takeovers: at a table that wants it so, a bot stands in for who leaves, and they may have their seat back."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import TestCase, override_settings

from accounts.people.models import User
from games.contract import registry
from games.contract.registry import Game, get_game
from games.contract.values import SPECTATOR
from games.matches.attendance import AWAY_AFTER
from games.matches.callers import Caller
from games.matches.errors import BadInput, NotAway, NotRunning, NotSeated, TooMany, TooOften
from games.matches.events import Change
from games.matches.leaving_records import leaving_record
from games.matches.models import Match, Seat
from games.matches.selectors import own_matches, waiting_count
from games.matches.services import admission
from games.matches.services.clocks import DAY, MINUTE
from games.matches.services.play import agree_to_end, end_wait, resign
from games.matches.services.presence import renew_presence
from games.matches.services.rematches import offer_rematch
from games.matches.services.sitting import locked_match
from games.matches.services.takebacks import answer_takeback
from games.matches.services.takeovers import return_to_seat
from games.matches.services.thoughts import TAKEN_FOR, play_thought
from games.matches.snapshots import snapshot
from tests.matches.auctions import at, auction, bid, look
from tests.matches.conftest import START, Clock, frozen, legal_texts, move_form, player_to_move, sit_down, to_move
from tests.matches.crowds import Answer, Browser, at_once
from tests.matches.playing import other, play_form
from tests.matches.pondering import PAUSED, bots_moves, pondered, taken
from tests.matches.test_exported_records import exported, replayed
from tests.matches.timekeeping import LIVE, TURNS, after, clocks, log_of, look_at
from tests.soundness import assert_sound
from tests.toy.rules import COUNT

pytestmark = pytest.mark.django_db

TAKEOVER: dict[str, Any] = {"bot_takes_over": True}


@pytest.fixture(autouse=True)
def _bots(monkeypatch: pytest.MonkeyPatch, time: Clock) -> None:
    monkeypatch.setitem(registry._added, "m", pondered())
    monkeypatch.setattr("tests.pondered.bot.LEVELS", ("easy", "normal", "hard"))


def leave(match: Match, user: User, moment: datetime = START) -> None:
    resign(slug=match.slug, caller=Caller(user), moment=moment)
    match.refresh_from_db()


def come_back(match: Match, user: User, moment: datetime = START) -> None:
    return_to_seat(slug=match.slug, caller=Caller(user), moment=moment)
    match.refresh_from_db()


def seat_of(match: Match, user: User) -> Seat:
    return match.seats.get(user=user)


def bot_moves_once(match: Match, moment: datetime) -> None:
    (thought,) = taken(moment)
    play_thought(thought, move=legal_texts(match)[0], moment=moment + PAUSED)


# The bot takes the seat


def test_a_bot_plays_on_for_one_of_two(alice: User, bob: User) -> None:
    """Where others would have won at once, the match goes on against the bot."""
    match = sit_down(alice, bob, **TAKEOVER)
    leaver = player_to_move(match)
    leave(match, leaver)
    seat = seat_of(match, leaver)
    assert (match.status, seat.kind, seat.level) == (Match.Status.RUNNING, Seat.Kind.STAND_IN, "normal")
    assert (seat.left_order, seat.exit, seat.user) == (1, Seat.Exit.RESIGNED, leaver)
    assert log_of(match) == [("resigned", 0, seat.index), ("taken-over", 0, seat.index)]
    bot_moves_once(match, START)
    assert match.moves.get().kind == Seat.Kind.STAND_IN
    assert to_move(match) != seat.index
    assert_sound(match)


def test_of_several_it_is_no_random_stand_in(alice: User, bob: User, carol: User) -> None:
    match = sit_down(alice, bob, carol, **TAKEOVER)
    leaver = player_to_move(match)
    leave(match, leaver)
    assert not match.moves.exists(), "it thinks first"
    bot_moves_once(match, START)
    assert match.moves.get().kind == Seat.Kind.STAND_IN


def test_without_that_choice_all_is_as_it_was(alice: User, bob: User, carol: User) -> None:
    of_two, of_three = sit_down(alice, bob), sit_down(alice, bob, carol)
    leave(of_two, alice)
    assert of_two.status == Match.Status.OVER
    leaver = player_to_move(of_three)
    leave(of_three, leaver)
    assert seat_of(of_three, leaver).level == ""
    assert of_three.moves.get().kind == Seat.Kind.STAND_IN, "at random, and at once"


def test_whose_time_runs_out_is_stood_in_for(alice: User, bob: User) -> None:
    match = sit_down(alice, bob, clock=LIVE, **TAKEOVER)
    leaver = player_to_move(match)
    look_at(match, 10 * MINUTE)
    seat = seat_of(match, leaver)
    assert (match.status, seat.exit, seat.level) == (Match.Status.RUNNING, Seat.Exit.FLAGGED, "normal")
    bot_moves_once(match, after(10 * MINUTE))


def test_who_is_given_up_is_stood_in_for(alice: User, bob: User) -> None:
    match, gone = sit_down(alice, bob, **TAKEOVER), START + AWAY_AFTER + timedelta(minutes=4)
    renew_presence(slug=match.slug, user=alice, moment=gone)
    end_wait(slug=match.slug, caller=Caller(alice), index=1, moment=gone)
    assert (seat_of(match, bob).exit, seat_of(match, bob).level) == (Seat.Exit.GONE, "normal")


def test_in_real_time_the_bot_claims(alice: User, bob: User, toy: Game) -> None:
    match = auction(alice, bob, **TAKEOVER)
    leave(match, bob, START + timedelta(milliseconds=1500))
    for ms in range(1500, 20_000, 500):
        look(match, ms)
    assert match.moves.filter(seat=1, kind=Seat.Kind.STAND_IN).exists()
    assert_sound(match)


def test_the_last_one_who_leaves_ends_it(alice: User, bob: User) -> None:
    """Bots do not play each other when nobody is there."""
    match = sit_down(alice, bob, **TAKEOVER)
    leave(match, bob)
    leave(match, alice)
    assert (match.status, match.reason, match.standing) == (Match.Status.OVER, "resigned", None)
    with pytest.raises(NotRunning):
        come_back(match, alice)


def test_who_is_left_alone_may_end_it(alice: User, bob: User) -> None:
    match = sit_down(alice, bob, **TAKEOVER)
    leave(match, bob)
    agree_to_end(slug=match.slug, caller=Caller(alice), agreed=True, moment=START)
    match.refresh_from_db()
    assert (match.status, match.reason) == (Match.Status.OVER, "abandoned")


def test_who_does_not_come_back_is_last_whatever_the_bot_reaches(alice: User, bob: User) -> None:
    match = sit_down(alice, bob, **TAKEOVER)
    leave(match, bob)
    play_out(match, alice)
    assert match.outcome is not None
    assert match.standing is not None
    assert match.standing["places"] == [1, 2]
    assert match.standing["scores"] == match.outcome["scores"]
    assert [seat.result for seat in match.seats.order_by("index")] == ["won", "lost"]
    record = exported(match)
    assert record["left"] == [1]
    outcome = replayed(record)
    assert outcome is not None
    assert outcome.as_json() == match.outcome


def play_out(match: Match, user: User) -> None:
    """To the end by the rules: the person plays what comes first, the bot what its level finds."""
    moment = START
    while match.status == Match.Status.RUNNING:
        moment += timedelta(seconds=10)  # longer than a turn is taken on for
        if match.seats.get(index=to_move(match)).user == user:
            play_form(match, user, move_form(match), seconds=(moment - START).total_seconds())
        else:
            bot_moves_once(match, moment)
        match.refresh_from_db()


# And gives it back


def test_the_player_has_it_back_and_plays_on(alice: User, bob: User) -> None:
    match = sit_down(alice, bob, **TAKEOVER)
    leaver = player_to_move(match)
    leave(match, leaver)
    come_back(match, leaver, after(300))
    seat = seat_of(match, leaver)
    assert (seat.kind, seat.level, seat.left_order, seat.exit) == (Seat.Kind.PERSON, "", None, "")
    assert seat.acts_at is None
    assert log_of(match)[-1] == ("returned", 300, seat.index)
    before = frozen(match)
    come_back(match, leaver, after(400))
    assert frozen(match) == before, "twice is as once"
    play_form(match, leaver, move_form(match), seconds=1)
    assert match.moves.get().kind == Seat.Kind.PERSON
    assert_sound(match)


def test_a_move_that_the_bot_still_thinks_about_is_not_played(alice: User, bob: User) -> None:
    match = sit_down(alice, bob, **TAKEOVER)
    leaver = player_to_move(match)
    leave(match, leaver)
    (thought,) = taken(START)
    move = legal_texts(match)[0]
    come_back(match, leaver)
    before = frozen(match)
    play_thought(thought, move=move, moment=START + PAUSED)
    assert frozen(match) == before
    assert taken(START + TAKEN_FOR) == []


@pytest.mark.django_db(transaction=True)
def test_coming_back_as_the_bot_moves(alice: User, bob: User) -> None:
    """One comes first: either the bot has moved and the other is to move, or the one who is back is."""
    for _ in range(5):
        match = sit_down(alice, bob, **TAKEOVER)
        leaver = player_to_move(match)
        seat = seat_of(match, leaver).index
        leave(match, leaver)
        (thought,) = taken(START)
        move = legal_texts(match)[0]

        def play() -> Answer:
            try:
                play_thought(thought, move=move, moment=START + PAUSED)  # noqa: B023
            except Exception as error:
                return Answer(0, type(error).__name__)
            return Answer(0, None)

        back, played = at_once([Browser(leaver).act(match, "return"), play])
        assert back == Answer(200, None)
        assert played.code in (None, "NotFound")
        assert seat_of(match, leaver).kind == Seat.Kind.PERSON
        assert (to_move(match) == seat) == (bots_moves(match) == 0)
        assert_sound(match)


def test_leaves_again_and_again(alice: User, bob: User) -> None:
    match = sit_down(alice, bob, **TAKEOVER)
    for _ in range(3):
        leave(match, bob)
        come_back(match, bob)
    leave(match, bob)
    assert seat_of(match, bob).left_order == 1
    assert_sound(match)


def test_whoever_comes_and_goes_without_end_waits(alice: User, bob: User) -> None:
    """Or the log would have nothing else, and the clock never run out."""
    match = sit_down(alice, bob, **TAKEOVER)
    with override_settings(ACCOUNT_RATE_LIMITS={"return": "2/m/user"}):
        for _ in range(2):
            leave(match, bob)
            come_back(match, bob)
            come_back(match, bob)
        leave(match, bob)
        with pytest.raises(TooOften):
            come_back(match, bob)
    assert seat_of(match, bob).is_taken_over
    come_back(match, bob)
    assert seat_of(match, bob).is_present


def test_what_came_first_and_waited_longer_stands_in_order(alice: User, bob: User) -> None:
    """Of two requests that meet, either may have the lock first: the log tells what has followed what."""
    match = sit_down(alice, bob, **TAKEOVER)
    leave(match, bob, after(700))
    come_back(match, bob, after(709))
    leave(match, bob, after(706))
    acts = [("resigned", 700), ("taken-over", 700), ("returned", 709), ("resigned", 709), ("taken-over", 709)]
    assert [(code, at) for code, at, _seat in log_of(match)] == acts
    assert_sound(match)


def test_nobody_else_gets_the_seat(alice: User, bob: User, mallory: User) -> None:
    match = sit_down(alice, bob, **TAKEOVER)
    leave(match, bob)
    before = frozen(match)
    with pytest.raises(NotSeated):
        come_back(match, mallory)
    come_back(match, alice)
    assert frozen(match) == before, "who never left has nothing to take back"


def test_at_other_tables_who_has_left_stays_out(alice: User, bob: User, carol: User) -> None:
    match = sit_down(alice, bob, carol)
    leave(match, bob)
    before = frozen(match)
    with pytest.raises(NotSeated):
        come_back(match, bob)
    assert frozen(match) == before


def test_who_has_too_many_matches_does_not_come_back(alice: User, bob: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else the limit could be passed by leaving and coming back."""
    match = sit_down(alice, bob, **TAKEOVER)
    leave(match, bob)
    sit_down(alice, bob)
    monkeypatch.setattr(admission, "MAX_RUNNING", 1)
    with pytest.raises(TooMany):
        come_back(match, bob)
    assert seat_of(match, bob).kind == Seat.Kind.STAND_IN


def test_live_there_is_time_to_go_on_with(alice: User, bob: User) -> None:
    """Also for whose time had run out; who had more left has that."""
    match = sit_down(alice, bob, clock=LIVE, **TAKEOVER)
    leaver = player_to_move(match)
    seat = seat_of(match, leaver).index
    look_at(match, 10 * MINUTE)
    come_back(match, leaver, after(10 * MINUTE + 100))
    assert clocks(match)[seat] == (MINUTE, 10 * MINUTE + 100)
    stayed = other(leaver, alice, bob)
    leave(match, stayed, after(10 * MINUTE + 200))
    come_back(match, stayed, after(10 * MINUTE + 300))
    assert clocks(match)[1 - seat] == (10 * MINUTE, None)


def test_by_turns_there_is_the_time_of_a_move(alice: User, bob: User) -> None:
    match = sit_down(alice, bob, pace=Match.Pace.TURNS, clock=TURNS, **TAKEOVER)
    leaver = player_to_move(match)
    seat = seat_of(match, leaver).index
    look_at(match, 3 * DAY)
    assert seat_of(match, leaver).exit == Seat.Exit.FLAGGED
    come_back(match, leaver, after(3 * DAY + 100))
    assert clocks(match)[seat] == (3 * DAY, 3 * DAY + 100)


def test_time_that_came_with_the_seat_is_not_taken_back(alice: User, bob: User) -> None:
    """Whoever returns with more than had been left keeps it, also when a move from before is taken back."""
    match = sit_down(alice, bob, game=get_game("block_buster"), clock=LIVE, **TAKEOVER)
    look_at(match, 10 * MINUTE)
    assert seat_of(match, alice).exit == Seat.Exit.FLAGGED
    bot_moves_once(match, after(10 * MINUTE))
    play_form(match, bob, move_form(match), seconds=11 * 60)
    come_back(match, alice, after(11 * MINUTE + 100))
    answer_takeback(slug=match.slug, caller=Caller(bob), answer="ask", ply=match.ply, moment=after(11 * MINUTE + 200))
    answer_takeback(
        slug=match.slug, caller=Caller(alice), answer="agree", ply=match.ply, moment=after(11 * MINUTE + 300)
    )
    assert clocks(match)[0] == (MINUTE, None)


def test_who_comes_back_has_left_nobody_alone(alice: User, bob: User) -> None:
    match, gone = sit_down(alice, bob, **TAKEOVER), START + AWAY_AFTER + timedelta(minutes=4)
    renew_presence(slug=match.slug, user=alice, moment=gone)
    end_wait(slug=match.slug, caller=Caller(alice), index=1, moment=gone)
    assert leaving_record(user=bob, moment=gone).account.count == 1
    come_back(match, bob, gone)
    assert leaving_record(user=bob, moment=gone).account.count == 0


def test_who_comes_back_is_there(alice: User, bob: User) -> None:
    match, gone = sit_down(alice, bob, **TAKEOVER), START + AWAY_AFTER + timedelta(minutes=4)
    renew_presence(slug=match.slug, user=alice, moment=gone)
    end_wait(slug=match.slug, caller=Caller(alice), index=1, moment=gone)
    come_back(match, bob, gone)
    with pytest.raises(NotAway):
        end_wait(slug=match.slug, caller=Caller(alice), index=1, moment=gone)


def test_in_real_time_the_round_that_runs_is_none_let_pass(alice: User, bob: User, toy: Game) -> None:
    match = auction(alice, bob, **TAKEOVER)
    Seat.objects.filter(match=match, user=bob).update(idle_rounds=2)
    leave(match, bob, after(1500))
    come_back(match, bob, after(1600))
    look(match, 8000)
    assert seat_of(match, bob).idle_rounds == 0
    bid(match, bob, 9000)
    assert match.moves.get(seat=1).kind == Seat.Kind.PERSON
    assert_sound(match)


# What others may know, and lists


def test_while_a_bot_has_the_seat_its_player_looks_on(alice: User, bob: User) -> None:
    """The hand is the bot's; back on the seat it is theirs again."""
    match = sit_down(alice, bob, **TAKEOVER)
    leave(match, bob)
    assert snapshot(slug=match.slug, caller=Caller(bob)).viewer_for(bob) is SPECTATOR
    come_back(match, bob)
    assert snapshot(slug=match.slug, caller=Caller(bob)).viewer_for(bob) == 1


def test_who_looks_on_does_not_hear_of_the_bots_secrets(
    alice: User, bob: User, toy: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In real time a claim that waits is told to who made it alone: on this seat that is the bot."""
    told: list[Change] = []
    monkeypatch.setattr("games.matches.services.sitting.announce", told.append)
    match = auction(alice, bob, **TAKEOVER)
    leave(match, bob, at(COUNT + 100))
    before = snapshot(slug=match.slug, caller=Caller(bob))
    told.clear()
    with TestCase.captureOnCommitCallbacks(execute=True), locked_match(slug=match.slug) as sitting:
        bids = sitting.rules.legal_moves(sitting.position, 1)
        sitting.play(sitting.seats[1], bids[0], arrived=at(COUNT + 200))
    after_bid = snapshot(slug=match.slug, caller=Caller(bob))
    assert after_bid.position != before.position
    assert after_bid.stamp_for(bob) == before.stamp_for(bob)
    assert [change.alone for change in told] == [()]


def test_it_stays_among_the_own_matches_but_waits_for_nobody(alice: User, bob: User) -> None:
    """Whoever had to go finds the way back; and where nobody can come back to, it is gone from the list."""
    match, plain = sit_down(alice, bob, **TAKEOVER), sit_down(alice, bob, seats=2)
    leaver = player_to_move(match)
    leave(match, leaver)
    leave(plain, leaver)
    assert own_matches(user=leaver) == [match]
    assert waiting_count(user=leaver) == (0, 0)


def test_a_rematch_is_with_the_person(alice: User, bob: User) -> None:
    match = sit_down(alice, bob, **TAKEOVER)
    leave(match, bob)
    agree_to_end(slug=match.slug, caller=Caller(alice), agreed=True, moment=START)
    assert offer_rematch(slug=match.slug, caller=Caller(alice), wanted=True, moment=START) is None
    slug = offer_rematch(slug=match.slug, caller=Caller(bob), wanted=True, moment=START)
    new = Match.objects.get(slug=slug)
    assert {seat.kind for seat in new.seats.all()} == {Seat.Kind.PERSON}
    assert new.bot_takes_over


# Ratings


def test_no_rated_table_has_it(alice: User) -> None:
    """A bot must not play for anybody's rating, nor against it."""
    wrongs: list[dict[str, Any]] = [
        {"rated": True, "clock": LIVE, "seats": 2},
        {"game": get_game("blockyou"), "seats": 1},
    ]
    for wrong in wrongs:
        with pytest.raises(BadInput):
            sit_down(alice, start=False, **wrong, **TAKEOVER)
    assert not Match.objects.exists()


@pytest.mark.parametrize(("levels", "middle"), [(("easy",), "easy"), (("easy", "normal"), "normal")])
def test_the_bot_is_of_the_middle_level(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch, levels: tuple[str, ...], middle: str
) -> None:
    """Of those that the game has."""
    monkeypatch.setattr("tests.pondered.bot.LEVELS", levels)
    match = sit_down(alice, bob, **TAKEOVER)
    leave(match, bob)
    assert seat_of(match, bob).level == middle
