"""The reading side: what pages list of matches and people, and the whole of a log. One match: `snapshots.py`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from django.contrib.auth import get_user_model
from django.db.models import Prefetch, Q, QuerySet

from games.contract.registry import all_games
from games.matches import rows
from games.matches.attendance import AWAY_AFTER
from games.matches.log import END_DECLINED
from games.matches.models import (
    Invitation,
    LogEntry,
    Match,
    Move,
    Presence,
    Seat,
    SoloBest,
    Vacation,
    known_games,
)
from games.matches.takebacks import REFUSED as TAKEBACK_REFUSED
from games.matches.takebacks import TAKEN_BACK

if TYPE_CHECKING:
    from accounts.people.models import User

LOG_ONLY = (TAKEN_BACK, TAKEBACK_REFUSED, END_DECLINED)
"""What is said while the match runs, and neither replayed nor exported: it leads to no position."""

LAG_COUNTS_FOR = timedelta(seconds=30)
"""What a person's socket has measured stands in where a claim comes without one, for so long."""


def presence_of(*, match: Match, moment: datetime) -> dict[int, bool]:
    """Of each seat that its own person plays: whether they are here, with the match's page open in any tab."""
    seen = Presence.objects.filter(match=match, last_seen__gt=moment - AWAY_AFTER)
    here = set(seen.values_list("user_id", flat=True))
    return {seat.index: seat.user_id in here for seat in match.seats.all() if seat.is_present}


def stored_lag(*, slug: str, user: User, moment: datetime) -> int:
    """The person's line in ms, as a socket of theirs at this match measured it a moment ago; 0 if none did."""
    measured = Presence.objects.filter(match__slug=slug, user=user, lag_at__gte=moment - LAG_COUNTS_FOR)
    return measured.values_list("lag", flat=True).first() or 0


def open_tables(*, apart: frozenset[int] = frozenset(), limit: int = 50) -> list[Match]:
    """Public tables that wait for people, newest first; none at which one of those sits whose ids are in `apart`."""
    waiting = _open()
    if apart:
        theirs = Seat.objects.filter(user__in=apart, match__status=Match.Status.TABLE)
        waiting = waiting.exclude(pk__in=theirs.values("match"))
    return list(_with_seats(waiting).order_by("-created_at")[:limit])


def open_table_count() -> int:
    """How many public tables wait for people."""
    return _open().count()


def public_matches(*, limit: int = 20) -> list[Match]:
    """Public matches under way, for who would like to look on."""
    running = Match.objects.filter(status=Match.Status.RUNNING, public=True)
    return list(_with_seats(running).order_by("-touched_at")[:limit])


def last_public_finish() -> Match | None:
    """The public match that has ended last, of games by turns; without its position."""
    by_turns = [game.slug for game in all_games() if not game.info.real_time]
    over = Match.objects.filter(status=Match.Status.OVER, public=True, game_slug__in=by_turns)
    return over.defer("position", "deal").order_by("-finished_at", "-pk").first()


def own_matches(*, user: User) -> list[Match]:
    """The person's tables and running matches, those that wait for them first; also where a bot has their seat."""
    under_way = [Match.Status.TABLE, Match.Status.RUNNING]
    plays = Q(seats__kind=Seat.Kind.PERSON) | Q(seats__kind=Seat.Kind.STAND_IN, seats__level__gt="")
    # The time says it of the seat alone, by an index that has no finished match.
    mine = Match.objects.filter(plays, seats__user=user, seats__finished_at__isnull=True, status__in=under_way)
    found = list(_with_seats(mine).order_by("-touched_at", "-pk"))
    return sorted(found, key=lambda match: not is_to_move(match, user))


def open_invitations(*, user: User, limit: int = 20) -> list[Invitation]:
    """Tables that wait and to which the person was invited by name, and has not answered; the newest first."""
    found = _waiting_for(user)
    people = Prefetch("match__seats", queryset=Seat.objects.select_related("user").order_by("index"))
    return list(found.select_related("match", "inviter").prefetch_related(people).order_by("-invited_at")[:limit])


def _waiting_for(user: User) -> QuerySet[Invitation]:
    return Invitation.objects.filter(
        user=user,
        state=Invitation.State.OPEN,
        match__status=Match.Status.TABLE,
        match__game_slug__in=known_games(),
    )


def waiting_count(*, user: User, apart_from: str = "") -> tuple[int, int]:
    """In how many running matches, apart from one, it is this person's turn (in real time there are no turns), and how
    many invitations wait for their answer.
    """
    with rows.one_trip():
        seats = rows.ask(_OWN_RUNNING, [user.pk, Seat.Kind.PERSON.value, Match.Status.RUNNING.value, apart_from])
        asked = rows.ask(_OPEN_INVITATIONS, [user.pk, Invitation.State.OPEN.value, Match.Status.TABLE.value])
    known = known_games()
    turns = sum(game in known and index in json.loads(to_move) for index, to_move, game in seats.fetchall())
    return turns, sum(game in known for (game,) in asked.fetchall())


_SEAT, _MATCH, _INVITATION = (model._meta.db_table for model in (Seat, Match, Invitation))

# Prepared, since they are counted for every page of the site, and for every open one of a match.
_OWN_RUNNING = f"""SELECT s."index", m.to_move, m.game_slug FROM {_SEAT} s JOIN {_MATCH} m ON m.id = s.match_id
    WHERE s.user_id = %s AND s.kind = %s AND s.finished_at IS NULL AND m.status = %s AND m.slug <> %s"""  # noqa: S608
_OPEN_INVITATIONS = f"""SELECT m.game_slug FROM {_INVITATION} i JOIN {_MATCH} m ON m.id = i.match_id
    WHERE i.user_id = %s AND i.state = %s AND m.status = %s"""  # noqa: S608


def is_to_move(match: Match, user: User) -> bool:
    """Whether it is this person's turn."""
    return any(
        seat.index in match.to_move and seat.user_id == user.pk and seat.is_present for seat in match.seats.all()
    )


def standing_moves(*, match: Match) -> list[Move]:
    """All moves of the match that stand, in order."""
    return list(Move.objects.filter(match=match, undone=False, ply__lte=match.ply).order_by("ply"))


def solo_bests(*, game: str, variant: str, limit: int) -> list[SoloBest]:
    """The best that each person has reached alone, the best first; of equal ones first who did it before."""
    listed = _solo(game, variant).select_related("user").order_by("score", "done_at", "pk")
    return list(listed[:limit])


def own_solo_best(*, game: str, variant: str, user: User) -> SoloBest | None:
    """The person's own best, None for who has none yet."""
    found = _solo(game, variant).filter(user=user).select_related("user", "match")
    return found.defer("match__position", "match__deal").first()


def solo_place(best: SoloBest) -> int:
    """Its place among all: one more than there are better ones, so that equal ones share it."""
    return 1 + _solo(best.game_slug, best.variant).filter(score__lt=best.score).count()


def _solo(game: str, variant: str) -> QuerySet[SoloBest]:
    # Not by a join: the few who are barred are looked up once, not everybody for each row that is counted.
    barred = get_user_model().objects.filter(is_active=False).values("pk")
    return SoloBest.objects.filter(game_slug=game, variant=variant).exclude(user__in=barred)


def house_entries(*, match: Match) -> list[LogEntry]:
    """What the house has done in the match, in order: who has left, whose clock ran out; not what was taken back."""
    acts = LogEntry.objects.filter(match=match, of_house=True, ply__lte=match.ply).exclude(code__in=LOG_ONLY)
    return list(acts.order_by("pk"))


def log_entries(*, match: Match) -> list[LogEntry]:
    """All of the log that is no move, in order, whoever may know of it; without what was taken back."""
    return list(LogEntry.objects.filter(match=match).exclude(code__in=LOG_ONLY).order_by("pk"))


def own_finished(*, user: User) -> list[int]:
    """The ids of all matches that this person has finished, oldest first."""
    found = Seat.objects.filter(user=user, finished_at__isnull=False, game_slug__in=known_games())
    return list(found.order_by("finished_at", "match_id").values_list("match_id", flat=True))


class Whole(NamedTuple):
    """A match with all that its record is made of."""

    match: Match
    seats: Sequence[Seat]
    moves: Sequence[Move]


def whole_matches(*, ids: Sequence[int]) -> list[Whole]:
    """These matches in the order of the ids, by a few queries for all of them."""
    # Of the moves what a record has: their events are most of a row.
    moves = Move.objects.filter(undone=False).order_by("ply").only("match", "ply", "seat", "text", "at", "lag")
    played = Prefetch("moves", moves, to_attr="moves_played")
    found = Match.objects.defer("position").prefetch_related(seats_with_people(), played).in_bulk(ids)
    matches = [found[pk] for pk in ids if pk in found]
    return [Whole(match, list(match.seats.all()), match.moves_played) for match in matches]


# Vacations

DAYS_OFF = timedelta(days=14)
"""What a person may be on vacation in a calendar year, in UTC."""

_MINUTE = timedelta(minutes=1)


def current_vacation(*, user: User, moment: datetime) -> Vacation | None:
    """The vacation on which the person is at that moment."""
    return Vacation.objects.filter(user=user, ended_at=None, ends_at__gt=moment).first()


def vacation_ends(*, user_ids: Iterable[int], moment: datetime) -> dict[int, datetime]:
    """By person, when the vacation ends on which they are; those who are on none are left out.

    Also one that was begun after that moment: what is done now for a moment just past must not forget it again.
    """
    away = Vacation.objects.filter(user__in=list(user_ids), ended_at=None, ends_at__gt=moment)
    return dict(away.values_list("user", "ends_at"))


def vacation_left(*, user: User, moment: datetime) -> timedelta:
    """What is left of this calendar year's days off. Of each vacation a minute that was begun is counted."""
    year = moment.astimezone(UTC).year
    first, next_first = new_year(year), new_year(year + 1)
    taken = Vacation.objects.filter(user=user, began_at__lt=next_first, ends_at__gt=first)
    parts = (min(one.over_at, moment) - max(one.began_at, first) for one in taken)
    used = sum((-(-part // _MINUTE) * _MINUTE for part in parts if part > timedelta(0)), timedelta(0))
    return max(timedelta(0), DAYS_OFF - used)


def new_year(year: int) -> datetime:
    """The first moment of the year."""
    return datetime(year, 1, 1, tzinfo=UTC)


def _open() -> QuerySet[Match]:
    return Match.objects.filter(status=Match.Status.TABLE, public=True, game_slug__in=known_games())


def _with_seats(matches: QuerySet[Match]) -> QuerySet[Match]:
    # Without the position: lists show none, and it is the largest column.
    return matches.filter(game_slug__in=known_games()).defer("position", "deal").prefetch_related(seats_with_people())


def seats_with_people() -> Prefetch[str]:
    """Of matches: their seats in order, with who sits there."""
    return Prefetch("seats", queryset=Seat.objects.select_related("user").order_by("index"))
