"""Non-interference in real time: neither hidden cards nor a claim that waits show in any byte that others are served.

The same match is served in two worlds that differ in nothing but what the viewer may not know: in one somebody has just
claimed, in the other nobody has; or the hidden cards lie otherwise. What each viewer gets must be equal, byte by byte.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from random import Random
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.db import transaction
from django.db.models import query

from accounts.people.models import User
from games.contract.registry import Game, all_games
from games.contract.values import OPEN, SPECTATOR, Viewer
from games.matches import snapshots
from games.matches.callers import Caller
from games.matches.models import LogEntry, Match, Move, Seat
from games.matches.services.due import settle_due
from tests.contract.sampled import hidden_of
from tests.matches.browsing import HTMX, browser, without_tokens
from tests.matches.conftest import START, Clock, sit_down, turn_key
from tests.matches.playing import play_form
from tests.matches.twins import forget_all, headers_of
from tests.matches.wire import connected, do, match_path, session_of

pytestmark = pytest.mark.django_db

GAMES = [game for game in all_games() if game.info.real_time]
over_games = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)

Served = dict[str, tuple[int, str, list[tuple[str, str]]]]


@pytest.fixture
def moderator(mod: User) -> User:
    """Staff with every right that the administration of matches knows."""
    mod.user_permissions.set(Permission.objects.filter(content_type__app_label="matches"))
    return mod


def open_match(game: Game, people: list[User], time: Clock) -> Match:
    """A match whose first round has just opened: what may wait now is not due yet; the clock stands."""
    match = sit_down(*people, game=game, options={})
    time.moment = START + timedelta(seconds=5)
    settle_due(moment=time.moment)
    match.refresh_from_db()
    assert match.reached > 0
    time.moment = match.moment_of(match.reached + 20)
    return match


def claim(match: Match, seat: Seat, rng: Random) -> None:
    """Some claim of that seat; it waits when this returns."""
    rules = match.game.rules
    position = rules.load(match.position or {})
    text = rules.format_move(rng.choice(list(rules.legal_moves(position, seat.index))))
    form = {"move": text, "turn_key": turn_key(match, seat.index), "key": "k"}
    play_form(match, seat.user, form, seconds=(match.reached + 40) / 1000)


def addresses(match: Match) -> list[str]:
    """Every address at which something of this match may be seen while it runs."""
    base = f"/matches/{match.slug}"
    return [
        f"{base}/",
        f"{base}/live/?version=1&stage=match",
        f"{base}/live/?version={match.version}&own=0&stage=match",
        f"{base}/record/",
        f"{base}/replay/",
        f"{base}/replay/0/",
        "/lobby/",
        "/history/",
        "/people/bob/",
    ]


def admin_addresses(match: Match) -> list[str]:
    return [
        "/admin/matches/match/",
        f"/admin/matches/match/?q={match.slug}",
        f"/admin/matches/match/{match.pk}/change/",
        "/admin/matches/move/",
        f"/admin/matches/move/?q={match.slug}",
        "/admin/matches/seat/",
        f"/admin/matches/seat/?q={match.slug}",
    ]


def served(match: Match, user: User | None, paths: list[str]) -> Served:
    """All that this person gets of the match by request, refusals included."""
    client = browser(user)
    answers = {path: client.get(path) for path in paths}
    for name, form in (("move", {"move": "nonsense"}), ("join", {"seat": "0"}), ("end", {"agreed": "perhaps"})):
        path = f"/matches/{match.slug}/act/{name}/"
        answers[path] = client.post(path, {"stage": "match", **form}, headers=HTMX)
    return {path: (answer.status_code, without_tokens(answer), headers_of(answer)) for path, answer in answers.items()}


@contextmanager
def world(change: Callable[[], None]) -> Iterator[None]:
    """Inside, that change has happened; afterwards it has not."""
    with transaction.atomic():
        change()
        forget_all()
        yield
        transaction.set_rollback(True)
    forget_all()


def others(match: Match, claimant: Seat, *outside: User | None) -> list[User | None]:
    """Everybody but the claimant."""
    seated = [seat.user for seat in match.seats.select_related("user") if seat.pk != claimant.pk]
    return [*seated, *outside]


def second_seat(match: Match) -> Seat:
    return match.seats.select_related("user").get(index=1)


def test_there_is_a_game_to_test() -> None:
    assert [game.slug for game in GAMES] == ["blockyou"]


@over_games
def test_waiting_claim_shows_nobody_that_it_exists(
    game: Game,
    alice: User,
    bob: User,
    carol: User,
    mallory: User,
    moderator: User,
    time: Clock,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """On no page, in no list, header or line of the log, and not in the administration."""
    caplog.set_level(logging.DEBUG)
    match = open_match(game, [alice, bob, carol], time)
    claimant = second_seat(match)

    def look(user: User | None) -> tuple[Served, list[str]]:
        caplog.clear()
        paths = addresses(match) + (admin_addresses(match) if user == moderator else [])
        return served(match, user, paths), [
            record.getMessage() for record in caplog.records if "sql" not in record.name
        ]

    for user in others(match, claimant, mallory, moderator, None):
        plain = look(user)
        with world(lambda: claim(match, claimant, Random(1))):
            assert Move.objects.filter(match=match).count() == 1
            assert look(user) == plain, user
        assert look(user) == plain


@over_games
def test_waiting_claim_shows_to_its_own_seat(game: Game, alice: User, bob: User, carol: User, time: Clock) -> None:
    """The test above has teeth; and the page's poll brings it, though the version is the same."""
    match = open_match(game, [alice, bob, carol], time)
    claimant = second_seat(match)
    before = served(match, bob, addresses(match))
    with world(lambda: claim(match, claimant, Random(1))):
        after = served(match, bob, addresses(match))
    path = f"/matches/{match.slug}/live/?version={match.version}&own=0&stage=match"
    assert (before[path][0], after[path][0]) == (204, 200)
    assert before[f"/matches/{match.slug}/"] != after[f"/matches/{match.slug}/"]


@over_games
def test_hidden_cards_and_claims_lie_otherwise_and_nobody_sees_it(
    game: Game, alice: User, bob: User, carol: User, mallory: User, time: Clock
) -> None:
    """Face-down cards, others' turned-up cards, the pile, and who has a claim waiting."""
    match = open_match(game, [alice, bob, carol], time)
    rules, rng = game.rules, Random(game.slug)
    seats: dict[int | None, Viewer] = {seat.user_id: seat.index for seat in match.seats.all()}
    for user in (alice, bob, carol, mallory, None):
        viewer = seats.get(user.pk if user is not None else None, SPECTATOR)
        plain = served(match, user, addresses(match))
        differing = 0
        for _ in range(4):
            position = rules.load(match.position or {})
            twin = hidden_of(game).twin(position, viewer, rng)
            differing += twin != position
            stored = {"position": rules.dump(twin), "deal": rules.deal(match.options, ["", "", ""], rng)}

            def redistribute(stored: dict[str, Any] = stored) -> None:
                Match.objects.filter(pk=match.pk).update(**stored)

            with world(redistribute):
                assert served(match, user, addresses(match)) == plain, user
        assert differing


@over_games
@pytest.mark.django_db(transaction=True)
async def test_no_frame_goes_to_others_for_a_claim_that_waits(
    game: Game, alice: User, bob: User, mallory: User, time: Clock
) -> None:
    """Open sockets stay silent, and what a new socket is sent first is the same as before."""
    match = await do(open_match, game, [alice, bob], time)
    claimant = await do(second_seat, match)
    cookies = {user: await do(session_of, user) for user in (alice, bob, mallory)}

    async def first_frames(cookie: str) -> list[str]:
        async with connected(match_path(match, version=match.version - 1), cookie) as socket:
            return [await match_frame(socket)]

    plain = {user: await first_frames(cookies[user]) for user in (alice, mallory)}
    path = match_path(match, version=match.version)
    async with (
        connected(path, cookies[alice]) as opponents,
        connected(path, cookies[mallory]) as onlookers,
        connected(path, cookies[bob]) as own,
    ):
        await do(claim, match, claimant, Random(1))
        assert 'data-own="1"' in await match_frame(own)
        assert await no_match_frame(opponents)
        assert await no_match_frame(onlookers)
    for user, frames in plain.items():
        assert await first_frames(cookies[user]) == frames


async def match_frame(socket: Any) -> str:
    """The next frame that draws something of the match."""
    while True:
        frame: str = await socket.hear()
        if 'id="freshness"' in frame:
            return frame


async def no_match_frame(socket: Any) -> bool:
    """Whether nothing of the match is drawn for a while."""
    while not await socket.hears_nothing():
        if 'id="freshness"' in await socket.hear():
            return False
    return True


@over_games
def test_claims_are_anybody_s_to_see_once_the_match_is_over(
    game: Game, alice: User, bob: User, carol: User, time: Clock
) -> None:
    """Nothing stays secret for ever: the record has every claim."""
    match = open_match(game, [alice, bob, carol], time)
    claim(match, second_seat(match), Random(1))
    for user in (alice, carol):
        browser(user).post(f"/matches/{match.slug}/act/resign/", headers=HTMX)
    match.refresh_from_db()
    assert match.status == Match.Status.OVER
    record = browser(None).get(f"/matches/{match.slug}/record/").json()
    assert [entry["seat"] for entry in record["moves"]] == [1]
    assert Move.objects.get(match=match).seen_by(OPEN) == record["moves"][0]["move"]
    assert LogEntry.objects.filter(match=match, seat=1).exists()


@over_games
def test_claim_in_the_middle_of_a_load_is_not_lost(
    game: Game, alice: User, bob: User, time: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A snapshot is of one revision: the seats of one and the position of another would look like news already told."""
    match = open_match(game, [alice, bob], time)
    load_seats, claimed = query.prefetch_related_objects, list[bool]()

    def claims_meanwhile(*found: Any) -> None:
        if not claimed:
            claimed.append(True)
            claim(match, second_seat(match), Random(1))
        load_seats(*found)

    monkeypatch.setattr(query, "prefetch_related_objects", claims_meanwhile)
    forget_all()
    current = snapshots.snapshot(slug=match.slug, caller=Caller(bob))
    assert claimed
    assert current.stamp_for(bob).own == 1
    assert current.position == game.rules.load(Match.objects.get(pk=match.pk).position or {})
    assert [entry.seat for entry in current.entries if entry.seat is not None] == [1]
