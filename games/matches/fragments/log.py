"""The last of a match's log, as its page lists it and as it is read out to those who listen to it."""

from __future__ import annotations

from functools import cache, lru_cache, partial
from html import escape
from typing import Any, NamedTuple

from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from games.contract.values import SPECTATOR, Viewer
from games.matches import texts
from games.matches.fragments.trust import SWAP, joined, trusted
from games.matches.log import event_of
from games.matches.models import LogEntry, Match, Move
from games.matches.snapshots import TAIL, Snapshot

NEWS_TAIL = 9
"""Lines that a push brings; of more than the script reads out in full it tells only that there were more."""


def log_of(snapshot: Snapshot, viewer: Viewer) -> dict[str, Any]:
    """Its lines as markup: `log` newest first, and of those the last ones in order as `news`."""
    found = sorted(_entries(snapshot, viewer), key=lambda entry: entry[0], reverse=True)
    # Names are among them: whoever takes another one is named so in older lines, too.
    terms, piece = (get_language(), tuple(snapshot.names)), snapshot.pieces.piece
    lines = []
    for order, entry in found:
        told = _told_to(entry, viewer)
        line = piece(("log", order, told, terms), partial(_draw_line, snapshot, told, order, entry))
        if line:
            lines.append(line)
    # Of moves and entries the same number is loaded: what is older than the last of either may be incomplete.
    shown = lines[:TAIL]
    return {
        "log": joined(line for line, _news in shown),
        "news": joined(news for _line, news in shown[:NEWS_TAIL][::-1]),
    }


Order = tuple[int, int, int]
"""Of a line: the moves that stood, the match time, and the entry's number, 0 for a move."""


def _entries(snapshot: Snapshot, viewer: Viewer) -> list[tuple[Order, Move | LogEntry]]:
    """Moves with what followed, and what time or the house has done."""
    found: list[tuple[Order, Move | LogEntry]] = [((move.ply, move.at, 0), move) for move in snapshot.moves]
    for entry in snapshot.entries:
        if event_of(entry).seen_by(viewer):
            found.append(((entry.ply, entry.at, entry.pk), entry))
    return found


def _told_to(entry: Move | LogEntry, viewer: Viewer) -> Viewer:
    """For whom it is put into words: all who are told the same share them."""
    return SPECTATOR if isinstance(entry, LogEntry) or entry.is_told_alike else viewer


def _draw_line(
    snapshot: Snapshot, viewer: Viewer, order: Order, entry: Move | LogEntry
) -> tuple[SafeString, SafeString] | tuple[()]:
    """One line of the list, and the same as it is read out; nothing where something else says it already."""
    match, names = snapshot.match, snapshot.names
    if isinstance(entry, Move):
        words = texts.move_lines(entry, game=match.game, names=names, viewer=viewer)
    else:
        words = texts.entry_lines(entry, game=match.game, names=names)
    if not words:
        return ()
    ply, at, number = order
    real_time = match.game.info.real_time
    link = ""
    if not real_time:
        # That of a move or entry alone: after one was taken back, several stand after the same move.
        name = f"{ply}-{number}" if number else ply
        label = escape(_("Position after move %(ply)s") % {"ply": ply})
        path = _ply_path(match.slug, ply)
        link = f'<a id="log-{name}" class="log-ply number" href="{path}" aria-label="{label}">{ply}</a> '
    first, *others = map(escape, words)
    said = f"<span>{first}</span> " + "".join(f'<span class="muted">{other}</span> ' for other in others)
    line = trusted(f'<li>{link}<span class="log-words">{said}</span></li>')
    # It tells apart lines of the same words; in real time by the time, since the number of moves tells of claims
    # that wait.
    news = trusted(f'<li data-key="{at if real_time else ply}">{escape(" ".join(words))}</li>')
    return line, news


def draw_log(match: Match, lines: SafeString, *, pushed: bool) -> SafeString:
    """The last of the log under its title, with the way to all of it."""
    real_time, words = match.game.info.real_time, _words(get_language())
    more = ""
    if match.status == Match.Status.OVER:
        more = f'<p><a id="all-moves" href="{_replay_path(match.slug)}">{words.all_moves}</a></p>'
    elif match.status == Match.Status.RUNNING and not real_time:
        more = f'<p><a href="{_replay_path(match.slug)}">{words.so_far}</a></p>'
    listed = (
        f'<ol id="log-lines" class="log-lines" tabindex="0" aria-labelledby="log-title">{lines}</ol>{more}'
        if lines
        else f'<p class="muted">{words.nothing[real_time]}</p>'
    )
    return trusted(
        f'<section id="log" class="log" aria-labelledby="log-title"{SWAP[pushed]}>'
        f'<h2 id="log-title">{words.title[real_time]}</h2>{listed}</section>'
    )


def _ply_path(slug: str, ply: int) -> str:
    return f"{_first_ply_path(slug).removesuffix('0/')}{ply}/"


@lru_cache(maxsize=1024)
def _first_ply_path(slug: str) -> str:
    return reverse("replay", args=[slug, 0])


@lru_cache(maxsize=1024)
def _replay_path(slug: str) -> str:
    return reverse("replay-end", args=[slug])


class Words(NamedTuple):
    """The words of a language that stand around every log, escaped; by whether it is one in real time."""

    title: tuple[str, str]
    nothing: tuple[str, str]
    all_moves: str
    so_far: str


@cache
def _words(language: str | None) -> Words:
    """Of the language that is in force."""
    return Words(
        title=(escape(_("Last moves")), escape(_("What happened last"))),
        nothing=(escape(_("Nobody has moved yet.")), escape(_("Nothing has happened yet."))),
        all_moves=escape(_("All moves, from the start")),
        so_far=escape(_("All moves so far")),
    )
