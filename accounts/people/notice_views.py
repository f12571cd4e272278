"""The page on which one reads what the house has told one."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_http_methods

from accounts.people.models import User
from accounts.people.notice_texts import how_to_appeal, told
from accounts.people.telling import notices_of, read_notices

LARGEST_ID_DIGITS = 18


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def notices(request: HttpRequest) -> HttpResponse:
    """All notices, the last first. By POST one of them, or without `notice` all, were read; it leads back.

    A look alone reads nothing: browsers fetch pages ahead.
    """
    user = request.user
    assert isinstance(user, User)
    if request.method == "POST":
        text = request.POST.get("notice", "")
        is_one = text.isascii() and text.isdigit() and len(text) <= LARGEST_ID_DIGITS
        if is_one or not text:
            read_notices(user=user, moment=timezone.now(), pk=int(text) if is_one else None)
        return redirect(_back(request))
    listed = [(notice, told(code=notice.code, params=notice.params)) for notice in notices_of(user=user)]
    return render(request, "people/notices.html", {"listed": listed, "appeal": how_to_appeal()})


def _back(request: HttpRequest) -> str:
    """Where the person was, if that is a page of ours."""
    back = request.POST.get("back", "")
    try:
        ours = url_has_allowed_host_and_scheme(back, allowed_hosts=None, require_https=settings.HTTPS)
    except ValueError:
        ours = False
    return back if ours and back.startswith("/") else "notices"
