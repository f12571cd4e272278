"""What changes a user."""

from __future__ import annotations

from allauth.account.models import EmailAddress

from accounts.people.models import User
from accounts.people.names import clean_display_name


def save_settings(*, user: User, display_name: str, confirm_moves: str, sound: bool) -> User:
    """Store what a person set to their liking. Raises `ValidationError` for a display name that may not be one."""
    user.display_name = clean_display_name(display_name)
    user.confirm_moves = confirm_moves
    user.sound = sound
    user.save(update_fields=["display_name", "confirm_moves", "sound"])
    return user


def give_address_to(*, user: User, email: str) -> None:
    """Take an address from everybody else who never confirmed it: `user` has just shown that the mailbox is theirs."""
    confirmed_by = EmailAddress.objects.filter(email__iexact=email, verified=True).values("user_id")
    others = User.objects.exclude(pk=user.pk).exclude(pk__in=confirmed_by)
    EmailAddress.objects.filter(email__iexact=email, user__in=others).delete()
    others.filter(email__iexact=email).update(email="")
