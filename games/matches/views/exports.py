"""Finished matches to take home: one as a sheet of text, all of one's own as an archive of records."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.core.handlers.asgi import ASGIRequest
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import add_never_cache_headers
from django.views.decorators.http import require_safe

from accounts.people.limits import within_limit
from games.matches.archives import archive
from games.matches.errors import NotFound, TooOften
from games.matches.models import Match
from games.matches.sheets import match_sheet
from games.matches.snapshots import snapshot
from games.matches.threads import in_steps
from games.matches.views.people import caller, person
from games.matches.views.refusals import refusal_answer


@require_safe
def sheet(request: HttpRequest, slug: str) -> HttpResponse:
    """The match in words, as plain text; only once it is over."""
    try:
        current = snapshot(slug=slug, caller=caller(request, slug))
    except NotFound:
        raise Http404 from None
    if current.match.status != Match.Status.OVER:
        raise Http404
    address = request.build_absolute_uri(current.match.get_absolute_url())
    return HttpResponse(
        match_sheet(current.match, current.seats, address=address),
        content_type="text/plain; charset=utf-8",
        headers={"Content-Disposition": f'inline; filename="tesela-{current.match.game_slug}-{slug}.txt"'},
    )


@login_required
@require_safe
def own_archive(request: HttpRequest) -> HttpResponseBase:
    """All matches that the person has finished, as records in a zip file that is made while it is sent."""
    user = person(request)
    assert user is not None
    if not within_limit(action="archive", user=user):
        return refusal_answer(request, TooOften())
    pieces = archive(user) if request.method == "GET" else iter(())
    response = StreamingHttpResponse(
        # Django would gather all of an iterator of the other kind first.
        in_steps(pieces) if isinstance(request, ASGIRequest) else pieces,
        content_type="application/zip",
        headers={"Content-Disposition": 'attachment; filename="tesela-matches.zip"'},
    )
    add_never_cache_headers(response)
    return response
