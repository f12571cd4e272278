"""Opening a table, following an invitation, and playing at once against a bot."""

from __future__ import annotations

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.crypto import constant_time_compare
from django.views.decorators.http import require_http_methods, require_safe

from games.matches import clock, texts
from games.matches.callers import remember_invitation
from games.matches.errors import NotLoggedIn, Refused
from games.matches.forms import TableForm
from games.matches.models import Match
from games.matches.services import tables
from games.matches.views.lobby import game_or_404
from games.matches.views.people import person
from games.matches.views.refusals import refusal_answer, wants_fragments


@require_http_methods(["GET", "HEAD", "POST"])
def new_table(request: HttpRequest, game: str) -> HttpResponse:
    """The form for a new table; a refused one comes back with the reason and what was chosen."""
    found = game_or_404(game)
    user = person(request)
    if user is None:
        return refusal_answer(request, NotLoggedIn()) if request.method == "POST" else redirect_to_login(request.path)
    form = TableForm(found, request.POST if request.method == "POST" else None)
    status = 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                match = tables.create_table(host=user, game=found, moment=clock.now(), **form.table())
            except Refused as error:
                form.add_error(None, texts.refusal(error))
                status = error.status
            else:
                return redirect(match)
    return render(request, "matches/new_table.html", {"game": found, "form": form}, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
def play_now(request: HttpRequest, game: str) -> HttpResponse:
    """One click: an unrated match against an easy bot, from a form or by htmx.

    Who comes by the address alone finds the button in the lobby.
    """
    found = game_or_404(game)
    if request.method != "POST":
        return redirect("lobby")
    user = person(request)
    try:
        if user is None:
            raise NotLoggedIn
        match = tables.play_now(user=user, game=found, moment=clock.now())
    except Refused as error:
        return refusal_answer(request, error)
    if wants_fragments(request):
        return HttpResponse(headers={"HX-Redirect": match.get_absolute_url()})
    return redirect(match)


@require_safe
def invitation(request: HttpRequest, slug: str, token: str) -> HttpResponse:
    """Whoever has the link may see the table and sit down; the session remembers it through log-in or sign-up."""
    match = Match.objects.filter(slug=slug).only("slug", "invite").first()
    if match is not None and constant_time_compare(token, match.invite):
        remember_invitation(session=request.session, slug=slug)
    return redirect("match", slug)
