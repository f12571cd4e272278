"""Finished matches: one's own, and another person's."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from django.contrib.auth import get_user_model
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.dateparse import parse_datetime
from django.views.decorators.http import require_safe

from games.matches import result_texts
from games.matches.models import Match
from games.matches.selectors import finished_counts, finished_matches
from games.matches.views.people import person

if TYPE_CHECKING:
    from accounts.people.models import User

PAGE = 20


@login_required
@require_safe
def own_history(request: HttpRequest) -> HttpResponse:
    """My finished matches, each with players, result and date."""
    user = person(request)
    assert user is not None
    return _history(request, user, "matches/history.html")


@require_safe
def profile(request: HttpRequest, username: str) -> HttpResponse:
    """Who somebody is: the name, since when, and the public matches."""
    # PostgreSQL has no NUL: a query with one fails instead of finding nobody.
    if "\0" in username:
        raise Http404
    user: User = get_object_or_404(get_user_model(), username__iexact=username, is_active=True)
    return _history(request, user, "matches/profile.html")


def _history(request: HttpRequest, user: User, template: str) -> HttpResponse:
    before = _cursor(request.GET.get("before", ""))
    found = finished_matches(user=user, viewer=person(request), before=before, limit=PAGE + 1)
    shown = found[:PAGE]
    context = {
        "who": user,
        "rows": [_row(match, user) for match in shown],
        "older": _as_cursor(shown[-1]) if len(found) > PAGE else "",
        "counts": finished_counts(user=user, viewer=person(request)),
    }
    return render(request, template, context)


def _row(match: Match, user: User) -> dict[str, Any]:
    seats = list(match.seats.all())
    places = (match.standing or {}).get("places")
    scores = (match.standing or {}).get("scores")
    own = next(seat for seat in seats if seat.user_id == user.pk)
    players = [
        {"seat": seat, "place": places[seat.index] if places else None, "score": scores[seat.index] if scores else None}
        for seat in seats
    ]
    return {
        "match": match,
        "place": places[own.index] if places else None,
        "players": sorted(players, key=lambda player: (player["place"] or 0, player["seat"].index)),
        "how": result_texts.in_short(match, seats, [seat.name for seat in seats]),
    }


def _as_cursor(match: Match) -> str:
    assert match.finished_at is not None
    return f"{match.finished_at.isoformat()}_{match.pk}"


def _cursor(text: str) -> tuple[datetime, int] | None:
    """The cursor of a link to older matches; None for none, and for one that somebody made up."""
    moment, _, pk = text.rpartition("_")
    try:
        finished_at = parse_datetime(moment)
    except ValueError:
        return None
    if finished_at is None or finished_at.tzinfo is None or not (pk.isascii() and pk.isdigit() and len(pk) < 18):
        return None
    try:
        # In the first and the last hours of the calendar, another zone may have no such moment.
        return finished_at.astimezone(UTC), int(pk)
    except OverflowError:
        return None
