"""Non-interference: what a viewer may not know shows in no byte that the house serves to that viewer.

In games by turns; for those in real time see test_hidden_claims.py. Pages, live updates, socket frames, replays,
refusals, the administration and the log are drawn of two stored matches that differ in nothing but what the viewer may
not know, and must be equal.
"""

from __future__ import annotations

import importlib.util
import logging
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from django.contrib.admin import site
from django.contrib.auth.models import Permission
from django.db import transaction

from accounts.people.models import User
from games.contract.registry import Game, all_games
from games.contract.values import OPEN, SPECTATOR, Viewer
from games.matches.callers import Caller
from games.matches.models import Match, Move, Seat
from games.matches.services.play import resign
from games.matches.snapshots import snapshot
from tests.contract.sampled import hidden_of, hides_nothing
from tests.matches.browsing import act, browser, without_tokens
from tests.matches.conftest import START, Clock, player_to_move, to_move, turn_key
from tests.matches.twins import forget_all, hidden_moves, play_text, redistributed, secretive_match, served
from tests.matches.wire import connected, do, match_path, session_of

pytestmark = pytest.mark.django_db

GAMES = [
    game
    for game in all_games()
    if importlib.util.find_spec(f"tests.{game.package}.hidden") is not None
    and not hides_nothing(game)
    and not game.info.real_time
]
over_games = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)


@pytest.fixture(autouse=True)
def _clock(time: Clock) -> None:
    """No byte may differ by the time of the day."""


@pytest.fixture
def moderator(mod: User) -> User:
    """Staff with every right that the administration of matches knows."""
    mod.user_permissions.set(Permission.objects.filter(content_type__app_label="matches"))
    return mod


Watchers = list[tuple[str, User | None, Viewer]]


def watchers(match: Match, *outside: User | None) -> Watchers:
    """Everybody who may look at this match, and with which eyes."""
    seats = match.seats.select_related("user").order_by("index")
    inside: Watchers = [
        (str(seat.user), seat.user, seat.index if seat.kind == Seat.Kind.PERSON else SPECTATOR) for seat in seats
    ]
    return [*inside, *((str(user), user, SPECTATOR) for user in outside)]


def test_every_game_is_tested_here() -> None:
    """All but those in which everything lies open, which say so themselves and are held to it by the contract tests.

    Those in real time have tests of their own, in test_hidden_claims.py.
    """
    assert [game for game in all_games() if not hides_nothing(game) and not game.info.real_time] == GAMES


@over_games
@pytest.mark.parametrize("plies", [0, 10])
def test_pages_tell_nobody_what_they_may_not_know(
    game: Game, plies: int, alice: User, bob: User, carol: User, mallory: User, moderator: User
) -> None:
    rng = Random(f"{game.slug}/{plies}")
    match = secretive_match(game, [alice, bob, carol], rng, plies)
    outside = (mallory, moderator, None) if plies else (None,)
    for name, user, viewer in watchers(match, *outside):
        plain = served(match, user)
        with redistributed(match, viewer, rng):
            assert served(match, user) == plain, name


@over_games
def test_pages_tell_nothing_to_who_has_left(game: Game, alice: User, bob: User, carol: User) -> None:
    """Who has left has no hand any more, not even in the replay of the moves before."""
    rng = Random(game.slug)
    match = secretive_match(game, [alice, bob, carol], rng, 7)
    leaver = next(user for user in (alice, bob, carol) if user != player_to_move(match))
    resign(slug=match.slug, caller=Caller(leaver), moment=START)
    match.refresh_from_db()
    plain = served(match, leaver)
    with redistributed(match, SPECTATOR, rng):
        assert served(match, leaver) == plain


@over_games
def test_bytes_do_differ_for_who_may_know(game: Game, alice: User, bob: User, carol: User) -> None:
    """The tests above have teeth: the same redistribution shows to the seat whose hand it changed."""
    match = secretive_match(game, [alice, bob, carol], Random(game.slug), 7)
    plain = served(match, bob)
    with redistributed(match, SPECTATOR, Random(1)):
        twin = served(match, bob)
    differing = {path for path in plain if plain[path] != twin[path]}
    assert {f"/matches/{match.slug}/", f"/matches/{match.slug}/replay/"} <= differing
    assert "/lobby/" not in differing


@over_games
def test_hidden_move_tells_the_others_nothing_while_it_is_played(
    game: Game, alice: User, bob: User, carol: User, caplog: pytest.LogCaptureFixture
) -> None:
    """Two moves that look the same to a viewer: equal answers, pages and log lines, while they happen and after."""
    caplog.set_level(logging.DEBUG)
    rng = Random(game.slug)
    match = secretive_match(game, [alice, bob, carol], rng, 4)
    for _ in range(2):
        legal = game.rules.legal_moves(game.rules.load(match.position or {}), to_move(match))
        text = game.rules.format_move(rng.choice(list(legal)))
        for played in {text, rng.choice([*hidden_moves(match), text])}:
            for name, user, viewer in watchers(match, None):
                if viewer != to_move(match):
                    first, second = both_worlds(match, played, user, viewer, rng, caplog)
                    assert first == second, (name, played)
        play_text(match, text)


def both_worlds(
    match: Match, text: str, user: User | None, viewer: Viewer, rng: Random, caplog: pytest.LogCaptureFixture
) -> tuple[Any, Any]:
    """What the viewer gets after the move, and of its twin in a match that the viewer can't tell apart."""
    rules, hidden, seat = match.game.rules, hidden_of(match.game), to_move(match)
    mover = player_to_move(match)

    def world(position: Any, text: str) -> tuple[Any, Any]:
        with transaction.atomic():
            Match.objects.filter(pk=match.pk).update(position=rules.dump(position))
            forget_all()
            caplog.clear()
            form = {"move": text, "turn_key": turn_key(match, seat), "key": "k"}
            answer = act(mover, match, "move", form)
            assert answer.status_code == 200, text
            logged = [(record.name, record.levelname, record.getMessage()) for record in caplog.records]
            seen = {
                path: without_tokens(browser(user).get(path))
                for path in (f"/matches/{match.slug}/", f"/matches/{match.slug}/live/?version=1&stage=match")
            }
            transaction.set_rollback(True)
        forget_all()
        return seen, logged

    position = rules.load(match.position or {})
    twin, twin_text = hidden.twin_move(position, seat, text, viewer, rng)
    return world(position, text), world(twin, twin_text)


def has_hidden_moves(match: Match) -> bool:
    return any(move.text != move.public_text for move in match.moves.all())


@over_games
@pytest.mark.django_db(transaction=True)
async def test_socket_frames_tell_nobody_what_they_may_not_know(
    game: Game, alice: User, bob: User, carol: User, mallory: User, moderator: User
) -> None:
    """On connecting, as an answer to whatever is asked, and with the whole stage."""
    rng = Random(game.slug)
    match = await do(secretive_match, game, [alice, bob, carol], rng, 8)

    async def frames(user: User | None) -> list[str]:
        cookie, heard = await do(session_of, user), []
        for stage in ("match", "table"):
            async with connected(match_path(match, stage=stage), cookie) as socket:
                heard.append(await socket.hear())
                for fields in ({"move": "nonsense"}, {"move": "pass", "turn_key": "x"}, {"act": "join", "seat": "1"}):
                    heard.append(await socket.act(**{"act": "move", **fields}))
        return heard

    for name, user, viewer in await do(watchers, match, mallory, moderator, None):
        plain = await frames(user)
        world = redistributed(match, viewer, rng)
        await do(world.__enter__)
        try:
            assert await frames(user) == plain, name
        finally:
            await do(world.__exit__, None, None, None)


# The administration: who moderates may play too


def admin_pages(match: Match) -> list[str]:
    first = match.moves.order_by("ply").values_list("pk", flat=True)[0]
    return [
        "/admin/",
        "/admin/matches/match/",
        f"/admin/matches/match/?q={match.slug}",
        f"/admin/matches/match/{match.pk}/change/",
        f"/admin/matches/match/{match.pk}/history/",
        f"/admin/matches/match/{match.pk}/delete/",
        "/admin/matches/move/",
        f"/admin/matches/move/?q={match.slug}&o=5",
        f"/admin/matches/move/{first}/change/",
    ]


@over_games
def test_administration_shows_nothing_hidden(
    game: Game, alice: User, bob: User, carol: User, moderator: User, make_person: Callable[..., User]
) -> None:
    rng = Random(game.slug)
    match = secretive_match(game, [moderator, bob, carol], rng, 8)
    root = make_person("root1", is_staff=True, is_superuser=True)
    for user in (moderator, root):
        client = browser(user)
        plain = {path: without_tokens(client.get(path)) for path in admin_pages(match)}
        with redistributed(match, SPECTATOR, rng):
            for path, content in plain.items():
                assert without_tokens(client.get(path)) == content, path


HIDDEN_COLUMNS = {
    "match": ("deal", "position", "invite", "deal__tiles__0", "position__hands__0__0", "pk__in", "seats__match__deal"),
    "move": (
        "text",
        "text__startswith",
        "events",
        "events__0__params__tile",
        "key",
        "match__deal__first",
        "match__position",
    ),
}


@pytest.mark.parametrize("suffix", ["", "__contains", "__startswith", "__regex", "__isnull", "__gt"])
def test_administration_answers_no_questions_about_what_it_hides(
    alice: User, bob: User, carol: User, moderator: User, make_person: Callable[..., User], suffix: str
) -> None:
    """An address may name a column to filter by: with twenty such questions one would know a hand."""
    (game,) = (game for game in GAMES if game.slug == "m")
    secretive_match(game, [alice, bob, carol], Random(1), 5)
    root = make_person("root1", is_staff=True, is_superuser=True)
    for user in (moderator, root):
        client = browser(user)
        for model, columns in HIDDEN_COLUMNS.items():
            everything = without_tokens(client.get(f"/admin/matches/{model}/"))
            for column in columns:
                response = client.get(f"/admin/matches/{model}/", {column + suffix: "RT3"}, follow=True)
                refused = response.status_code == 400 or bool(response.redirect_chain)
                assert refused or without_tokens(response) == everything, column


def test_administration_excludes_what_is_hidden_by_name() -> None:
    """A new column of these models is decided upon: shown, or hidden."""
    shown = {
        Match: "id slug game_slug options seat_count host public pace seating rated status version clock_main"
        " clock_increment created_at touched_at started_at epoch finished_at reason outcome standing finish_number"
        " deal_hash takebacks bot_takes_over",
        Move: "id match ply seat kind public_text at lag undone",
    }
    for model, names in shown.items():
        columns = {field.name for field in model._meta.concrete_fields}
        assert columns - set(site._registry[model].exclude or ()) == set(names.split())


# What is printed of the objects, as in a log or an error report


def test_printed_models_hide_what_is_hidden(alice: User, bob: User, carol: User) -> None:
    (game,) = (game for game in GAMES if game.slug == "m")
    match = secretive_match(game, [alice, bob, carol], Random(1), 8)
    current = snapshot(slug=match.slug, caller=Caller(alice))
    tiles = {tile for hand in current.position.hands for tile in hand}
    tiles |= {move.text.removeprefix("pass ") for move in current.moves if move.text != move.public_text}
    # Of some tiles there are two: one may lie on the table for all to see.
    tiles -= {move.public_text.partition("@")[0] for move in current.moves}
    assert tiles
    assert has_hidden_moves(match)
    printed = [current.match, *current.seats, *current.moves, current.seats, current.moves, Caller(alice), current]
    for thing in printed:
        for text in (repr(thing), str(thing), f"{thing}"):
            assert not [tile for tile in tiles if tile in text.replace(match.slug, "")], text


def test_hidden_text_of_a_move_is_its_seat_s_alone_until_the_end(alice: User, bob: User, carol: User) -> None:
    (game,) = (game for game in GAMES if game.slug == "m")
    match = secretive_match(game, [alice, bob, carol], Random(1), 8)
    move = next(move for move in match.moves.all() if move.text != move.public_text)
    others = [seat for seat in range(3) if seat != move.seat]
    assert move.seen_by(move.seat) == move.seen_by(OPEN) == move.text
    assert {move.seen_by(seat) for seat in others} | {move.seen_by(SPECTATOR)} == {move.public_text}
    assert "?" in str(move)


# The other way round: once it is over, all is open


def test_after_the_end_everybody_sees_the_same(alice: User, bob: User, carol: User, mallory: User) -> None:
    (game,) = (game for game in GAMES if game.slug == "m")
    match = secretive_match(game, [alice, bob, carol], Random(1), 8)
    for user in (alice, bob):
        resign(slug=match.slug, caller=Caller(user), moment=START)
    people = (alice, carol, mallory, None)
    pages = [without_tokens(browser(user).get(f"/matches/{match.slug}/replay/4/?seat=2")) for user in people]
    assert len({page.split('id="replay"')[1] for page in pages}) == 1
