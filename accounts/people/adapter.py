"""What we ask of allauth: the display name kept from the start, and its answers in the words of this site."""

from __future__ import annotations

import logging
from smtplib import SMTPException
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.internal.stagekit import clear_login
from allauth.account.models import EmailAddress
from allauth.core.exceptions import ImmediateHttpResponse
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.password_validation import password_changed
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from accounts.people.addresses import address_of, unmapped
from accounts.people.announcer import announce_person_on_commit
from accounts.people.languages import agree_on_language
from accounts.people.logins import forget_login
from accounts.people.models import User
from accounts.people.naming import claim_first_names, is_free_name, is_still_there
from accounts.people.notice_texts import how_to_appeal, sanction_params, sanction_text
from accounts.people.outbox import send_beside
from accounts.people.sanctioning import COLUMNS, Kind, is_banned_address, sanction_in_force
from accounts.people.services import give_address_to, save_time_zone
from accounts.people.skeletons import is_reserved
from accounts.people.time_zones import zone_said_by
from accounts.people.tracing import device_of, note_log_in, note_trace

logger = logging.getLogger(__name__)


class PeopleAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    error_messages = {
        **DefaultAccountAdapter.error_messages,
        "account_inactive": _("This account is switched off."),
        "email_password_mismatch": _("This e-mail address and password do not belong together."),
        "email_taken": _("Somebody has signed up with this e-mail address already."),
        "enter_current_password": _("Please type your current password."),
        "incorrect_password": _("That is not your password."),
        "too_many_login_attempts": _("Too many failed tries. Please wait a few minutes, then try again."),
        "unknown_email": _("Nobody has signed up with this e-mail address."),
        "username_blacklisted": _("This login name is kept for the house. Please choose another."),
        "username_password_mismatch": _("This name and password do not belong together."),
        "username_taken": _("Somebody has this login name already."),
    }

    def get_client_ip(self, request: HttpRequest) -> str:
        """What the limits, allauth's and ours, the traces and the list of log-ins go by."""
        return unmapped(super().get_client_ip(request))

    def is_safe_url(self, url: str) -> bool:
        try:
            return bool(super().is_safe_url(url))
        except ValueError:
            # No address at all, as `http://[`.
            return False

    def save_user(self, request: HttpRequest, user: User, form: Any, commit: bool = True) -> User:
        user.display_name = form.cleaned_data["display_name"]
        user.language = get_language() or ""
        user.time_zone = zone_said_by(request)
        saved: User = super().save_user(request, user, form, commit=commit)
        claim_first_names(user=saved)
        if commit:
            # Where the address is to be confirmed first, they do not log in yet.
            note_trace(user=saved, address=address_of(request), device=device_of(request), moment=timezone.now())
        return saved

    def clean_username(self, username: str, shallow: bool = False) -> str:
        name: str = super().clean_username(username, shallow=shallow)
        if not shallow:
            if is_reserved(name):
                raise self.validation_error("username_blacklisted")
            if not is_free_name(name):
                raise self.validation_error("username_taken")
        return name

    def pre_login(self, request: HttpRequest, user: User, **rest: Any) -> HttpResponse | None:
        """Whichever way somebody has shown who they are: by password, passkey, a link in a mail."""
        refused = refused_log_in(request, user)
        if refused is not None:
            return refused
        response: HttpResponse | None = super().pre_login(request, user, **rest)
        return response

    def login(self, request: HttpRequest, user: User) -> None:
        # Between the password and the second factor, or the confirmation of the address, much may have happened.
        refused = refused_log_in(request, user)
        if refused is not None:
            raise ImmediateHttpResponse(refused)
        with transaction.atomic():
            # Deletion waits till this is written, and takes it with it; or it is done, and nothing may be written.
            if is_still_there(user):
                super().login(request, user)
                return
        clear_login(request)
        raise ImmediateHttpResponse(self.respond_user_inactive(request, user))

    def post_login(self, request: HttpRequest, user: User, **rest: Any) -> HttpResponse:
        response: HttpResponse = super().post_login(request, user, **rest)
        agree_on_language(request, response, user)
        if not user.time_zone and (zone := zone_said_by(request)):
            save_time_zone(user=user, name=zone)
        note_log_in(request=request, response=response, user=user, moment=timezone.now())
        return response

    def set_password(self, user: User, password: str) -> None:
        """Only the password: a whole row would undo what a moderator has just done to it."""
        user.set_password(password)
        User.objects.filter(pk=user.pk, deleted_at=None).update(password=user.password)
        password_changed(password, user)  # as `save` would say
        user._password = None  # type: ignore[attr-defined]

    def logout(self, request: HttpRequest) -> None:
        """The pages that are open in this session hear of it at once."""
        user, session_key = request.user, request.session.session_key
        super().logout(request)
        forget_login(session_key=session_key)
        if isinstance(user, User):
            announce_person_on_commit(user.pk)

    def validate_unique_email(self, email: str) -> str:
        """The address of somebody who is banned is as good as taken; where nobody is told of that, see the form."""
        told = settings.ACCOUNT_EMAIL_VERIFICATION != "mandatory"
        if told and is_banned_address(email=email, moment=timezone.now()):
            raise self.validation_error("email_taken")
        checked: str = super().validate_unique_email(email)
        return checked

    def confirm_email(self, request: HttpRequest, email_address: EmailAddress) -> bool:
        if is_banned_address(email=email_address.email, moment=timezone.now()):
            messages.error(request, _("This e-mail address can’t be used here."))
            return False
        with transaction.atomic():
            if not is_still_there(email_address.user):
                messages.error(request, _("This account is deleted."))
                return False
            give_address_to(user=email_address.user, email=email_address.email)
            return bool(super().confirm_email(request, email_address))

    def send_account_already_exists_mail(self, email: str) -> None:
        if is_banned_address(email=email, moment=timezone.now()):
            context = {"request": self.request, "appeal": how_to_appeal()}
            self.send_mail("account/email/banned_address", email, context)
        else:
            super().send_account_already_exists_mail(email)

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        said = {"request": self.request, "email": email, **context}
        try:
            send_beside(self.render_mail(template_prefix, email, said))
        except (OSError, SMTPException):
            # The account, the password or the address is saved by now: say what is missing, and let the rest stand.
            logger.exception("the mail server does not take our mail")
            messages.error(self.request, _("We could not send the mail. Please ask for it again in a while."))


def refused_log_in(request: HttpRequest, user: User) -> HttpResponse | None:
    """The page that tells somebody who is suspended or banned why they are not let in; None for all others.

    Only for who has shown that it is them: sanctions are no news for anybody else.
    """
    moment = timezone.now()
    if not user.is_barred(moment):
        return None
    clear_login(request)
    sanction = sanction_in_force(user=user, kinds=COLUMNS["barred_until"], moment=moment)
    code = "banned" if sanction is not None and sanction.kind == Kind.BAN else "suspended"
    params = sanction_params(
        reason=sanction.reason if sanction is not None else "", until=user.barred_until or moment, automatic=False
    )
    context = {
        "text": sanction_text(code=code, params=params),
        "reason": params["reason"],
        "appeal": how_to_appeal(),
        "appeal_address": settings.APPEAL_ADDRESS,
    }
    return render(request, "account/barred.html", context, status=403)
