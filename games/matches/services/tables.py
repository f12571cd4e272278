"""Tables: a match before its start, while people sit down, change places and make ready."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from django.db import transaction

from accounts.people.selectors import may_sit_together, rated_obstacle
from games.contract.errors import BadOption
from games.contract.registry import Game
from games.contract.seal import NONCE_BYTES, seal_deal
from games.contract.values import OptionValue
from games.matches.callers import Caller
from games.matches.errors import (
    AlreadySeated,
    BadInput,
    ClockNeeded,
    NotHost,
    NotInvited,
    NotTogether,
    NotWaiting,
    OptionRefused,
    PeopleOnly,
    SeatTaken,
    TableFull,
)
from games.matches.models import Invitation, Match, Seat
from games.matches.selectors import presence_of
from games.matches.services.admission import require_rated_play, require_room_for_more, require_time_for_more
from games.matches.services.clocks import LIMITS, NO_CLOCK, TimeLimit, set_clocks
from games.matches.services.outages import counted
from games.matches.services.presence import renew_presence
from games.matches.services.sitting import CHANCE, Sitting, locked_match
from games.matches.services.timing import settle

if TYPE_CHECKING:
    from accounts.people.models import User

IDLE_CLOSES_AFTER = {Match.Pace.LIVE: timedelta(minutes=30), Match.Pace.TURNS: timedelta(days=7)}

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
    clock: TimeLimit = NO_CLOCK,
    rated: bool = False,
    bot_takes_over: bool = False,
) -> Match:
    """A new table with the host on its first seat.

    `clock` is one of those in `LIMITS` for the pace, or `NO_CLOCK`; games in real time keep their own time. With
    `bot_takes_over`, which no rated table has, a bot stands in for who leaves.
    Raises `BadInput`, `ClockNeeded`, `NoRatedPlay`, `OptionRefused`, `TooMany`.
    """
    _require_sound(game, seats, pace=pace, seating=seating, clock=clock, rated=rated, takeover=bot_takes_over)
    if rated:
        require_rated_play(host, moment)
    match = Match(
        game_slug=game.slug,
        options=complete_options(game, options, seats),
        seat_count=seats,
        host=host,
        public=public,
        pace=pace,
        seating=seating,
        rated=rated,
        bot_takes_over=bot_takes_over,
        clock_main=clock.main,
        clock_increment=clock.increment,
        created_at=moment,
        touched_at=moment,
    )
    match.due_at = idle_at(match)
    with transaction.atomic():
        require_room_for_more(host, moment)
        match.save()
        rows = [Seat(match=match, index=index, user=host if index == 0 else None) for index in range(seats)]
        # Nobody else knows of the row yet, so there is nothing to lock.
        sitting = Sitting(match, Seat.objects.bulk_create(rows))
        sitting.touch(moment, in_lobby=True)
        sitting.save()
    return match


def _require_sound(
    game: Game, seats: int, *, pace: str, seating: str, clock: TimeLimit, rated: bool, takeover: bool
) -> None:
    """That these choices go together. Raises `BadInput`, `ClockNeeded`."""
    if not game.info.allows(seats):
        raise BadInput(what="seats")
    if pace not in Match.Pace.values or seating not in Match.Seating.values:
        raise BadInput(what="pace" if pace not in Match.Pace.values else "seating")
    if game.info.real_time and pace != Match.Pace.LIVE:
        raise BadInput(what="pace")
    if rated and seats < 2:
        raise BadInput(what="rated")
    if takeover and (rated or seats < 2):
        raise BadInput(what="leaving")
    if clock != NO_CLOCK and (game.info.real_time or clock not in LIMITS[pace]):
        raise BadInput(what="clock")
    if rated and clock == NO_CLOCK and not game.info.real_time:
        raise ClockNeeded


def join_table(*, slug: str, caller: Caller, index: int | None, moment: datetime) -> None:
    """Sit down on that seat, or on the first free one; who sits already moves over.

    Raises `NotTogether` at a public table where somebody sits whom the person has blocked, or who has blocked them;
    `NoRatedPlay` at a rated one; `NotInvited` at a private one for moderators, who may look at it, unless they are.
    """
    with locked_match(slug=slug, caller=caller) as sitting:
        user = caller.require_user()
        sitting.require_waiting()
        if not caller.is_welcome(sitting.match, sitting.seats):
            raise NotInvited
        sit_down(sitting, user, index, moment)


def sit_down(sitting: Sitting, user: User, index: int | None, moment: datetime) -> None:
    """The same under the lock of a table that waits. Whoever was invited by name has accepted by it."""
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
        _require_company(sitting, user)
        if sitting.match.rated:
            require_rated_play(user, moment)
        require_time_for_more(user)
        invited = Invitation.objects.filter(match=sitting.match, user=user, state=Invitation.State.OPEN)
        invited.update(state=Invitation.State.ACCEPTED)
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
        if sitting.match.rated:
            raise PeopleOnly
        seat = _seat_at(sitting, index)
        if not seat.is_free:
            raise SeatTaken
        if level not in sitting.match.game.bot.LEVELS:
            raise BadInput(what="level")
        give_to_bot(seat, level)
        _gathered(sitting, moment)


def set_ready(*, slug: str, caller: Caller, ready: bool, moment: datetime) -> None:
    """Say that one is ready, or not yet; a live match starts when all seats are taken and ready.

    In real time all must be on the page as well: who has gone away since is ready no more. Who says it is there.
    Raises `NoRatedPlay` at a rated table.
    """
    renew_presence(slug=slug, user=caller.require_user(), moment=moment)
    with locked_match(slug=slug, caller=caller) as sitting:
        sitting.require_waiting()
        seat = sitting.seat_of(caller)
        if ready and sitting.match.rated:
            require_rated_play(caller.require_user(), moment)
        seat.ready, seat.missed_start = ready, False
        seat.save()
        _start_if_all_set(sitting, moment)


def close_table(*, slug: str, caller: Caller, moment: datetime) -> None:
    """The host gives the table up."""
    with locked_match(slug=slug, caller=caller) as sitting:
        _require_host(sitting, caller)
        sitting.require_waiting()
        _close(sitting, moment)


def remove_table(*, slug: str, moment: datetime) -> None:
    """A moderator's word: the table closes. Raises `NotFound`, `NotWaiting`."""
    with locked_match(slug=slug) as sitting:
        sitting.require_waiting()
        _close(sitting, moment)


def reopen_table(*, slug: str, moment: datetime) -> None:
    """Take that back: it waits again, with those who sat there, none of them ready. Raises `NotFound`, `NotWaiting`.

    Seats of who has gone meanwhile, or may not come in, are free again; a table without anybody stays closed.
    The caller knows that it was a table: one that was called off after its start is closed as well.
    """
    with locked_match(slug=slug) as sitting:
        match = sitting.match
        if match.status != Match.Status.CLOSED or match.started_at is not None or not match.is_playable:
            raise NotWaiting
        match.status, match.finished_at = Match.Status.TABLE, None
        for seat in sitting.seats:
            if seat.is_present:
                if seat.user is not None and (not seat.user.has_profile or seat.user.is_barred(moment)):
                    _vacate(seat)
                    continue
                seat.ready = seat.missed_start = False
                seat.save()
        there = [seat.user for seat in sitting.seats if seat.is_present]
        if not there:
            raise NotWaiting
        if match.host not in there:
            match.host = there[0]
        sitting.touch(moment, in_lobby=True)
        match.due_at = idle_at(match)
        _tell_invited(sitting)


def start_match(sitting: Sitting, moment: datetime) -> None:
    """Draw the seats if the lot decides, deal, seal the deal, and begin."""
    match, seats, rules = sitting.match, sitting.seats, sitting.rules
    if match.seating == Match.Seating.LOT:
        _draw_seats(seats)
    bots = [seat for seat in seats if seat.kind == Seat.Kind.BOT]
    for number, bot in enumerate(bots, 1):
        bot.name = BOT_NAME if len(bots) == 1 else f"{BOT_NAME} {number}"
    set_clocks(sitting)
    for seat in seats:
        seat.save()
    # In rated matches nothing may depend on names, since names can be changed; nor in rematches, where the same name
    # would begin each time.
    by_lot = match.rated or match.rematch_of_id is not None
    names = [""] * len(seats) if by_lot else [seat.shown_name for seat in seats]
    match.deal = rules.deal(match.options, names, CHANCE)
    match.deal_nonce = secrets.token_hex(NONCE_BYTES)
    match.deal_hash = seal_deal(match.deal, match.deal_nonce)
    match.started_at = match.epoch = moment = counted(moment)
    match.status = Match.Status.RUNNING
    sitting.begin(rules.start(match.options, match.deal, len(seats)))
    sitting.touch(moment, in_lobby=True)
    settle(sitting, moment)


def close_if_idle(sitting: Sitting, moment: datetime) -> None:
    """Close a table at which nothing has happened for too long; otherwise say when to look again."""
    closes_at = idle_at(sitting.match)
    if closes_at <= moment:
        _close(sitting, moment)
    else:
        sitting.match.due_at = closes_at
        sitting.match.save(update_fields=["due_at"])


def complete_options(game: Game, options: Mapping[str, Any], seats: int) -> dict[str, OptionValue]:
    """All options with their values. Raises `OptionRefused`."""
    try:
        return game.rules.complete_options(options, seats)
    except BadOption as error:
        raise OptionRefused(game=game.slug, rule=error.code, rule_params=error.params) from None


def give_to_bot(seat: Seat, level: str) -> None:
    """A bot of that level sits there, always ready."""
    seat.kind, seat.level, seat.user, seat.ready = Seat.Kind.BOT, level, None, True
    seat.save()


def idle_at(match: Match) -> datetime:
    """When the table closes unless something happens at it."""
    return match.touched_at + IDLE_CLOSES_AFTER[Match.Pace(match.pace)]


def _require_company(sitting: Sitting, user: User) -> None:
    """A public table is for people who play with each other. Whoever invites somebody by a link has chosen."""
    if sitting.match.public and not may_sit_together(user=user, others=[seat.user_id for seat in sitting.seats]):
        raise NotTogether


def _gathered(sitting: Sitting, moment: datetime) -> None:
    """Somebody has come or gone: nobody is ready for this company yet, and by turns it may be complete now."""
    for seat in sitting.seats:
        if (seat.ready or seat.missed_start) and seat.is_present:  # a bot is always ready
            seat.ready = seat.missed_start = False
            seat.save()
    _start_if_all_set(sitting, moment)


def _start_if_all_set(sitting: Sitting, moment: datetime) -> None:
    match = sitting.match
    sitting.touch(moment, in_lobby=True)
    _tell_invited(sitting)
    match.due_at = idle_at(match)
    people = [seat for seat in sitting.seats if seat.is_present]
    full = not any(seat.is_free for seat in sitting.seats)
    if not (full and people and (match.pace == Match.Pace.TURNS or all(seat.ready for seat in people))):
        return
    if sitting.in_real_time and _somebody_is_away(sitting, moment):
        return
    if match.rated and _somebody_has_to_get_up(sitting, people, moment):
        return
    start_match(sitting, moment)


def _somebody_is_away(sitting: Sitting, moment: datetime) -> bool:
    """Whether somebody who was ready has left the page; their word is taken back: rounds would pass without them."""
    here = presence_of(match=sitting.match, moment=moment)
    away = [seat for seat in sitting.seats if not here.get(seat.index, True)]
    for seat in away:
        seat.ready, seat.missed_start = False, True
        seat.save()
    return bool(away)


def _somebody_has_to_get_up(sitting: Sitting, people: list[Seat], moment: datetime) -> bool:
    """Whether somebody may play no rated match any more, since they sat down: they get up, and the table waits on."""
    barred = [seat for seat in people if seat.user is not None and rated_obstacle(user=seat.user, moment=moment)]
    for seat in barred:
        _get_up(sitting, seat, moment)
    return bool(barred)


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
    _tell_invited(sitting)


def _tell_invited(sitting: Sitting) -> None:
    """Whoever is invited sees in the lobby what becomes of the table."""
    waiting = Invitation.objects.filter(match=sitting.match, state=Invitation.State.OPEN)
    for user_id in waiting.values_list("user_id", flat=True):
        sitting.tell(user_id)


def _draw_seats(seats: list[Seat]) -> None:
    sitters = [(seat.kind, seat.level, seat.user) for seat in seats]
    CHANCE.shuffle(sitters)
    for seat in seats:  # first away from all seats: nobody may sit on two, not even for a moment
        _vacate(seat)
    for seat, (kind, level, user) in zip(seats, sitters, strict=True):
        seat.kind, seat.level, seat.user = kind, level, user


def _vacate(seat: Seat) -> None:
    seat.kind, seat.level, seat.user = Seat.Kind.PERSON, "", None
    seat.ready = seat.missed_start = False
    seat.save()


def _seat_at(sitting: Sitting, index: int) -> Seat:
    if not 0 <= index < len(sitting.seats):
        raise BadInput(what="seat")
    return sitting.seats[index]


def _require_host(sitting: Sitting, caller: Caller) -> None:
    if sitting.match.host_id != caller.require_user().pk:
        raise NotHost
