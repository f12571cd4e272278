"""The page where people set things to their liking."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.people.forms import SettingsForm
from accounts.people.models import User
from accounts.people.services import save_settings


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def settings(request: HttpRequest) -> HttpResponse:
    user = request.user
    assert isinstance(user, User)
    if request.method == "POST":
        form = SettingsForm(request.POST)
        if form.is_valid():
            save_settings(user=user, **form.cleaned_data)
            messages.success(request, _("Saved."))
            return redirect("settings")
        return render(request, "people/settings.html", {"form": form}, status=422)
    form = SettingsForm(
        initial={"display_name": user.display_name, "confirm_moves": user.confirm_moves, "sound": user.sound}
    )
    return render(request, "people/settings.html", {"form": form})
