"""Tables: a match before its start, while people sit down, change places and make ready."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from django.contrib.auth import get_user_model
from django.db import transaction

from games.contract.errors import BadOption
from games.contract.registry import Game
from games.matches.callers import Caller
from games.matches.errors import (
    AlreadySeated,
    BadInput,
    NotHost,
    OptionRefused,
    SeatTaken,
    TableFull,
    TooMany,
)
from games.matches.models import Match, Seat
from games.matches.services.play import settle
from games.matches.services.sitting import CHANCE, Sitting, locked_match

if TYPE_CHECKING:
    from accounts.people.models import User

MAX_OPEN_TABLES = 10
"""A host's tables that wait at the same time."""
MAX_RUNNING = 200
"""Running matches of one person; who has so many sits down nowhere else until some have ended."""
MAX_OPENED_AN_HOUR = 60
"""Tables and matches that one person opens; what is opened stays stored for ever."""

DOUBLE_CLICK = timedelta(seconds=3)
"""The second of two clicks comes sooner than that."""

IDLE_CLOSES_AFTER = {Match.Pace.LIVE: timedelta(minutes=30), Match.Pace.TURNS: timedelta(days=7)}

PLAY_NOW_LEVEL = "easy"
BOT_NAME = "Bot"


def create_table(
    *,
    host: User,
    game: Game,
    options: Mapping[str, Any],
    seats: int,
    public: bool,
    pace: str,
    seating: str,
    moment: datetime,
) -> Match:
    """A new table with the host on its first seat. Raises `BadInput`, `OptionRefused`, `TooMany`."""
    if not game.info.allows(seats):
        raise BadInput(what="seats")
    if pace not in Match.Pace.values or seating not in Match.Seating.values:
        raise BadInput(what="pace" if pace not in Match.Pace.values else "seating")
    try:
        complete = game.rules.complete_options(options, seats)
    except BadOption as error:
        raise OptionRefused(game=game.slug, rule=error.code, rule_params=error.params) from None
    match = Match(
        game_slug=game.slug,
        options=complete,
        seat_count=seats,
        host=host,
        public=public,
        pace=pace,
        seating=seating,
        created_at=moment,
        touched_at=moment,
    )
    match.due_at = _idle_at(match)
    with transaction.atomic():
        _require_room_for_more(host, moment)
        match.save()
        rows = [Seat(match=match, index=index, user=host if index == 0 else None) for index in range(seats)]
        # Nobody else knows of the row yet, so there is nothing to lock.
        sitting = Sitting(match, Seat.objects.bulk_create(rows))
        sitting.touch(moment, in_lobby=True)
        sitting.save()
    return match


def play_now(*, user: User, game: Game, moment: datetime) -> Match:
    """An unrated match of two against an easy bot, begun at once; a double click begins one. Raises `TooMany`."""
    seats = max(2, game.info.min_seats)
    with transaction.atomic():
        _lock_person(user)
        begun = Match.objects.filter(
            host=user,
            game_slug=game.slug,
            public=False,
            status=Match.Status.RUNNING,
            started_at__gt=moment - DOUBLE_CLICK,
            seats__kind=Seat.Kind.BOT,
        ).first()
        if begun is not None:
            return begun
        match = create_table(
            host=user,
            game=game,
            options={},
            seats=seats,
            public=False,
            pace=Match.Pace.LIVE,
            seating=Match.Seating.LOT,
            moment=moment,
        )
        with locked_match(slug=match.slug) as sitting:
            for seat in sitting.seats[1:]:
                _give_to_bot(seat, PLAY_NOW_LEVEL)
            start_match(sitting, moment)
    return match


def join_table(*, slug: str, caller: Caller, index: int | None, moment: datetime) -> None:
    """Sit down on that seat, or on the first free one; who sits already moves over."""
    with locked_match(slug=slug, caller=caller) as sitting:
        user = caller.require_user()
        sitting.require_waiting()
        wanted = sitting.seats if index is None else [_seat_at(sitting, index)]
        own = next((seat for seat in sitting.seats if seat.user_id == user.pk), None)
        if own is not None and index in (None, own.index):
            raise AlreadySeated
        seat = next((seat for seat in wanted if seat.is_free), None)
        if seat is None:
            raise TableFull if index is None else SeatTaken
        if own is not None:
            _vacate(own)
        else:
            _require_time_for_more(user)
        seat.user = user
        seat.save()
        _gathered(sitting, moment)


def leave_table(*, slug: str, caller: Caller, moment: datetime) -> None:
    """Get up. A host hands the table to whoever sits there next; a table without people closes."""
    with locked_match(slug=slug, caller=caller) as sitting:
        sitting.require_waiting()
        _get_up(sitting, sitting.seat_of(caller), moment)


def unseat(*, slug: str, caller: Caller, index: int, moment: datetime) -> None:
    """The host frees a seat, from a person or from a bot."""
    with locked_match(slug=slug, caller=caller) as sitting:
        _require_host(sitting, caller)
        sitting.require_waiting()
        seat = _seat_at(sitting, index)
        if seat.kind == Seat.Kind.PERSON and (seat.user_id is None or seat.user_id == sitting.match.host_id):
            raise BadInput(what="seat")
        _vacate(seat)
        _gathered(sitting, moment)


def seat_bot(*, slug: str, caller: Caller, index: int, level: str, moment: datetime) -> None:
    """The host gives a free seat to a bot."""
    with locked_match(slug=slug, caller=caller) as sitting:
        _require_host(sitting, caller)
        sitting.require_waiting()
        seat = _seat_at(sitting, index)
        if not seat.is_free:
            raise SeatTaken
        if level not in sitting.match.game.bot.LEVELS:
            raise BadInput(what="level")
        _give_to_bot(seat, level)
        _gathered(sitting, moment)


def set_ready(*, slug: str, caller: Caller, ready: bool, moment: datetime) -> None:
    """Say that one is ready, or not yet; a live match starts when all seats are taken and ready."""
    with locked_match(slug=slug, caller=caller) as sitting:
        sitting.require_waiting()
        seat = sitting.seat_of(caller)
        seat.ready = ready
        seat.save()
        _start_if_all_set(sitting, moment)


def close_table(*, slug: str, caller: Caller, moment: datetime) -> None:
    """The host gives the table up."""
    with locked_match(slug=slug, caller=caller) as sitting:
        _require_host(sitting, caller)
        sitting.require_waiting()
        _close(sitting, moment)


def start_match(sitting: Sitting, moment: datetime) -> None:
    """Draw the seats if the lot decides, deal, and begin."""
    match, seats, rules = sitting.match, sitting.seats, sitting.rules
    if match.seating == Match.Seating.LOT:
        _draw_seats(seats)
    bots = [seat for seat in seats if seat.kind == Seat.Kind.BOT]
    for number, bot in enumerate(bots, 1):
        bot.name = BOT_NAME if len(bots) == 1 else f"{BOT_NAME} {number}"
    for seat in seats:
        if seat.user is not None:
            seat.name = seat.user.display_name
        seat.save()
    # In rated matches nothing may depend on names, since names can be changed.
    names = [""] * len(seats) if match.rated else [seat.name for seat in seats]
    match.deal = rules.deal(match.options, names, CHANCE)
    match.started_at = moment
    match.status = Match.Status.RUNNING
    sitting.position = rules.start(match.options, match.deal, len(seats))
    match.to_move = list(rules.to_move(sitting.position))
    sitting.touch(moment, in_lobby=True)
    settle(sitting, moment)


def close_if_idle(sitting: Sitting, moment: datetime) -> None:
    """Close a table at which nothing has happened for too long; otherwise say when to look again."""
    closes_at = _idle_at(sitting.match)
    if closes_at <= moment:
        _close(sitting, moment)
    else:
        sitting.match.due_at = closes_at
        sitting.match.save(update_fields=["due_at"])


def _idle_at(match: Match) -> datetime:
    """When the table closes unless something happens at it."""
    return match.touched_at + IDLE_CLOSES_AFTER[Match.Pace(match.pace)]


def _lock_person(user: User) -> None:
    """Let other acts that count this person's matches wait until this one is done."""
    list(get_user_model().objects.select_for_update(no_key=True).filter(pk=user.pk).values_list("pk"))


def _require_room_for_more(host: User, moment: datetime) -> None:
    _lock_person(host)
    if Match.objects.filter(host=host, status=Match.Status.TABLE).count() >= MAX_OPEN_TABLES:
        raise TooMany(what="tables")
    if Match.objects.filter(host=host, created_at__gt=moment - timedelta(hours=1)).count() >= MAX_OPENED_AN_HOUR:
        raise TooMany(what="hour")
    _require_time_for_more(host)


def _require_time_for_more(user: User) -> None:
    own = Seat.objects.filter(user=user, kind=Seat.Kind.PERSON, match__status=Match.Status.RUNNING)
    if own.count() >= MAX_RUNNING:
        raise TooMany(what="matches")


def _gathered(sitting: Sitting, moment: datetime) -> None:
    """Somebody has come or gone: nobody is ready for this company yet, and by turns it may be complete now."""
    for seat in sitting.seats:
        if seat.ready and seat.is_present:  # a bot is always ready
            seat.ready = False
            seat.save()
    _start_if_all_set(sitting, moment)


def _start_if_all_set(sitting: Sitting, moment: datetime) -> None:
    match = sitting.match
    sitting.touch(moment, in_lobby=True)
    match.due_at = _idle_at(match)
    people = [seat for seat in sitting.seats if seat.is_present]
    full = not any(seat.is_free for seat in sitting.seats)
    if full and people and (match.pace == Match.Pace.TURNS or all(seat.ready for seat in people)):
        start_match(sitting, moment)


def _get_up(sitting: Sitting, seat: Seat, moment: datetime) -> None:
    was_host = seat.user_id == sitting.match.host_id
    _vacate(seat)
    heir = next((other.user for other in sitting.seats if other.is_present), None)
    if heir is None:
        _close(sitting, moment)
        return
    if was_host:
        sitting.match.host = heir
    _gathered(sitting, moment)


def _close(sitting: Sitting, moment: datetime) -> None:
    sitting.match.status = Match.Status.CLOSED
    sitting.match.due_at = None
    sitting.match.finished_at = moment
    sitting.touch(moment, in_lobby=True)


def _draw_seats(seats: list[Seat]) -> None:
    sitters = [(seat.kind, seat.level, seat.user) for seat in seats]
    CHANCE.shuffle(sitters)
    for seat in seats:  # first away from all seats: nobody may sit on two, not even for a moment
        _vacate(seat)
    for seat, (kind, level, user) in zip(seats, sitters, strict=True):
        seat.kind, seat.level, seat.user = kind, level, user


def _vacate(seat: Seat) -> None:
    seat.kind, seat.level, seat.user, seat.ready = Seat.Kind.PERSON, "", None, False
    seat.save()


def _give_to_bot(seat: Seat, level: str) -> None:
    seat.kind, seat.level, seat.user, seat.ready = Seat.Kind.BOT, level, None, True
    seat.save()


def _seat_at(sitting: Sitting, index: int) -> Seat:
    if not 0 <= index < len(sitting.seats):
        raise BadInput(what="seat")
    return sitting.seats[index]


def _require_host(sitting: Sitting, caller: Caller) -> None:
    if sitting.match.host_id != caller.require_user().pk:
        raise NotHost
