"""Ending sessions: all of a person's at once, in one stroke, however many there are and wherever they are kept.

A session carries a hash of what the person's password and the count of such strokes were (`User.sessions_ended`).
"""

from __future__ import annotations

from django.contrib.auth import update_session_auth_hash
from django.db import transaction
from django.db.models import F
from django.http import HttpRequest

from accounts.people.announcer import announce_person_on_commit
from accounts.people.models import User


def end_sessions(*, user: User) -> None:
    """The person is logged out everywhere; on commit their sockets hear of it."""
    User.objects.filter(pk=user.pk).update(sessions_ended=F("sessions_ended") + 1)
    user.refresh_from_db(fields=["sessions_ended"])
    announce_person_on_commit(user.pk)


def end_other_sessions(*, request: HttpRequest, user: User) -> None:
    """The person is logged out everywhere but here. Of this session the key is another one from now on."""
    with transaction.atomic():
        end_sessions(user=user)
        update_session_auth_hash(request, user)
        # Stored before the sockets are told to look.
        request.session.save()
