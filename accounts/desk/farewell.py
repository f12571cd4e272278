"""The last mail: the account is deleted. Whoever did not do that learns of it."""

from __future__ import annotations

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation import gettext as _

from accounts.people.models import User
from accounts.people.names import isolated_name
from accounts.people.outbox import send_beside


def say_farewell(*, user: User) -> None:
    """Write to the address that `user`, as it was before, had; once the deletion is committed. None without one."""
    if not user.email:
        return
    language = user.language if user.language in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE
    with translation.override(language):
        context = {
            "name": isolated_name(user.display_name),
            "site": settings.SITE_URL,
            "appeal": settings.APPEAL_ADDRESS,
        }
        mail = EmailMessage(
            subject=f"{settings.ACCOUNT_EMAIL_SUBJECT_PREFIX}{_('Your account is deleted')}",
            body=render_to_string("desk/mail/deleted.txt", context),
            to=[user.email],
            reply_to=[settings.APPEAL_ADDRESS] if settings.APPEAL_ADDRESS else None,
            headers={"Auto-Submitted": "auto-generated"},
        )
    # Robust: the account is deleted, whatever the mail server says.
    transaction.on_commit(lambda: send_beside(mail), robust=True)
