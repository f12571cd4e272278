"""The pages about oneself that are not allauth's as they stand."""

from __future__ import annotations

from typing import Any

from allauth.account.models import EmailAddress
from allauth.account.views import SignupView
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.people.forms import SettingsForm
from accounts.people.models import User
from accounts.people.services import save_settings


class SignUp(SignupView):  # type: ignore[misc]
    """allauth's sign-up, but two at the same moment (a double click) give an explanation, not an error."""

    def form_valid(self, form: Any) -> HttpResponse:
        try:
            response: HttpResponse = super().form_valid(form)
        except IntegrityError:
            form.full_clean()
            if form.is_valid():
                raise
            response = self.form_invalid(form)
        return response


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def settings(request: HttpRequest) -> HttpResponse:
    """What a person sets to their liking."""
    user = request.user
    assert isinstance(user, User)
    if request.method == "POST":
        form = SettingsForm(request.POST)
        if form.is_valid():
            save_settings(user=user, **form.cleaned_data)
            messages.success(request, _("Saved."))
            return redirect("settings")
        return _settings_page(request, user, form, status=422)
    form = SettingsForm(
        initial={"display_name": user.display_name, "confirm_moves": user.confirm_moves, "sound": user.sound}
    )
    return _settings_page(request, user, form)


def _settings_page(request: HttpRequest, user: User, form: SettingsForm, status: int = 200) -> HttpResponse:
    confirmed = EmailAddress.objects.filter(user=user, email__iexact=user.email, verified=True).exists()
    return render(request, "people/settings.html", {"form": form, "is_confirmed": confirmed}, status=status)
