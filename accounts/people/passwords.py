"""What follows from a new password, through whichever door it was set."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.password_validation import NumericPasswordValidator

from accounts.people.announcer import announce_person_on_commit
from accounts.people.models import User


class NotOnlyDigits(NumericPasswordValidator):
    """Django tells its validators of each password that is stored: all sessions but one end by it.

    So this one hears it for all doors. One that was there for that alone would stand as an empty rule in the lists.
    """

    def password_changed(self, password: str, user: Any = None) -> None:
        """Called after it was saved."""
        if isinstance(user, User) and user.pk is not None:
            announce_person_on_commit(user.pk)
