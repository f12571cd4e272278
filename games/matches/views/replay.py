"""Stepping through a match, a link for each ply; and its record for download, once it is over."""

from __future__ import annotations

import json
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import add_never_cache_headers
from django.views.decorators.http import require_safe

from games.contract.values import OPEN, Viewer
from games.matches import result_texts, texts
from games.matches.errors import NotFound
from games.matches.fragments.match import draw_board, draw_sprite, moment_of
from games.matches.models import Match
from games.matches.replays import film, match_record
from games.matches.selectors import Snapshot, snapshot
from games.matches.views.people import caller, person


@require_safe
def replay(request: HttpRequest, slug: str, ply: int | None = None) -> HttpResponse:
    """The position after `ply` moves (the last one if left out), as the person may see it.

    Once the match is over `?seat=n` shows it as that seat's player saw it then; while it runs, a player sees the own
    hand, everybody else none.
    """
    current = _match(request, slug)
    match, names, over = current.match, current.names, current.match.status == Match.Status.OVER
    shot = film(match)
    last = len(shot.moves)
    shown = last if ply is None else ply
    if not 0 <= shown <= last:
        raise Http404
    viewer = _viewer(request, current)
    game = match.game
    move = shot.moves[shown - 1] if shown else None
    view = game.rules.view(shot.positions[shown], viewer)
    drawing = draw_board(game, view, moment_of(move, viewer))
    context: dict[str, Any] = {
        "match": match,
        "game": game,
        "ply": shown,
        "last": last,
        "seat": viewer if isinstance(viewer, int) else None,
        "seat_query": f"?seat={viewer}" if over and isinstance(viewer, int) else "",
        "over": over,
        **(_result(request, current) if over and shown == last else {}),
        "rows": list(zip(current.seats, names, drawing["panels"], strict=True)),
        "lines": texts.move_lines(move, game=game, names=names, viewer=viewer) if move else [],
        "moves": [
            {"ply": other.ply, "lines": texts.move_lines(other, game=game, names=names, viewer=viewer)}
            for other in shot.moves
        ],
        "sprite": draw_sprite(game),
        "board": drawing["board"],
        "hand": drawing["hand"],
    }
    response = render(request, "matches/replay.html", context)
    add_never_cache_headers(response)
    return response


@require_safe
def record(request: HttpRequest, slug: str) -> HttpResponse:
    """The match as a record, for download; only once it is over."""
    current = _match(request, slug)
    if current.match.status != Match.Status.OVER:
        raise Http404
    text = json.dumps(match_record(current.match, current.seats), ensure_ascii=False, indent=1)
    name = f"tesela-{current.match.game_slug}-{slug}.json"
    return HttpResponse(
        text,
        content_type="application/json; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


def _result(request: HttpRequest, current: Snapshot) -> dict[str, str]:
    """How the match ended, said to who asks."""
    own = current.seat_of(person(request))
    seat = own.index if own is not None else None
    return {
        "headline": result_texts.headline(current.match, current.names, seat=seat),
        "cause": result_texts.cause(current.match, current.seats, current.names, seat=seat),
    }


def _match(request: HttpRequest, slug: str) -> Snapshot:
    try:
        current = snapshot(slug=slug, caller=caller(request, slug))
    except NotFound:
        raise Http404 from None
    if current.match.position is None:
        raise Http404
    return current


def _viewer(request: HttpRequest, current: Snapshot) -> Viewer:
    """Whose eyes: a chosen seat's once the match is over, otherwise what the person may know."""
    own = current.viewer_for(person(request))
    chosen = request.GET.get("seat", "")
    if own is not OPEN or not (chosen.isascii() and chosen.isdigit() and len(chosen) < 3):
        return own
    return int(chosen) if int(chosen) < len(current.seats) else own
