"""A match as its page and every push show it.

One drawing serves all who may see the same: it is kept with the snapshot, by role and language.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from games.contract.registry import Game
from games.contract.values import Moment, Viewer
from games.matches import result_texts, texts
from games.matches.errors import Refused
from games.matches.log import load_event
from games.matches.models import Match, Move, Seat, may_cancel
from games.matches.selectors import Snapshot

if TYPE_CHECKING:
    from accounts.people.models import User

TABLE, MATCH = "table", "match"


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


def role_of(snapshot: Snapshot, user: User | None) -> Role:
    """The person's role at this match."""
    seat = snapshot.seat_of(user)
    return Role(
        viewer=snapshot.viewer_for(user),
        seat=seat.index if seat is not None else None,
        present=seat is not None and seat.is_present,
        host=user is not None and snapshot.match.host_id == user.pk,
        member=user is not None,
    )


def stage_kind(snapshot: Snapshot) -> str:
    """Which of the two stages shows this match: the table that waits, or the board."""
    return TABLE if snapshot.match.position is None else MATCH


def draw_stage(snapshot: Snapshot, user: User | None, *, pushed: bool = False) -> SafeString:
    """The whole stage, for a page; with `pushed` as an out-of-band swap that replaces another one."""
    role = role_of(snapshot, user)
    if stage_kind(snapshot) == TABLE:
        return _kept(snapshot, ("table", role, pushed), lambda: _draw_table(snapshot, role, pushed=pushed))
    return _kept(snapshot, ("stage", role, pushed), lambda: _draw_match(snapshot, role, whole=True, pushed=pushed))


def draw_update(snapshot: Snapshot, user: User | None, *, shown: str) -> SafeString:
    """What brings a page that shows the stage `shown` up to this version: out-of-band swaps by id."""
    if stage_kind(snapshot) == TABLE or shown != MATCH:
        return draw_stage(snapshot, user, pushed=True)
    role = role_of(snapshot, user)
    return _kept(snapshot, ("update", role), lambda: _draw_match(snapshot, role, whole=False, pushed=True))


def draw_notice(error: Refused) -> SafeString:
    """A refusal, as an out-of-band swap of the page's notice."""
    return render_to_string("matches/notice.html", {"notice": texts.refusal(error), "code": error.code, "pushed": True})


def draw_board(game: Game, view: Any, moment: Moment) -> dict[str, Any]:
    """The presenter's drawing, ready for a template."""
    drawing = game.presenter.draw(view, moment, game.texts.say)
    return {
        "board": _ready(drawing.board),
        "hand": _ready(drawing.hand),
        "panels": [_ready(panel) for panel in drawing.panels],
        "tallies": [_ready(tally) for tally in drawing.tallies],
    }


def draw_sprite(game: Game) -> SafeString:
    """The drawings that the game's boards refer to; a page has them once, so that a push need not bring them."""
    return _ready(game.presenter.sprite())


def moment_of(move: Move | None, viewer: Viewer) -> Moment:
    """What a move of the log has made happen, as the viewer may know it."""
    if move is None:
        return Moment()
    events = tuple(event for event in map(load_event, move.events) if event.seen_by(viewer))
    return Moment(seat=move.seat, move=move.seen_by(viewer), events=events)


def _draw_table(snapshot: Snapshot, role: Role, *, pushed: bool) -> SafeString:
    match = snapshot.match
    game = match.game
    labels = [(game.texts.option(key), *game.texts.option_value(key, value)) for key, value in match.options.items()]
    context = {
        "match": match,
        "game": game,
        "tagline": game.texts.tagline(),
        "places": list(zip(snapshot.seats, _sides(match), strict=True)),
        "options": labels,
        "role": role,
        "own": snapshot.seats[role.seat] if role.seat is not None else None,
        "free": any(seat.is_free for seat in snapshot.seats),
        "host": next((seat.user for seat in snapshot.seats if seat.user_id == match.host_id and seat.user), None),
        "levels": game.bot.LEVELS,
        "pushed": pushed,
    }
    return render_to_string("matches/table_stage.html", context)


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


def _draw_match(snapshot: Snapshot, role: Role, *, whole: bool, pushed: bool) -> SafeString:
    match = snapshot.match
    game, viewer, names = match.game, role.viewer, snapshot.names
    view = game.rules.view(snapshot.position, viewer)
    last = snapshot.moves[-1] if snapshot.moves else None
    over = match.status in (Match.Status.OVER, Match.Status.CLOSED)
    drawing = draw_board(game, view, moment_of(last, viewer))
    context = {
        "match": match,
        "game": game,
        "role": role,
        "over": over,
        "turn_key": _turn_key(snapshot, role),
        "may_act": role.present and role.seat in match.to_move,
        "prompt": "" if over else texts.prompt(game, view, names),
        "rows": _seat_rows(snapshot, drawing),
        "log": [
            {"ply": move.ply, "lines": texts.move_lines(move, game=game, names=names, viewer=viewer)}
            for move in reversed(snapshot.moves)
        ],
        "may_cancel": may_cancel(snapshot.seats),
        "whole": whole,
        "pushed": pushed,
        **drawing,
        **(_end(snapshot, role) if over else _offer_to_end(snapshot, role)),
    }
    return render_to_string("matches/match_stage.html" if whole else "matches/match_update.html", context)


def _end(snapshot: Snapshot, role: Role) -> dict[str, Any]:
    """The result as it is said to the role, and whether the same match can be had again with a click."""
    match, seats, names = snapshot.match, snapshot.seats, snapshot.names
    others = [seat for seat in seats if seat.index != role.seat]
    return {
        "headline": result_texts.headline(match, names, seat=role.seat),
        "cause": result_texts.cause(match, seats, names, seat=role.seat),
        "won": role.seat is not None and match.standing is not None and match.standing["places"][role.seat] == 1,
        "play_again": role.seat is not None and [seat.kind for seat in others] == [Seat.Kind.BOT],
    }


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


def _turn_key(snapshot: Snapshot, role: Role) -> str:
    if not role.present or role.seat is None:
        return ""
    return snapshot.match.game.rules.turn_key(snapshot.position, role.seat)


def _seat_rows(snapshot: Snapshot, drawing: dict[str, Any]) -> list[dict[str, Any]]:
    match = snapshot.match
    standing = match.standing or {}
    places = standing.get("places")
    panels, tallies = drawing["panels"], drawing["tallies"]
    return [
        {
            "seat": seat,
            "name": name,
            "panel": panels[seat.index] if panels else "",
            "tally": tallies[seat.index] if tallies else "",
            "to_move": seat.index in match.to_move,
            "left": seat.left_order is not None,
            "is_bot": seat.kind == Seat.Kind.BOT,
            "place": places[seat.index] if places else None,
        }
        for seat, name in zip(snapshot.seats, snapshot.names, strict=True)
    ]


def _kept(snapshot: Snapshot, key: Hashable, draw: Callable[[], SafeString]) -> SafeString:
    full_key = (key, get_language())
    drawn = snapshot.drawings.get(full_key)
    if drawn is None:
        drawn = snapshot.drawings[full_key] = draw()
    return drawn


def _ready(markup: str) -> SafeString:
    """The one place that trusts a string: presenters give markup with no text in it that a person wrote."""
    return mark_safe(markup)
