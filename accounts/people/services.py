"""What changes a user: settings, addresses, and whom they don't want to hear or to play with."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from allauth.account.models import EmailAddress
from django.db import transaction

from accounts.people.models import Block, Mute, User
from accounts.people.naming import is_still_there, rename_person


def save_settings(
    *,
    user: User,
    display_name: str,
    language: str,
    time_zone: str,
    confirm_moves: str,
    mail_turns: bool,
    sound: bool,
    moment: datetime,
) -> User:
    """Store what a person set to their liking: all of it, or nothing.

    Raises `ValidationError` for a new name, as `rename_person` does.
    """
    with transaction.atomic():
        rename_person(user=user, name=display_name, moment=moment)
        _set(
            user,
            language=language,
            time_zone=time_zone,
            confirm_moves=confirm_moves,
            mail_turns=mail_turns,
            sound=sound,
        )
    return user


def _set(user: User, **columns: Any) -> None:
    """Write them; not where the account was deleted meanwhile, of which nothing may stay."""
    if User.objects.filter(pk=user.pk, deleted_at=None).update(**columns):
        for name, value in columns.items():
            setattr(user, name, value)


def save_language(*, user: User, language: str) -> None:
    """Store the language that a person reads; a code of `LANGUAGES`."""
    _set(user, language=language)


def save_time_zone(*, user: User, name: str) -> None:
    """Store the zone whose times a person reads; a name of time_zones.py, or "" for that of their browser."""
    _set(user, time_zone=name)


def stop_turn_mails(*, user: User) -> None:
    """The person wants no more mails about their turns; asked twice it is the same."""
    User.objects.filter(pk=user.pk).update(mail_turns=False)


def give_address_to(*, user: User, email: str) -> None:
    """Take an address from everybody else who never confirmed it: `user` has just shown that the mailbox is theirs."""
    confirmed_by = EmailAddress.objects.filter(email__iexact=email, verified=True).values("user_id")
    others = User.objects.exclude(pk=user.pk).exclude(pk__in=confirmed_by)
    EmailAddress.objects.filter(email__iexact=email, user__in=others).delete()
    others.filter(email__iexact=email).update(email="")


# Company

MOST = 1000
"""Muted or blocked by one person; each is looked at whenever that person looks at the lobby or a chat."""


class CompanyRefused(Exception):
    """Somebody can't be muted or blocked; `code` says why: "oneself" or "too-many"."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def mute_person(*, by: User, whom: User, moment: datetime) -> None:
    """From now on `by` is shown nothing that `whom` writes. Twice is the same as once. Raises `CompanyRefused`."""
    _note(Mute, by, whom, moment)


def unmute_person(*, by: User, whom: User, moment: datetime) -> None:
    """Take it back; nothing happens to who was not muted."""
    Mute.objects.filter(by=by, whom=whom).delete()


def block_person(*, by: User, whom: User, moment: datetime) -> None:
    """From now on the two sit down at no public table together, and `by` is shown nothing that `whom` writes.

    Twice is the same as once. Where both sit already, they stay. Raises `CompanyRefused`.
    """
    _note(Block, by, whom, moment)


def unblock_person(*, by: User, whom: User, moment: datetime) -> None:
    """Take it back; nothing happens to who was not blocked. What the other one has blocked stays so."""
    Block.objects.filter(by=by, whom=whom).delete()


def _note(kind: type[Mute] | type[Block], by: User, whom: User, moment: datetime) -> None:
    if by.pk == whom.pk:
        raise CompanyRefused("oneself")
    with transaction.atomic():
        # Whoever notes more of the same person's waits: both would count one too few.
        if not is_still_there(by):
            return
        if kind._default_manager.filter(by=by).count() >= MOST:
            raise CompanyRefused("too-many")
        kind._default_manager.get_or_create(by=by, whom=whom, defaults={"created_at": moment})


COMPANY_ACTS: dict[str, Callable[..., None]] = {
    "mute": mute_person,
    "unmute": unmute_person,
    "block": block_person,
    "unblock": unblock_person,
}
"""By the name that a form uses."""
