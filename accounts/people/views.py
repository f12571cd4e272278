"""The pages about oneself that are not allauth's as they stand."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from allauth.account.models import EmailAddress
from allauth.account.views import SignupView
from allauth.mfa.utils import is_mfa_enabled
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.db import IntegrityError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST
from django.views.i18n import set_language

from accounts.people.addresses import address_of
from accounts.people.claimed_names import NameTaken
from accounts.people.forms import SettingsForm
from accounts.people.languages import is_offered, keep_language
from accounts.people.limits import wait_for
from accounts.people.logins import end_login, end_other_logins, logins_of, note_seen
from accounts.people.models import User
from accounts.people.names import isolated_name, may_be_login_name
from accounts.people.selectors import blocked_people, muted_people
from accounts.people.services import COMPANY_ACTS, CompanyRefused, save_language, save_settings, stop_turn_mails
from accounts.people.subscriptions import reader_of


class SignUp(SignupView):  # type: ignore[misc]
    """allauth's sign-up, but two at the same moment (a double click) give an explanation, not an error; and so do very
    many from one address."""

    def form_valid(self, form: Any) -> HttpResponse:
        wait = wait_for(action="new_account", address=address_of(self.request))
        if wait is not None:
            form.add_error(None, _too_many_accounts(wait))
            response: HttpResponse = self.form_invalid(form)
            response.status_code = 429
            return response
        try:
            response = super().form_valid(form)
        except (IntegrityError, NameTaken):
            form.full_clean()
            if form.is_valid():
                raise
            response = self.form_invalid(form)
        return response


def _too_many_accounts(wait: timedelta) -> str:
    if wait > timedelta(hours=1):
        hours = -(-wait // timedelta(hours=1))
        return ngettext(
            "Many accounts were made from your network lately. Please try again in %(count)s hour.",
            "Many accounts were made from your network lately. Please try again in %(count)s hours.",
            hours,
        ) % {"count": hours}
    minutes = -(-wait // timedelta(minutes=1))
    return ngettext(
        "Many accounts were made from your network lately. Please try again in %(count)s minute.",
        "Many accounts were made from your network lately. Please try again in %(count)s minutes.",
        minutes,
    ) % {"count": minutes}


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def settings(request: HttpRequest) -> HttpResponse:
    """What a person sets to their liking."""
    user = request.user
    assert isinstance(user, User)
    if request.method == "POST":
        form = SettingsForm(request.POST)
        if form.is_valid():
            try:
                save_settings(user=user, moment=timezone.now(), **form.cleaned_data)
            except ValidationError as error:
                form.add_error("display_name", error)
                return _settings_page(request, user, form, status=422)
            response = redirect("settings")
            keep_language(response, user.language)
            with translation.override(user.language):
                messages.success(request, _("Saved."))
            return response
        return _settings_page(request, user, form, status=422)
    form = SettingsForm(
        initial={
            "display_name": user.display_name,
            "confirm_moves": user.confirm_moves,
            "sound": user.sound,
            # What the reader sees now, also where this browser asks for another one than the person once chose.
            "language": translation.get_language(),
            "time_zone": user.time_zone,
            "mail_turns": user.mail_turns,
        }
    )
    return _settings_page(request, user, form)


@require_POST
def choose_language(request: HttpRequest) -> HttpResponse:
    """The switch at the foot of each page: Django keeps the choice in the browser and leads back; we note who chose."""
    language = request.POST.get("language", "")
    if isinstance(request.user, User) and is_offered(language):
        save_language(user=request.user, language=language)
    return set_language(request)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def company(request: HttpRequest) -> HttpResponse:
    """Mute or block the person whose profile asks for it, or take it back, there or from the list in the settings.

    Who comes by the address alone is led to that list.
    """
    if request.method != "POST":
        return redirect("settings")
    user = request.user
    assert isinstance(user, User)
    act, username = COMPANY_ACTS.get(request.POST.get("act", "")), request.POST.get("username", "")
    whom = User.objects.filter(username__iexact=username).first() if may_be_login_name(username) else None
    if act is None or whom is None:
        raise Http404
    try:
        act(by=user, whom=whom, moment=timezone.now())
    except CompanyRefused as error:
        messages.error(request, _company_refusal(error.code))
    else:
        messages.success(request, _company_done(request.POST["act"]) % {"name": isolated_name(whom.shown_name)})
    # Somebody who was switched off has no profile, and is taken from the list all the same.
    return redirect("profile", whom.username) if request.POST.get("back") == "profile" else redirect("settings")


def _company_done(act: str) -> str:
    return {
        "mute": _("You are not shown any more what %(name)s writes."),
        "unmute": _("You are shown again what %(name)s writes."),
        "block": _("You and %(name)s do not sit at one public table any more."),
        "unblock": _("You have taken back that you do not play with %(name)s."),
    }[act]


def _company_refusal(code: str) -> str:
    if code == "oneself":
        return _("That is you. Only others can be muted or blocked.")
    return _("Your list is full. Please take somebody from it in the settings first.")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def logins(request: HttpRequest) -> HttpResponse:
    """Where one is logged in; the form ends one of these log-ins, or all but this one."""
    user = request.user
    assert isinstance(user, User)
    if request.method != "POST":
        note_seen(request=request, moment=timezone.now())
        context = {"logins": logins_of(user=user, session_key=request.session.session_key)}
        return render(request, "usersessions/usersession_list.html", context)
    wanted = request.POST.get("end", "")
    if wanted == "others":
        end_other_logins(request=request, user=user)
        messages.success(request, _("You are logged out everywhere else."))
    elif not (wanted.isascii() and wanted.isdigit() and len(wanted) < 19):
        raise Http404
    elif end_login(user=user, session_key=request.session.session_key, pk=int(wanted)):
        messages.success(request, _("You are logged out there."))
    else:
        messages.info(request, _("That log-in has ended already."))
    return redirect("usersessions_list")


@csrf_exempt  # mail programs post it by themselves (RFC 8058): the token is all that they have
@require_http_methods(["GET", "HEAD", "POST"])
def stop_mails(request: HttpRequest, token: str) -> HttpResponse:
    """No more mails about turns, by the link in one of them: a look changes nothing, the button does."""
    reader = reader_of(token)
    if reader is not None and request.method == "POST":
        stop_turn_mails(user=reader)
    context = {"reader": reader, "stopped": request.method == "POST"}
    return render(request, "people/stop_mails.html", context, status=200 if reader is not None else 404)


def _settings_page(request: HttpRequest, user: User, form: SettingsForm, status: int = 200) -> HttpResponse:
    confirmed = EmailAddress.objects.filter(user=user, email__iexact=user.email, verified=True).exists()
    context = {
        "form": form,
        "is_confirmed": confirmed,
        "has_second_factor": is_mfa_enabled(user),
        "company": [
            {"title": _("Muted"), "undo": "unmute", "people": muted_people(user=user)},
            {"title": _("Blocked"), "undo": "unblock", "people": blocked_people(user=user)},
        ],
    }
    return render(request, "people/settings.html", context, status=status)
