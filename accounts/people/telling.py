"""Telling somebody something that concerns them: on the pages of the site until they have read it, and by a mail.

The mail waits with the notice, and whoever goes round with mails sends it (`send_notices`): a mail server that is away
undoes nothing, and delays no moderator.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.db import transaction

from accounts.people.models import User
from accounts.people.notice_mails import send_notice
from accounts.people.notices import Notice

logger = logging.getLogger(__name__)

AT_ONCE = 50
"""Mails sent in one go."""

TRY_AGAIN_AFTER = timedelta(minutes=5)
"""A mail that did not go, or whose sender died over it, is tried again then, and each time after twice as long."""

MOST_TRIES = 6

MOST_SHOWN = 100
"""Notices of one person on their page: the last ones."""


def notify_person(*, user: User, code: str, params: Mapping[str, Any], moment: datetime) -> Notice:
    """Tell the person this: `code` is one of notice_texts.py, `params` what its sentence needs, and nobody's name."""
    due_at = moment if user.email else None
    notice = Notice.objects.create(user=user, code=code, params=dict(params), created_at=moment, mail_due_at=due_at)
    # Only then, in a transaction of its own: two that tell two people each must not wait for each other in a ring.
    transaction.on_commit(lambda: count_unread(user=user), robust=True)
    return notice


def read_notices(*, user: User, moment: datetime, pk: int | None = None) -> None:
    """The person has read all that they were told, or that one notice. What was read before keeps its time."""
    unread = Notice.objects.filter(user=user, read_at=None)
    if pk is not None:
        unread = unread.filter(pk=pk)
    unread.update(read_at=moment)
    count_unread(user=user)


def withdraw_notices(
    *, people: Iterable[int], code: str, params: Mapping[str, Any], told_at: datetime, moment: datetime
) -> None:
    """What these people were told at that moment does not hold any more: it stands on their pages no longer, also
    unread. On the page of all notices it stays, and a mail that waits is sent: what follows refers to it."""
    fitting = {f"params__{key}": value for key, value in params.items()}
    stale = Notice.objects.filter(user__in=list(people), code=code, created_at=told_at, read_at=None, **fitting)
    whose = sorted(set(stale.values_list("user", flat=True)))
    stale.update(read_at=moment)
    for user in User.objects.filter(pk__in=whose).order_by("pk"):
        transaction.on_commit(partial(count_unread, user=user), robust=True)


def count_unread(*, user: User) -> None:
    """Write at the person how many notices they have not read; whoever comes later counts what came before."""
    with transaction.atomic():
        locked = User.objects.select_for_update(no_key=True).filter(pk=user.pk).first()
        if locked is not None:
            locked.unread_notices = Notice.objects.filter(user=locked, read_at=None).count()
            locked.save(update_fields=["unread_notices"])


def notices_of(*, user: User) -> Sequence[Notice]:
    """What the person was told, the last first."""
    return list(Notice.objects.filter(user=user)[:MOST_SHOWN])


def newest_unread(*, user: User) -> Notice | None:
    """What the person was told last and has not read."""
    return Notice.objects.filter(user=user, read_at=None).first()


def send_notices(*, moment: datetime) -> int:
    """Send the mails that are due, each once; how many went. Any number of processes may do it."""
    due = Notice.objects.filter(mail_due_at__lte=moment).order_by("mail_due_at")
    sent = 0
    for pk in list(due.values_list("pk", flat=True)[:AT_ONCE]):
        notice = _take(pk, moment)
        if notice is None:
            continue
        # Should a process have died before it was counted.
        count_unread(user=notice.user)
        try:
            if notice.user.email:
                send_notice(user=notice.user, code=notice.code, params=notice.params)
        except Exception:
            logger.exception("the mail of notice %s did not go", notice.pk)
            if notice.mail_tries < MOST_TRIES:
                continue
        else:
            sent += 1
        Notice.objects.filter(pk=pk).update(mail_due_at=None)
    return sent


def _take(pk: int, moment: datetime) -> Notice | None:
    """The notice, whose mail is this process's to send now; None if another one has it."""
    with transaction.atomic():
        free = Notice.objects.select_for_update(skip_locked=True, of=("self",)).select_related("user")
        notice = free.filter(pk=pk, mail_due_at__lte=moment).first()
        if notice is not None:
            notice.mail_due_at = moment + TRY_AGAIN_AFTER * 2**notice.mail_tries
            notice.mail_tries += 1
            notice.save(update_fields=["mail_due_at", "mail_tries"])
    return notice
