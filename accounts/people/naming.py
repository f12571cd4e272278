"""What people are called: choosing a name at the start, and another one later."""

from __future__ import annotations

import unicodedata
from datetime import datetime, timedelta

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from accounts.people.claimed_names import ClaimedName, NameTaken
from accounts.people.former_names import FormerName
from accounts.people.models import User
from accounts.people.names import clean_display_name
from accounts.people.skeletons import is_reserved

FORMER_NAMES_KEPT = 10
"""Of one person; the oldest are forgotten."""
RENAMES = 3
RENAMES_WITHIN = timedelta(days=7)


def rename_person(*, user: User, name: str, moment: datetime, by_house: bool = False) -> FormerName | None:
    """From now on the person is called that; gives what they were called before, or None if that is the same.

    The last few names are kept.

    Raises `ValidationError` for what is no name, one that is taken or reserved, and for too many within a week, with a
    code and a sentence for the person. `by_house`: a moderator chooses it, and may as often as they must.
    """
    name = clean_display_name(name)
    with transaction.atomic():
        # Renames of one person wait for each other: each counts those before it.
        locked = User.objects.select_for_update(no_key=True).get(pk=user.pk)
        if locked.deleted_at is not None:
            raise ValidationError(_("This account is deleted."), code="deleted")
        before = locked.display_name
        if name == before:
            return None
        if not by_house:
            _require_time_since(locked, moment)
        require_free_name(name, user=locked)
        try:
            ClaimedName.objects.claim(user=locked, new=(name,), kept=(locked.username,))
        except NameTaken:
            raise _taken() from None
        former = FormerName.objects.create(user=locked, name=before, until=moment)
        kept = FormerName.objects.filter(user=locked).values_list("pk")[:FORMER_NAMES_KEPT]
        FormerName.objects.filter(user=locked).exclude(pk__in=[pk for (pk,) in kept]).delete()
        locked.display_name = name
        locked.save(update_fields=["display_name"])
    user.display_name = name
    return former


def is_still_there(user: User) -> bool:
    """Whether the account is not deleted; within a transaction it stays so until that ends, for who locks it first.

    Whoever is about to write something of the person's asks: after the deletion nothing may come.
    """
    rows = User.objects.select_for_update(no_key=True).filter(pk=user.pk)
    return [left for (left,) in rows.values_list("deleted_at")] == [None]


def claim_first_names(*, user: User) -> None:
    """Somebody has just signed up. Raises `NameTaken` if somebody else did so with such a name at the same moment."""
    ClaimedName.objects.claim(user=user, new=(user.username, user.display_name))


def require_free_name(name: str, *, user: User | None = None) -> None:
    """Raises `ValidationError` if somebody else than this person is called that, or it is the house's own word.

    By display name or login name, in any case, and also where the name only looks like it.
    """
    if is_reserved(name) and not (user is not None and user.is_staff):
        raise ValidationError(_("This name is kept for the house. Please choose another one."), code="kept")
    if not is_free_name(name, user=user):
        raise _taken()


def is_free_name(name: str, *, user: User | None = None) -> bool:
    """Whether nobody else than this person is called that, nor what looks like it."""
    if not ClaimedName.objects.are_free(name, user=user):
        return False
    # Names from before they were claimed, of which only the first owner has the claim.
    plain = unicodedata.normalize("NFKC", name)
    alike = Q()
    for form in {name, plain, plain.casefold()}:
        alike |= Q(display_name__iexact=form) | Q(username__iexact=form)
    others = User.objects.exclude(pk=user.pk) if user is not None else User.objects.all()
    return not others.filter(alike).exists()


def _require_time_since(user: User, moment: datetime) -> None:
    lately = FormerName.objects.filter(user=user, until__gt=moment - RENAMES_WITHIN)
    if lately.count() >= RENAMES:
        raise ValidationError(
            _("You have changed your name %(count)d times within a week. Please keep this one for a while."),
            code="often",
            params={"count": RENAMES},
        )


def _taken() -> ValidationError:
    return ValidationError(_("Somebody is already called that, or something that looks like it."), code="taken")
