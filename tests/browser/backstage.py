"""What tests arrange and look up in the site's own database while it runs: people, sessions, matches in the middle.

`python -m tests.browser.backstage` runs beside the server, reads a JSON line for each request, and answers with one.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.play")
django.setup()

from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY  # noqa: E402
from django.contrib.sessions.backends.db import SessionStore  # noqa: E402
from django.db.models import F  # noqa: E402

from accounts.people.models import User  # noqa: E402
from games.contract.registry import get_game  # noqa: E402
from games.matches import clock  # noqa: E402
from games.matches.callers import Caller  # noqa: E402
from games.matches.models import Match, Seat  # noqa: E402
from games.matches.services import play, sitting, tables  # noqa: E402

PASSWORD = "a tile on the table"
MOST_PLIES = 400


def clear() -> None:
    """Nobody and nothing, for the next test."""
    Match.objects.all().delete()
    User.objects.all().delete()


def add_person(username: str, display_name: str, **fields: Any) -> str:
    """A person, whatever the name, and the key of a session in which they are logged in."""
    user = User(username=username, display_name=display_name, email=f"{username}@example.org", **fields)
    user.set_password(PASSWORD)
    user.save()
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = "allauth.account.auth_backends.AuthenticationBackend"
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.save()
    assert session.session_key is not None
    return session.session_key


def is_registered(username: str) -> bool:
    """Whether there is such a person."""
    return User.objects.filter(username=username).exists()


def open_table(
    host: str,
    seats: int = 2,
    public: bool = True,
    pace: str = "live",
    game: str = "m",
    options: dict[str, Any] | None = None,
) -> str:
    """The slug of a table that waits, its seats as arranged."""
    user = User.objects.get(username=host)
    match = tables.create_table(
        host=user,
        game=get_game(game),
        options=options or {},
        seats=seats,
        public=public,
        pace=pace,
        seating="arranged",
        moment=clock.now(),
    )
    return match.slug


def seat_match(
    players: list[str],
    seed: int,
    until: str = "ply:0",
    seat: int | None = None,
    pace: str = "live",
    game: str = "m",
    options: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """A match between these people in this order, dealt by that seed and played by bots.

    `until` says where to stop: "ply:20" or "over", in M also "turn" (the seat may place) and "round" (the seat picks
    in a scoring round). Gives the match's slug and ply.
    """
    chance = Random(seed)
    for module in (sitting, tables):
        vars(module)["CHANCE"] = chance
    slug = _seat(players, pace, game, options)
    for _ in range(MOST_PLIES):
        match = Match.objects.get(slug=slug)
        if _reached(match, until, seat):
            return {"slug": slug, "ply": match.ply}
        if match.status != Match.Status.RUNNING:
            break
        text = match.game.bot.choose(_view(match, match.to_move[0]), "easy", chance)
        assert text is not None
        _play(match, players, text)
    raise LookupError(f"with seed {seed} the match does not come to {until}")


def seat_record(players: list[str], file: str, ply: int | None = None) -> dict[str, Any]:
    """A match between these people in this order, dealt and played as that record says, as far as `ply` or its end."""
    record = json.loads(Path(file).read_text())
    with patch.object(type(get_game(record["game"]).rules), "deal", return_value=record["deal"]):
        slug = _seat(players, "live", record["game"], record["options"])
    for move in record["moves"][:ply]:
        _play(Match.objects.get(slug=slug), players, move["move"])
    return {"slug": slug, "ply": Match.objects.get(slug=slug).ply}


def _seat(players: list[str], pace: str, game: str, options: dict[str, Any] | None) -> str:
    """The slug of a match that has begun."""
    slug = open_table(players[0], seats=len(players), pace=pace, game=game, options=options)
    for name in players[1:]:
        tables.join_table(slug=slug, caller=_caller(name), index=None, moment=clock.now())
    if pace == Match.Pace.LIVE:
        for name in players:
            tables.set_ready(slug=slug, caller=_caller(name), ready=True, moment=clock.now())
    return slug


def _caller(username: str) -> Caller:
    return Caller(User.objects.get(username=username))


def _reached(match: Match, until: str, seat: int | None) -> bool:
    kind, _, number = until.partition(":")
    if kind == "ply":
        return match.ply == int(number)
    if kind == "over":
        return match.status == Match.Status.OVER
    view = _view(match, match.to_move[0] if match.to_move else 0)
    turn = match.status == Match.Status.RUNNING and (seat is None or seat == view.to_move)
    return turn and {"turn": view.phase == "play" and bool(view.fits), "round": view.phase == "take"}[kind]


def _play(match: Match, players: list[str], text: str) -> None:
    caller = _caller(players[match.to_move[0]])
    play.play_move(slug=match.slug, caller=caller, text=text, turn_key=str(match.ply), key="", arrived=clock.now())


def _view(match: Match, seat: int) -> Any:
    rules = match.game.rules
    return rules.view(rules.load(match.position or {}), seat)


def hands(slug: str) -> list[list[str]]:
    """The tiles that each seat of a match of M holds now."""
    match = Match.objects.get(slug=slug)
    position = match.game.rules.load(match.position or {})
    return [list(hand) for hand in position.hands]


def state(slug: str) -> dict[str, Any]:
    """Where the match stands: version, ply, status, reason, and the seats whose turn it is."""
    match = Match.objects.get(slug=slug)
    return {
        "version": match.version,
        "ply": match.ply,
        "status": match.status,
        "reason": match.reason,
        "to_move": match.to_move,
        "trace": match.game.rules.trace(match.game.rules.load(match.position or {})),
    }


def moves(slug: str) -> list[str]:
    """The texts of the moves played."""
    return list(Match.objects.get(slug=slug).moves.filter(undone=False).order_by("ply").values_list("text", flat=True))


def turns(slug: str) -> list[int]:
    """The seats of the moves played."""
    return list(Match.objects.get(slug=slug).moves.filter(undone=False).order_by("ply").values_list("seat", flat=True))


def newest_match(username: str) -> str:
    """The slug of the person's newest match or table."""
    found = Seat.objects.filter(user__username=username).order_by(F("match_id").desc()).first()
    assert found is not None
    return found.match.slug


ACTS: tuple[Callable[..., Any], ...] = (
    clear,
    add_person,
    is_registered,
    open_table,
    seat_match,
    seat_record,
    hands,
    state,
    moves,
    turns,
    newest_match,
)


def main() -> None:
    """Answer until the input ends."""
    acts = {act.__name__: act for act in ACTS}
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer = {"value": acts[request.pop("act")](**request)}
        except Exception:
            answer = {"error": traceback.format_exc()}
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
