"""The players of a match as its page shows them: in short above the board, and each with what lies before them.

In f-strings, since every move changes them, and as templates they took longer than the board (docs/decisions/0023).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from html import escape

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.safestring import SafeString
from django.utils.timezone import localtime
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from accounts.people.templatetags.names import display_name
from games.contract.values import Drawing
from games.matches import bot_texts, clock_texts, result_texts, texts
from games.matches.attendance import Attendance, Sign
from games.matches.fragments.trust import SWAP, trusted
from games.matches.models import Match, RatingChange, Seat
from games.matches.skill import SETTLED_AFTER
from games.matches.snapshots import Snapshot


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a language that stand in every row, escaped."""

    score: str
    to_move: str
    place: str
    you: str
    on_vacation: str
    out_of_time: str
    has_left: str
    rating: str
    provisional: str
    time_left: str
    signs: dict[Sign, str]


@dataclass(frozen=True, slots=True)
class Row:
    """A player, as everybody sees them: `own` is the reader's. Of markup and texts, not escaped where it is a text."""

    seat: int
    own: bool
    to_move: bool
    name: str
    username: str
    panel: str
    tally: str
    clock: str
    sign: Sign | None
    bot: str
    left: bool
    exit: str
    runs_out: str
    on_vacation: bool
    place: int | None
    rating: str
    provisional: bool


def rows_of(snapshot: Snapshot, own: int | None, drawing: Drawing, attendance: Attendance) -> tuple[Row, ...]:
    """All players, by seat."""
    match = snapshot.match
    places = (match.standing or {}).get("places") if match.seat_count > 1 else None
    changes = {change.seat: change for change in standing_changes(snapshot)}
    return tuple(
        Row(
            seat=seat.index,
            own=seat.index == own,
            to_move=seat.index in match.to_move,
            name=name,
            username=seat.user.username if seat.user is not None and seat.user.has_profile else "",
            panel=drawing.panels[seat.index] if drawing.panels else "",
            tally=drawing.tallies[seat.index] if drawing.tallies else "",
            clock=draw_clock(match, seat),
            sign=attendance.signs.get(seat.index) if seat.index != own else None,
            bot=bot_texts.bot(seat.level) if seat.kind == Seat.Kind.BOT or seat.is_taken_over else "",
            left=seat.left_order is not None,
            exit=seat.exit,
            runs_out=_runs_out(match, seat),
            on_vacation=seat.away_until is not None,
            place=places[seat.index] if places else None,
            rating=result_texts.rating_change(changes[seat.index]) if seat.index in changes else "",
            provisional=seat.index in changes and changes[seat.index].nth < SETTLED_AFTER,
        )
        for seat, name in zip(snapshot.seats, snapshot.names, strict=True)
    )


def standing_changes(snapshot: Snapshot) -> tuple[RatingChange, ...]:
    """What the match did to the ratings; nothing once it is voided, even if the ledger still has it."""
    return snapshot.changes if snapshot.match.standing is not None else ()


def draw_tally(rows: tuple[Row, ...], *, timed: bool, pushed: bool) -> SafeString:
    """In short: who is to move, the score, the clock, and a sign for who is not there."""
    words = _words(get_language())
    lines = "".join(
        f'<li class="{"to-move" if row.to_move else ""}{" own" if row.own else ""}">'
        f'<a id="tally-{row.seat}" href="#seat-{row.seat}">'
        f"{_to_move_unseen(words) if row.to_move else ''}{display_name(row.name)}</a>"
        f" {row.tally} {row.clock}{draw_tally_presence(row.seat, row.sign)}</li>"
        for row in rows
    )
    return trusted(
        f'<ol id="tally" class="tally{" timed" if timed else ""}" aria-label="{words.score}"{SWAP[pushed]}>{lines}</ol>'
    )


def draw_players(rows: tuple[Row, ...], *, pushed: bool) -> SafeString:
    """Each with a name, signs of what there is to know of them, and what the game shows before them."""
    words = _words(get_language())
    return trusted(
        f'<ol id="players" class="players"{SWAP[pushed]}>{"".join(_player(row, words) for row in rows)}</ol>'
    )


def draw_clock(match: Match, seat: Seat) -> SafeString:
    """What is left on the seat's clock, and since when it runs; nothing for who has none, or has left.

    The server's truth, from which the page's script counts down. The same bytes whenever it is drawn of one version:
    the figure is what was left when the clock began to run.
    """
    running = match.status == Match.Status.RUNNING
    if seat.clock_left is None or (running and seat.left_order is not None):
        return SafeString()
    low = clock_texts.LOW_MS[match.pace]
    since = "" if seat.clock_since is None else seat.clock_since
    classes = f"clock number{' running' if since != '' else ''}{' low' if running and seat.clock_left < low else ''}"
    return trusted(
        f'<span class="{classes}" role="timer" data-left="{seat.clock_left}" data-since="{since}" data-low="{low}">'
        f'<span class="visually-hidden">{_words(get_language()).time_left}: </span>'
        f'<span class="clock-figure">{escape(clock_texts.time_left(seat.clock_left))}</span></span>'
    )


def draw_presence(seat: int, sign: Sign | None, *, pushed: bool = False) -> SafeString:
    """Beside a name: whether the player is there. Nothing stands for bots, who has left, and oneself."""
    shown = f'<span class="presence-sign" aria-hidden="true"></span>{_sign_word(sign)}' if sign else ""
    return trusted(
        f'<span id="presence-{seat}" class="presence{f" {sign}" if sign else ""}"{SWAP[pushed]}>{shown}</span>'
    )


def draw_tally_presence(seat: int, sign: Sign | None, *, pushed: bool = False) -> SafeString:
    """In the tally: a sign for who is not there."""
    shown = ""
    if sign and sign != Sign.HERE:
        word = _sign_word(sign)
        shown = f'<span class="presence-sign" title="{word}"></span><span class="visually-hidden">{word}</span>'
    classes = f"presence {sign}" if sign else "presence"
    return trusted(f'<span id="tally-presence-{seat}" class="{classes}"{SWAP[pushed]}>{shown}</span>')


def _player(row: Row, words: Words) -> str:
    classes = "player" + " to-move" * row.to_move + " left" * row.left + " own" * row.own
    name = display_name(row.name)
    if row.username:
        name = trusted(f'<a id="seat-{row.seat}-name" href="{_profile_path(row.username)}">{name}</a>')
    signs = [f'<span class="place number" title="{words.place}">{row.place}.</span>' if row.place else "", name]
    signs.append(_tag(words.you) if row.own else "")
    signs.append(draw_presence(row.seat, row.sign))
    signs.append(_tag(words.on_vacation) if row.on_vacation else "")
    if row.exit == Seat.Exit.FLAGGED:
        signs.append(_tag(words.out_of_time, "bad"))
    elif row.left:
        signs.append(_tag(words.has_left, "bad"))
    signs.append(_tag(escape(row.bot)) if row.bot else "")
    signs.append(_tag(words.to_move, "accent") if row.to_move else "")
    below = f'<p class="clock-end muted small">{escape(row.runs_out)}</p>' if row.runs_out else ""
    if row.rating:
        settled = f' <span class="muted">{words.provisional}</span>' if row.provisional else ""
        below += (
            f'<p class="rating-change small"><span class="muted">{words.rating}</span>'
            f' <span class="number">{escape(row.rating)}</span>{settled}</p>'
        )
    return (
        f'<li id="seat-{row.seat}" class="{classes}"><div class="player-head">'
        f'<p class="player-name">{" ".join(filter(None, signs))}</p> {row.clock}</div>{below}{row.panel}</li>'
    )


def _tag(word: str, kind: str = "") -> str:
    return f'<span class="tag{f" {kind}" if kind else ""}">{word}</span>'


def _to_move_unseen(words: Words) -> str:
    return f'<span class="visually-hidden">{words.to_move}: </span>'


@lru_cache(maxsize=4096)
def _profile_path(username: str) -> str:
    return reverse("profile", args=[username])


def _runs_out(match: Match, seat: Seat) -> str:
    """By turns, when the time for the move is up: what one plans by. "" while the clock stands."""
    if match.pace != Match.Pace.TURNS or seat.flags_at is None:
        return ""
    moment = date_format(localtime(match.moment_of(seat.flags_at)), "DATETIME_FORMAT")
    return _("Time until %(moment)s") % {"moment": moment}


def _sign_word(sign: Sign) -> str:
    return _words(get_language()).signs[sign]


@cache
def _words(language: str | None) -> Words:
    """Of the language that is in force."""
    return Words(
        score=escape(_("Score")),
        to_move=escape(_("to move")),
        place=escape(_("Place")),
        you=escape(_("you")),
        on_vacation=escape(_("on vacation")),
        out_of_time=escape(_("out of time")),
        has_left=escape(_("has left")),
        rating=escape(_("Rating")),
        provisional=escape(_("provisional")),
        time_left=escape(_("Time left")),
        signs={sign: escape(texts.presence(sign)) for sign in Sign},
    )
