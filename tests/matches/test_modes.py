"""Games with modes and teams: the form offers what goes together, and a team's end is its last player's."""

from __future__ import annotations

import re

import pytest

from accounts.people.models import User
from games.contract.registry import get_game
from games.matches.callers import Caller
from games.matches.forms import TableForm
from games.matches.models import Match
from games.matches.services.play import resign
from tests.matches.browsing import browser
from tests.matches.conftest import START, sit_down

BASE = {"seats": "2", "option_layout": "fixed", "pace": "live", "seating": "lot", "visibility": "public"}


def form(**fields: str) -> TableForm:
    return TableForm(get_game("block_buster"), {**BASE, "option_mode": "standard", "option_collection": "3", **fields})


def test_option_that_does_not_exist_with_the_mode_is_left_out() -> None:
    """The page sends every field; what the mode has no use for must not make the table impossible."""
    chosen = form()
    assert chosen.is_valid()
    assert "collection" not in chosen.table()["options"]
    longer = form(option_mode="official-duel", option_collection="4")
    assert longer.is_valid()
    assert longer.table()["options"]["collection"] == 4


def test_values_say_with_how_many_players_they_go() -> None:
    page = str(form())
    modes = dict(re.findall(r'name="option_mode" value="([a-z-]+)"[^>]* data-players="([^"]+)"', page))
    assert modes == {"standard": "2 3 4", "two-colours": "2", "official-duel": "2", "pairs": "4"}
    assert 'data-only-with="mode:two-colours mode:official-duel"' in page


@pytest.mark.parametrize(
    ("mode", "seats", "status"), [("pairs", "2", 422), ("standard", "3", 302), ("pairs", "4", 302)]
)
def test_mode_and_number_of_players_go_together_or_are_refused(alice: User, mode: str, seats: str, status: int) -> None:
    data = {**BASE, "option_mode": mode, "option_collection": "3", "seats": seats}
    response = browser(alice).post("/tables/new/block_buster/", data)
    assert response.status_code == status
    assert Match.objects.count() == (status == 302)


def test_table_says_who_plays_what_and_with_whom(alice: User) -> None:
    pairs = sit_down(alice, game=get_game("block_buster"), seats=4, options={"mode": "pairs"}, start=False)
    page = browser(alice).get(pairs.get_absolute_url()).content.decode()
    assert page.count("team 1") == 2
    assert page.count("team 2") == 2
    duel = sit_down(alice, game=get_game("block_buster"), seats=2, options={"mode": "two-colours"}, start=False)
    page = browser(alice).get(duel.get_absolute_url()).content.decode()
    assert "plays blue, red" in page
    assert "plays yellow, green" in page
    assert "team 1" not in page


def test_match_of_pairs_ends_when_one_team_is_left(alice: User, bob: User, carol: User, mallory: User) -> None:
    """The partner plays on beside a stand-in; with both of a team gone, the other team has won."""
    match = sit_down(alice, bob, carol, mallory, game=get_game("block_buster"), options={"mode": "pairs"})

    def leave(user: User) -> Match:
        resign(slug=match.slug, caller=Caller(user), moment=START)
        match.refresh_from_db()
        return match

    assert leave(alice).status == Match.Status.RUNNING
    assert leave(bob).status == Match.Status.RUNNING
    assert leave(mallory).status == Match.Status.OVER
    assert match.standing is not None
    assert match.standing["places"] == [4, 3, 1, 2]


def test_option_that_changes_nothing_among_so_many_is_not_shown_there(alice: User, bob: User) -> None:
    """The pace of BlockYou! is of who plays alone: the form hides it for more, and the pages are silent of it."""
    game = get_game("blockyou")
    assert 'data-only-with="seats:1"' in str(TableForm(game))
    data = {"option_deck": "easy", "option_pace": "expert", "pace": "live", "seating": "lot", "visibility": "public"}
    options = {}
    for seats in ("1", "2"):
        chosen = TableForm(game, {**data, "seats": seats})
        assert chosen.is_valid()
        options[seats] = chosen.table()["options"]
    assert options == {"1": {"deck": "easy", "pace": "expert"}, "2": {"deck": "easy", "pace": "normal"}}
    match = sit_down(alice, bob, game=game, options=options["2"], start=False)
    page = browser(alice).get(match.get_absolute_url()).content.decode()
    assert "Cards: Easy" in page
    assert "Pace alone" not in page
    alone = sit_down(alice, game=game, seats=1, options=options["1"], start=False)
    assert "Pace alone: Expert" in browser(alice).get(alone.get_absolute_url()).content.decode()
