"""Hints: who gets one, what it says, and that nothing is written or given away by it."""

from __future__ import annotations

import json
import pickle
import re
import threading
from collections.abc import Mapping
from datetime import timedelta
from random import Random
from typing import Any

import pytest
from django.db import connection
from django.utils import translation

from accounts.people.models import User
from games.contract.registry import Game, get_game
from games.contract.rules import Budget
from games.contract.values import Hint, Params
from games.matches import thinker, workers
from games.matches.callers import Caller
from games.matches.errors import NoHint, NotFound, NotLoggedIn, NotRunning, NotSeated, NotYourTurn, TooOften
from games.matches.hint_texts import listed_reasons, no_hint, why
from games.matches.models import Match
from games.matches.services import hints
from games.matches.services.due import settle_due
from games.matches.services.hints import give_hint
from games.matches.services.play import resign
from games.matches.services.sitting import locked_match
from games.matches.snapshots import snapshot
from games.matches.thinker import Question, answer
from games.matches.workers import Worker
from tests.matches.alone import begun
from tests.matches.auctions import auction, bid, look, position_of
from tests.matches.browsing import HTMX, browser, notice_in, text_of
from tests.matches.conftest import START, Clock, frozen, legal_texts, sit_down, to_move
from tests.matches.playing import play_form
from tests.matches.pondering import wait_for
from tests.matches.timekeeping import LIVE
from tests.toy.rules import COUNT, WINDOWS

pytestmark = pytest.mark.django_db


class Here(Worker):
    """Thinks in this process, where tests can see to it; asked and answering by messages all the same. The real one has
    a file of its own (test_hint_process.py)."""

    def _be_up(self) -> None:
        pass

    def _ask(self, message: bytes | None, within_s: float) -> dict[str, Any]:
        assert message is not None
        found: dict[str, Any] = json.loads(json.dumps(answer(Question(*pickle.loads(message)))))
        return found


@pytest.fixture(autouse=True)
def _thought_of_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hints, "adviser", Here)


def against_bots(user: User, *, bots: int = 1, **table: Any) -> Match:
    """A match of this person with bots, as soon as it is the person's turn."""
    match = sit_down(user, bots=bots, **table)
    moment = START
    while to_move(match) != 0:
        moment += timedelta(seconds=5)
        settle_due(moment=moment)
    return match


def ask(user: User | None, match: Match, *, htmx: bool = True, form: Mapping[str, str] | None = None) -> Any:
    """The answer to the page's form."""
    return browser(user).post(f"/matches/{match.slug}/hint/", form or {}, headers=HTMX if htmx else {})


def hinted_in(response: Any) -> str:
    """The move that the answer has the page mark."""
    found = re.search(r'data-hint="([^"]*)"', text_of(response))
    assert found is not None, text_of(response)
    return found[1]


def drawn_by_lot(view: Any, rng: Random, budget: Budget) -> Hint:
    """Another one for other chance."""
    return Hint(str(rng.random()), (("best", {}),))


def why_not(match: Match, user: User) -> str:
    with pytest.raises(NoHint) as refused:
        give_hint(slug=match.slug, caller=Caller(user))
    return str(refused.value.params["what"])


# Given


@pytest.mark.parametrize("game", ["m", "block_buster"])
def test_hint_is_a_legal_move_and_writes_nothing(alice: User, game: str) -> None:
    """What is suggested can be played as it is, and neither log nor history know of it."""
    match = against_bots(alice, game=get_game(game))
    before = frozen(match)
    hint = give_hint(slug=match.slug, caller=Caller(alice)).hint
    assert hint.move in legal_texts(match)
    assert hint.why
    assert frozen(match) == before


def test_page_gets_the_move_the_sentence_and_the_stamp(alice: User) -> None:
    """To who asks alone, in an answer that no cache keeps, and without the version that would pass it for news."""
    match = against_bots(alice)
    response = ask(alice, match)
    assert response.status_code == 200
    move = hinted_in(response)
    assert move in legal_texts(match)
    assert f'data-version="{match.version}" data-own="0"' in text_of(response)
    assert re.search(r">Hint: this .+\.</p>", text_of(response))
    assert "no-store" in response["Cache-Control"]
    assert "X-Match-Version" not in response
    play_form(match, alice, {"move": move, "turn_key": match.turn_key(position_of(match), 0), "key": "k"}, seconds=60)


def test_asking_again_gives_the_same_without_thinking(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """Until something has changed: so nobody looks for a better one by asking, nor has a bot think for nothing."""
    match = against_bots(alice)
    given = give_hint(slug=match.slug, caller=Caller(alice)).hint
    monkeypatch.setattr(hints, "_hint", lambda *asked: pytest.fail("it was thought of before"))
    assert give_hint(slug=match.slug, caller=Caller(alice)).hint == given


def test_bot_is_given_the_view_of_the_seat(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """And nothing else; so nothing hidden can come out by it."""
    match = against_bots(alice, bots=2)
    rules, seen = match.game.rules, []

    def note(view: Any, rng: Random, budget: Budget) -> Hint:
        seen.append(view)
        return Hint(legal_texts(match)[0], (("best", {}),))

    monkeypatch.setattr(match.game.bot, "hint", note)
    give_hint(slug=match.slug, caller=Caller(alice))
    assert seen == [rules.view(position_of(match), 0)]


@pytest.mark.django_db(transaction=True)
def test_nothing_is_locked_while_it_is_thought_of(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor is a transaction open: others' moves do not wait for it."""
    match = against_bots(alice)

    def note(view: Any, rng: Random, budget: Budget) -> Hint:
        assert not connection.in_atomic_block
        return Hint(legal_texts(match)[0], (("best", {}),))

    monkeypatch.setattr(match.game.bot, "hint", note)
    assert ask(alice, match).status_code == 200


def test_bot_thinks_for_a_moment_alone(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """The budget says no as soon as the time is over, and no earlier."""
    match = against_bots(alice)
    now, granted = [100.0], []
    for module in (thinker, workers):
        monkeypatch.setattr(module, "monotonic", lambda: now[0])

    def note(view: Any, rng: Random, budget: Budget) -> Hint:
        for now[0] in (100.0, 100.0 + hints.THINKS_FOR_S - 0.01, 100.0 + hints.THINKS_FOR_S):
            granted.append(budget())
        return Hint(legal_texts(match)[0], (("best", {}),))

    monkeypatch.setattr(match.game.bot, "hint", note)
    give_hint(slug=match.slug, caller=Caller(alice))
    assert granted == [True, True, False]
    assert hints.THINKS_FOR_S <= 0.3


def test_what_a_hint_says_is_what_the_bot_has_said(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever parameters a reason may have come back as they were."""
    match = against_bots(alice)
    reasons: tuple[tuple[str, Params], ...] = (
        ("takes", {"chips": 2, "colours": ("red", "blue"), "cells": (1, 2)}),
        ("best", {}),
    )
    monkeypatch.setattr(match.game.bot, "hint", lambda view, rng, budget: Hint("pass", reasons))
    assert give_hint(slug=match.slug, caller=Caller(alice)).hint == Hint("pass", reasons)


def test_a_bot_that_fails_gives_no_hint(
    alice: User, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Who asked is told so; the log says where it failed, and nothing of what it knew. The next one may be given."""
    match = against_bots(alice)

    def fail(view: Any, rng: Random, budget: Budget) -> Hint:
        raise RuntimeError(f"it knew {view}")

    with monkeypatch.context() as broken:
        broken.setattr(match.game.bot, "hint", fail)
        response = ask(alice, match)
    assert (response.status_code, notice_in(response)) == (409, "no-hint")
    assert no_hint("failed") in text_of(response)
    assert f"no hint of m at match {match.slug}: RuntimeError in test_hints.py" in caplog.text
    assert "knew" not in caplog.text
    assert ask(alice, match).status_code == 200


def test_hints_are_for_who_plays_on_with_bots_when_the_others_have_left(alice: User, bob: User) -> None:
    """A stand-in is no company."""
    match = sit_down(alice, bob, bots=1)
    assert why_not(match, alice) == "company"
    resign(slug=match.slug, caller=Caller(bob), moment=START)
    moment = START
    while to_move(match) != 0:
        moment += timedelta(seconds=5)
        settle_due(moment=moment)
    assert give_hint(slug=match.slug, caller=Caller(alice)).hint.move in legal_texts(match)


# Refused


def test_nobody_gets_hints_against_people(alice: User, bob: User) -> None:
    """They would not know of it; in a rated match it would count."""
    assert why_not(sit_down(alice, bob, bots=1), alice) == "company"
    assert why_not(sit_down(alice, bob), bob) == "company"
    assert why_not(sit_down(alice, bob, rated=True, clock=LIVE), alice) == "rated"


def test_nobody_gets_hints_alone(alice: User) -> None:
    """There is a list of the best times."""
    assert why_not(begun(alice), alice) == "alone"


def test_a_game_without_hints_says_so(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """And its page does not offer any."""
    match = against_bots(alice)
    monkeypatch.setitem(match.game.__dict__, "hints", None)
    assert why_not(match, alice) == "game"
    assert "hint-ask" not in text_of(browser(alice).get(f"/matches/{match.slug}/"))


def test_where_nothing_is_to_be_suggested_that_is_said(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in BlockYou!, where no place is safe."""
    match = against_bots(alice)
    monkeypatch.setattr(match.game.bot, "hint", lambda view, rng, budget: None)
    assert why_not(match, alice) == "nothing"


def test_only_the_own_seat_is_helped_and_only_on_its_turn(alice: User, mallory: User) -> None:
    match = against_bots(alice)
    with pytest.raises(NotSeated):
        give_hint(slug=match.slug, caller=Caller(mallory))
    with pytest.raises(NotLoggedIn):
        give_hint(slug=match.slug, caller=Caller(None))
    with pytest.raises(NotFound):
        give_hint(slug="nowhere", caller=Caller(alice))
    while to_move(match) == 0:
        form = {"move": legal_texts(match)[0], "turn_key": match.turn_key(position_of(match), 0), "key": ""}
        play_form(match, alice, form, seconds=60)
    with pytest.raises(NotYourTurn):
        give_hint(slug=match.slug, caller=Caller(alice))
    resign(slug=match.slug, caller=Caller(alice), moment=START + timedelta(seconds=61))
    with pytest.raises(NotRunning):
        give_hint(slug=match.slug, caller=Caller(alice))


def test_nobody_learns_of_a_private_match_by_asking(alice: User, mallory: User) -> None:
    match = against_bots(alice, public=False)
    for user in (mallory, None):
        with pytest.raises(NotFound):
            give_hint(slug=match.slug, caller=Caller(user))


def test_table_that_waits_has_no_hints(alice: User) -> None:
    match = sit_down(alice, seats=2, start=False)
    with pytest.raises(NotRunning):
        give_hint(slug=match.slug, caller=Caller(alice))


def test_whoever_asks_too_often_waits(alice: User) -> None:
    """Also if nothing is thought of for it; what is refused for another reason does not count."""
    match = against_bots(alice)
    for _ in range(5):
        give_hint(slug=match.slug, caller=Caller(alice))
    with pytest.raises(TooOften) as refused:
        give_hint(slug=match.slug, caller=Caller(alice))
    assert refused.value.params["wait"] <= timedelta(seconds=10)


def test_one_hint_at_a_time_is_thought_of(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever would wait long for others is told so, and holds no thread meanwhile."""
    match = against_bots(alice)
    monkeypatch.setattr(hints, "WAITS_FOR_S", 0.01)
    with hints._thinking:
        assert why_not(match, alice) == "busy"
    assert give_hint(slug=match.slug, caller=Caller(alice)).hint


def test_few_wait_for_a_hint_at_the_same_time(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """All pages share the threads that would wait: whoever is one too many is told so at once."""
    match = against_bots(alice)
    monkeypatch.setattr(hints, "WAITS_FOR_S", 60.0)
    current, seat = snapshot(slug=match.slug, caller=Caller(alice)), match.seats.get(index=0)
    found: list[Hint | None] = []
    waiting = [
        threading.Thread(target=lambda: found.append(hints._think(current, seat)), daemon=True)
        for _ in range(1 + hints.MOST_WAITING)
    ]
    with hints._thinking:
        for thread in waiting:
            thread.start()
        wait_for(lambda: hints._places._value == 0)
        assert why_not(match, alice) == "busy"
    for thread in waiting:
        thread.join()
    assert found == [give_hint(slug=match.slug, caller=Caller(alice)).hint] * len(waiting)


# In real time


def test_in_real_time_it_is_for_who_may_claim(toy: Game, alice: User) -> None:
    """Not while the round is counted down, nor for who has claimed."""
    match = auction(alice, bots=1, opened=False)
    with pytest.raises(NotYourTurn):
        give_hint(slug=match.slug, caller=Caller(alice))
    look(match, COUNT)
    given = give_hint(slug=match.slug, caller=Caller(alice))
    assert given.hint.move == f"bid {position_of(match).hands[0][-1]}"
    bid(match, alice, COUNT + 100)
    with pytest.raises(NotYourTurn):
        give_hint(slug=match.slug, caller=Caller(alice))


def test_in_real_time_the_answer_says_the_own_stamp(toy: Game, alice: User) -> None:
    """What only the own seat sees changes the position, too."""
    match = auction(alice, bots=1)
    bid(match, alice, COUNT + 100)
    look(match, 2 * COUNT + WINDOWS["long"])  # the next round
    own = match.seats.get(index=0).own_version
    assert own > 0
    assert f'data-version="{match.version}" data-own="{own}"' in text_of(ask(alice, match))


def test_a_claim_that_waits_changes_no_hint(alice: User, monkeypatch: pytest.MonkeyPatch, time: Clock) -> None:
    """Not even its chance: two askings that differ would tell that somebody has claimed meanwhile."""
    match = sit_down(alice, bots=1, game=get_game("blockyou"))
    time.moment = START + timedelta(seconds=5)
    settle_due(moment=time.moment)
    monkeypatch.setattr("games.blockyou.bot.hint", drawn_by_lot)
    first = give_hint(slug=match.slug, caller=Caller(alice))
    with locked_match(slug=match.slug) as sitting:
        claim = sitting.rules.legal_moves(sitting.position, 1)[0]
        sitting.play(sitting.seats[1], claim, arrived=time.moment)
    second = give_hint(slug=match.slug, caller=Caller(alice))
    assert second.current.position != first.current.position
    assert second.current.version == first.current.version
    assert second.hint == first.hint


def test_what_is_said_or_taken_back_brings_no_other_hint(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise one would ask until there is one that one likes."""
    match = against_bots(alice)
    monkeypatch.setattr("games.m.bot.hint", drawn_by_lot)
    first = give_hint(slug=match.slug, caller=Caller(alice)).hint
    with locked_match(slug=match.slug) as sitting:
        sitting.touch(START)
    assert give_hint(slug=match.slug, caller=Caller(alice)).hint == first


# The door


def test_plain_form_and_address_lead_to_the_match(alice: User) -> None:
    """A hint is marked on the board by a script: without one there is nothing to show."""
    match = against_bots(alice)
    for response in (ask(alice, match, htmx=False), browser(alice).get(f"/matches/{match.slug}/hint/")):
        assert (response.status_code, response["Location"]) == (302, f"/matches/{match.slug}/")


def test_refusal_comes_as_a_notice(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    response = ask(alice, match)
    assert (response.status_code, notice_in(response)) == (409, "no-hint")
    assert "There are hints only where you play against bots and nobody else." in text_of(response)
    assert ask(None, match).status_code == 403
    assert ask(alice, match, htmx=False).status_code == 409


@pytest.mark.parametrize(
    "form",
    [
        {"move": "RT3@0,0", "seat": "1", "level": "hard"},
        {"turn_key": "x" * 5000, "stage": "\0", "key": "<script>"},
        {"slug": "../..", "viewer": "open"},
    ],
)
def test_nothing_that_is_sent_changes_what_is_answered(alice: User, form: dict[str, str]) -> None:
    """The address and the session say everything."""
    match = against_bots(alice)
    plain = text_of(ask(alice, match))
    assert text_of(ask(alice, match, form=form)) == plain


def test_other_methods_and_addresses_are_refused(alice: User) -> None:
    match = against_bots(alice)
    assert browser(alice).put(f"/matches/{match.slug}/hint/").status_code == 405
    assert browser(alice).post(f"/matches/{'f' * 300}/hint/", headers=HTMX).status_code == 404


def test_what_a_game_says_is_escaped(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its texts are plain text, and so are its moves."""
    match = against_bots(alice)
    monkeypatch.setattr(match.game.bot, "hint", lambda view, rng, budget: Hint('"><b>', (("best", {}),)))
    monkeypatch.setattr(match.game.texts, "hint", lambda code, params: "<i>takes</i> & gives")
    answer = text_of(ask(alice, match))
    assert "&lt;i&gt;takes&lt;/i&gt; &amp; gives" in answer
    assert 'data-hint="&quot;&gt;&lt;b&gt;"' in answer


# The page


def test_page_offers_hints_to_who_may_ask_for_them(alice: User, mallory: User) -> None:
    """Pressable on the own turn, in its place all the time, and nobody else's."""
    match = against_bots(alice)

    def button(user: User) -> str | None:
        found = re.search(r'<button id="hint-ask"[^>]*>', text_of(browser(user).get(f"/matches/{match.slug}/")))
        return found[0] if found is not None else None

    assert "disabled" not in str(button(alice))
    assert button(mallory) is None
    while to_move(match) == 0:
        form = {"move": legal_texts(match)[0], "turn_key": match.turn_key(position_of(match), 0), "key": ""}
        play_form(match, alice, form, seconds=60)
    assert "disabled" in str(button(alice))


def test_page_of_people_offers_none(alice: User, bob: User) -> None:
    match = sit_down(alice, bob, bots=1)
    assert "hint-ask" not in text_of(browser(alice).get(f"/matches/{match.slug}/"))


# The sentences


@pytest.mark.parametrize(
    ("language", "reasons", "sentence"),
    [
        ("en", ["takes 2 chips"], "takes 2 chips"),
        ("en", ["takes 2 chips", "leaves no gap"], "takes 2 chips and leaves no gap"),
        ("en", ["wins", "takes 2 chips", "leaves no gap"], "wins, takes 2 chips and leaves no gap"),
        ("es", ["gana", "toma 2 fichas", "no deja hueco"], "gana, toma 2 fichas y no deja hueco"),
        ("es", ["toma 2 fichas", "impide otra"], "toma 2 fichas e impide otra"),
        ("es", ["toma 2 fichas", "hiere"], "toma 2 fichas y hiere"),
        ("zh-hant", ["拿走 2 枚籌碼", "不留下空位"], "拿走 2 枚籌碼，而且不留下空位"),
        ("zh-hant", ["獲勝", "拿走 2 枚籌碼", "不留下空位"], "獲勝，拿走 2 枚籌碼，而且不留下空位"),
    ],
)
def test_reasons_are_joined_as_the_language_does(language: str, reasons: list[str], sentence: str) -> None:
    with translation.override(language):
        assert listed_reasons(reasons) == sentence


def test_of_each_kind_the_weightiest_reason_is_said_and_three_at_most(toy: Game) -> None:
    """Who reads more forgets the first."""
    hint = Hint("bid 9", (("highest", {"card": 9}), ("highest", {"card": 8}), ("left", {"left": 2})))
    assert why(toy, hint) == "Hint: this bids the 9, the highest and leaves 2 prizes."


def test_each_refusal_has_words_of_its_own() -> None:
    reasons = ("rated", "alone", "company", "game", "busy", "nothing")
    assert len({no_hint(what) for what in reasons}) == len(reasons)
