"""What tests arrange and look up in the site's own database while it runs: people, sessions, matches in the middle.

`python -m tests.browser.backstage` runs beside the server, reads a JSON line for each request, and answers with one.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from random import Random
from time import time
from typing import Any
from unittest.mock import patch

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.play")
django.setup()

from django.conf import settings  # noqa: E402
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY  # noqa: E402
from django.contrib.auth.hashers import make_password  # noqa: E402
from django.contrib.auth.models import Group  # noqa: E402
from django.contrib.sessions.backends.db import SessionStore  # noqa: E402
from django.db import connection, connections, transaction  # noqa: E402
from django.db.models import F  # noqa: E402

from accounts.desk.append_only import open_log, protect_log  # noqa: E402
from accounts.desk.models import ModerationAct, Report  # noqa: E402
from accounts.desk.moderators import GROUP  # noqa: E402
from accounts.people.models import Notice, User  # noqa: E402
from accounts.people.notice_texts import sanction_params  # noqa: E402
from accounts.people.sanctioning import impose_sanction  # noqa: E402
from accounts.people.sanctions import FOR_GOOD  # noqa: E402
from accounts.people.sessions import end_sessions  # noqa: E402
from accounts.people.telling import notify_person  # noqa: E402
from games.contract.registry import get_game  # noqa: E402
from games.matches import clock  # noqa: E402
from games.matches.callers import Caller  # noqa: E402
from games.matches.models import Match, Presence, Rating, RatingBook, Seat  # noqa: E402
from games.matches.services import play, sitting, tables  # noqa: E402
from games.matches.services.chat import send_line  # noqa: E402
from games.matches.services.clocks import NO_CLOCK, TimeLimit  # noqa: E402
from games.matches.services.vacations import begin_vacation  # noqa: E402
from games.matches.skill import SETTLED_AFTER  # noqa: E402
from tests.browser import lookups, next_moves, rounds  # noqa: E402
from tests.matches.alone import begun  # noqa: E402
from tests.matches.playing import play_in_real_time  # noqa: E402

PASSWORD = "a tile on the table"
MOST_PLIES = 400


def clear() -> None:
    """Nobody and nothing, for the next test."""
    open_log(connection)
    for model in (ModerationAct, Report):
        model.objects.all()._raw_delete("default")
    protect_log(connection)
    RatingBook.objects.all().delete()
    Match.objects.all().delete()
    User.objects.all().delete()


def add_person(username: str, display_name: str, **fields: Any) -> str:
    """A person, whatever the name, and the key of a session in which they are logged in."""
    # Long ago: for those who have just come the house is quieter.
    fields.setdefault("date_joined", datetime(2025, 1, 1, tzinfo=UTC))
    user = User(username=username, display_name=display_name, email=f"{username}@example.org", **fields)
    user.password = _password()
    user.save()
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.save()
    assert session.session_key is not None
    return session.session_key


def add_moderator(username: str) -> str:
    """Staff of the group that the migration has made, and the key of their session."""
    key = add_person(username, username.capitalize(), is_staff=True)
    User.objects.get(username=username).groups.add(Group.objects.get(name=GROUP))
    return key


def notices(username: str) -> list[str]:
    """The codes of what this person was told, in order."""
    return list(Notice.objects.filter(user__username=username).order_by("pk").values_list("code", flat=True))


@cache
def _password() -> str:
    """Hashed once for all: it takes a third of a second, on purpose."""
    return make_password(PASSWORD)


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
    limit: list[int] | None = None,
    rated: bool = False,
    bot_takes_over: bool = False,
) -> str:
    """The slug of a table that waits, its seats as arranged; `limit` is main time and increment in ms."""
    user = User.objects.get(username=host)
    match = tables.create_table(
        host=user,
        game=get_game(game),
        options=options or {},
        seats=seats,
        public=public,
        pace=pace,
        seating="arranged",
        clock=TimeLimit(*limit) if limit is not None else NO_CLOCK,
        rated=rated,
        bot_takes_over=bot_takes_over,
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
    limit: list[int] | None = None,
    rated: bool = False,
    bot_takes_over: bool = False,
) -> dict[str, Any]:
    """A match between these people in this order, dealt by that seed and played by bots.

    `until` says where to stop: "ply:20" or "over", in M also "turn" (the seat may place) and "round" (the seat picks
    in a scoring round). Gives the match's slug and ply.
    """
    chance = Random(seed)
    for module in (sitting, tables):
        vars(module)["CHANCE"] = chance
    slug = _seat(players, pace, game, options, limit, rated=rated, bot_takes_over=bot_takes_over)
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


def past_matches(players: list[str], number: int, game: str = "m") -> None:
    """So many matches between these people, of which the last has resigned each."""
    for _ in range(number):
        slug = _seat(players, "live", game, None)
        play.resign(slug=slug, caller=_caller(players[-1]), moment=clock.now())


def set_clock(slug: str, left: int) -> None:
    """The player to move has so much left on the clock from now on, in ms."""
    with sitting.locked_match(slug=slug) as held:
        seat = held.seats[held.match.to_move[0]]
        at = held.match_time(clock.now())
        seat.clock_left, seat.clock_since = left, at
        held.keep(seat)
        held.reschedule(held.match.moment_of(at + left))
        held.touch(held.match.touched_at)


def was_seen(slug: str, username: str, ago_s: float) -> None:
    """The match, which has no clock, was played an hour ago, and so long ago the person was seen at it since."""
    now, an_hour = clock.now(), timedelta(hours=1)
    match = Match.objects.get(slug=slug)
    earlier = {"started_at": F("started_at") - an_hour, "epoch": F("epoch") - an_hour}
    Match.objects.filter(slug=slug).update(**earlier, revision=F("revision") + 1)
    user = User.objects.get(username=username)
    seen = {"last_seen": now - timedelta(seconds=ago_s)}
    Presence.objects.update_or_create(match=match, user=user, defaults=seen)


def go_on_vacation(username: str) -> None:
    """The person is away from now on."""
    begin_vacation(user=User.objects.get(username=username), moment=clock.now())


def match_alone(player: str, seed: int) -> str:
    """The slug of a match of BlockYou! that this person has played alone to its end, with that luck."""
    chance = Random(seed)
    with rounds.long_ago(chance):
        match = begun(User.objects.get(username=player))
        play_in_real_time(match, chance)
    assert match.status == Match.Status.OVER
    return match.slug


def impose(username: str, kind: str, reason: str, days: int | None = None) -> str:
    """A sanction as the desk imposes it, now; the moment at which it was committed, by this machine's clock."""
    user, moment = User.objects.get(username=username), clock.now()
    until = moment + timedelta(days=days) if days is not None else FOR_GOOD
    code = {"mute": "muted", "suspension": "suspended", "ban": "banned"}[kind]
    with transaction.atomic():
        impose_sanction(user=user, kind=kind, reason=reason, moment=moment, until=until)
        params = sanction_params(reason=reason, until=until, automatic=False)
        notify_person(user=user, code=code, params=params, moment=moment)
    return str(time())


def end_log_ins(username: str) -> str:
    """All of them; the moment, as above."""
    end_sessions(user=User.objects.get(username=username))
    return str(time())


def say(slug: str, username: str, text: str, room: str = "players") -> None:
    """A line of chat."""
    send_line(slug=slug, caller=_caller(username), room=room, text=text, key="", moment=clock.now())


def settle_ratings() -> None:
    """Everybody who has a rating has played long enough to be ranked."""
    Rating.objects.update(matches=SETTLED_AFTER)


def _seat(
    players: list[str],
    pace: str,
    game: str,
    options: dict[str, Any] | None,
    limit: list[int] | None = None,
    **table: bool,
) -> str:
    """The slug of a match that has begun."""
    slug = open_table(players[0], seats=len(players), pace=pace, game=game, options=options, limit=limit, **table)
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
    add_moderator,
    notices,
    is_registered,
    open_table,
    seat_match,
    seat_record,
    past_matches,
    set_clock,
    was_seen,
    go_on_vacation,
    impose,
    end_log_ins,
    say,
    settle_ratings,
    match_alone,
    hands,
    state,
    moves,
    turns,
    newest_match,
    *lookups.ACTS,
    *rounds.ACTS,
    *next_moves.ACTS,
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
            connections.close_all()
            if connection.vendor == "postgresql":  # it may have been restarted, and none that we have is any good
                connections["default"].close_pool()  # type: ignore[attr-defined]
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
