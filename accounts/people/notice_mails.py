"""A notice as a mail: plain text, in its reader's language and time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.mail import EmailMessage
from django.template.loader import render_to_string
from django.urls import reverse

from accounts.people.languages import offered_language
from accounts.people.names import isolated_name
from accounts.people.notice_texts import how_to_appeal, told
from accounts.people.time_zones import shown_to

if TYPE_CHECKING:
    from accounts.people.models import User


def send_notice(*, user: User, code: str, params: Mapping[str, Any]) -> None:
    """Send it. Raises what the mail server's refusal raises."""
    with shown_to(user, language=offered_language(user.language)):
        said = told(code=code, params=params)
        context = {
            "name": isolated_name(user.shown_name),
            "said": said,
            "appeal": how_to_appeal() if said.may_appeal else "",
            "link": f"{settings.SITE_URL}{said.link}" if said.link else "",
            "notices": f"{settings.SITE_URL}{reverse('notices')}",
        }
        mail = EmailMessage(
            subject=f"{settings.ACCOUNT_EMAIL_SUBJECT_PREFIX}{said.title}",
            body=render_to_string("people/mail/notice.txt", context),
            to=[user.email],
            reply_to=[settings.APPEAL_ADDRESS] if said.may_appeal and settings.APPEAL_ADDRESS else None,
            headers={"Auto-Submitted": "auto-generated"},
        )
    mail.send()
