"""What a process keeps of a match that it has just written is what it would load; and a push of the changes alone
brings a page just as far as one of the whole."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from random import Random
from time import monotonic
from typing import Any

import pytest

from accounts.people.models import User
from games.contract.registry import get_game
from games.matches import snapshots
from games.matches.attendance import NOBODY
from games.matches.callers import Caller
from games.matches.errors import Refused
from games.matches.fragments.match import draw_stage, draw_update, update_parts
from games.matches.models import Match
from games.matches.screen import Screen
from games.matches.services.acts import perform_act
from games.matches.services.due import settle_due
from games.matches.snapshots import Snapshot, Stamp, kept_snapshot, snapshot
from tests.matches.conftest import Clock, legal_texts, move_form, player_to_move, sit_down
from tests.matches.playing import other, play_form, play_in_real_time, play_some

pytestmark = pytest.mark.django_db(transaction=True)

ACTS: tuple[dict[str, str], ...] = (
    {"act": "end", "agreed": "1"},
    {"act": "end", "agreed": "0"},
    {"act": "decline-end"},
    {"act": "takeback", "answer": "ask"},
    {"act": "takeback", "answer": "withdraw"},
    {"act": "takeback", "answer": "agree"},
    {"act": "takeback", "answer": "refuse"},
)


@pytest.fixture(autouse=True)
def _clock(time: Clock) -> None:
    """Acts and pages share one clock."""


def loaded(slug: str) -> Snapshot:
    """As a process finds it that has kept nothing."""
    kept = kept_snapshot(slug)
    snapshots.forget_snapshot(slug)
    found = snapshots._read(slug)
    if kept is not None:
        snapshots.keep_snapshot(kept)
    return found


def shown(found: Snapshot, user: User | None) -> list[str]:
    return [draw_stage(found, user), draw_update(found, user, shown="match")]


def rows(found: Snapshot) -> list[Any]:
    def values(row: Any) -> dict[str, Any]:
        return {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}

    log = [(entry.pk, entry.code, entry.ply) for entry in found.entries]
    return [values(found.match), *map(values, found.seats), log, [(move.ply, move.text) for move in found.moves]]


def assert_as_loaded(match: Match, *people: User | None) -> None:
    kept, found = kept_snapshot(match.slug), loaded(match.slug)
    if kept is None:  # it is read anew by whoever looks next
        return
    assert rows(kept) == rows(found)
    for user in people:
        assert shown(kept, user) == shown(found, user)


def act(match: Match, user: User, clock: Clock, chance: Random) -> None:
    """A move where it is their turn, mostly; otherwise something else that people do, allowed or not."""
    match.refresh_from_db()
    clock.tick(seconds=chance.randint(1, 9))
    if chance.random() < 0.7 and player_to_move(match) == user:
        form = {"act": "move", **move_form(match, move=chance.choice(legal_texts(match)), key=f"{clock.moment:%H%M%S}")}
    else:
        form = {**chance.choice(ACTS), "ply": str(match.ply)}
    with suppress(Refused):
        perform_act(act=form["act"], slug=match.slug, caller=Caller(user), data=form, arrived=clock.moment)
    match.refresh_from_db()


@pytest.mark.parametrize("game", ["m", "block_buster"])
def test_what_was_written_is_kept_as_it_would_be_loaded(game: str, time: Clock, make_person: Any) -> None:
    people = [make_person(name) for name in ("alice", "bob", "carol")]
    match = sit_down(*people, game=get_game(game))
    chance, handed_over = Random(game), 0
    for _ in range(40):
        if match.status != Match.Status.RUNNING:
            break
        snapshot(slug=match.slug, caller=Caller(None))
        before = match.version
        act(match, chance.choice(people), time, chance)
        handed_over += match.version > before and kept_snapshot(match.slug) is not None
        assert_as_loaded(match, *people, None)
    assert handed_over > 10


def test_claims_in_real_time_are_kept_as_they_would_be_loaded(time: Clock, alice: User, bob: User) -> None:
    match = sit_down(alice, bob, game=get_game("blockyou"))
    chance = Random(4)
    for _ in range(12):
        if match.status != Match.Status.RUNNING:
            break
        snapshot(slug=match.slug, caller=Caller(None))
        ply = match.ply
        play_in_real_time(match, chance, until=lambda match, ply=ply: match.ply > ply)  # type: ignore[misc]
        assert_as_loaded(match, alice, bob, None)
    assert match.ply > 5


def test_nobody_who_looks_sees_a_move_that_was_not_committed(alice: User, bob: User, monkeypatch: Any) -> None:
    match = sit_down(alice, bob)
    before = snapshot(slug=match.slug, caller=Caller(alice))
    form = move_form(match)
    with monkeypatch.context() as patch:
        patch.setattr("games.matches.rows.note_keys", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            play_form(match, player_to_move(match), form)
    assert snapshot(slug=match.slug, caller=Caller(alice)).match.revision == before.match.revision
    assert rows(before) == rows(loaded(match.slug)), "and what was kept is what it was"


def test_match_that_another_process_has_changed_is_read_before_it_is_played_on(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    kept = snapshot(slug=match.slug, caller=Caller(alice))
    play_some(match, 1)
    snapshots._kept[match.slug] = kept  # as it is in a process that has not heard of the move
    play_some(match, 1)
    assert match.ply == 2
    assert [move.ply for move in match.moves.order_by("pk")] == [1, 2]
    assert_as_loaded(match, alice, bob)


@pytest.mark.parametrize("game", ["m", "block_buster", "blockyou"])
def test_what_others_have_played_is_brought_up_as_it_would_be_loaded(game: str, time: Clock, make_person: Any) -> None:
    """As in a process that has missed any number of moves, takebacks, rounds and acts; mostly without the long way."""
    people = [make_person(name) for name in ("alice", "bob", "carol")]
    match = sit_down(*people, game=get_game(game))
    chance, short_ways = Random(game), 0
    known = snapshot(slug=match.slug, caller=Caller(None))
    for _ in range(25):
        for _ in range(chance.randint(1, 3)):
            if match.in_real_time:
                play_in_real_time(match, chance, until=lambda match, ply=match.ply: match.ply > ply)  # type: ignore[misc]
            elif match.status == Match.Status.RUNNING:
                act(match, chance.choice(people), time, chance)
        if match.status != Match.Status.RUNNING:
            break
        known.note_read(monotonic())
        snapshots._kept[match.slug] = known
        short_ways += snapshots.brought_up(match.slug) is not None
        known = snapshot(slug=match.slug, caller=Caller(None), at_least=match.version)
        assert_as_loaded(match, *people, None)
    assert short_ways > 5


@pytest.mark.parametrize("way", ["short", "long"])
def test_names_that_are_old_are_looked_up_for_a_push(way: str, alice: User, bob: User) -> None:
    """Whoever takes another name has it on the boards of others too, though no match has changed by that."""
    match = sit_down(alice, bob)
    play_some(match, 2)
    known = snapshot(slug=match.slug, caller=Caller(alice))
    assert "Bob" in shown(known, alice)[1], "in the log, too"
    bob.display_name = "Robert"
    bob.save()
    play_some(match, 1)
    if way == "long":
        snapshots.forget_snapshot(match.slug)
    else:
        snapshots._kept[match.slug] = known
        assert snapshot(slug=match.slug, caller=Caller(alice), at_least=match.version).names[1] == "Bob"
        snapshots._kept[match.slug] = known
        known.note_read(monotonic() - snapshots.NAMES_KEPT_S[1])
        assert not known.is_good_for(0)
    found = snapshot(slug=match.slug, caller=Caller(alice), at_least=match.version)
    assert found.names[1] == "Robert"
    assert found.is_good_for(match.version), "and they are not looked up for the next push again"
    assert "Bob" not in shown(found, alice)[1], "also in lines that were drawn before"
    assert_as_loaded(match, alice, bob)


# Pushes of what has changed


class Page:
    """A page as the pushes to its socket make it: the parts that it shows, by name."""

    def __init__(self, match: Match, user: User | None) -> None:
        self.match, self.user = match, user
        self.screen = Screen(Stamp(0, 0), "match")
        self.parts: dict[str, str] = {}
        self.sizes: list[int] = []

    def bring_up(self, current: Snapshot) -> None:
        before = self.screen.stamp
        message = self.screen.bring_up(current, self.user, NOBODY)
        since = re.match(r"<!--since (\d+) (\d+)-->", message)
        assert (since is not None) == bool(self.parts), "the first one is whole"
        if since is not None:
            assert Stamp(*map(int, since.groups())) == before
            message = message[since.end() :]
        self.sizes.append(len(message))
        whole = update_parts(current, self.user)
        self.parts = self._brought(message, whole)

    def _brought(self, message: str, whole: Mapping[str, str]) -> dict[str, str]:
        parts = {name: drawn for name, drawn in self.parts.items() if name in whole}
        for name, drawn in whole.items():
            if message.startswith(drawn):
                parts[name], message = drawn, message[len(drawn) :]
        assert message == ""
        return parts


@pytest.mark.parametrize("game", ["m", "block_buster"])
def test_changes_bring_a_page_as_far_as_the_whole(game: str, time: Clock, make_person: Any) -> None:
    people = [make_person(name) for name in ("alice", "bob", "carol")]
    match = sit_down(*people, game=get_game(game))
    pages = [Page(match, user) for user in (*people, None)]
    chance = Random(game)
    for _ in range(30):
        act(match, chance.choice(people), time, chance)
        if match.status != Match.Status.RUNNING:
            break
        current = snapshot(slug=match.slug, caller=Caller(people[0]))
        for page in chance.sample(pages, 2):  # the others miss it
            if current.stamp_for(page.user) > page.screen.stamp:
                page.bring_up(current)
                assert page.parts == dict(update_parts(current, page.user))
    assert all(min(page.sizes) < 0.5 * max(page.sizes) for page in pages)


def test_part_that_something_else_was_swapped_into_comes_whole(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    page = Page(match, alice)
    page.bring_up(snapshot(slug=match.slug, caller=Caller(alice)))
    perform_act(act="end", slug=match.slug, caller=Caller(bob), data={"agreed": "1"}, arrived=match.touched_at)
    page.screen.forget()
    page.bring_up(snapshot(slug=match.slug, caller=Caller(alice)))
    assert {"tally", "players", "absence"} <= set(page.parts)


def test_bots_and_clocks_hand_over_as_well(time: Clock, alice: User) -> None:
    match = sit_down(alice, bots=1)
    snapshot(slug=match.slug, caller=Caller(alice))
    for _ in range(6):
        match.refresh_from_db()
        if match.status != Match.Status.RUNNING:
            break
        if match.due_at is not None:
            time.moment = max(time.moment, match.due_at)
            settle_due(moment=time.moment)
        elif match.to_move == [0]:
            perform_act(
                act="move", slug=match.slug, caller=Caller(alice), data=move_form(match), arrived=time.tick(seconds=2)
            )
        assert_as_loaded(match, alice, None)
    assert match.ply >= 4


def test_other_player_is_told_by_changes_too(alice: User, bob: User) -> None:
    """A push after an offer brings the offer, and not the board."""
    match = sit_down(alice, bob)
    page = Page(match, other(alice, alice, bob))
    page.bring_up(snapshot(slug=match.slug, caller=Caller(bob)))
    perform_act(act="end", slug=match.slug, caller=Caller(alice), data={"agreed": "1"}, arrived=match.touched_at)
    page.bring_up(snapshot(slug=match.slug, caller=Caller(bob)))
    assert page.sizes[1] < 0.5 * page.sizes[0]
