"""The count of one's turns in the head of every page, and the door at which pages ask for it."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.functional import SimpleLazyObject
from django.views.decorators.http import require_safe

from accounts.people.logins import note_seen
from accounts.people.tracing import note_activity
from games.matches import clock
from games.matches.fragments.your_turn import draw_your_turn
from games.matches.services.reminders import note_visit
from games.matches.views.people import person


def your_turn(request: HttpRequest) -> dict[str, Any]:
    """For the templates: the counter, counted only where a page draws its head."""
    return {"your_turn": SimpleLazyObject(lambda: draw_your_turn(person(request)))}


@require_safe
def count(request: HttpRequest) -> HttpResponse:
    """The counter as it stands; 204 for a guest. With `here=1` somebody is at the page, and needs no mail."""
    user = person(request)
    if user is None:
        return HttpResponse(status=204)
    if request.GET.get("here") == "1":
        moment = clock.now()
        note_visit(user=user, moment=moment)
        note_seen(request=request, moment=moment)
        note_activity(request=request, user=user, moment=moment)
    return HttpResponse(draw_your_turn(user))
