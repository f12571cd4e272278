"""Being away for some days, and coming back."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games.matches import clock, clock_texts, metrics, texts
from games.matches.errors import BadInput, Refused
from games.matches.selectors import DAYS_OFF, current_vacation, vacation_left
from games.matches.services.vacations import begin_vacation, end_vacation
from games.matches.views.people import person


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def vacation(request: HttpRequest) -> HttpResponse:
    """Whether I am on vacation and how much of it is left; a form to go and to come back."""
    user = person(request)
    assert user is not None
    moment = clock.now()
    refusal: Refused | None = None
    if request.method == "POST":
        away = request.POST.get("away")
        try:
            if away == "1":
                begin_vacation(user=user, moment=moment)
                messages.success(request, _("Have a good time. Your clocks stand still."))
            elif away == "0":
                end_vacation(user=user, moment=moment)
                messages.success(request, _("Welcome back. Your clocks go on."))
            else:
                raise BadInput(what="act")
        except Refused as error:
            refusal = error
            metrics.count_refusal(error)
        else:
            return redirect("vacation")
    left = vacation_left(user=user, moment=moment)
    context = {
        "current": current_vacation(user=user, moment=moment),
        "may_go": bool(left),
        "left": clock_texts.duration(left),
        "days_off": str(DAYS_OFF.days),
        "notice": texts.refusal(refusal) if refusal is not None else "",
        "code": refusal.code if refusal is not None else "",
    }
    return render(request, "matches/vacation.html", context, status=refusal.status if refusal is not None else 200)
