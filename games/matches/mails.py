"""The mail to somebody whose turn it is: plain text, in their language, and nothing in it that others may not know."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from django.conf import settings
from django.core.mail import EmailMessage
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.people.languages import offered_language
from accounts.people.names import isolated_name
from accounts.people.subscriptions import stop_token
from games.matches import clock_texts
from games.matches.models import Match, Seat

if TYPE_CHECKING:
    from accounts.people.models import User


@dataclass(frozen=True)
class Waiting:
    """A turn that waits: the match, the others' seats, since how long, and what is left of its time in ms."""

    match: Match
    others: Sequence[Seat]
    since: timedelta
    left: int | None


def send_turns(*, user: User, language: str, turns: Sequence[Waiting], warning: bool) -> None:
    """Send a mail that tells of these turns, in that language. Raises what the mail server's refusal raises.

    With it mail programs offer to want no more of these: one click, without a page (RFC 8058).
    """
    with translation.override(offered_language(language)):
        stop = f"{settings.SITE_URL}{reverse('stop-mails', args=[stop_token(user)])}"
        context = {
            "name": isolated_name(user.shown_name),
            "turns": [_said(turn) for turn in turns],
            "warning": warning,
            "stop": stop,
        }
        mail = EmailMessage(
            subject=f"{settings.ACCOUNT_EMAIL_SUBJECT_PREFIX}{_subject(turns, warning=warning)}",
            body=render_to_string("matches/mail/your_turn.txt", context),
            to=[user.email],
            headers={
                "List-Unsubscribe": f"<{stop}>",
                "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
                "Auto-Submitted": "auto-generated",
            },
        )
    mail.send()


def _subject(turns: Sequence[Waiting], *, warning: bool) -> str:
    if warning:
        return _("your time is running out")
    number = len(turns)
    return ngettext("it is your turn in %(number)s match", "it is your turn in %(number)s matches", number) % {
        "number": number
    }


def _said(turn: Waiting) -> dict[str, str]:
    return {
        "game": turn.match.game.info.title,
        "others": _(", ").join(_who(seat) for seat in turn.others),
        "since": clock_texts.duration(turn.since),
        "left": clock_texts.duration(timedelta(milliseconds=turn.left)) if turn.left is not None else "",
        "link": f"{settings.SITE_URL}{turn.match.get_absolute_url()}",
    }


def _who(seat: Seat) -> str:
    return _("a bot") if seat.kind == Seat.Kind.BOT else isolated_name(seat.shown_name)
