"""Stored matches that differ in nothing but what one viewer may not know; and all bytes that the house serves of one.

What a viewer may not know is said by each game's `hidden` module (see tests/contract/test_hidden_information.py). Here
it is redistributed where it is stored: in the position, the deal, the texts of moves, and the events of the log.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from random import Random
from typing import Any
from unittest import mock

from accounts.people.models import User
from games.contract.registry import Game
from games.contract.values import SPECTATOR, Viewer
from games.matches import replays, selectors, snapshots
from games.matches.log import dump_event, load_event
from games.matches.models import Match, Move
from games.matches.views import replay
from tests.contract.sampled import hidden_of
from tests.matches.browsing import HTMX, browser, without_tokens
from tests.matches.conftest import player_to_move, sit_down, to_move, turn_key
from tests.matches.playing import play_form


def forget_all() -> None:
    """Nothing that this process has kept of any match is used again."""
    snapshots._kept.clear()
    replays._kept.clear()


def hidden_moves(match: Match) -> list[str]:
    """The legal moves of the seat to move of which others see a part only."""
    rules, seat = match.game.rules, to_move(match)
    position = rules.load(match.position or {})
    legal = rules.legal_moves(position, seat)
    shown = {rules.format_move(move): rules.view_move(position, seat, move, SPECTATOR) for move in legal}
    return [text for text, seen in shown.items() if seen != text]


def play_text(match: Match, text: str) -> None:
    form = {"move": text, "turn_key": turn_key(match, to_move(match)), "key": ""}
    play_form(match, player_to_move(match), form, seconds=match.ply)
    match.refresh_from_db()


def secretive_match(game: Game, people: list[User], rng: Random, plies: int) -> Match:
    """A match under way in whose log, wherever the game has them, are moves that others see a part of only."""
    match = sit_down(*people, game=game, options={})
    rules = game.rules
    for ply in range(plies):
        legal = rules.legal_moves(rules.load(match.position or {}), to_move(match))
        texts = hidden_moves(match) if ply % 3 == 1 else []
        play_text(match, rng.choice(texts or [rules.format_move(move) for move in legal]))
        assert match.status == Match.Status.RUNNING, "the match ended too soon for this test: choose another seed"
    return match


@contextmanager
def redistributed(match: Match, viewer: Viewer, rng: Random) -> Iterator[None]:
    """Inside, all that this viewer may not know of the stored match is another."""
    rules, hidden = match.game.rules, hidden_of(match.game)
    kept_moves = list(Move.objects.filter(match=match))
    kept_match = Match.objects.values("position", "deal").get(pk=match.pk)
    film = replays.film(match)
    twins = [hidden.twin(frame.position, viewer, rng) for frame in film]
    assert twins[-1] != film[-1].position, "nothing has been redistributed"
    names = ["x"] * match.seat_count
    Match.objects.filter(pk=match.pk).update(position=rules.dump(twins[-1]), deal=rules.deal(match.options, names, rng))
    for move in kept_moves:
        Move.objects.filter(pk=move.pk).update(**_twin_of_move(match, move, film[move.ply - 1].position, viewer, rng))
    forget_all()

    def twin_film(match: Match) -> replays.Film:
        moves = {move.ply: move for move in selectors.standing_moves(match=match)}
        return tuple(
            replace(
                frame,
                position=twin,
                moves=tuple(moves[move.ply] for move in frame.moves),
                events=tuple(load_event(data) for move in frame.moves for data in moves[move.ply].events),
            )
            for frame, twin in zip(film, twins, strict=True)
        )

    try:
        with mock.patch.object(replay, "film", twin_film):
            yield
    finally:
        Match.objects.filter(pk=match.pk).update(**kept_match)
        for move in kept_moves:
            Move.objects.filter(pk=move.pk).update(text=move.text, events=move.events)
        forget_all()


def _twin_of_move(match: Match, move: Move, before: Any, viewer: Viewer, rng: Random) -> dict[str, Any]:
    if move.seat == viewer:
        return {"text": move.text}
    rules = match.game.rules
    twin, text = hidden_of(match.game).twin_move(before, move.seat, move.text, viewer, rng)
    _, events = rules.play(twin, move.seat, rules.parse_move(text), at=move.at, lag=move.lag)
    return {"text": text, "events": [dump_event(event) for event in events]}


def pages_of(match: Match) -> list[str]:
    """Every address at which something of this match may be seen."""
    base = f"/matches/{match.slug}"
    plies = sorted({0, match.ply // 2, max(0, match.ply - 1)})
    return [
        f"{base}/",
        f"{base}/live/?version=1&stage=match",
        f"{base}/live/?version=1&stage=table",
        f"{base}/record/",
        f"{base}/replay/",
        *(f"{base}/replay/{ply}/?seat=0" for ply in plies),
        f"{base}/replay/{plies[-1]}/?part=1",
        "/lobby/",
        "/history/",
        "/people/alice/",
    ]


def refused_forms(match: Match) -> list[tuple[str, dict[str, str]]]:
    """Acts that are refused whoever asks, and change nothing."""
    seat = to_move(match)
    key = turn_key(match, seat)
    return [
        ("move", {"move": "nonsense", "turn_key": key}),
        ("move", {"move": "pass", "turn_key": "long ago"}),
        ("join", {"seat": "0"}),
        ("end", {"agreed": "perhaps"}),
    ]


def served(match: Match, user: User | None) -> dict[str, tuple[int, str, list[tuple[str, str]]]]:
    """All that this person gets of the match by request: status, content without tokens, and headers."""
    client = browser(user)
    answers = {path: client.get(path) for path in pages_of(match)}
    for name, form in refused_forms(match):
        path = f"/matches/{match.slug}/act/{name}/"
        answers[f"{path} {form}"] = client.post(path, {"stage": "match", **form}, headers=HTMX)
    answers["a plain form"] = client.post(f"/matches/{match.slug}/act/move/", {"move": "nonsense"})
    return {path: (answer.status_code, without_tokens(answer), headers_of(answer)) for path, answer in answers.items()}


def headers_of(answer: Any) -> list[tuple[str, str]]:
    """The headers, but for the time of the day."""
    return sorted((name, value) for name, value in answer.headers.items() if name != "Expires")
