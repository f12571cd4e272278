"""Imposing and lifting sanctions: the row that stays, and the person's columns that every door looks at."""

from __future__ import annotations

from datetime import datetime

from allauth.account.models import EmailAddress
from django.db import transaction

from accounts.people.announcer import announce_person_on_commit
from accounts.people.models import User
from accounts.people.sanctions import FOR_GOOD, BannedAddress, Sanction, hash_of_email
from accounts.people.sessions import end_sessions

Kind = Sanction.Kind

COLUMNS = {"barred_until": (Kind.SUSPENSION, Kind.BAN), "muted_until": (Kind.MUTE,)}
"""The user's columns, and the kinds of sanction that each of them sums up."""


def impose_sanction(
    *, user: User, kind: str, reason: str, moment: datetime, until: datetime = FOR_GOOD, automatic: bool = False
) -> Sanction:
    """From now on the person is muted, suspended or banned, until then. The caller tells them (`notify_person`).

    Who is suspended or banned is logged out everywhere, for good. Their seats stay theirs unless the caller has them
    leave (`resign_everywhere`): clocks run on. A ban keeps their addresses from being used again until it ends.
    """
    with transaction.atomic():
        locked = User.objects.select_for_update(no_key=True).get(pk=user.pk)
        sanction = Sanction.objects.create(
            user=locked, kind=kind, reason=reason, since=moment, until=until, automatic=automatic
        )
        _sum_up(locked, moment)
        if kind == Kind.BAN:
            _ban_addresses(locked, sanction)
        if kind in COLUMNS["barred_until"]:
            end_sessions(user=locked)
        else:
            announce_person_on_commit(user.pk)
    return sanction


def lift_sanction(*, sanction: Sanction, moment: datetime) -> None:
    """It ends now. What others say stays in force; nothing happens to one that is over already."""
    with transaction.atomic():
        locked = User.objects.select_for_update(no_key=True).get(pk=sanction.user_id)
        Sanction.objects.filter(pk=sanction.pk, lifted_at=None, until__gt=moment).update(lifted_at=moment)
        BannedAddress.objects.filter(sanction=sanction).delete()
        _sum_up(locked, moment)
        # Their open pages let them write again.
        announce_person_on_commit(locked.pk)


def sanction_in_force(*, user: User, kinds: tuple[str, ...], moment: datetime) -> Sanction | None:
    """Of the sanctions of these kinds that count then the one that ends last."""
    found = Sanction.objects.filter(user=user, kind__in=kinds, lifted_at=None, since__lte=moment, until__gt=moment)
    return found.order_by("-until", "-pk").first()


def is_banned_address(*, email: str, moment: datetime) -> bool:
    """Whether somebody who was banned had this address, and their ban has not ended."""
    return BannedAddress.objects.filter(hash=hash_of_email(email), until__gt=moment).exists()


def forget_banned_addresses(*, moment: datetime) -> None:
    """Those of bans that have ended are gone."""
    BannedAddress.objects.filter(until__lte=moment).delete()


def _ban_addresses(user: User, sanction: Sanction) -> None:
    emails = {user.email, *EmailAddress.objects.filter(user=user).values_list("email", flat=True)} - {""}
    hashes = {hash_of_email(email) for email in emails}
    BannedAddress.objects.bulk_create(
        [BannedAddress(sanction=sanction, hash=each, until=sanction.until) for each in sorted(hashes)]
    )


def _sum_up(user: User, moment: datetime) -> None:
    in_force = [each for each in Sanction.objects.filter(user=user) if each.is_in_force(moment)]
    for column, kinds in COLUMNS.items():
        setattr(user, column, max((each.until for each in in_force if each.kind in kinds), default=None))
    user.save(update_fields=list(COLUMNS))
