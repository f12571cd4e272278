"""Finished matches: one's own, and another person's. Both pages show one history, and ask of it by one form."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib.auth import get_user_model
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.people.names import may_be_login_name
from accounts.people.selectors import company_of
from games.contract.registry import all_games
from games.contract.values import MODE
from games.matches.filters import HistoryForm, address, cursor_text, read_cursor
from games.matches.fragments.graph import draw_graph
from games.matches.fragments.history import draw_fields, draw_rows
from games.matches.fragments.leaving import draw_leaving
from games.matches.histories import Cursor, finished_counts, finished_matches, finished_until
from games.matches.models import Match
from games.matches.rating_lists import Sheet, rating_sheets
from games.matches.views.people import person
from games.matches.views.refusals import wants_fragments

if TYPE_CHECKING:
    from accounts.people.models import User

PAGE = 20
MOST = 200
"""Rows of one page, however often more were shown."""


@login_required
@require_safe
def own_history(request: HttpRequest) -> HttpResponse:
    """My finished matches, each with players, result and date."""
    user = person(request)
    assert user is not None
    return _answer(request, "matches/history.html", _history(request, user))


@require_safe
def profile(request: HttpRequest, username: str) -> HttpResponse:
    """Who somebody is: the name, since when, the ratings, and the public matches."""
    if not may_be_login_name(username):
        raise Http404
    viewer = person(request)
    if viewer is not None and viewer.username == username:
        # Read already, for the session.
        user = viewer
    else:
        user = get_object_or_404(get_user_model(), username__iexact=username, is_active=True)
    sheets = [_sheet(sheet) for sheet in rating_sheets(user=user)]
    counts = finished_counts(user=user, viewer=viewer)
    company = company_of(user=viewer, whom=user) if viewer is not None and viewer != user else None
    # Also to somebody with whom that person does not play: a page must not tell who has blocked whom.
    another = viewer is not None and viewer != user
    context = {
        **_history(request, user),
        "sheets": sheets,
        "counts": counts,
        "company": company,
        # Nobody else is shown it.
        "leaving": draw_leaving(user) if viewer == user else "",
        "challenges": [game for game in all_games() if game.info.max_seats > 1] if another else [],
    }
    return _answer(request, "matches/profile.html", context)


def _answer(request: HttpRequest, template: str, context: dict[str, Any]) -> HttpResponse:
    """Always the whole page, of which htmx takes its part: by Back and Forward browsers show what they have kept."""
    form = context["form"]
    response = render(request, template, context, status=200 if form.is_valid() else 422)
    if wants_fragments(request) and "before" not in request.GET:
        # The address that the page gets is the short one.
        response.headers["HX-Push-Url"] = request.path + address(form.query())
    elif wants_fragments(request) and context["last"] is not None:
        # Whoever comes back finds all that was shown, not the last part of it.
        until = _cursor_of(context["last"])
        response.headers["HX-Replace-Url"] = request.path + address({**form.query(), "until": until})
    return response


def _history(request: HttpRequest, user: User) -> dict[str, Any]:
    """A page of the person's matches as asked for; none while something in the form is wrong.

    With a cursor `before` it is what comes after it, with `until` all down to it.
    """
    form = HistoryForm(user, request.GET)
    before, until = (read_cursor(request.GET.get(name, "")) for name in ("before", "until"))
    found: list[Match] = []
    rows = PAGE
    if form.is_valid():
        viewer = person(request)
        if before is None and until is not None:
            number = finished_until(user=user, viewer=viewer, asked=form.asked(), until=until)
            rows = min(max(number, PAGE), MOST)
        found = finished_matches(user=user, viewer=viewer, asked=form.asked(), before=before, limit=rows + 1)
    shown, query = found[:rows], form.query()
    return {
        "who": user,
        "form": form,
        "fields": draw_fields(form),
        # Of what is added to a page the first row says where to go on reading.
        "rows": draw_rows(shown, user, first_has_focus=before is not None and wants_fragments(request)),
        "last": shown[-1] if shown else None,
        "path": request.path,
        "asked": address(query),
        "newest": request.path + address(query) if before is not None else "",
        "older": address({**query, "before": _cursor_of(shown[-1])}) if len(found) > rows else "",
    }


def _cursor_of(match: Match) -> str:
    assert match.finished_at is not None
    return cursor_text(Cursor(match.finished_at, match.pk))


def _sheet(sheet: Sheet) -> dict[str, Any]:
    """What one has reached in a game, with its graph and the kinds of matches in words."""
    texts = sheet.game.texts
    title = _("Rating in %(game)s") % {"game": sheet.game.info.title}
    return {
        "sheet": sheet,
        # Numbers as texts: a template would write 1,500.
        "shown": str(sheet.rating.shown),
        "peak": str(sheet.peak) if sheet.peak is not None else "",
        "graph": draw_graph(sheet.points, title=title, name=f"graph-{sheet.game.slug}") if sheet.points else "",
        "kinds": [
            {"tally": tally, "mode": texts.option_value(MODE, tally.mode)[0] if tally.mode else ""}
            for tally in sheet.tallies
        ],
    }
