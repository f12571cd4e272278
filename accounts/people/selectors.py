"""The reading side of people: whom somebody does not want to hear, who does not play with whom, who plays rated."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from allauth.account.models import EmailAddress
from django.conf import settings

from accounts.people.models import Block, Mute, User


def hidden_speakers(*, user: User | None) -> frozenset[int]:
    """The ids of those whose chat this person is not shown: whom they have muted or blocked. One query."""
    if user is None:
        return frozenset()
    muted = Mute.objects.filter(by=user).values_list("whom")
    blocked = Block.objects.filter(by=user).values_list("whom")
    return frozenset(whom for (whom,) in muted.union(blocked))


def kept_apart(*, user: User | None) -> frozenset[int]:
    """The ids of those with whom this person plays at no public table, whoever of the two has said so. One query."""
    if user is None:
        return frozenset()
    blocked = Block.objects.filter(by=user).values_list("whom")
    blocking = Block.objects.filter(whom=user).values_list("by")
    return frozenset(other for (other,) in blocked.union(blocking))


def may_sit_together(*, user: User, others: Iterable[int | None], apart: frozenset[int] | None = None) -> bool:
    """Whether this person may sit down at a public table with these; None stands for a free seat, or a bot.

    With `apart`, as `kept_apart` has found it, many tables take no query more.
    """
    if apart is None:
        apart = kept_apart(user=user)
    return apart.isdisjoint(other for other in others if other is not None)


class Company(NamedTuple):
    """How somebody has settled with another person."""

    muted: bool
    blocked: bool


def company_of(*, user: User, whom: User) -> Company:
    """Whether `user` has muted or blocked `whom`."""
    muted, blocked = (kind._default_manager.filter(by=user, whom=whom).exists() for kind in (Mute, Block))
    return Company(muted=muted, blocked=blocked)


def muted_people(*, user: User) -> Sequence[User]:
    """Whom this person has muted, by name."""
    return list(User.objects.filter(muted_by__by=user).order_by("display_name", "pk"))


def blocked_people(*, user: User) -> Sequence[User]:
    """Whom this person has blocked, by name."""
    return list(User.objects.filter(blocked_by__by=user).order_by("display_name", "pk"))


UNCONFIRMED, PAUSED = "unconfirmed", "paused"


def rated_obstacle(*, user: User, moment: datetime) -> str | None:
    """What keeps this person from rated matches then: "paused", "unconfirmed", or None. At most one query."""
    if user.is_rated_paused(moment):
        return PAUSED
    if settings.RATED_NEEDS_CONFIRMED_EMAIL and not has_confirmed_address(user=user):
        return UNCONFIRMED
    return None


def has_confirmed_address(*, user: User) -> bool:
    """Whether the person has shown that an address of theirs is theirs; also while another one waits for that."""
    return bool(EmailAddress.objects.filter(user=user, verified=True).exists())
