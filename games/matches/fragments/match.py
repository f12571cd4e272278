"""A match as its page and every push show it.

One drawing serves all who may see the same: it is kept with the snapshot, by role, language and, where it tells times
of day, time zone.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, TypeVar, cast

from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.timezone import get_current_timezone_name
from django.utils.translation import get_language

from games.contract.registry import Game
from games.contract.rules import RanksSolo
from games.contract.values import Event, Moment, Viewer
from games.matches import bot_texts, clock, clock_texts, result_texts, texts
from games.matches.attendance import NOBODY, Attendance, grace
from games.matches.errors import Refused
from games.matches.fragments.attendance import choices
from games.matches.fragments.company import invitations_of, rematch_of, takeback_of
from games.matches.fragments.log import log_of
from games.matches.fragments.parts import draw_parts
from games.matches.fragments.players import rows_of, standing_changes
from games.matches.fragments.solo import is_solo, said_of_solo
from games.matches.fragments.summary import summary
from games.matches.fragments.trust import joined, trusted
from games.matches.hints import why_no_hints
from games.matches.labels import labels_of
from games.matches.log import event_of, load_event
from games.matches.models import Invitation, Match, Move, Seat, idle_seats, may_cancel
from games.matches.rematches import may_rematch
from games.matches.services.results import takeover_level
from games.matches.snapshots import Snapshot

if TYPE_CHECKING:
    from accounts.people.models import User

T = TypeVar("T")

TABLE, MATCH = "table", "match"

_UNIX_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Role:
    """Who looks, as far as the drawing differs by it: the same role sees the same bytes.

    `seat` is the person's own seat, also after leaving it.
    """

    viewer: Viewer
    seat: int | None
    present: bool
    host: bool
    member: bool  # logged in, so that the page may offer a seat
    kept_waiting: bool  # for so long that they may end the match; time alone changes it, as the next
    may_rematch: bool = False
    invited_as: int | None = None  # the person, if an invitation by name waits for their answer


def role_of(snapshot: Snapshot, user: User | None) -> Role:
    """The person's role at this match."""
    seat = snapshot.seat_of(user)
    present, moment = seat is not None and seat.is_present, clock.now()
    idle = idle_seats(snapshot.match, snapshot.seats, moment) if present else []
    invited = user is not None and any(
        one.user_id == user.pk and one.state == Invitation.State.OPEN for one in snapshot.invitations
    )
    return Role(
        viewer=snapshot.viewer_for(user),
        seat=seat.index if seat is not None else None,
        present=present,
        host=user is not None and snapshot.match.host_id == user.pk,
        member=user is not None,
        kept_waiting=bool(idle) and seat not in idle,
        may_rematch=seat is not None and may_rematch(snapshot.match, snapshot.seats, moment),
        invited_as=user.pk if user is not None and invited else None,
    )


def stage_kind(snapshot: Snapshot) -> str:
    """Which of the two stages shows this match: the table that waits, or the board."""
    return TABLE if snapshot.match.position is None else MATCH


def draw_stage(
    snapshot: Snapshot, user: User | None, *, attendance: Attendance = NOBODY, pushed: bool = False
) -> SafeString:
    """The whole stage, for a page; with `pushed` as an out-of-band swap that replaces another one."""
    role = role_of(snapshot, user)
    if stage_kind(snapshot) == TABLE:
        return _kept(snapshot, ("table", role, pushed), lambda: _draw_table(snapshot, role, pushed=pushed))
    said = said_of_solo(snapshot, user)
    return _kept(
        snapshot,
        ("stage", role, pushed, said, attendance.key),
        lambda: _draw_match(snapshot, role, said, attendance, pushed=pushed),
    )


def draw_update(snapshot: Snapshot, user: User | None, *, shown: str, attendance: Attendance = NOBODY) -> SafeString:
    """What brings a page that shows the stage `shown` up to this version: out-of-band swaps by id."""
    if stage_kind(snapshot) == TABLE or shown != MATCH:
        return draw_stage(snapshot, user, attendance=attendance, pushed=True)
    return joined(update_parts(snapshot, user, attendance=attendance).values())


def update_parts(snapshot: Snapshot, user: User | None, *, attendance: Attendance = NOBODY) -> Mapping[str, SafeString]:
    """The parts of the board's stage by name, each as an out-of-band swap by its id; nobody changes them."""
    role = role_of(snapshot, user)
    said = said_of_solo(snapshot, user)
    return _kept(
        snapshot,
        ("update", role, said, attendance.key),
        lambda: draw_parts(snapshot, _context(snapshot, role, said, attendance, pushed=True)),
    )


def draw_notice(error: Refused) -> SafeString:
    """A refusal, as an out-of-band swap of the page's notice."""
    return render_to_string("matches/notice.html", {"notice": texts.refusal(error), "code": error.code, "pushed": True})


def draw_board(game: Game, view: Any, moment: Moment) -> dict[str, Any]:
    """The presenter's drawing, ready for a template."""
    drawing = game.presenter.draw(view, moment, labels_of(game))
    return {
        "board": trusted(drawing.board),
        "hand": trusted(drawing.hand),
        "panels": [trusted(panel) for panel in drawing.panels],
        "tallies": [trusted(tally) for tally in drawing.tallies],
    }


def draw_sprite(game: Game) -> SafeString:
    """The drawings that the game's boards refer to; a page has them once, so that a push need not bring them."""
    return trusted(game.presenter.sprite())


def moment_of(move: Move | None, viewer: Viewer) -> Moment:
    """What a move of the log has made happen, as the viewer may know it."""
    if move is None:
        return Moment()
    events = tuple(event for event in map(load_event, move.events) if event.seen_by(viewer))
    return Moment(seat=move.seat, move=move.seen_by(viewer), events=events)


RECENT_MS = 3000
"""In real time what has happened within the last so many ms of match time is what has just happened."""


def recent_moment(events: Iterable[Event], viewer: Viewer) -> Moment:
    """What of these events, in order, has just happened in a game in real time, as the viewer may know it."""
    seen = [event for event in events if event.seen_by(viewer)]
    return Moment(events=tuple(event for event in seen if event.at >= seen[-1].at - RECENT_MS))


def _last_moment(snapshot: Snapshot, viewer: Viewer) -> Moment:
    """What has just happened, as the viewer may know it."""
    if not snapshot.match.game.info.real_time:
        return moment_of(snapshot.moves[-1] if snapshot.moves else None, viewer)
    return recent_moment((event_of(entry) for entry in snapshot.entries if not entry.of_house), viewer)


def _epoch(match: Match) -> str:
    """The moment of match time 0, in ms since 1970: with it a page counts down by the server's clock."""
    return str((match.epoch - _UNIX_EPOCH) // timedelta(milliseconds=1)) if match.epoch is not None else ""


def _draw_table(snapshot: Snapshot, role: Role, *, pushed: bool) -> SafeString:
    match = snapshot.match
    game = match.game
    context = {
        "match": match,
        "game": game,
        "tagline": game.texts.tagline(),
        "places": list(zip(snapshot.seats, _sides(match), strict=True)),
        "options": texts.options(game, match.options, match.seat_count),
        "clock": clock_texts.time_limit_of(match),
        "role": role,
        "own": snapshot.seats[role.seat] if role.seat is not None else None,
        "free": any(seat.is_free for seat in snapshot.seats),
        "missed_start": _missed_start(snapshot, role),
        "grace_s": _grace_s(match),
        "takeover": bot_texts.level(takeover_level(game)) if match.bot_takes_over else "",
        "host": next((seat.user for seat in snapshot.seats if seat.user_id == match.host_id and seat.user), None),
        "pushed": pushed,
        **invitations_of(snapshot, role),
    }
    return render_to_string("matches/table_stage.html", context)


def _missed_start(snapshot: Snapshot, role: Role) -> str:
    away = [seat.index for seat in snapshot.seats if seat.missed_start]
    return texts.missed_start([snapshot.names[index] for index in away], own=role.seat in away) if away else ""


def _grace_s(match: Match) -> str:
    """For how long the others have to wait for who is away, in seconds; "" where nobody is waited for."""
    patience = grace(match) if match.seat_count > 1 else None
    return str(patience // timedelta(seconds=1)) if patience is not None else ""


def _sides(match: Match) -> list[dict[str, Any]]:
    """By seat, what it plays and for which team (from 1), where that differs."""
    game, players = match.game, match.seat_count
    teams = game.rules.teams(match.options, players)
    return [
        {
            "plays": game.texts.seat(match.options, players, seat),
            "team": teams[seat] + 1 if len(set(teams)) < players else None,
        }
        for seat in range(players)
    ]


def _draw_match(snapshot: Snapshot, role: Role, said: str, attendance: Attendance, *, pushed: bool) -> SafeString:
    context = _context(snapshot, role, said, attendance, pushed=False)
    parts = draw_parts(snapshot, context)
    return render_to_string("matches/match_stage.html", {**context, "parts": parts, "pushed": pushed})


def _context(snapshot: Snapshot, role: Role, said: str, attendance: Attendance, *, pushed: bool) -> dict[str, Any]:
    """What the parts of the match show to the role; `pushed` if they are to be swapped in by their ids."""
    match = snapshot.match
    game, viewer, names = match.game, role.viewer, snapshot.names
    over = match.status in (Match.Status.OVER, Match.Status.CLOSED)
    real_time = game.info.real_time
    own = snapshot.seats[role.seat] if role.seat is not None else None
    own_exit = result_texts.own_exit(own) if own is not None and own.left_order is not None else ""
    # Who has resigned knows; whom the clock or absence has put out learns it where everybody looks first.
    forced_out = own_exit if own is not None and own.exit != Seat.Exit.RESIGNED else ""
    view = game.rules.view(snapshot.position, viewer)
    drawing = game.presenter.draw(view, replace(_last_moment(snapshot, viewer), over=over), labels_of(game))
    may_act = role.present and role.seat in game.rules.to_move(snapshot.position)
    return {
        "match": match,
        "game": game,
        "role": role,
        "over": over,
        "own_version": snapshot.seats[role.seat].own_version if role.seat is not None else 0,
        # In real time the number of moves tells of claims that wait.
        "shown_ply": "" if real_time else str(match.ply),
        "epoch": _epoch(match),
        "missed": "" if over else _missed_rounds(snapshot, role),
        "turn_key": _turn_key(snapshot, role),
        "may_act": may_act,
        "prompt": "" if over else forced_out or texts.prompt(game, view, names),
        "own_exit": own_exit,
        "may_return": own is not None and own.is_taken_over,
        "rows": rows_of(snapshot, role.seat, drawing, attendance),
        "attendance": attendance,
        "choices": choices(snapshot, own, attendance),
        "timed": match.clock_main is not None,
        **log_of(snapshot, viewer),
        "turn_at_once": role.seat is not None if over else may_act and not real_time,
        "hints": not over and role.present and role.seat is not None and _may_ask_for_hints(snapshot, role.seat),
        "may_cancel": may_cancel(snapshot.seats),
        "recomputing": snapshot.recomputing,
        "kept_waiting": texts.kept_waiting(_idle_names(snapshot)) if role.kept_waiting else "",
        "pushed": pushed,
        "board": drawing.board,
        "hand": drawing.hand,
        **(_end(snapshot, role, said) if over else _offer_to_end(snapshot, role)),
        **(rematch_of(snapshot, role) if over else takeback_of(snapshot, role)),
    }


def _may_ask_for_hints(snapshot: Snapshot, seat: int) -> bool:
    return why_no_hints(snapshot.match, snapshot.seats, seat) is None


def _end(snapshot: Snapshot, role: Role, said: str) -> dict[str, Any]:
    """The result as it is said to the role.

    `said` is what there is to say of it among the best times.
    """
    match, seats, names = snapshot.match, snapshot.seats, snapshot.names
    return {
        "headline": result_texts.headline(match, names, seat=role.seat),
        "cause": result_texts.cause(match, seats, names, seat=role.seat),
        "own_rating": next(
            (result_texts.rating_change(change) for change in standing_changes(snapshot) if change.seat == role.seat),
            "",
        ),
        "won": role.seat is not None and match.standing is not None and match.standing["places"][role.seat] == 1,
        "solo": is_solo(match),
        "ranks": is_solo(match) and isinstance(match.game.rules, RanksSolo),
        "said_of_solo": said,
        **summary(snapshot),
    }


def _missed_rounds(snapshot: Snapshot, role: Role) -> str:
    """In real time, what a player is told who comes back to the page after having let rounds pass."""
    rounds = snapshot.seats[role.seat].idle_rounds if role.present and role.seat is not None else 0
    return texts.missed_rounds(rounds) if rounds else ""


def _offer_to_end(snapshot: Snapshot, role: Role) -> dict[str, Any]:
    """Who would end the match without a result, and who has not agreed yet, as its own people see it."""
    present = [seat for seat in snapshot.seats if seat.is_present]
    if not role.present or role.seat is None:
        return {}
    own = snapshot.seats[role.seat].wants_end
    offering = [snapshot.names[seat.index] for seat in present if seat.wants_end]
    waiting = [snapshot.names[seat.index] for seat in present if not seat.wants_end]
    return {
        "wants_end": own,
        "others_want_end": bool(offering) and not own,
        "offer": texts.offer_to_end(offering=offering, waiting=waiting, own=own) if offering else "",
        "alone": len(present) == 1,
    }


def _idle_names(snapshot: Snapshot) -> list[str]:
    idle = idle_seats(snapshot.match, snapshot.seats, clock.now())
    return [snapshot.names[seat.index] for seat in idle]


def _turn_key(snapshot: Snapshot, role: Role) -> str:
    if not role.present or role.seat is None:
        return ""
    return snapshot.match.turn_key(snapshot.position, role.seat)


def _kept(snapshot: Snapshot, key: Hashable, draw: Callable[[], T]) -> T:
    full_key = (key, get_language(), get_current_timezone_name() if _tells_times(snapshot.match) else "")
    drawn = snapshot.drawings.get(full_key)
    if drawn is None:
        drawn = snapshot.drawings[full_key] = draw()
    return cast(T, drawn)


def _tells_times(match: Match) -> bool:
    """Whether times of day stand in its drawings, which differ by the reader's zone."""
    return match.finished_at is not None or (match.pace == Match.Pace.TURNS and match.clock_main is not None)
