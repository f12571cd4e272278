"""Replays of matches in real time: a frame for each moment at which something changed, as each viewer knew it."""

from __future__ import annotations

import re
from datetime import timedelta
from itertools import pairwise
from random import Random

import pytest

from accounts.people.models import User
from games.contract import registry
from games.contract.durations import to_the_millisecond
from games.contract.registry import get_game
from games.contract.values import OPEN, Event, Viewer
from games.matches.callers import Caller
from games.matches.fragments.match import RECENT_MS, draw_board, recent_moment
from games.matches.log import event_of
from games.matches.models import Match
from games.matches.replays import Film, film
from games.matches.services import sitting, tables, timing
from games.matches.services.play import resign
from games.matches.services.results import void_match
from tests.contract.sampled import TOY
from tests.matches.browsing import browser, text_of
from tests.matches.conftest import START, sit_down
from tests.matches.keepsakes import Rows, all_rows, put_back
from tests.matches.playing import play_in_real_time

pytestmark = pytest.mark.django_db

EYES: tuple[Viewer, ...] = (OPEN, 0, 1, 2)


@pytest.fixture(autouse=True, params=["toy", "blockyou"])
def slug(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Every game that is played in real time, and the toy one."""
    monkeypatch.setitem(registry._added, TOY.slug, TOY)
    return str(request.param)


@pytest.fixture
def people(alice: User, bob: User, carol: User) -> list[User]:
    return [alice, bob, carol]


_kept: dict[str, Rows] = {}


@pytest.fixture
def match(request: pytest.FixtureRequest, slug: str, monkeypatch: pytest.MonkeyPatch) -> Match:
    """A match of three with some rounds of claims right and wrong; voided then if it was not over by itself."""
    if slug in _kept:
        put_back(_kept[slug])
        return Match.objects.get()
    for module in (sitting, tables, timing):
        monkeypatch.setattr(module, "CHANCE", Random(slug))
    match = sit_down(*request.getfixturevalue("people"), game=get_game(slug), options={})
    play_in_real_time(match, Random(slug), until=lambda match: match.ply == 20)
    if match.status == Match.Status.RUNNING:
        void(match)
    _kept[slug] = all_rows()
    return match


def void(match: Match) -> None:
    void_match(slug=match.slug, moment=START + timedelta(hours=1))
    match.refresh_from_db()
    assert match.status == Match.Status.OVER


def stopped_short(people: list[User], slug: str) -> Match:
    match = sit_down(*people, game=get_game(slug), options={})
    play_in_real_time(match, Random(slug), until=lambda match: match.ply == 5)
    assert match.status == Match.Status.RUNNING
    return match


def query(viewer: Viewer) -> dict[str, str]:
    return {} if viewer is OPEN else {"seat": str(viewer)}


def events_of(shot: Film) -> list[Event]:
    return [event for frame in shot for event in frame.events]


def page_of(match: Match, number: int | str, viewer: Viewer = OPEN, **more: str) -> str:
    response = browser().get(f"/matches/{match.slug}/replay/{number}/", {**query(viewer), **more})
    assert response.status_code == 200
    return text_of(response)


# The frames


def assert_ends_as_stored(match: Match) -> None:
    rules = match.game.rules
    stored, last = rules.load(match.position or {}), film(match)[-1].position
    assert rules.dump(last) == match.position
    for viewer in EYES:
        assert rules.view(last, viewer) == rules.view(stored, viewer)


def test_last_frame_is_the_stored_position_to_every_viewer(people: list[User], slug: str) -> None:
    match = sit_down(*people, game=get_game(slug), options={})
    play_in_real_time(match, Random(slug))
    assert match.outcome is not None
    assert_ends_as_stored(match)


def test_so_it_is_where_people_have_left(people: list[User], slug: str) -> None:
    """The house's acts have a moment too, long after the last thing that the game did."""
    match = stopped_short(people, slug)
    for user, after in ((people[0], 1), (people[1], 2)):
        moment = START + timedelta(milliseconds=match.reached, seconds=after)
        resign(slug=match.slug, caller=Caller(user), moment=moment)
    match.refresh_from_db()
    assert match.reason == "resigned"
    assert_ends_as_stored(match)
    left = [(act.code, act.params["seat"], frame.at) for frame in film(match) for act in frame.acts]
    assert [entry[:2] for entry in left] == [("resigned", 0), ("resigned", 1)]
    assert left[0][2] < left[1][2] == film(match)[-1].at
    words = re.sub("[\u2068\u2069]", "", page_of(match, len(film(match)) - 1))
    assert words.count("Bob has left the match.") == 2, "in the list, and in the words of the last frame"


def test_so_it_is_after_a_moderator_has_voided_a_match_that_ran(people: list[User], slug: str) -> None:
    match = stopped_short(people, slug)
    void(match)
    assert_ends_as_stored(match)


def test_frames_are_the_moments_at_which_something_changed(match: Match) -> None:
    shot = film(match)
    times = [frame.at for frame in shot]
    assert times[0] == 0
    assert all(before < after for before, after in pairwise(times)), "each moment once"
    assert times[-1] == match.reached
    assert all(event.at == frame.at for frame in shot for event in frame.events)
    assert all(move.at == frame.at for frame in shot for move in frame.moves)
    assert all(frame.events or frame.moves for frame in shot[1:])


def test_events_are_those_that_the_log_of_the_match_has_kept(match: Match) -> None:
    """What the players were told then, private words included, is what the film tells."""
    kept = [event_of(entry) for entry in match.entries.filter(of_house=False)]
    assert events_of(film(match)) == kept
    assert any(event.audience is not None for event in kept)
    assert sum(len(frame.moves) for frame in film(match)) == match.ply > 3


# The pages


def test_each_frame_shows_what_its_viewer_saw(match: Match) -> None:
    shot, game = film(match), match.game
    # The last one of a match that was voided shows that it is over, which the game does not know.
    frames = len(shot) - (match.outcome is None)
    for number in range(0, frames, max(1, len(shot) // 12)):
        for viewer in EYES:
            page = page_of(match, number, viewer)
            moment = recent_moment(events_of(shot[: number + 1]), viewer)
            drawing = draw_board(game, game.rules.view(shot[number].position, viewer), moment)
            assert f'<div class="board">{drawing["board"]}</div>' in page
            assert f'<div class="hand">{drawing["hand"]}</div>' in page
            assert all(panel in page for panel in drawing["panels"])
    assert browser().get(f"/matches/{match.slug}/replay/{len(shot)}/").status_code == 404


def test_moment_is_what_has_happened_in_the_last_seconds_up_to_the_frame(match: Match) -> None:
    shot = film(match)
    for number in range(1, len(shot)):
        for viewer in EYES:
            events = recent_moment(events_of(shot[: number + 1]), viewer).events
            assert all(event.seen_by(viewer) and event.at <= shot[number].at for event in events)
            assert not events or events[0].at >= events[-1].at - RECENT_MS


def entries_in(page: str) -> list[tuple[int, str, str]]:
    """Of the list: the frame, its time, and the words."""
    found = re.findall(r'<li><a href="[^"]*/replay/(\d+)/[^"]*"[^>]*>(.*?)</a></li>', page)
    texts = [(int(number), re.sub("<[^>]+>|[\u2068\u2069]", "", entry).strip()) for number, entry in found]
    return [(number, *text.split(" ", 1)) for number, text in texts]  # type: ignore[misc]


def test_list_says_what_happened_when_as_far_as_the_viewer_knew(match: Match) -> None:
    shot = film(match)
    entries = entries_in(page_of(match, 0))
    assert [time for _, time, _ in entries] == [to_the_millisecond(shot[number].at) for number, _, _ in entries]
    assert re.fullmatch(r"\d+:\d\d\.\d{3}", entries[0][1])
    claims = [(number, move) for number, frame in enumerate(shot) for move in frame.moves]
    for viewer in EYES:
        said = {number: words for number, _, words in entries_in(page_of(match, 0, viewer))}
        for number, move in claims:
            words = match.game.texts.move(move.text, move.seat, ["Alice", "Bob", "Carol"])
            assert (words in said.get(number, "")) == (viewer in (OPEN, move.seat))


def test_list_marks_the_last_that_has_happened(match: Match) -> None:
    listed = [number for number, _, _ in entries_in(page_of(match, 0))]
    for number in (listed[0], listed[-1], listed[1] + (listed[1] + 1 not in listed)):
        page = page_of(match, number)
        marked = re.findall(r'/replay/(\d+)/" aria-current="step"', page)
        assert marked == [str(max(other for other in listed if other <= number))]
    assert 'aria-current="step"' not in page_of(match, 0)


def test_links_lead_to_the_frames_around_with_the_same_eyes(match: Match) -> None:
    last, shot = len(film(match)) - 1, film(match)
    middle = last // 2
    page = page_of(match, middle, 1)
    for step, number in (("first", 0), ("prev", middle - 1), ("next", middle + 1), ("last", last)):
        assert f'data-step="{step}" rel="{step}" href="/matches/{match.slug}/replay/{number}/?seat=1"' in page
    assert f'href="/matches/{match.slug}/replay/{middle}/?seat=2"' in page, "and other eyes see the same frame"
    assert f"{middle} of {last}" in page
    assert to_the_millisecond(shot[middle].at) in page
    assert 'rel="next"' not in page_of(match, last)


def test_film_jumps_from_round_to_round(match: Match) -> None:
    if not match.game.info.highlights:
        assert 'data-step="after"' not in page_of(match, 0), "a game that names none has no way to them"
        return
    opened = [number for number, frame in enumerate(film(match)) if any(e.code == "opened" for e in frame.events)]
    page = page_of(match, opened[1])
    assert f'data-step="before" href="/matches/{match.slug}/replay/{opened[0]}/"' in page
    assert f'data-step="after" href="/matches/{match.slug}/replay/{opened[2]}/"' in page
    assert 'data-step="before" tabindex="-1" aria-disabled="true"' in page_of(match, opened[0])
    assert 'data-step="after" tabindex="-1" aria-disabled="true"' in page_of(match, opened[-1])


def test_part_of_a_frame_is_what_its_page_shows_and_little_else(match: Match) -> None:
    """The script takes frames from it; the list and the drawings that all boards share are on the page already."""
    for viewer in EYES:
        page, part = page_of(match, 4, viewer), page_of(match, 4, viewer, part="1")
        for name in ("prompt", "board", "hand", "players", "stepper", "eyes"):
            assert piece_of(part, name) == piece_of(page, name)
        assert "<html" not in part
        assert "log-lines" not in part
        assert len(part) < len(page)


def piece_of(page: str, name: str) -> str:
    """The element of that class, up to its end."""
    start = re.search(rf'<\w+ class="(?:row )?{name}[ "]', page)
    assert start is not None, name
    tag, depth = page[start.start() + 1 : page.index(" ", start.start())], 0
    for found in re.finditer(rf"<(/?){tag}\b", page[start.start() :]):
        depth += -1 if found[1] else 1
        if depth == 0:
            return page[start.start() : start.start() + found.start()]
    raise AssertionError(f"{name} does not end")


def test_match_that_runs_is_shown_to_nobody(people: list[User], slug: str, mod: User) -> None:
    match = stopped_short(people, slug)
    for user in (*people, mod, None):
        for address in ("", "0/", "3/", "0/?part=1", "3/?seat=0&part=1"):
            assert browser(user).get(f"/matches/{match.slug}/replay/{address}").status_code == 404
