"""A stored match as a record, and as a film: its positions one by one, as a viewer may see them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from threading import Lock
from typing import Any

from games.contract.record import make_record
from games.contract.values import Event, Json
from games.matches.log import load_event
from games.matches.models import LogEntry, Match, Move, Seat
from games.matches.selectors import house_entries, standing_moves

KEPT = 20
"""Films kept in a process, for who steps through them."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A moment of a match: the position then, and what has led to it since the frame before.

    `at` is in ms of match time. By turns each frame but the first has one move; in real time a frame is a moment at
    which something changed, and has the claims that arrived then, none or several. `acts` are those of the house.
    """

    at: int
    position: Any
    moves: tuple[Move, ...] = ()
    events: tuple[Event, ...] = ()
    acts: tuple[LogEntry, ...] = ()


Film = tuple[Frame, ...]
"""A match from its start to where it stands, replayed from the deal by the rules."""


_kept: OrderedDict[tuple[str, int], Film] = OrderedDict()
_lock = Lock()


def film(match: Match) -> Film:
    """The film of the match; never of one in real time that runs, whose moves tell of claims that wait."""
    assert not (match.in_real_time and match.status == Match.Status.RUNNING)
    key = (match.slug, match.version)
    kept = _kept.get(key)
    if kept is not None:
        return kept
    moves, acts = standing_moves(match=match), house_entries(match=match)
    shot = tuple(_in_real_time(match, moves, acts) if match.in_real_time else _by_turns(match, moves, acts))
    with _lock:
        _kept[key] = shot
        while len(_kept) > KEPT:
            _kept.popitem(last=False)
    return shot


def _by_turns(match: Match, moves: Iterable[Move], acts: Sequence[LogEntry]) -> Iterator[Frame]:
    """A frame for the start, and one after each move; with it what the house did before the next."""
    rules = match.game.rules
    position = rules.start(match.options, match.deal or {}, match.seat_count)
    yield Frame(0, position, acts=tuple(act for act in acts if act.ply == 0))
    for move in moves:
        position, _ = rules.advance(position, move.at)
        position, _ = rules.play(position, move.seat, rules.parse_move(move.text), at=move.at, lag=move.lag)
        events, then = tuple(map(load_event, move.events)), tuple(act for act in acts if act.ply == move.ply)
        yield Frame(move.at, position, (move,), events, then)


def _in_real_time(match: Match, moves: Iterable[Move], acts: Iterable[LogEntry]) -> list[Frame]:
    """A frame for the start, and one for each moment at which something changed.

    The last position is brought to what the match has reached, as the stored one is.
    """
    frames: list[Frame] = []
    for step in _steps(match, moves, acts):
        if frames and frames[-1].at == step.at:
            before = frames.pop()
            step = replace(
                step,
                moves=before.moves + step.moves,
                events=before.events + step.events,
                acts=before.acts + step.acts,
            )
        frames.append(step)
    frames[-1] = replace(frames[-1], position=match.game.rules.advance(frames[-1].position, match.reached)[0])
    return frames


def _steps(match: Match, moves: Iterable[Move], acts: Iterable[LogEntry]) -> Iterator[Frame]:
    """What was due, the claims and the acts of the house in order; several may share a moment."""
    rules = match.game.rules
    position = rules.start(match.options, match.deal or {}, match.seat_count)
    yield Frame(0, position)
    happened: list[tuple[int, int, int, Move | LogEntry | None]] = [(move.at, move.ply, 0, move) for move in moves]
    happened += [(act.at, act.ply, 1, act) for act in acts]
    happened.append((match.reached, match.ply, 2, None))
    for at, _ply, _kind, what in sorted(happened, key=lambda entry: entry[:3]):
        while (due := rules.due(position)) is not None and due <= min(at, match.reached):
            position, events = rules.advance(position, due)
            yield Frame(due, position, events=events)
        if isinstance(what, Move):
            move = rules.parse_move(what.text)
            position, events = rules.play(position, what.seat, move, at=at, lag=what.lag)
            yield Frame(at, position, (what,), events)
        elif what is not None:
            yield Frame(at, position, acts=(what,))


def match_record(match: Match, seats: Sequence[Seat], moves: Sequence[Move] | None = None) -> dict[str, Json]:
    """The record of a match that is over. A running one has none, for anybody: its deal holds all that is hidden.

    `moves` are those that stand, for who has loaded them already.
    """
    assert match.status == Match.Status.OVER
    leavers = sorted((seat for seat in seats if seat.left_order is not None), key=lambda seat: seat.left_order or 0)
    return make_record(
        game=match.game_slug,
        options=match.options,
        players=[seat.shown_name for seat in seats],
        deal=match.deal or {},
        moves=[move.as_record() for move in (standing_moves(match=match) if moves is None else moves)],
        until=match.reached if match.game.info.real_time else None,
        # The rules' outcome where there is one, even if a moderator voided the match later: the moves lead there.
        outcome=match.outcome or {"reason": match.reason, **(match.standing or {})},
        left=[seat.index for seat in leavers],
        # As it was made at the start: it breaks if the deal is another now.
        shuffle=match.seal,
    )
