"""Stepping through a match, a link for each frame; its record and its pictures for download, once it is over."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import add_never_cache_headers
from django.views.decorators.http import require_safe

from games.contract.durations import to_the_millisecond
from games.contract.registry import Game
from games.contract.values import OPEN, Moment, Viewer
from games.matches import result_texts, texts
from games.matches.conversations import conversation
from games.matches.errors import NotFound
from games.matches.fragments.chat import draw_said
from games.matches.fragments.match import draw_board, draw_sprite, moment_of, recent_moment
from games.matches.fragments.picture import draw_picture
from games.matches.models import Match
from games.matches.numbers import whole_number
from games.matches.replays import Film, Frame, film, match_record
from games.matches.snapshots import Snapshot, snapshot
from games.matches.views.people import caller, person


@require_safe
def replay(request: HttpRequest, slug: str, ply: int | None = None) -> HttpResponse:
    """The frame of that number (the last one if left out), as the person may see it; by turns that is the ply.

    Once the match is over `?seat=n` shows it as that seat's player saw it then; while it runs, a player sees the own
    hand, everybody else none. With `?part=1` it comes without the page around it and the list of moves: the page's
    script swaps frames by these.
    """
    current = _match(request, slug)
    match, shot = current.match, film(current.match)
    shown = len(shot) - 1 if ply is None else ply
    if not 0 <= shown < len(shot):
        raise Http404
    viewer = _viewer(request, current)
    part = request.GET.get("part") == "1"
    context = {
        "match": match,
        "game": match.game,
        "over": match.status == Match.Status.OVER,
        "part": part,
        "seat": viewer if isinstance(viewer, int) else None,
        **_frame(request, current, shot, shown, viewer),
        **({} if part else _surroundings(current, shot, shown, viewer)),
        "said": "" if part else _said(request, current),
        # To everybody alike, also to guests, who log in first.
        "may_report": sum(seat.user_id is not None for seat in current.seats) > 1,
    }
    response = render(request, "matches/replay.html", context)
    add_never_cache_headers(response)
    return response


def _frame(request: HttpRequest, current: Snapshot, shot: Film, shown: int, viewer: Viewer) -> dict[str, Any]:
    """What differs from frame to frame."""
    match, game, names = current.match, current.match.game, current.names
    frame, last, over = shot[shown], len(shot) - 1, match.status == Match.Status.OVER
    moment = replace(_moment(shot, shown, game, viewer), over=over and shown == last)
    drawing = draw_board(game, game.rules.view(frame.position, viewer), moment)
    highlights = [n for n, other in enumerate(shot) if _is_highlight(other, game)]
    return {
        "ply": shown,
        "last": last,
        "time": to_the_millisecond(frame.at) if game.info.real_time else "",
        "before": max((n for n in highlights if n < shown), default=None),
        "after": min((n for n in highlights if n > shown), default=None),
        "has_highlights": bool(highlights),
        "seat_query": f"?seat={viewer}" if over and isinstance(viewer, int) else "",
        "lines": _words(frame, game, names, viewer),
        "board": drawing["board"],
        "hand": drawing["hand"],
        "rows": list(zip(current.seats, names, drawing["panels"], strict=True)),
        **(_result(request, current) if over and shown == last else {}),
    }


def _surroundings(current: Snapshot, shot: Film, shown: int, viewer: Viewer) -> dict[str, Any]:
    """What the page has once, for all frames: the list of what happened, and the times of the frames."""
    game, names = current.match.game, current.names
    spoken = [(n, texts.frame_lines(frame, game=game, names=names, viewer=viewer)) for n, frame in enumerate(shot)]
    entries = [
        {"ply": n, "label": to_the_millisecond(shot[n].at) if game.info.real_time else n, "lines": lines}
        for n, lines in spoken
        if lines
    ]
    return {
        "entries": entries,
        "marked": max((n for n, lines in spoken if lines and n <= shown), default=None),
        "times": " ".join(str(frame.at) for frame in shot),
        "sprite": draw_sprite(game),
    }


def _said(request: HttpRequest, current: Snapshot) -> str:
    """The chat of a match that is over."""
    if current.match.status != Match.Status.OVER:
        return ""
    asker = caller(request, current.match.slug)
    spoken = conversation(match=current.match, seats=current.seats, caller=asker)
    return draw_said(spoken, asker.user)


def _moment(shot: Film, shown: int, game: Game, viewer: Viewer) -> Moment:
    if game.info.real_time:
        return recent_moment((event for frame in shot[: shown + 1] for event in frame.events), viewer)
    return moment_of(shot[shown].moves[-1] if shown else None, viewer)


def _is_highlight(frame: Frame, game: Game) -> bool:
    return any(event.code in game.info.highlights and event.audience is None for event in frame.events)


def _words(frame: Frame, game: Game, names: Sequence[str], viewer: Viewer) -> list[str]:
    """What has led to this frame; where nothing is said of it, as for a claim that waits, how things stand in it."""
    lines = texts.frame_lines(frame, game=game, names=names, viewer=viewer)
    if lines or not game.info.real_time:
        return lines
    return [texts.prompt(game, game.rules.view(frame.position, OPEN), names)]


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


@require_safe
def picture(request: HttpRequest, slug: str) -> HttpResponse:
    """The final position as an SVG file, for download; only once the match is over, as the record.

    `?ply=n` takes the frame of that number instead, `?seat=n` what that seat's player saw.
    """
    current = _match(request, slug)
    match = current.match
    if match.status != Match.Status.OVER:
        raise Http404
    game, shot, viewer = match.game, film(match), _viewer(request, current)
    last = len(shot) - 1
    ply = whole_number(request.GET.get("ply", str(last)))
    if ply is None or ply > last:
        raise Http404
    # What has just happened fades on a page, and would cover the position here.
    drawing = draw_board(game, game.rules.view(shot[ply].position, viewer), Moment())
    content = draw_picture(
        game,
        drawing["board"],
        draw_sprite(game),
        title=result_texts.picture_title(match, ply=None if ply == last else ply),
        description=result_texts.picture_description(match, current.names),
    )
    suffix = "" if ply == last else f"-{ply}"
    name = f"tesela-{match.game_slug}-{slug}{suffix}.svg"
    return HttpResponse(
        content,
        content_type="image/svg+xml; charset=utf-8",
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
    match = current.match
    # In real time the moves of a running match tell of claims that wait.
    if match.position is None or (match.in_real_time and match.status == Match.Status.RUNNING):
        raise Http404
    return current


def _viewer(request: HttpRequest, current: Snapshot) -> Viewer:
    """Whose eyes: a chosen seat's once the match is over, otherwise what the person may know."""
    own = current.viewer_for(person(request))
    chosen = whole_number(request.GET.get("seat", ""), digits=2)
    return chosen if own is OPEN and chosen is not None and chosen < len(current.seats) else own
