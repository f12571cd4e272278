"""A finished match as a sheet of plain text, to be read, printed, or kept beside the pieces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from accounts.people.names import FIRST_STRONG_ISOLATE, POP_ISOLATE, isolated_name
from games.contract.values import OPEN
from games.matches import bot_texts, result_texts, texts
from games.matches.models import LogEntry, Match, Move, Seat
from games.matches.selectors import log_entries, standing_moves

DAY_S = 24 * 60 * 60
INDENT = " " * 4
_NO_ISOLATES = str.maketrans("", "", FIRST_STRONG_ISOLATE + POP_ISOLATE)


def match_sheet(match: Match, seats: Sequence[Seat], *, address: str) -> str:
    """The whole match in words: what was played, by whom, how it ended, and every move with its time.

    `address` is the match's page. Only of a match that is over, since it says what each player held.
    """
    assert match.status == Match.Status.OVER
    names = [seat.shown_name for seat in seats]
    blocks = [
        [_("A match of %(game)s") % {"game": match.game.info.title}],
        [*_facts(match), _fact(_("Address"), address)],
        [_("Players"), *_players(match, seats)],
        [_("Result"), INDENT + result_texts.headline(match, names), INDENT + result_texts.cause(match, seats, names)],
        [_("Moves"), *_log(match, names)],
    ]
    # A page needs isolates around names; in a file they are only characters that nobody sees.
    return ("\n\n".join("\n".join(block) for block in blocks) + "\n").translate(_NO_ISOLATES)


def _facts(match: Match) -> Iterator[str]:
    for label, value, _help in texts.options(match.game, match.options, match.seat_count):
        yield _fact(label, value)
    yield _fact(_("Pace"), match.get_pace_display())
    if match.started_at is not None:
        yield _fact(_("Begun"), date_format(match.started_at, "DATETIME_FORMAT"))
    if match.finished_at is not None:
        yield _fact(_("Ended"), date_format(match.finished_at, "DATETIME_FORMAT"))
    if match.seal is not None:
        yield _fact(_("Seal of the deal"), match.seal["sha256"])
        yield _fact(_("Nonce"), match.seal["nonce"])


def _players(match: Match, seats: Sequence[Seat]) -> Iterator[str]:
    """A line a seat: its number, who sat there, and how they came out."""
    standing = match.standing
    for seat in seats:
        notes = [isolated_name(seat.shown_name)]
        if seat.kind == Seat.Kind.BOT:
            notes.append(bot_texts.bot(seat.level))
        if standing is not None:
            if len(seats) > 1:
                notes.append(_("place %(place)s") % {"place": standing["places"][seat.index]})
            notes.append(texts.counted(match.game, standing["scores"][seat.index], len(seats)))
        if seat.left_order is not None:
            notes.append(_("has left"))
        if seat.is_taken_over:
            notes.append(bot_texts.bot(seat.level))
        yield f"{INDENT}{seat.index + 1}. {_(', ').join(notes)}"


def _log(match: Match, names: Sequence[str]) -> Iterator[str]:
    """The moves, numbered, each with its time and what followed; and what time or the house has done, in between."""
    game = match.game
    moves, entries = standing_moves(match=match), log_entries(match=match)
    rows: list[tuple[int, int, int, Move | LogEntry]] = [(move.ply, move.at, 0, move) for move in moves]
    rows += [(entry.ply, entry.at, entry.pk, entry) for entry in entries]
    width = len(str(match.ply))
    for ply, at, _order, row in sorted(rows, key=lambda row: row[:3]):
        if isinstance(row, Move):
            number = f"{ply:>{width}}."
            lines = texts.move_lines(row, game=game, names=names, viewer=OPEN)
        else:
            number = " " * (width + 1)
            lines = texts.entry_lines(row, game=game, names=names)
        margin = f"{INDENT}{number}  {_time(at, fine=game.info.real_time):>12}  "
        for line in lines:
            yield margin + line
            margin = " " * len(margin)
    if not rows:
        yield INDENT + _("Nobody has moved.")


def _fact(label: str, value: str) -> str:
    return _("%(label)s: %(value)s") % {"label": label, "value": value}


def _time(at: int, *, fine: bool) -> str:
    """Match time as 0:00:05, after a day as 2 d 01:00:05; where all play at once with its milliseconds."""
    days, seconds = divmod(at // 1000, DAY_S)
    clock = f"{seconds // 3600:0{2 if days else 1}}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    if fine:
        clock += f".{at % 1000:03}"
    return _("%(days)s d %(clock)s") % {"days": days, "clock": clock} if days else clock
