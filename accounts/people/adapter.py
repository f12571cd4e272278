"""What we ask of allauth: the display name kept from the start, and its answers in the words of this site."""

from __future__ import annotations

import logging
from smtplib import SMTPException
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from accounts.people.models import User
from accounts.people.services import give_address_to

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

    def is_safe_url(self, url: str) -> bool:
        try:
            return bool(super().is_safe_url(url))
        except ValueError:
            # No address at all, as `http://[`.
            return False

    def save_user(self, request: HttpRequest, user: User, form: Any, commit: bool = True) -> User:
        user.display_name = form.cleaned_data["display_name"]
        saved: User = super().save_user(request, user, form, commit=commit)
        return saved

    def confirm_email(self, request: HttpRequest, email_address: EmailAddress) -> bool:
        with transaction.atomic():
            give_address_to(user=email_address.user, email=email_address.email)
            return bool(super().confirm_email(request, email_address))

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        try:
            super().send_mail(template_prefix, email, context)
        except (OSError, SMTPException):
            # The account, the password or the address is saved by now: say what is missing, and let the rest stand.
            logger.exception("the mail server does not take our mail")
            messages.error(self.request, _("We could not send the mail. Please ask for it again in a while."))
