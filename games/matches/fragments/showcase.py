"""A match to look at on the home page: the board of one under way, or the last position of one that has ended."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from games.contract.values import OPEN, SPECTATOR
from games.matches import clock_texts
from games.matches.fragments.match import draw_board, moment_of
from games.matches.models import Match
from games.matches.result_texts import in_short
from games.matches.snapshots import Snapshot


def draw_showcase(snapshot: Snapshot) -> SafeString:
    """The match as a spectator sees it: the same bytes for everybody who reads the same language.

    Not for games in real time, whose boards live on by themselves.
    """
    # Names are looked up, and may change without the match: above all may nobody stay who has deleted the account.
    key = ("showcase", get_language(), *snapshot.names)
    drawn = snapshot.drawings.get(key)
    if drawn is None:
        drawn = snapshot.drawings[key] = _draw(snapshot)
    return drawn


def rows_to_watch(running: Iterable[Match]) -> list[dict[str, Any]]:
    """A line of the lobby's kind for each."""
    return [
        {"match": match, "clock": clock_texts.time_limit_of(match) if match.clock_main is not None else ""}
        for match in running
    ]


def _draw(snapshot: Snapshot) -> SafeString:
    match = snapshot.match
    game = match.game
    is_over = match.status == Match.Status.OVER
    viewer = OPEN if is_over else SPECTATOR
    moment = moment_of(snapshot.moves[-1] if snapshot.moves else None, viewer)
    context = {
        "match": match,
        "game": game,
        "names": snapshot.names,
        "board": draw_board(game, game.rules.view(snapshot.position, viewer), moment)["board"],
        "running": match.status == Match.Status.RUNNING,
        # Said of matches that the rules have not ended.
        "how": in_short(match, snapshot.seats, snapshot.names) if is_over and match.outcome is None else "",
    }
    return render_to_string("matches/showcase.html", context)
