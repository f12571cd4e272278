"""The final position as a picture: an SVG file that needs nothing else, of a match that is over and of no other."""

from __future__ import annotations

import re
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest

from accounts.people.models import User
from games.contract.registry import get_game
from games.contract.values import OPEN, Moment, Viewer
from games.matches import replays
from games.matches.callers import Caller
from games.matches.fragments.match import draw_board
from games.matches.models import Match
from games.matches.services.play import resign
from tests.matches.browsing import browser, text_of
from tests.matches.conftest import START, sit_down
from tests.matches.playing import play_in_real_time, play_some, play_to_the_end

pytestmark = pytest.mark.django_db

SVG = "{http://www.w3.org/2000/svg}"


def over(*people: User, game: str = "m", **table: Any) -> Match:
    match = sit_down(*people, game=get_game(game), **table)
    if match.in_real_time:
        play_in_real_time(match, Random(5), until=lambda running: running.reached > 20_000)
    else:
        play_some(match, 8)
    if match.status == Match.Status.RUNNING:
        resign(slug=match.slug, caller=Caller(people[0]), moment=START.replace(hour=20))
    match.refresh_from_db()
    assert match.status == Match.Status.OVER
    return match


@pytest.mark.parametrize("game", ["m", "block_buster", "blockyou"])
def test_picture_is_an_svg_that_refers_to_nothing_outside_itself(alice: User, bob: User, game: str) -> None:
    match = over(alice, bob, game=game)
    response = browser().get(f"/matches/{match.slug}/final.svg")
    assert response.status_code == 200
    assert response["Content-Type"] == "image/svg+xml; charset=utf-8"
    assert response["Content-Disposition"] == f'attachment; filename="tesela-{game}-{match.slug}.svg"'
    root = ElementTree.fromstring(response.content)
    assert root.tag == f"{SVG}svg"
    assert root.findtext(f"{SVG}title") == f"{match.game.info.title}: the final position"
    assert "Alice" in (root.findtext(f"{SVG}desc") or "")
    known = {element.get("id") for element in root.iter() if element.get("id")}
    used = [element.get("href") or "" for element in root.iter(f"{SVG}use")]
    assert used
    assert {link[:1] for link in used} == {"#"}
    assert {link[1:] for link in used} <= known
    text = text_of(response).replace('xmlns="http://www.w3.org/2000/svg"', "")
    for outside in ("http:", "https:", "@import", "<script", "<foreignObject", "@media"):
        assert outside not in text
    assert len(root.findall(f"{SVG}style")) == 1
    style = root.findtext(f"{SVG}style") or ""
    assert set(re.findall(r"var\((--[\w-]+)", style)) <= set(re.findall(r"(--[\w-]+):", style)), "every token is there"


def test_picture_is_of_the_final_position_or_of_a_ply_as_a_seat_saw_it(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    play_to_the_end(match)
    client, path = browser(), f"/matches/{match.slug}/final.svg"

    def drawn(ply: int, viewer: Viewer) -> str:
        view = match.game.rules.view(replays.film(match)[ply].position, viewer)
        # Without the opening tag, to which the picture adds.
        return str(draw_board(match.game, view, Moment())["board"]).partition(">")[2]

    match.refresh_from_db()
    assert drawn(match.ply, OPEN) in text_of(client.get(path))
    for ply, seat in ((0, 0), (3, 1), (match.ply, 0)):
        asked = client.get(path, {"ply": str(ply), "seat": str(seat)})
        assert drawn(ply, seat) in text_of(asked)
    assert f"{match.slug}-3.svg" in client.get(path, {"ply": "3"})["Content-Disposition"]
    for wrong in ("-1", "x", str(match.ply + 1), "9" * 30, "", "１"):
        assert client.get(path, {"ply": wrong}).status_code == 404


def test_running_match_and_waiting_table_have_no_picture_for_anybody(alice: User, bob: User, mod: User) -> None:
    """A player's own, downloaded and passed on, would show the hand; the record is refused the same way."""
    running = sit_down(alice, bob)
    play_some(running, 2)
    waiting = sit_down(alice, seats=2, start=False)
    live = sit_down(alice, bob, game=get_game("blockyou"))
    for match in (running, waiting, live):
        for user in (alice, bob, mod, None):
            for query in ("", "?ply=0", "?ply=0&seat=1"):
                assert browser(user).get(f"/matches/{match.slug}/final.svg{query}").status_code == 404


def test_picture_of_a_private_match_is_for_its_people(alice: User, bob: User, mallory: User) -> None:
    match = over(alice, bob, public=False)
    path = f"/matches/{match.slug}/final.svg"
    assert [browser(user).get(path).status_code for user in (alice, bob, mallory, None)] == [200, 200, 404, 404]


def test_names_in_a_picture_are_text_and_no_markup(alice: User, bob: User) -> None:
    User.objects.filter(pk=bob.pk).update(display_name="<b>&]]> \ufffe\u202e")
    bob.refresh_from_db()
    match = over(alice, bob)
    root = ElementTree.fromstring(browser().get(f"/matches/{match.slug}/final.svg").content)
    assert "<b>&]]>" in (root.findtext(f"{SVG}desc") or "")
