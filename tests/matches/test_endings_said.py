"""What each person's page says of scores, of offers to end, of the end and its reason, and of what comes next."""

from __future__ import annotations

import re
from datetime import timedelta
from random import Random

import pytest

from accounts.people.models import User
from games.contract.values import Outcome
from games.matches import result_texts
from games.matches.callers import Caller
from games.matches.errors import NotFound, NotSeated
from games.matches.log import END_DECLINED
from games.matches.models import LogEntry, Match, Seat
from games.matches.selectors import house_entries
from games.matches.services.play import agree_to_end, cancel_match, decline_end, resign
from games.matches.services.results import void_match
from tests.matches.browsing import act, browser, notice_in, text_of
from tests.matches.conftest import START, Clock, move_form, player_to_move, sit_down, to_move
from tests.matches.playing import play_form, play_to_the_end

pytestmark = pytest.mark.django_db


def page_of(match: Match, user: User | None) -> str:
    """The match's page as that person sees it, without the marks around names."""
    return re.sub("[\u2068\u2069]", "", text_of(browser(user).get(f"/matches/{match.slug}/")))


def next_part(page: str) -> str:
    return page[page.index('id="next"') : page.index('id="board"')]


# Offers


def test_offer_names_who_makes_it_and_is_agreed_to_beside_the_board(alice: User, bob: User, carol: User) -> None:
    match = sit_down(alice, bob, carol)
    agree_to_end(slug=match.slug, caller=Caller(bob), agreed=True, moment=START)
    page = page_of(match, alice)
    assert "Bob offers to end this match without a result." in next_part(page)
    assert "Agree to end" in next_part(page)
    assert 'name="agreed" value="1"' in next_part(page)
    assert "Agree to end it without a result" in page[page.index('id="leave"') :]
    assert "offers to end" not in page_of(match, None), "whoever looks on is not asked"

    act(alice, match, "end", {"agreed": "1", "stage": "match"})
    own = page_of(match, alice)
    assert "Not agreed yet: Carol." in next_part(own)
    assert "Play on after all" in next_part(own)
    assert "Alice and Bob offer to end this match without a result." in next_part(page_of(match, carol))


def test_offer_can_be_declined_and_that_is_said_to_who_made_it(alice: User, bob: User, carol: User) -> None:
    match = sit_down(alice, bob, carol)
    for user in (alice, bob):
        agree_to_end(slug=match.slug, caller=Caller(user), agreed=True, moment=START)
    assert "No, we play on" in next_part(page_of(match, carol))
    assert "No, we play on" not in next_part(page_of(match, alice)), "who offers takes it back"
    declined = act(carol, match, "decline-end", {"stage": "match"})
    assert (declined.status_code, notice_in(declined)) == (200, None)
    assert not match.seats.filter(wants_end=True).exists()
    for user in (alice, bob, carol):
        page = page_of(match, user)
        assert "Offer to end the match" not in next_part(page)
        assert "Carol would rather play on: the offer to end the match is gone." in page
    agree_to_end(slug=match.slug, caller=Caller(bob), agreed=True, moment=START)
    assert "Bob offers to end this match" in page_of(match, carol), "it can be offered again"


def test_declined_twice_it_is_said_once_and_an_own_offer_stays(alice: User, bob: User, mallory: User) -> None:
    match = sit_down(alice, bob)
    decline_end(slug=match.slug, caller=Caller(bob), moment=START)
    agree_to_end(slug=match.slug, caller=Caller(alice), agreed=True, moment=START)
    with pytest.raises(NotFound if not match.public else NotSeated):
        decline_end(slug=match.slug, caller=Caller(mallory), moment=START)
    decline_end(slug=match.slug, caller=Caller(alice), moment=START)
    assert match.seats.filter(wants_end=True).count() == 1
    version = Match.objects.get(pk=match.pk).version
    for _ in range(2):
        decline_end(slug=match.slug, caller=Caller(bob), moment=START)
    assert LogEntry.objects.filter(match=match, code=END_DECLINED).count() == 1
    assert Match.objects.get(pk=match.pk).version == version + 1
    assert house_entries(match=match) == [], "no replay or record tells it"


def test_without_an_offer_nothing_stands_between_prompt_and_board(alice: User, bob: User) -> None:
    page = page_of(sit_down(alice, bob), alice)
    assert re.fullmatch(r'id="next" class="next">\s*</div>\s*<div ', next_part(page))


def test_who_plays_with_bots_alone_need_not_offer(alice: User) -> None:
    assert "End it without a result" in page_of(sit_down(alice, bots=1), alice)


# Results


def test_end_by_the_rules_is_said_to_each_with_both_scores(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    play_to_the_end(match)
    Match.objects.filter(pk=match.pk).update(
        version=match.version + 9, standing={"places": [2, 1], "scores": [-20, 310]}, reason="scored"
    )
    reason = "It is over because a scoring round was played with the stack empty."
    for user, words in ((alice, "Bob has won, 310 to −20."), (bob, "You have won, 310 to −20."), (None, "Bob has won")):
        # Once to the eye; what is hidden is said to the ear.
        page = re.sub('<div id="news".*?</div>', "", page_of(match, user), flags=re.DOTALL)
        assert words in page
        assert page.count(reason) == 1
        assert page.count('id="to-replay"') == 1


def sentences(match: Match, seats: list[Seat], seat: int | None) -> tuple[str, str]:
    names = ["Alice", "Bob", "Carol"][: len(seats)]
    said = result_texts.headline(match, names, seat=seat), result_texts.cause(match, seats, names, seat=seat)
    return tuple(re.sub("[\u2068\u2069]", "", text) for text in said)  # type: ignore[return-value]


def test_larger_tables_and_shared_places() -> None:
    def ended(*places: int) -> Match:
        outcome = Outcome("blocked", places, (50, 90, 90)).as_json()
        return Match(game_slug="m", reason="blocked", outcome=outcome, standing=outcome)

    seats = [Seat(index=index) for index in range(3)]
    one, shared = ended(3, 1, 2), ended(3, 1, 1)
    assert sentences(one, seats, 1)[0] == "You have won. Final scores: you 90, Carol 90, Alice 50."
    assert sentences(one, seats, None)[0] == "Bob has won. Final scores: Bob 90, Carol 90, Alice 50."
    assert sentences(shared, seats, 2)[0].startswith("You share the first place with Bob. Final scores: Bob 90, you 90")
    assert sentences(shared, seats, 0)[0].startswith("Bob and Carol share the first place.")
    assert sentences(one, seats, 0)[1] == "It is over because nobody can place a tile any more."


def test_where_cards_are_counted_it_says_so() -> None:
    def ended(*scores: int) -> Match:
        places = tuple(1 + sorted(scores).index(score) for score in scores)
        outcome = Outcome("cleared", places, scores).as_json()
        return Match(game_slug="blockyou", reason="cleared", outcome=outcome, standing=outcome)

    two, three, alone = ended(0, 11), ended(1, 0, 4), ended(39_300)
    seats = [Seat(index=index) for index in range(3)]
    assert sentences(two, seats[:2], 0)[0] == "You have won, with 0 cards left to 11."
    assert sentences(two, seats[:2], None)[0] == "Alice has won, with 0 cards left to 11."
    assert sentences(three, seats, 0)[0] == "Bob has won. Final scores: Bob 0 cards left, you 1, Carol 4."
    assert sentences(two, seats[:2], 0)[1] == "It is over because somebody has got rid of all cards."
    assert sentences(alone, seats[:1], 0) == (
        "Your result: 0:39.300.",
        "It is over because the last card has been placed.",
    )
    assert result_texts.in_short(alone, seats[:1], ["Alice"]) == "the last card has been placed"


def test_several_whose_time_ran_out_are_listed() -> None:
    seats = [Seat(index=index, exit=Seat.Exit.FLAGGED, left_order=index) for index in range(3)]
    match = Match(game_slug="m", reason="timeout")
    said = result_texts.cause(match, seats[1:], ["Alice", "Bob", "Carol"])
    assert re.sub("[\u2068\u2069]", "", said) == "The time of Bob and Carol ran out."
    assert result_texts.in_short(match, seats[1:], ["Alice", "Bob", "Carol"]) == "time ran out"


def test_who_resigned_is_named_and_points_do_not_count(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    resign(slug=match.slug, caller=Caller(bob), moment=START)
    match.refresh_from_db()
    seats = list(match.seats.all())
    assert sentences(match, seats, 0) == ("You have won.", "Bob resigned.")
    assert sentences(match, seats, 1) == ("Alice has won.", "You resigned.")


def test_ends_without_a_result_say_so(alice: User, bob: User) -> None:
    agreed, voided, cancelled = (sit_down(alice, bob) for _ in range(3))
    for user in (alice, bob):
        agree_to_end(slug=agreed.slug, caller=Caller(user), agreed=True, moment=START)
    void_match(slug=voided.slug, moment=START)
    cancel_match(slug=cancelled.slug, caller=Caller(bob), moment=START)
    for match, cause in (
        (agreed, "Everybody who was left agreed to end it."),
        (voided, "A moderator has voided it."),
        (cancelled, "Bob called it off before everybody had moved."),
    ):
        page = page_of(match, alice)
        assert "The match has ended without a result." in page
        assert cause in page
    assert "You called it off" in page_of(cancelled, bob)


def test_last_step_of_the_replay_says_the_reason_once(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    play_to_the_end(match)
    match.refresh_from_db()
    end = text_of(browser().get(f"/matches/{match.slug}/replay/"))
    assert end.count(match.game.texts.reason(match.reason)) == 1
    before = text_of(browser().get(f"/matches/{match.slug}/replay/{match.ply - 1}/"))
    assert match.game.texts.reason(match.reason) not in before


def test_replay_s_list_says_which_tile_was_taken(alice: User, bob: User) -> None:
    match, chance = sit_down(alice, bob), Random(4)
    while not match.moves.filter(text__startswith="take").exists():
        view = match.game.rules.view(match.game.rules.load(match.position or {}), to_move(match))
        text = match.game.bot.choose(view, "easy", chance)
        play_form(match, player_to_move(match), move_form(match, move=text or ""))
        match.refresh_from_db()
    page = text_of(browser().get(f"/matches/{match.slug}/replay/0/"))
    assert len(re.findall(r"takes the tile at \S+</span> <span class=\"muted\">Taken: \w+ ", page)) == 1


# The score


def test_line_of_names_and_scores_says_whose_turn_it_is(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    for page in (page_of(match, alice), page_of(match, None)):
        tally = page[page.index('id="tally"') : page.index('id="next"')]
        rows = re.findall(r'<li class="(.*?)">.*?<bdi>(\w+)</bdi></a>.*?>(\d+)</span>', tally)
        assert [(name, score) for _, name, score in rows] == [("Alice", "60"), ("Bob", "60")]
        assert ["to-move" in kind for kind, _, _ in rows] == [seat == to_move(match) for seat in (0, 1)]


# Once more


def test_play_again_follows_a_match_against_a_bot_and_no_other(alice: User, bob: User, time: Clock) -> None:
    against_bot, against_bob = sit_down(alice, bots=1), sit_down(alice, bob)
    for match in (against_bot, against_bob):
        resign(slug=match.slug, caller=Caller(alice), moment=START)
    assert 'id="play-again"' in page_of(against_bot, alice)
    assert "Play again" not in page_of(against_bot, bob)
    assert "Play again" not in page_of(against_bob, alice)

    time.tick(seconds=10)
    again = browser(alice).post("/play-now/m/", headers={"HX-Request": "true"})
    newest = Match.objects.latest("pk")
    assert (again.status_code, again["HX-Redirect"]) == (200, f"/matches/{newest.slug}/")
    assert newest.started_at == START + timedelta(seconds=10)
    refused = browser().post("/play-now/m/", headers={"HX-Request": "true"})
    assert (refused.status_code, notice_in(refused)) == (403, "not-logged-in")
