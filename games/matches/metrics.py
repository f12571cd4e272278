"""What is counted and timed for whoever runs the house, in the format of Prometheus; read at `/metrics`.

No label names a person or a match: labels have few values, and nothing is told by a count that a page would hide from
everybody. Who may read even that much is decided in `config/monitoring.py`. Each process counts for itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from prometheus_client import Counter, Gauge, Histogram

from accounts.people import hub
from games.matches.errors import Refused

_QUICK = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)

MOVES = Counter(
    "tesela_moves",
    "Moves: those committed, by who has made them, and those of persons that were refused.",
    ["game", "by", "outcome"],
)

REFUSALS = Counter("tesela_refusals", "What was refused to somebody at a match, by the reason's code.", ["code"])

PUSHES = Histogram(
    "tesela_push_seconds",
    "From a match's commit to its drawing's way out of an open socket.",
    buckets=_QUICK,
)

SOCKETS = Gauge("tesela_open_sockets", "Sockets that are open now, by what their page shows.", ["kind"])

GROUPS = Gauge("tesela_groups", "Groups of sockets that this process keeps, and listens to for them.")
GROUPS.set_function(lambda: hub.counts()[0])

MEMBERS = Gauge("tesela_group_members", "Memberships of sockets in these groups; a socket is in some of them.")
MEMBERS.set_function(lambda: hub.counts()[1])

WATCHERS = Gauge("tesela_watching_sockets", "Sockets for which this process looks whether they show what is stored.")

LAYER_AWAY = Gauge("tesela_channel_layer_away", "1 while this process finds no channel layer, and hears no other one.")

FLOODS = Counter("tesela_sockets_closed_for_flood", "Sockets that were closed since they sent more than a person does.")

SHED = Counter("tesela_sockets_shed", "Sockets that were closed since their browser did not read what was sent.")

KEEPER_LATENESS = Histogram(
    "tesela_keeper_lateness_seconds",
    "How long after its due time the keeper of this process had settled a match.",
    buckets=_QUICK,
)

KEEPER_LOOKED = Gauge("tesela_keeper_last_look_timestamp_seconds", "When the keeper of this process last looked.")

THOUGHTS = Histogram(
    "tesela_bot_thought_seconds",
    "From the moment at which a bot's turn was taken on to its move, with all waiting for a process that thinks.",
    ["game", "level"],
    buckets=_QUICK,
)

BOT_FAILURES = Counter(
    "tesela_bot_failures",
    "Turns for which a bot found no move: those that were tried again, and seats that the weakest level plays on; and "
    "hints that there were none of.",
    ["game", "outcome"],
)

TURN_MAILS = Counter("tesela_turn_mails", "Mails about turns, by whether the mail server took them.", ["outcome"])


def count_moves(game: str, made_by: Iterable[str]) -> None:
    """These moves of a game are committed; by which kinds of seats they were made."""
    for kind in made_by:
        MOVES.labels(game, kind, "accepted").inc()


def count_refused_move(game: str) -> None:
    """A person at the match, of that game, was not allowed the move that they sent."""
    MOVES.labels(game, "person", "refused").inc()


def count_refusal(error: Refused) -> None:
    """Somebody was told no; called by the doors, each once for one no."""
    REFUSALS.labels(error.code).inc()


def time_push(committed_at: float | None, now: datetime) -> None:
    """A change was pushed to one socket that was committed then (seconds since 1970, by the house's clock)."""
    if committed_at is not None:
        PUSHES.observe(max(0.0, now.timestamp() - committed_at))


def time_keeper(lateness: timedelta) -> None:
    """A match was settled so long after its due time."""
    KEEPER_LATENESS.observe(max(0.0, lateness.total_seconds()))


def time_thought(game: str, level: str, seconds: float) -> None:
    """A bot of that game and level has found its move."""
    THOUGHTS.labels(game, level).observe(seconds)
