"""Afterwards: the history, the profile, the replay of every position, and the record for download."""

from __future__ import annotations

import html
import json
import re
from datetime import timedelta
from typing import Any

import pytest

from accounts.people.models import User
from games.contract.replay import check_record
from games.contract.values import OPEN, SPECTATOR, Viewer
from games.matches import replays
from games.matches.callers import Caller
from games.matches.fragments.match import draw_board, moment_of
from games.matches.models import Match
from games.matches.services.play import agree_to_end, cancel_match, resign
from games.matches.services.results import void_match
from games.matches.snapshots import snapshot
from games.matches.views import history
from tests.matches.browsing import browser, slugs_in, text_of
from tests.matches.conftest import START, sit_down, to_move
from tests.matches.playing import play_some, play_to_the_end

pytestmark = pytest.mark.django_db


def finished(*people: User, minutes: int = 0, **table: Any) -> Match:
    match = sit_down(*people, **table)
    resign(slug=match.slug, caller=Caller(people[-1]), moment=START + timedelta(minutes=minutes))
    match.refresh_from_db()
    return match


# History and profile


def test_history_lists_each_finished_match_with_players_result_and_date(alice: User, bob: User, carol: User) -> None:
    running, foreign = sit_down(alice, bob), finished(bob, carol)
    first, second = finished(alice, bob), finished(alice, carol, minutes=5, public=False)
    response = browser(alice).get("/history/")
    assert slugs_in(response) == [second.slug, first.slug], "newest first, private ones too"
    page = text_of(response)
    assert running.slug not in page
    assert foreign.slug not in page
    for words in ("Alice", "Bob", "Carol", "\u2068Carol\u2069 resigned", "first place", "2026-03-01 12:05 UTC"):
        assert words in page


def test_match_stays_in_the_history_of_who_left_it(alice: User, bob: User, carol: User) -> None:
    match = sit_down(alice, bob, carol)
    for user in (carol, bob):
        resign(slug=match.slug, caller=Caller(user), moment=START)
    page = browser(carol).get("/history/")
    assert slugs_in(page) == [match.slug]
    assert "place 3" in text_of(page)


def test_history_goes_on_page_by_page(alice: User, bob: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each match once, also where many have finished in the same moment."""
    monkeypatch.setattr(history, "PAGE", 6)
    matches = [finished(alice, bob, minutes=minute // 4) for minute in range(15)]
    client, path, seen = browser(alice), "/history/", []
    for _ in range(10):
        response = client.get(path)
        assert response.status_code == 200
        seen += slugs_in(response)
        older = re.search(r'href="(\?before=[^"]+)"', text_of(response))
        if older is None:
            break
        path = "/history/" + html.unescape(older[1])
    assert seen == [match.slug for match in reversed(matches)]


def test_profile_shows_private_matches_to_those_who_sat_there_alone(
    alice: User, bob: User, carol: User, mallory: User, mod: User
) -> None:
    public, private = finished(alice, bob), finished(alice, bob, minutes=1, public=False)
    for user, listed in (
        (alice, [private.slug, public.slug]),
        (bob, [private.slug, public.slug]),
        (carol, [public.slug]),
        (mallory, [public.slug]),
        (mod, [public.slug]),
        (None, [public.slug]),
    ):
        response = browser(user).get("/people/alice/")
        assert slugs_in(response) == listed
        assert f"{len(listed)} match" in text_of(response), "nor are they counted for others"
    assert browser().get("/people/ALICE/").status_code == 200
    assert "M" in text_of(browser().get("/people/bob/"))


def test_cancelled_matches_and_closed_tables_are_no_history(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    cancel_match(slug=match.slug, caller=Caller(alice), moment=START)
    assert slugs_in(browser(alice).get("/history/")) == []
    assert browser(alice).get(f"/matches/{match.slug}/record/").status_code == 404
    assert browser(alice).get(f"/matches/{match.slug}/").status_code == 200


def test_match_whose_player_has_no_row_any_more_goes_on_to_an_end(alice: User, bob: User) -> None:
    """The seat is a former player's then: every page opens, and who is left can end the match."""
    running, over = sit_down(alice, bob), finished(alice, bob)
    play_some(running, 3)
    bob.delete()
    client = browser(alice)
    for match in (running, over):
        for page in ("", "live/?version=0&stage=match", "live/?version=0&stage=table", "replay/", "replay/1/"):
            if match == over and page == "replay/1/":
                continue
            response = client.get(f"/matches/{match.slug}/{page}")
            assert response.status_code == 200, page
    page = text_of(client.get(f"/matches/{running.slug}/"))
    assert "former player" in page
    assert "Bob" not in page
    assert slugs_in(client.get("/history/")) == [over.slug]
    assert "former player" in text_of(client.get("/history/"))
    assert client.get("/lobby/").status_code == 200
    agree_to_end(slug=running.slug, caller=Caller(alice), agreed=True, moment=START)
    running.refresh_from_db()
    assert running.status == Match.Status.OVER
    assert client.get(f"/matches/{running.slug}/record/").status_code == 200


# The replay


def drawn(match: Match, ply: int, viewer: Viewer) -> dict[str, Any]:
    """What the presenter draws of that position for that viewer."""
    frame, game = replays.film(match)[ply], match.game
    move = frame.moves[0] if ply else None
    return draw_board(game, game.rules.view(frame.position, viewer), moment_of(move, viewer))


def assert_shows(page: Any, match: Match, ply: int, viewer: Viewer) -> None:
    expected, text = drawn(match, ply, viewer), text_of(page)
    assert page.status_code == 200
    assert f'<div class="board">{expected["board"]}</div>' in text
    assert f'<div class="hand">{expected["hand"]}</div>' in text
    for panel in expected["panels"]:
        assert panel in text


def test_every_position_of_a_finished_match_is_open_and_can_be_seen_with_each_player_s_eyes(
    alice: User, bob: User, carol: User
) -> None:
    match = sit_down(alice, bob, carol)
    play_to_the_end(match)
    match.refresh_from_db()
    assert len(replays.film(match)) == match.ply + 1
    assert match.game.rules.dump(replays.film(match)[-1].position) == match.position
    client = browser()
    for ply in range(match.ply + 1):
        path = f"/matches/{match.slug}/replay/{ply}/"
        assert_shows(client.get(path), match, ply, OPEN)
        assert_shows(client.get(path, {"seat": str(ply % 3)}), match, ply, ply % 3)
    assert client.get(f"/matches/{match.slug}/replay/{match.ply + 1}/").status_code == 404
    end = client.get(f"/matches/{match.slug}/replay/")
    assert_shows(end, match, match.ply, OPEN)
    assert "has won" in text_of(end) or "share the first place" in text_of(end)


def test_running_match_is_replayed_with_one_s_own_eyes_alone(alice: User, bob: User, mallory: User, mod: User) -> None:
    """`?seat=` opens nobody else's hand while the match runs, for nobody."""
    match = sit_down(alice, bob)
    play_some(match, 6)
    eyes: tuple[tuple[User | None, Viewer], ...] = (
        (alice, 0),
        (bob, 1),
        (mallory, SPECTATOR),
        (mod, SPECTATOR),
        (None, SPECTATOR),
    )
    for user, viewer in eyes:
        client = browser(user)
        for ply in range(match.ply + 1):
            for query in ({}, {"seat": "0"}, {"seat": "1"}):
                assert_shows(client.get(f"/matches/{match.slug}/replay/{ply}/", query), match, ply, viewer)


def test_who_has_left_a_running_match_replays_it_as_a_spectator(alice: User, bob: User, carol: User) -> None:
    match = sit_down(alice, bob, carol)
    play_some(match, 6)
    resign(slug=match.slug, caller=Caller(bob), moment=START)
    match.refresh_from_db()
    for ply in range(match.ply + 1):
        assert_shows(browser(bob).get(f"/matches/{match.slug}/replay/{ply}/?seat=1"), match, ply, SPECTATOR)


def test_part_of_a_frame_keeps_to_one_s_own_eyes_while_the_match_runs(alice: User, bob: User) -> None:
    """What the page's script fetches is drawn by the same rule as the page."""
    match = sit_down(alice, bob)
    play_some(match, 4)
    for user, viewer in ((alice, 0), (bob, 1), (None, SPECTATOR)):
        for seat in ("0", "1"):
            part = browser(user).get(f"/matches/{match.slug}/replay/3/", {"seat": seat, "part": "1"})
            assert_shows(part, match, 3, viewer)
            assert "<html" not in text_of(part)


def test_links_of_the_replay_lead_to_every_ply(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    play_some(match, 4)
    page = text_of(browser(alice).get(f"/matches/{match.slug}/replay/2/"))
    for ply in range(5):
        assert f'href="/matches/{match.slug}/replay/{ply}/"' in page or ply == 0
    for rel, ply in (("first", 0), ("prev", 1), ("next", 3), ("last", 4)):
        assert f'rel="{rel}" href="/matches/{match.slug}/replay/{ply}/"' in page
    assert 'rel="prev"' not in text_of(browser(alice).get(f"/matches/{match.slug}/replay/0/"))
    assert 'rel="next"' not in text_of(browser(alice).get(f"/matches/{match.slug}/replay/4/"))
    live = text_of(browser(alice).get(f"/matches/{match.slug}/"))
    for ply in range(1, 5):
        assert f'href="/matches/{match.slug}/replay/{ply}/"' in live


def test_waiting_table_has_nothing_to_replay(alice: User) -> None:
    match = sit_down(alice, seats=2, start=False)
    for page in ("replay/", "replay/0/", "record/"):
        assert browser(alice).get(f"/matches/{match.slug}/{page}").status_code == 404


def test_two_matches_never_share_a_film(alice: User, bob: User) -> None:
    """Positions are kept in the process: by match and version, so that no other match is shown for this one."""
    first, second = sit_down(alice, bob), sit_down(alice, bob)
    films = [replays.film(match) for match in (first, second)]
    assert films[0] is not films[1]
    play_some(first, 1)
    assert len(replays.film(first)) == 2
    assert replays.film(first) is replays.film(first)
    for _ in range(replays.KEPT + 5):
        replays.film(sit_down(alice, bob))
    assert len(replays._kept) <= replays.KEPT


# The record


def endings(alice: User, bob: User, carol: User) -> dict[str, Match]:
    """A match for each way to end."""
    ended = {
        name: sit_down(alice, bob, carol) for name in ("rules", "stand-in", "resigned", "agreed", "voided", "late")
    }
    for match in ended.values():
        play_some(match, 4)
    play_to_the_end(ended["rules"])
    resign(slug=ended["stand-in"].slug, caller=Caller(bob), moment=START + timedelta(seconds=9))
    ended["stand-in"].refresh_from_db()
    play_to_the_end(ended["stand-in"])
    for user in (carol, alice):
        resign(slug=ended["resigned"].slug, caller=Caller(user), moment=START + timedelta(seconds=9))
    for user in (alice, bob, carol):
        agree_to_end(slug=ended["agreed"].slug, caller=Caller(user), agreed=True, moment=START)
    void_match(slug=ended["voided"].slug, moment=START)
    play_to_the_end(ended["late"])
    void_match(slug=ended["late"].slug, moment=START)
    for match in ended.values():
        match.refresh_from_db()
        assert match.status == Match.Status.OVER
    return ended


def test_record_of_every_ending_is_downloaded_and_checks_clean(alice: User, bob: User, carol: User) -> None:
    left = {"stand-in": [1], "resigned": [2, 0]}
    for name, match in endings(alice, bob, carol).items():
        response = browser().get(f"/matches/{match.slug}/record/")
        assert response.status_code == 200
        assert response["Content-Type"] == "application/json; charset=utf-8"
        assert response["Content-Disposition"] == f'attachment; filename="tesela-m-{match.slug}.json"'
        plies, outcome = check_record(response.content)
        document = json.loads(response.content)
        assert plies == match.ply, name
        assert document["players"] == ["Alice", "Bob", "Carol"]
        assert document.get("left", []) == left.get(name, []), name
        if name in ("rules", "stand-in", "late"):
            assert outcome is not None
            assert document["outcome"] == outcome.as_json()
        else:
            assert outcome is None
            assert document["outcome"]["reason"] == {"agreed": "abandoned"}.get(name, name)


def test_running_match_has_no_record_for_anybody(
    alice: User, bob: User, carol: User, mallory: User, mod: User, make_person: Any
) -> None:
    """Also not for who moderates, nor who has left: the deal in it holds all that is hidden."""
    match = sit_down(alice, bob, carol)
    play_some(match, 3)
    resign(slug=match.slug, caller=Caller(carol), moment=START)
    admin = make_person("root1", is_staff=True, is_superuser=True)
    for user in (alice, bob, carol, mallory, mod, admin, None):
        assert browser(user).get(f"/matches/{match.slug}/record/").status_code == 404
    page = text_of(browser(alice).get(f"/matches/{match.slug}/"))
    assert "/record/" not in page, "and no page offers it"


def test_record_of_a_private_match_is_for_its_people(alice: User, bob: User, mallory: User) -> None:
    match = finished(alice, bob, public=False)
    assert browser(alice).get(f"/matches/{match.slug}/record/").status_code == 200
    for user in (mallory, None):
        assert browser(user).get(f"/matches/{match.slug}/record/").status_code == 404


def test_open_hands_are_seen_only_once_the_match_is_over(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    play_some(match, 2)
    seats = (0, 1)

    def hand_in(seat: int) -> bool:
        current = snapshot(slug=match.slug, caller=Caller(None))
        position = current.position
        page = text_of(browser().get(f"/matches/{match.slug}/"))
        sprite_free = page[page.index('id="players"') :]
        return all(f"#m-{tile}" in sprite_free for tile in position.hands[seat])

    assert not any(hand_in(seat) for seat in seats)
    assert to_move(match) in seats
    resign(slug=match.slug, caller=Caller(alice), moment=START)
    assert all(hand_in(seat) for seat in seats)
