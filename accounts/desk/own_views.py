"""The pages on which people take their data with them, delete the account, and read what is kept of them."""

from __future__ import annotations

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.cache import add_never_cache_headers
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts.desk.deletion import LastSuperuser, erase_account
from accounts.desk.export import export
from accounts.desk.own_forms import DeleteForm
from accounts.people.limits import within_limit
from accounts.people.traces import KEPT_FOR
from games.matches import clock
from games.matches.threads import in_steps
from games.matches.views.people import person


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def data_export(request: HttpRequest) -> HttpResponseBase:
    """What the zip file has; with a POST the file itself, made while it is sent."""
    user = person(request)
    assert user is not None
    if request.method != "POST":
        return render(request, "desk/your_data.html")
    if not within_limit(action="export", user=user):
        return render(request, "desk/your_data.html", {"too_often": True}, status=429)
    pieces = export(user, moment=clock.now())
    response = StreamingHttpResponse(
        # Django would gather all of an iterator of the other kind first.
        in_steps(pieces) if isinstance(request, ASGIRequest) else pieces,
        content_type="application/zip",
        headers={"Content-Disposition": 'attachment; filename="tesela-my-data.zip"'},
    )
    add_never_cache_headers(response)
    return response


@login_required
@reauthentication_required  # type: ignore[untyped-decorator]
@require_http_methods(["GET", "HEAD", "POST"])
def account_delete(request: HttpRequest) -> HttpResponse:
    """What goes and what stays; with a POST that has the login name the account is deleted, there and then."""
    user = person(request)
    assert user is not None
    form = DeleteForm(user, request.POST or None)
    status = 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                erase_account(user=user, moment=clock.now())
            except LastSuperuser:
                form.add_error(None, _("Nobody else could keep the house. Make somebody else a superuser first."))
            else:
                logout(request)
                messages.success(request, _("Your account is deleted. Farewell!"))
                return redirect("home")
    return render(request, "desk/account_delete.html", {"form": form}, status=status)


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    """What is kept of people, for how long, and who sees it."""
    return render(request, "desk/privacy.html", {"trace_days": KEPT_FOR.days})
