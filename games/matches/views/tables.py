"""Opening a table, following an invitation, and playing at once against a bot."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.crypto import constant_time_compare
from django.views.decorators.http import require_http_methods, require_safe

from games.matches import clock, metrics, texts
from games.matches.callers import remember_invitation
from games.matches.errors import NotLoggedIn, Refused
from games.matches.forms import TableForm
from games.matches.fragments.leaving import draw_before_table
from games.matches.models import Match
from games.matches.services import at_once, tables
from games.matches.services.invitations import open_table_for, person_called
from games.matches.views.lobby import game_or_404
from games.matches.views.people import person, require_within
from games.matches.views.refusals import refusal_answer, wants_fragments

if TYPE_CHECKING:
    from accounts.people.models import User
    from games.contract.registry import Game


@require_http_methods(["GET", "HEAD", "POST"])
def new_table(request: HttpRequest, game: str) -> HttpResponse:
    """The form for a new table; a refused one comes back with the reason and what was chosen.

    With `?invite=` and a name that person is invited to it.
    """
    found = game_or_404(game)
    user = person(request)
    if user is None:
        posted = request.method == "POST"
        return refusal_answer(request, NotLoggedIn()) if posted else redirect_to_login(request.get_full_path())
    form = TableForm(found, request.POST if request.method == "POST" else None)
    status, refused, asked = 200, "", request.POST.get("invite") or request.GET.get("invite", "")
    try:
        invited = person_called(asked) if asked else None
    except Refused as error:
        return refusal_answer(request, error)
    if invited is not None:
        # A public table could be full before they have come.
        form.initial["visibility"] = "invited"
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                require_within(request, action="table", user=user)
                match = _open_table(user, found, form, invited)
            except Refused as error:
                metrics.count_refusal(error)
                form.add_error(None, texts.refusal(error))
                status, refused = error.status, error.code
            else:
                return redirect(match)
    context = {
        "game": found,
        "form": form,
        "invited": invited,
        "refused": refused,
        "rated_pause": draw_before_table(user),
    }
    return render(request, "matches/new_table.html", context, status=status)


def _open_table(host: User, game: Game, form: TableForm, invited: User | None) -> Match:
    if invited is None:
        return tables.create_table(host=host, game=game, moment=clock.now(), **form.table())
    return open_table_for(host=host, game=game, invited=invited.username, moment=clock.now(), **form.table())


@require_http_methods(["GET", "HEAD", "POST"])
def play_now(request: HttpRequest, game: str) -> HttpResponse:
    """One click: an unrated match against a bot of the `level` given, else an easy one; from a form or by htmx.

    Who comes by the address alone finds the button in the lobby.
    """
    found = game_or_404(game)
    if request.method != "POST":
        return redirect("lobby")
    user = person(request)
    try:
        if user is None:
            raise NotLoggedIn
        require_within(request, action="table", user=user)
        level = request.POST.get("level", at_once.PLAY_NOW_LEVEL)
        match = at_once.play_now(user=user, game=found, moment=clock.now(), level=level)
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
