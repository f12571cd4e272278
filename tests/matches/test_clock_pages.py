"""Clocks as people choose and see them: on the form, at the table, beside the names, and in the result."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from accounts.people.models import User
from games.contract.registry import get_game
from games.matches.callers import Caller
from games.matches.errors import BadInput, ClockNeeded
from games.matches.models import Match
from games.matches.services.acts import perform_act
from games.matches.services.clocks import DAY, LIMITS, MINUTE, NO_CLOCK, SECOND, TimeLimit
from games.matches.services.tables import create_table
from tests.contract.sampled import TOY
from tests.matches.browsing import act, browser, notice_in, table_form, text_of
from tests.matches.conftest import START, Clock, move_form, player_to_move, sit_down, to_move
from tests.matches.playing import other
from tests.matches.timekeeping import LIVE, TURNS, by_turns, log_of, look_at, move_at

pytestmark = pytest.mark.django_db


# Tables


@pytest.mark.parametrize(
    ("game", "pace", "clock"),
    [
        ("m", "live", TimeLimit(3 * DAY)),
        ("m", "live", TimeLimit(10 * MINUTE)),
        ("m", "live", TimeLimit(10 * MINUTE, 11 * SECOND)),
        ("m", "live", TimeLimit(0)),
        ("m", "live", TimeLimit(-1, -1)),
        ("m", "live", TimeLimit(None, 10 * SECOND)),
        ("m", "turns", TimeLimit(10 * MINUTE, 10 * SECOND)),
        ("m", "turns", TimeLimit(2 * DAY)),
        ("m", "turns", TimeLimit(3 * DAY, 1)),
        ("toy", "live", TimeLimit(10 * MINUTE, 10 * SECOND)),
    ],
)
def test_clock_that_does_not_go_with_the_pace_is_refused(alice: User, game: str, pace: str, clock: TimeLimit) -> None:
    with pytest.raises(BadInput) as refused:
        sit_down(alice, seats=2, start=False, game=TOY if game == "toy" else get_game(game), pace=pace, clock=clock)
    assert refused.value.params == {"what": "clock"}
    assert not Match.objects.exists()


def test_every_clock_that_is_offered_opens_a_table(alice: User) -> None:
    for pace, limits in LIMITS.items():
        for clock in (NO_CLOCK, *limits):
            match = sit_down(alice, seats=2, start=False, pace=pace, clock=clock)
            assert (match.clock_main, match.clock_increment) == clock


def test_rated_tables_need_a_clock(alice: User) -> None:
    def table(game: Any, **more: Any) -> Match:
        return create_table(
            host=alice,
            game=game,
            options={},
            seats=2,
            public=True,
            pace=Match.Pace.LIVE,
            seating=Match.Seating.LOT,
            moment=START,
            rated=True,
            **more,
        )

    with pytest.raises(ClockNeeded):
        table(get_game("m"))
    assert not Match.objects.exists()
    assert table(get_game("m"), clock=LIVE).rated
    assert table(TOY).rated, "games in real time keep their own time"


def test_form_offers_the_clocks_of_each_pace(alice: User) -> None:
    page = text_of(browser(alice).get("/tables/new/m/"))
    fields = dict(re.findall(r'(?s)data-only-with="pace:(\w+)".*?(<legend>.*?</fieldset>)', page))
    words = {
        pace: [word.strip() for word in re.findall(r"<span>(.*?)</span>", field)] for pace, field in fields.items()
    }
    assert words == {
        "live": [
            "No clock",
            "5 min + 5 s a move",
            "10 min + 10 s a move",
            "20 min + 20 s a move",
            "45 min + 30 s a move",
        ],
        "turns": ["No clock", "1 day a move", "3 days a move", "7 days a move"],
    }
    usual = {pace: re.findall(r'value="([^"]+)"[^>]*checked', field) for pace, field in fields.items()}
    assert usual == {"live": ["1200000+20000"], "turns": [f"{3 * DAY}+0"]}


@pytest.mark.parametrize(
    ("form", "clock"),
    [
        ({"clock_live": "600000+10000"}, LIVE),
        ({"clock_live": "none"}, NO_CLOCK),
        ({}, NO_CLOCK),
        ({"pace": "turns", "clock_live": "600000+10000", "clock_turns": f"{3 * DAY}+0"}, TURNS),
        ({"pace": "turns", "clock_live": "600000+10000", "clock_turns": "none"}, NO_CLOCK),
    ],
    ids=str,
)
def test_form_opens_a_table_with_the_clock_of_its_pace(alice: User, form: dict[str, str], clock: TimeLimit) -> None:
    assert browser(alice).post("/tables/new/m/", table_form(**form)).status_code == 302
    match = Match.objects.get()
    assert (match.clock_main, match.clock_increment) == clock


@pytest.mark.parametrize(
    "wrong",
    [
        {"clock_live": f"{3 * DAY}+0"},
        {"clock_live": "5"},
        {"clock_live": "\0"},
        {"clock_live": "600000+10000", "clock_turns": "600000+10000"},
        {"clock_blitz": "none"},
    ],
    ids=str,
)
def test_wrong_clocks_bring_the_form_back(alice: User, wrong: dict[str, str]) -> None:
    response = browser(alice).post("/tables/new/m/", table_form(**wrong))
    assert response.status_code == 422
    assert "notice bad" in text_of(response)
    assert not Match.objects.exists()


def test_play_now_has_no_clock(alice: User) -> None:
    browser(alice).post("/play-now/m/")
    assert Match.objects.get().clock_main is None


# What people see


def test_tables_and_lobby_say_the_clock_in_words(alice: User, bob: User, time: Clock) -> None:
    live = sit_down(alice, seats=2, start=False, clock=LIVE)
    turns = sit_down(alice, seats=2, start=False, pace=Match.Pace.TURNS, clock=TimeLimit(DAY))
    none = sit_down(alice, seats=2, start=False)
    for match, words in ((live, "10 min + 10 s a move"), (turns, "1 day a move"), (none, "No clock")):
        assert f'<span class="tag">{words}</span>' in text_of(browser(bob).get(f"/matches/{match.slug}/"))
    for user in (alice, bob, None):
        lobby = text_of(browser(user).get("/lobby/"))
        assert lobby.count("10 min + 10 s a move") == 1
        assert "1 day a move" in lobby
        assert "No clock" not in lobby, "most rows would say it, and it would tell nobody anything"


def shown_clocks(match: Match, user: User | None, part: str = "players") -> list[tuple[str, str, str, str]]:
    """By seat: the kind of the clock, what is left and since when, and the figure."""
    page = text_of(browser(user).get(f"/matches/{match.slug}/"))
    shown = page[page.index(f'id="{part}"') :]
    shown = shown[: shown.index("</ol>")]
    pattern = r'class="clock number([^"]*)" role="timer" data-left="(\d*)" data-since="(\d*)".*?figure">([^<]+)<'
    return [(kind.strip(), left, since, figure) for kind, left, since, figure in re.findall(pattern, shown)]


def test_match_page_gives_the_server_s_truth_to_count_down_from(alice: User, bob: User, time: Clock) -> None:
    match = sit_down(alice, bob, clock=LIVE)
    first = to_move(match)
    move_at(match, 4_321)
    expected = [("", "605679", "", "10:06"), ("running", "600000", "4321", "10:00")]
    for user in (alice, bob, None):
        for part in ("players", "tally"):
            assert shown_clocks(match, user, part) == (expected if first == 0 else expected[::-1])
    page = text_of(browser(alice).get(f"/matches/{match.slug}/"))
    assert re.search(r'data-epoch="\d{13}"', page), "and the moment of match time 0"


def test_clock_with_little_left_is_marked(alice: User, bob: User, time: Clock) -> None:
    match = sit_down(alice, bob, clock=LIVE)
    first = to_move(match)
    move_at(match, 560_000)
    move_at(match, 561_000)
    assert shown_clocks(match, None)[first] == ("running low", "50000", "561000", "0:50")


def test_by_turns_the_page_says_until_when(alice: User, bob: User, time: Clock) -> None:
    match = by_turns(alice, bob)
    assert shown_clocks(match, bob)[to_move(match)] == ("running", str(3 * DAY), "0", "3 d 0 h")
    assert "Time until 2026-03-04 12:00 UTC" in text_of(browser(bob).get(f"/matches/{match.slug}/"))


def test_no_clock_is_shown_where_there_is_none(alice: User, bob: User, carol: User, time: Clock) -> None:
    assert shown_clocks(sit_down(alice, bob), alice) == []
    against_bot = sit_down(alice, bots=1, clock=LIVE)
    assert len(shown_clocks(against_bot, alice)) == 1
    with_stand_in = sit_down(alice, bob, carol, clock=LIVE)
    look_at(with_stand_in, 600_000)
    assert len(shown_clocks(with_stand_in, alice)) == 2


def test_end_on_time_is_said_to_each(alice: User, bob: User, time: Clock) -> None:
    match = sit_down(alice, bob, clock=LIVE)
    loser = player_to_move(match)
    winner = other(loser, alice, bob)
    look_at(match, 600_000)

    def words(user: User | None, path: str = "") -> str:
        return re.sub("[\u2068\u2069]", "", text_of(browser(user).get(f"/matches/{match.slug}/{path}")))

    assert "Your time ran out." in words(loser)
    assert "You have won." in words(winner)
    assert f"The time of {loser.display_name} ran out." in words(winner)
    assert f"The time of {loser.display_name} ran out." in words(None, "replay/")
    assert "time ran out" in text_of(browser(alice).get("/history/"))


def test_move_after_the_flag_gets_the_reason_and_the_end(alice: User, bob: User, time: Clock) -> None:
    match = sit_down(alice, bob, clock=LIVE)
    loser, form = player_to_move(match), move_form(match)
    time.tick(minutes=10)
    response = act(loser, match, "move", {"stage": "match", **form})
    assert (response.status_code, notice_in(response)) == (409, "not-running")
    assert "Your time ran out." in text_of(response)


def test_who_left_in_which_way_is_told_apart(
    alice: User, bob: User, carol: User, time: Clock, make_person: Callable[..., User]
) -> None:
    """Of four, one resigns and two run out of time: none of them is said to have done what another did."""
    people = [alice, bob, carol, make_person("dan")]
    match = sit_down(*people, clock=LIVE)
    resigned = other(player_to_move(match), *people)
    perform_act(act="resign", slug=match.slug, caller=Caller(resigned), data={}, arrived=START)
    look_at(match, 9_999_999)
    assert (match.status, match.reason) == (Match.Status.OVER, "timeout")
    flagged = [people[seat].display_name for code, _, seat in log_of(match) if code == "flagged"]
    (winner,) = {person.display_name for person in people} - {resigned.display_name, *flagged}
    page = re.sub("[\u2068\u2069]", "", text_of(browser(None).get(f"/matches/{match.slug}/")))
    assert f"{resigned.display_name} resigned. The time of {' and '.join(flagged)} ran out." in page
    assert f"{winner} has won." in page


def test_whose_time_ran_out_reads_it_at_the_top_while_others_play_on(
    alice: User, bob: User, carol: User, time: Clock
) -> None:
    match = sit_down(alice, bob, carol, clock=LIVE)
    flagged = player_to_move(match)
    look_at(match, 600_000)
    assert match.status == Match.Status.RUNNING
    page = text_of(browser(flagged).get(f"/matches/{match.slug}/"))
    (prompt,) = re.findall(r'<p id="prompt"[^>]*>(.*?)</p>', page)
    assert prompt == "Your time ran out. A stand-in plays your seat, and you look on."
    assert "You have left this match" not in page
    for user in (flagged, *(person for person in (alice, bob, carol) if person != flagged)):
        page = text_of(browser(user).get(f"/matches/{match.slug}/"))
        assert page.count('<span class="tag bad">out of time</span>') == 1
        assert "has left</span>" not in page
        assert ("Your time ran out" in page) == (user == flagged)


def test_in_a_match_of_two_the_loser_on_time_is_out_of_time(alice: User, bob: User, time: Clock) -> None:
    match = sit_down(alice, bob, clock=LIVE)
    look_at(match, 600_000)
    page = text_of(browser(alice).get(f"/matches/{match.slug}/"))
    assert page.count('<span class="tag bad">out of time</span>') == 1
    assert "has left</span>" not in page


def test_who_resigned_has_left_and_goes_on_reading_whose_turn_it_is(
    alice: User, bob: User, carol: User, time: Clock
) -> None:
    match = sit_down(alice, bob, carol, clock=LIVE)
    resigned = other(player_to_move(match), alice, bob, carol)
    perform_act(act="resign", slug=match.slug, caller=Caller(resigned), data={}, arrived=START)
    page = text_of(browser(resigned).get(f"/matches/{match.slug}/"))
    (prompt,) = re.findall(r'<p id="prompt"[^>]*>(.*?)</p>', page)
    assert "left" not in prompt
    assert "You have left this match; a stand-in plays your seat." in page
    assert page.count('<span class="tag bad">has left</span>') == 1
