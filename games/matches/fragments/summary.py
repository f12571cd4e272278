"""What there is to say of a match once it is over: how each came out, with which options, from when until when."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from games.matches import bot_texts, clock_texts, result_texts, texts
from games.matches.models import Match, Seat
from games.matches.snapshots import Snapshot


def summary(snapshot: Snapshot) -> dict[str, Any]:
    """The table of the result, best first, and the facts as labels with their values. Plain text."""
    return {"results": _results(snapshot), "facts": list(_facts(snapshot.match))}


def _results(snapshot: Snapshot) -> list[dict[str, Any]]:
    """A line a seat; none where the match has no result."""
    match = snapshot.match
    if match.standing is None:
        return []
    # Who plays alone has no place among others.
    places = match.standing["places"] if match.seat_count > 1 else [None]
    lines = [
        {
            "place": place,
            "name": name,
            "score": result_texts.score(match, seat.index),
            "note": _note(seat),
        }
        for seat, name, place in zip(snapshot.seats, snapshot.names, places, strict=True)
    ]
    return sorted(lines, key=lambda line: line["place"] or 0)


def _note(seat: Seat) -> str:
    if seat.kind == Seat.Kind.BOT:
        return bot_texts.bot(seat.level)
    said = [seat.get_exit_display()] if seat.left_order is not None else []
    if seat.is_taken_over:
        said.append(bot_texts.bot(seat.level))
    return _(", ").join(said)


def _facts(match: Match) -> Iterator[tuple[str, str]]:
    for label, value, _help in texts.options(match.game, match.options, match.seat_count):
        yield label, value
    yield _("Pace"), match.get_pace_display()
    limit = clock_texts.time_limit_of(match)
    if limit:
        yield _("Clock"), limit
    yield _("Rating"), _("Rated") if match.rated else _("Unrated")
    if match.bot_takes_over:
        yield _("Leaving"), _("A bot stands in for who leaves")
    if match.started_at is not None:
        yield _("Begun"), date_format(localtime(match.started_at), "DATETIME_FORMAT")
    if match.finished_at is not None:
        yield _("Ended"), date_format(localtime(match.finished_at), "DATETIME_FORMAT")
        if match.epoch is not None:
            # Without the time for which the house was down.
            played = timedelta(milliseconds=match.milliseconds(match.finished_at))
            yield _("Duration"), clock_texts.time_played(played)
