"""Taking back a move: asked, agreed to, refused; what may be taken back, and that the log tells the whole story."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest

from accounts.people.models import User
from games.contract.registry import get_game
from games.contract.values import OPEN
from games.matches.callers import Caller
from games.matches.errors import BadInput, NoTakeback, NotRunning, NotSeated, Refused, StaleTurn
from games.matches.models import LogEntry, Match, Seat
from games.matches.replays import film, match_record
from games.matches.services.acts import perform_act
from games.matches.snapshots import snapshot
from games.matches.takebacks import TAKEN_BACK
from tests.matches.browsing import act, browser, text_of
from tests.matches.conftest import START, Clock, legal_texts, move_form, player_to_move, sit_down, to_move
from tests.matches.playing import other, play_form, play_some, play_to_the_end
from tests.matches.timekeeping import LIVE, look_at
from tests.soundness import assert_sound

pytestmark = pytest.mark.django_db

BLOCK_BUSTER = get_game("block_buster")


def say(match: Match, user: User | None, answer: str, *, ply: int | None = None, seconds: float = 60) -> None:
    """Say that about taking back the last move, so many seconds after the start."""
    match.refresh_from_db()
    form = {"answer": answer, "ply": str(match.ply if ply is None else ply)}
    moment = START + timedelta(seconds=seconds)
    perform_act(act="takeback", slug=match.slug, caller=Caller(user), data=form, arrived=moment)
    match.refresh_from_db()


def move_at(match: Match, seconds: float, **changed: str) -> User:
    """The first legal move, or the one given, at that moment; who has made it."""
    user = player_to_move(match)
    play_form(match, user, move_form(match, **{"key": f"key-{match.ply}-{match.takebacks}", **changed}), seconds)
    match.refresh_from_db()
    return user


def why_not(match: Match, user: User, answer: str = "ask", **said: Any) -> str:
    with pytest.raises(NoTakeback) as refused:
        say(match, user, answer, **said)
    match.refresh_from_db()
    return str(refused.value.params["what"])


# Asked and agreed


def test_move_is_taken_back_when_the_other_agrees(alice: User, bob: User) -> None:
    match = sit_down(alice, bob, game=BLOCK_BUSTER)
    play_some(match, 2)
    position, version = match.position, match.version
    mover = move_at(match, 3)
    waiting = other(mover, alice, bob)
    say(match, mover, "ask")
    assert match.ply == 3, "nothing happens without the other"
    say(match, waiting, "agree")
    assert (match.ply, match.position, match.takebacks, match.takeback_by) == (2, position, 1, None)
    assert match.version == version + 3, "the move, the request, the answer"
    assert player_to_move(match) == mover
    assert_sound(match)


def test_another_move_can_be_played_in_its_place(alice: User, bob: User) -> None:
    match = sit_down(alice, bob, game=BLOCK_BUSTER)
    mover = move_at(match, 1)
    say(match, mover, "ask")
    say(match, other(mover, alice, bob), "agree")
    move_at(match, 61, move=legal_texts(match)[5])
    first, second = match.moves.order_by("pk")
    assert (first.ply, first.undone, second.ply, second.undone) == (1, True, 1, False)
    assert first.text != second.text
    assert_sound(match)


def test_all_who_are_left_must_agree(alice: User, bob: User, carol: User) -> None:
    match = sit_down(alice, bob, carol, game=BLOCK_BUSTER)
    mover = move_at(match, 1)
    first, second = (user for user in (alice, bob, carol) if user != mover)
    say(match, mover, "ask")
    say(match, first, "agree")
    say(match, first, "agree")
    assert match.ply == 1
    assert "Not agreed yet" in page_of(match, first)
    say(match, second, "agree")
    assert match.ply == 0
    assert_sound(match)


def test_bots_agree_at_once(alice: User, bob: User) -> None:
    match = sit_down(alice, bob, bots=1, game=BLOCK_BUSTER)
    mover = move_at(match, 0)
    say(match, mover, "ask", seconds=0)
    assert match.ply == 1, "the other person is asked all the same"
    say(match, other(mover, alice, bob), "agree", seconds=0)
    assert match.ply == 0
    assert_sound(match)


def test_bot_that_was_about_to_move_has_nothing_to_do_any_more(alice: User) -> None:
    match = sit_down(alice, bots=1, game=BLOCK_BUSTER)
    move_at(match, 0)
    assert match.seats.get(index=1).acts_at is not None
    say(match, alice, "ask", seconds=0)
    assert (match.ply, match.due_at, match.seats.get(index=1).acts_at) == (0, None, None)
    move_at(match, 1)
    look_at(match, 3000)
    assert match.ply == 2, "and it answers the next one"
    assert_sound(match)


# Refused, withdrawn, overtaken


def test_one_no_ends_it_for_that_move(alice: User, bob: User, carol: User) -> None:
    match = sit_down(alice, bob, carol, game=BLOCK_BUSTER)
    mover = move_at(match, 1)
    first, second = (user for user in (alice, bob, carol) if user != mover)
    say(match, mover, "ask")
    say(match, first, "agree")
    say(match, second, "refuse")
    assert (match.ply, match.takeback_by) == (1, None)
    assert not match.seats.filter(allows_takeback=True).exists()
    assert why_not(match, mover) == "refused"
    assert "did not agree to take back the move" in page_of(match, mover)
    assert "takeback-ask" not in page_of(match, mover)


def test_refusal_holds_for_that_move_alone(alice: User, bob: User) -> None:
    match = sit_down(alice, bob, game=BLOCK_BUSTER)
    mover = move_at(match, 1)
    say(match, mover, "ask")
    say(match, other(mover, alice, bob), "refuse")
    move_at(match, 61)
    again = move_at(match, 62)
    say(match, again, "ask")
    assert match.takeback_by == match.seats.get(user=again).index


def test_request_can_be_withdrawn_and_made_anew(alice: User, bob: User) -> None:
    match = sit_down(alice, bob, game=BLOCK_BUSTER)
    mover = move_at(match, 1)
    waiting = other(mover, alice, bob)
    say(match, mover, "ask")
    say(match, mover, "withdraw")
    say(match, mover, "withdraw")
    assert why_not(match, waiting, "agree") == "gone"
    say(match, mover, "ask")
    say(match, waiting, "agree")
    assert match.ply == 0


def test_any_move_answers_the_request(alice: User, bob: User) -> None:
    match = sit_down(alice, bob, game=BLOCK_BUSTER)
    mover = move_at(match, 1)
    say(match, mover, "ask")
    waiting = move_at(match, 2)
    assert (match.ply, match.takeback_by) == (2, None)
    assert why_not(match, waiting, "agree") == "gone"
    assert why_not(match, waiting, "agree", ply=1) == "gone"


def test_who_leaves_drops_the_request(alice: User, bob: User, carol: User) -> None:
    match = sit_down(alice, bob, carol, game=BLOCK_BUSTER)
    mover = move_at(match, 1)
    leaver = next(user for user in (alice, bob, carol) if user not in (mover, player_to_move(match)))
    say(match, mover, "ask")
    perform_act(act="resign", slug=match.slug, caller=Caller(leaver), data={}, arrived=START + timedelta(seconds=61))
    match.refresh_from_db()
    assert match.takeback_by is None
    say(match, mover, "ask", seconds=62)
    say(match, player_to_move(match), "agree", seconds=63)
    assert match.ply == 0, "who has left is not asked"
    assert_sound(match)
    assert film(match)[0].acts[0].code == "resigned", "and what the house has done since stays told"


def test_pressed_twice_is_as_once(alice: User, bob: User) -> None:
    match = sit_down(alice, bob, game=BLOCK_BUSTER)
    play_some(match, 2)
    mover = move_at(match, 3)
    say(match, mover, "ask")
    version = match.version
    say(match, mover, "ask")
    assert match.version == version
    say(match, other(mover, alice, bob), "agree")
    assert why_not(match, other(mover, alice, bob), "agree", ply=3) == "gone", "the move before is not meant"
    assert match.ply == 2


# What stands for good


def test_only_who_made_the_last_move_can_ask(alice: User, bob: User, mallory: User) -> None:
    match = sit_down(alice, bob, game=BLOCK_BUSTER)
    assert why_not(match, alice) == "nothing"
    mover = move_at(match, 1)
    assert why_not(match, other(mover, alice, bob)) == "other"
    assert why_not(match, mover, "agree") == "gone"
    for outsider, error in ((mallory, NotSeated), (None, Refused)):
        with pytest.raises(error):
            say(match, outsider, "ask")
    say(match, mover, "ask")
    assert why_not(match, mover, "agree") == "gone", "nobody agrees with themselves"


def test_after_a_bot_or_a_stand_in_has_moved_nothing_is_taken_back(alice: User, bob: User, carol: User) -> None:
    match = sit_down(alice, bots=1, game=BLOCK_BUSTER)
    move_at(match, 0)
    assert why_not(match, alice, seconds=60) == "gone", "the bot moves first: it was due before"
    assert match.ply == 2
    assert why_not(match, alice) == "house"

    match = sit_down(alice, bob, carol, game=BLOCK_BUSTER)
    mover, leaver = move_at(match, 1), player_to_move(match)
    perform_act(act="resign", slug=match.slug, caller=Caller(leaver), data={}, arrived=START + timedelta(seconds=2))
    assert match.moves.filter(kind=Seat.Kind.STAND_IN).exists()
    assert why_not(match, mover) == "house"


def test_rated_moves_stand(alice: User, bob: User) -> None:
    match = sit_down(alice, bob, game=BLOCK_BUSTER, rated=True, clock=LIVE)
    mover = move_at(match, 1)
    assert why_not(match, mover) == "rated"
    assert "takeback-ask" not in page_of(match, mover)
    assert "In a rated match no move is taken back." in page_of(match, mover)


def test_no_move_of_a_game_in_real_time_is_taken_back(alice: User, bob: User) -> None:
    match = sit_down(alice, bob, game=get_game("blockyou"))
    assert why_not(match, alice, ply=0) == "game"


def test_after_the_end_nothing_is_taken_back(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    play_to_the_end(match)
    for user in (alice, bob):
        with pytest.raises(NotRunning):
            say(match, user, "ask", seconds=9999)


@pytest.mark.parametrize(
    "form", [{}, {"answer": "ask"}, {"answer": "maybe", "ply": "1"}, {"answer": "ask", "ply": "x"}]
)
def test_damaged_form_is_refused(alice: User, bob: User, form: dict[str, str]) -> None:
    match = sit_down(alice, bob, game=BLOCK_BUSTER)
    with pytest.raises(BadInput):
        perform_act(act="takeback", slug=match.slug, caller=Caller(alice), data=form, arrived=START)


# M: hidden tiles


def test_in_m_a_move_after_which_a_tile_was_drawn_stands(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    text = next(text for text in legal_texts(match) if "@" in text)
    mover = move_at(match, 1, move=text)
    assert why_not(match, mover) == "revealed"
    assert "takeback-ask" not in page_of(match, mover)
    exchange = next(text for text in legal_texts(match) if text.startswith("pass "))
    mover = move_at(match, 2, move=exchange)
    assert why_not(match, mover) == "revealed"


def test_in_m_a_plain_pass_can_be_taken_back(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    position = match.position
    mover = move_at(match, 1, move="pass")
    assert "takeback-ask" in page_of(match, mover)
    say(match, mover, "ask")
    say(match, other(mover, alice, bob), "agree")
    assert match.position == position
    assert_sound(match)


def test_in_m_a_take_can_be_taken_back_until_the_round_is_over_and_a_tile_drawn(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    rules: Any = match.game.rules
    for second in range(1, 200):
        position = rules.load(match.position or {})
        if position.scoring is not None and len(rules.legal_moves(position, to_move(match))) > 2:
            break
        move_at(match, second, move=_towards_a_round(rules, position, to_move(match)))
    picker = move_at(match, 200)
    after = rules.load(match.position or {})
    assert after.scoring is not None, "it goes on"
    say(match, picker, "ask", seconds=201)
    say(match, other(picker, alice, bob), "agree", seconds=202)
    assert rules.load(match.position or {}) == position
    assert_sound(match)
    say(match, picker, "ask", seconds=203)
    say(match, other(picker, alice, bob), "agree", seconds=204)
    assert rules.load(match.position or {}).scoring is None, "and so can the placement: nothing was drawn for it yet"
    assert_sound(match)
    say_again = move_at(match, 205, move=_towards_a_round(rules, rules.load(match.position or {}), to_move(match)))
    assert say_again == picker
    while rules.load(match.position or {}).scoring is not None:
        picker = move_at(match, 206)
    assert why_not(match, picker, seconds=207) == "revealed"


def _towards_a_round(rules: Any, position: Any, seat: int) -> str:
    """A placement that begins a scoring round if there is one, otherwise the last listed."""
    moves = [move for move in rules.legal_moves(position, seat) if "@" in rules.format_move(move)]
    for move in moves:
        if rules.play(position, seat, move, at=0)[0].scoring is not None:
            return str(rules.format_move(move))
    return str(rules.format_move((moves or rules.legal_moves(position, seat))[-1]))


def test_request_tells_nobody_what_is_hidden(alice: User, bob: User, carol: User) -> None:
    """What the log says of a move that was taken back is what its move said to all."""
    match = sit_down(alice, bob, carol)
    mover = move_at(match, 1, move="pass")
    say(match, mover, "ask")
    for user in (alice, bob, carol):
        if user != mover:
            say(match, user, "agree")
    entry = LogEntry.objects.get(match=match, code=TAKEN_BACK)
    assert entry.params == {"seat": match.seats.get(user=mover).index, "move": match.moves.get().public_text}
    for viewer in (alice, bob, carol, None):
        assert "Taken back: " in page_of(match, viewer)


# Old moves


def test_move_composed_before_does_not_fit_any_more(alice: User, bob: User) -> None:
    """At the same ply stands another position: what was composed for the one must not be played in the other."""
    match = sit_down(alice, bob, game=BLOCK_BUSTER)
    mover = move_at(match, 1)
    waiting = other(mover, alice, bob)
    stale = move_form(match, key="slow")
    say(match, mover, "ask")
    say(match, waiting, "agree")
    with pytest.raises(StaleTurn):
        play_form(match, waiting, stale, seconds=61)
    move_at(match, 62, move=legal_texts(match)[7])
    with pytest.raises(StaleTurn):
        play_form(match, waiting, stale, seconds=63)
    play_form(match, waiting, move_form(match, key="new"), seconds=64)


def test_move_that_was_taken_back_is_not_played_again_by_a_late_repetition(alice: User, bob: User) -> None:
    match = sit_down(alice, bob, game=BLOCK_BUSTER)
    mover, form = player_to_move(match), move_form(match)
    play_form(match, mover, form)
    say(match, mover, "ask")
    say(match, other(mover, alice, bob), "agree")
    play_form(match, mover, form, seconds=61)  # answered as the first time
    match.refresh_from_db()
    assert match.ply == 0
    assert match.moves.filter(undone=False).count() == 0


def test_each_link_of_the_log_has_an_id_of_its_own(alice: User, bob: User, time: Clock) -> None:
    match = sit_down(alice, bob, game=BLOCK_BUSTER)
    play_some(match, 1)
    for second in (2, 4):
        mover = move_at(match, second)
        say(match, mover, "ask")
        say(match, other(mover, alice, bob), "agree")
    links = re.findall(r'<a id="(log-[^"]+)"', page_of(match, alice))
    assert len(links) == 3, "the move, and what was taken back after it, twice"
    assert len(set(links)) == 3


# Afterwards


def test_record_replay_and_sheet_leave_out_what_was_taken_back(alice: User, bob: User, time: Clock) -> None:
    match = sit_down(alice, bob, game=BLOCK_BUSTER)
    play_some(match, 4)
    mover = move_at(match, 5, move=legal_texts(match)[3])
    undone = match.moves.get(ply=5).text
    say(match, mover, "ask")
    say(match, other(mover, alice, bob), "agree")
    move_at(match, 61, move=legal_texts(match)[9])
    perform_act(act="resign", slug=match.slug, caller=Caller(alice), data={}, arrived=START + timedelta(seconds=62))
    match.refresh_from_db()
    record: Any = match_record(match, list(match.seats.all()))
    assert [entry["move"] for entry in record["moves"]] == [
        move.text for move in match.moves.filter(undone=False).order_by("ply")
    ]
    assert undone not in [entry["move"] for entry in record["moves"]]
    shot = film(match)
    assert len(shot) == 6
    assert match.game.rules.dump(shot[-1].position) == match.position
    assert all(act.code == "resigned" for frame in shot for act in frame.acts)
    assert "Taken back" not in text_of(browser(alice).get(f"/matches/{match.slug}/sheet.txt"))
    assert match.game.rules.view(shot[-1].position, OPEN).outcome is None


def test_calling_off_is_possible_again_when_the_first_moves_are_taken_back(alice: User, bob: User) -> None:
    match = sit_down(alice, bob, game=BLOCK_BUSTER)
    move_at(match, 1)
    mover = move_at(match, 2)
    say(match, mover, "ask")
    say(match, other(mover, alice, bob), "agree")
    assert [seat.has_moved for seat in match.seats.order_by("index")] == [mover != alice, mover != bob]


# Pages


def page_of(match: Match, user: User | None) -> str:
    return text_of(browser(user).get(f"/matches/{match.slug}/"))


def test_request_is_shown_to_the_players_and_to_nobody_else(alice: User, bob: User, mallory: User, time: Clock) -> None:
    match = sit_down(alice, bob, game=BLOCK_BUSTER)
    time.tick(seconds=1)
    mover = move_at(match, 1)
    waiting = other(mover, alice, bob)
    assert 'id="takeback-ask"' in page_of(match, mover)
    assert 'id="takeback-ask"' not in page_of(match, waiting)
    asked = act(mover, match, "takeback", {"answer": "ask", "ply": "1", "stage": "match"})
    assert asked.status_code == 200
    assert 'id="takeback-withdraw"' in text_of(asked)
    assert 'id="takeback-agree"' in page_of(match, waiting)
    for outsider in (mallory, None):
        assert "takeback-asked" not in page_of(match, outsider)
    agreed = act(waiting, match, "takeback", {"answer": "agree", "ply": "1", "stage": "match"})
    assert "Taken back: " in text_of(agreed)
    current = snapshot(slug=match.slug, caller=Caller(alice))
    assert (current.moves, current.match.ply) == ((), 0)
