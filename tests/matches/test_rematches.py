"""Rematches: who must agree, what comes of it, for how long it is offered, and what keeps it from happening."""

from __future__ import annotations

import re
from datetime import timedelta
from random import Random
from typing import Any

import pytest

from accounts.people.models import User
from accounts.people.services import block_person
from games.contract.registry import get_game
from games.matches.callers import Caller
from games.matches.errors import BadInput, NoRematch, NotFound, NotLoggedIn, NotSeated, TooMany
from games.matches.models import Match, Seat
from games.matches.rematches import REMATCH_WITHIN
from games.matches.services import admission, rematches, sitting, tables
from games.matches.services.acts import perform_act
from games.matches.services.play import cancel_match, resign
from games.matches.services.results import void_match
from tests.matches.browsing import act, browser, text_of
from tests.matches.conftest import START, Clock, sit_down
from tests.matches.playing import play_to_the_end
from tests.matches.timekeeping import LIVE, TURNS
from tests.soundness import assert_sound

pytestmark = pytest.mark.django_db

BLOCK_BUSTER = get_game("block_buster")


def over(*people: User, bots: int = 0, **table: Any) -> Match:
    """A match that the first of them has just lost; where several stay, all but the last resign."""
    match = sit_down(*people, bots=bots, **table)
    for user in people[: max(1, len(people) - 1)]:
        match.refresh_from_db()
        if match.status == Match.Status.RUNNING:
            resign(slug=match.slug, caller=Caller(user), moment=START)
    match.refresh_from_db()
    assert match.status == Match.Status.OVER
    return match


def press(match: Match, user: User | None, *, wanted: bool = True, seconds: float = 10) -> str | None:
    """Press the button, so many seconds after the start; where it leads."""
    moment = START + timedelta(seconds=seconds)
    form = {"wanted": "1" if wanted else "0"}
    return perform_act(act="rematch", slug=match.slug, caller=Caller(user), data=form, arrived=moment)


def rematch_of(match: Match) -> Match:
    return Match.objects.get(rematch_of=match)


def sitters(match: Match) -> list[str]:
    seats = match.seats.select_related("user").order_by("index")
    return [seat.user.username if seat.user is not None else seat.kind for seat in seats]


def why_not(match: Match, user: User, seconds: float = 10) -> str:
    before = Match.objects.count()
    with pytest.raises(NoRematch) as refused:
        press(match, user, seconds=seconds)
    assert Match.objects.count() == before
    return str(refused.value.params["what"])


# All agree


def test_rematch_begins_when_all_have_agreed(alice: User, bob: User) -> None:
    match = over(alice, bob, game=BLOCK_BUSTER, clock=LIVE, public=False)
    assert press(match, alice) is None
    assert Match.objects.count() == 1
    slug = press(match, bob, seconds=20)
    new = rematch_of(match)
    assert slug == new.slug
    assert new.status == Match.Status.RUNNING
    assert new.started_at == START + timedelta(seconds=20)
    kept = ("game_slug", "options", "seat_count", "public", "pace", "rated", "clock_main", "clock_increment")
    assert [getattr(new, name) for name in kept] == [getattr(match, name) for name in kept]
    assert new.invite != match.invite
    assert_sound(new)


def test_seats_rotate_by_one(alice: User, bob: User, carol: User) -> None:
    match = over(alice, bob, carol, game=BLOCK_BUSTER)
    for expected in (["bob", "carol", "alice"], ["carol", "alice", "bob"], ["alice", "bob", "carol"]):
        for user in (alice, bob, carol):
            press(match, user)
        match = rematch_of(match)
        assert sitters(match) == expected
        for user in (alice, bob):
            resign(slug=match.slug, caller=Caller(user), moment=START + timedelta(seconds=11))


def test_partners_stay_partners(alice: User, bob: User, carol: User, mallory: User) -> None:
    people = (alice, bob, carol, mallory)
    match = over(*people, game=BLOCK_BUSTER, options={"mode": "pairs"})
    for user in people:
        press(match, user)
    teams = BLOCK_BUSTER.rules.teams(match.options, 4)
    of = [dict(zip(sitters(one), teams, strict=True)) for one in (match, rematch_of(match))]
    for team in of:
        assert team["alice"] == team["carol"] != team["bob"]
        assert team["bob"] == team["mallory"]


def test_starting_player_of_m_is_drawn_by_lot(alice: User, bob: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the name alone the same player would begin every time."""
    User.objects.filter(pk=alice.pk).update(display_name="Mmmm")
    alice.refresh_from_db()
    starters = set()
    for seed in range(8):
        for module in (sitting, tables):
            monkeypatch.setattr(module, "CHANCE", Random(seed))
        match = over(alice, bob)
        assert (match.deal or {})["first"] == 0
        for user in (alice, bob):
            press(match, user)
        new = rematch_of(match)
        starters.add(sitters(new)[(new.deal or {})["first"]])
    assert starters == {"alice", "bob"}


def test_live_match_waits_for_whoever_agreed_long_ago(alice: User, bob: User) -> None:
    """Their clock must not run while they may have gone: all have their seats, and it begins when they are ready."""
    match = over(alice, bob, clock=LIVE)
    press(match, alice, seconds=10)
    press(match, bob, seconds=10 + rematches.FRESH.total_seconds())
    new = rematch_of(match)
    assert (new.status, sitters(new)) == (Match.Status.TABLE, ["bob", "alice"])
    assert [seat.ready for seat in new.seats.order_by("index")] == [True, False]
    tables.set_ready(slug=new.slug, caller=Caller(alice), ready=True, moment=START + timedelta(seconds=400))
    new.refresh_from_db()
    assert new.status == Match.Status.RUNNING
    assert sitters(new) == ["bob", "alice"], "no lot is drawn over the rotation"


def test_saying_it_again_makes_it_fresh(alice: User, bob: User) -> None:
    match = over(alice, bob)
    press(match, alice, seconds=10)
    press(match, alice, seconds=200)
    press(match, bob, seconds=210)
    assert rematch_of(match).status == Match.Status.RUNNING


def test_match_by_turns_begins_at_once_whenever_the_last_agrees(alice: User, bob: User) -> None:
    match = over(alice, bob, game=BLOCK_BUSTER, pace=Match.Pace.TURNS, clock=TURNS)
    press(match, alice, seconds=10)
    press(match, bob, seconds=80000)
    assert rematch_of(match).status == Match.Status.RUNNING


def test_in_real_time_it_is_a_table_with_everybody_on_their_seat(alice: User, bob: User) -> None:
    match = over(alice, bob, game=get_game("blockyou"))
    for user in (alice, bob):
        press(match, user)
    new = rematch_of(match)
    assert (new.status, sitters(new)) == (Match.Status.TABLE, ["bob", "alice"])
    assert not new.seats.filter(ready=True).exists()
    for user in (alice, bob):
        tables.set_ready(slug=new.slug, caller=Caller(user), ready=True, moment=START + timedelta(seconds=20))
    new.refresh_from_db()
    assert new.status == Match.Status.RUNNING


def test_bots_agree_at_once(alice: User) -> None:
    match = over(alice, bots=2, game=BLOCK_BUSTER)
    slug = press(match, alice)
    new = rematch_of(match)
    assert (new.slug, new.status) == (slug, Match.Status.RUNNING)
    assert sitters(new) == ["bot", "bot", "alice"]
    assert [seat.level for seat in new.seats.order_by("index")] == ["easy", "easy", ""]


def test_who_has_left_is_asked_and_plays_again(alice: User, bob: User, carol: User) -> None:
    match = over(alice, bob, carol, game=BLOCK_BUSTER)
    assert match.seats.filter(kind=Seat.Kind.STAND_IN).count() == 2
    press(match, carol)
    press(match, bob)
    assert not Match.objects.filter(rematch_of=match).exists()
    press(match, alice)
    assert {seat.kind for seat in rematch_of(match).seats.all()} == {Seat.Kind.PERSON}


def test_rated_match_is_followed_by_a_rated_one(alice: User, bob: User) -> None:
    match = sit_down(alice, bob, rated=True, clock=LIVE)
    play_to_the_end(match)
    for user in (alice, bob):
        press(match, user, seconds=1000)
    assert rematch_of(match).rated


def test_match_that_was_called_off_or_voided_can_be_played_after_all(alice: User, bob: User) -> None:
    called_off, voided = sit_down(alice, bob), over(alice, bob)
    cancel_match(slug=called_off.slug, caller=Caller(alice), moment=START)
    void_match(slug=voided.slug, moment=START)
    for match in (called_off, voided):
        for user in (alice, bob):
            press(match, user)
        assert rematch_of(match).status == Match.Status.RUNNING


# Exactly one


def test_pressed_again_it_leads_to_the_same_match(alice: User, bob: User) -> None:
    match = over(alice, bob)
    press(match, alice)
    version = Match.objects.get(pk=match.pk).version
    press(match, alice)
    assert Match.objects.get(pk=match.pk).version == version
    slug = press(match, bob)
    assert [press(match, user, seconds=10**7) for user in (alice, bob, alice)] == [slug] * 3
    assert press(match, alice, wanted=False) == slug
    assert Match.objects.count() == 2


def test_offer_can_be_withdrawn(alice: User, bob: User) -> None:
    match = over(alice, bob)
    press(match, alice)
    press(match, alice, wanted=False)
    press(match, bob)
    assert Match.objects.count() == 1
    press(match, alice)
    assert Match.objects.count() == 2


# Not possible


def test_offer_is_gone_after_a_day(alice: User, bob: User) -> None:
    match = over(alice, bob)
    press(match, alice)
    day = REMATCH_WITHIN.total_seconds()
    assert why_not(match, bob, seconds=day) == "late"
    press(match, bob, seconds=day - 1)
    assert rematch_of(match)


def test_against_bots_it_never_is(alice: User) -> None:
    assert press(over(alice, bots=1), alice, seconds=10**8)


def test_running_match_has_no_rematch(alice: User, bob: User) -> None:
    assert why_not(sit_down(alice, bob), alice) == "running"
    assert why_not(sit_down(alice, bob, start=False), alice) == "running"


def test_nobody_else_can_press(alice: User, bob: User, mallory: User) -> None:
    match, private = over(alice, bob), over(alice, bob, public=False)
    with pytest.raises(NotSeated):
        press(match, mallory)
    with pytest.raises(NotLoggedIn):
        press(match, None)
    with pytest.raises(NotFound):
        press(private, mallory)
    with pytest.raises(BadInput):
        perform_act(act="rematch", slug=match.slug, caller=Caller(alice), data={}, arrived=START)


def test_without_an_account_that_is_gone_there_is_none(alice: User, bob: User, carol: User, time: Clock) -> None:
    deleted, barred = over(alice, bob), over(alice, carol)
    bob.delete()
    User.objects.filter(pk=carol.pk).update(is_active=False)
    for match in (deleted, barred):
        assert why_not(match, alice) == "gone"
        page = page_of(match, alice)
        assert "there is no rematch" in page
        assert 'id="rematch"' not in page


def test_who_may_not_sit_together_has_none(alice: User, bob: User) -> None:
    match = over(alice, bob)
    block_person(by=bob, whom=alice, moment=START)
    assert [why_not(match, user) for user in (alice, bob)] == ["apart", "apart"]


def test_who_has_blocked_another_since_both_have_agreed_is_not_put_at_one_table(
    alice: User, bob: User, carol: User
) -> None:
    """The last who agrees has nothing against anybody; the two others have."""
    match = over(alice, bob, carol)
    press(match, bob)
    press(match, carol)
    block_person(by=bob, whom=carol, moment=START)
    assert why_not(match, alice) == "apart"


def test_limits_hold_for_everybody(alice: User, bob: User, monkeypatch: pytest.MonkeyPatch) -> None:
    match = over(alice, bob)
    sit_down(alice, bots=1)
    press(match, alice)
    monkeypatch.setattr(admission, "MAX_RUNNING", 1)
    assert why_not(match, bob) == "busy"
    press(match, alice, wanted=False)
    press(match, bob)
    with pytest.raises(TooMany):
        press(match, alice)
    assert not Match.objects.filter(rematch_of=match).exists()


# Pages


def page_of(match: Match, user: User | None) -> str:
    return text_of(browser(user).get(f"/matches/{match.slug}/"))


def test_whose_answer_is_awaited_names_the_others_and_not_the_reader(
    alice: User, bob: User, carol: User, time: Clock
) -> None:
    match = over(alice, bob, carol)
    act(alice, match, "rematch", {"wanted": "1", "stage": "match"})
    said = re.sub("[\u2068\u2069]", "", page_of(match, bob))
    assert "Alice would play a rematch. Besides you, not agreed yet: Carol." in said


def test_page_says_who_would_play_again(alice: User, bob: User, mallory: User, time: Clock) -> None:
    match = over(alice, bob)
    assert 'id="rematch"' in page_of(match, alice)
    version = Match.objects.get(pk=match.pk).version
    pressed = act(alice, match, "rematch", {"wanted": "1", "stage": "match"})
    assert "You would play a rematch" in text_of(pressed)
    assert Match.objects.get(pk=match.pk).version == version + 1, "it is pushed to all who look"
    assert "would play a rematch. You have not agreed yet." in page_of(match, bob)
    for outsider in (mallory, None):
        page = page_of(match, outsider)
        assert 'id="rematch"' not in page
        assert "would play a rematch" not in page
    last = act(bob, match, "rematch", {"wanted": "1", "stage": "match"})
    assert last["HX-Redirect"] == f"/matches/{rematch_of(match).slug}/"
    for user in (alice, bob, mallory, None):
        assert f'id="to-rematch" class="button primary" href="/matches/{rematch_of(match).slug}/"' in page_of(
            match, user
        )
    time.tick(days=2)
    assert 'id="to-rematch"' in page_of(match, alice)


def test_plain_form_leads_there_too(alice: User, bob: User, time: Clock) -> None:
    match = over(alice, bob)
    assert act(alice, match, "rematch", {"wanted": "1"}, htmx=False)["Location"] == f"/matches/{match.slug}/"
    assert act(bob, match, "rematch", {"wanted": "1"}, htmx=False)["Location"] == f"/matches/{rematch_of(match).slug}/"


def test_private_rematch_is_shown_to_its_players_alone(alice: User, bob: User, time: Clock) -> None:
    match = over(alice, bob, public=False)
    for user in (alice, bob):
        press(match, user)
    guest = browser()
    guest.get(f"/matches/{match.slug}/invitation/{match.invite}/")
    assert "to-rematch" not in text_of(guest.get(f"/matches/{match.slug}/"))
    assert "to-rematch" in page_of(match, alice)


def test_offer_is_hidden_after_a_day(alice: User, bob: User, time: Clock) -> None:
    match = over(alice, bob)
    press(match, alice)
    assert 'id="rematch"' in page_of(match, bob)
    time.tick(days=1)
    assert 'id="rematch"' not in page_of(match, bob)


def in_lobby(user: User) -> str:
    page = text_of(browser(user).get("/lobby/"))
    return page[page.index('id="lobby-own"') : page.index('id="lobby-public"')]


def test_rematch_that_waits_is_in_the_lobby_of_all(alice: User, bob: User, time: Clock) -> None:
    match = over(alice, bob, game=get_game("blockyou"))
    for user in (alice, bob):
        press(match, user)
    for user in (alice, bob):
        assert f"/matches/{rematch_of(match).slug}/" in in_lobby(user)
