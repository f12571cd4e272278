"""The page on which somebody is reported: without scripts, from a match, a line of chat or a profile."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.desk import texts
from accounts.desk.errors import DeskRefused, NoSuchThing
from accounts.desk.forms import ReportForm
from accounts.desk.services.reports import file_report
from accounts.desk.targets import Target, target_of
from accounts.people.addresses import address_of
from games.matches import clock
from games.matches.models import ChatLine
from games.matches.views.people import person

FIELDS = ("about", "match", "ply", "room", "line")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def report(request: HttpRequest) -> HttpResponse:
    """Report what the address points to (`target_of` says how); 404 for what this person may not know of."""
    user = person(request)
    assert user is not None
    asked = {name: request.GET[name] for name in FIELDS if name in request.GET}
    refusal: DeskRefused | None = None
    try:
        target = target_of(user=user, session=request.session, asked=asked)
    except NoSuchThing:
        raise Http404 from None
    form = ReportForm(target.people, request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            file_report(
                by=user,
                about=form.chosen,
                target=target,
                reason=form.cleaned_data["reason"],
                text=form.cleaned_data["text"],
                moment=clock.now(),
                address=address_of(request),
            )
        except DeskRefused as error:
            refusal = error
        else:
            messages.success(request, _("Thank you. A moderator will look at it, and you will hear of the outcome."))
            return redirect(_way_back(target))
    wrong = 422 if form.is_bound and not form.is_valid() else 200
    context = {
        "form": form,
        "target": target,
        "line": _line_of(target),
        "back": _way_back(target),
        "notice": texts.refusal(refusal) if refusal is not None else "",
        "code": refusal.code if refusal is not None else "",
    }
    return render(request, "desk/report.html", context, status=refusal.status if refusal is not None else wrong)


def _way_back(target: Target) -> str:
    if target.match is not None:
        return reverse("match", args=[target.match.slug])
    return reverse("profile", args=[target.people[0].username])


def _line_of(target: Target) -> ChatLine | None:
    """The reported line, to be seen on the page; it was found for this person."""
    if target.line is None:
        return None
    return ChatLine.objects.filter(match=target.match, room=target.room, number=target.line, hidden=False).first()
