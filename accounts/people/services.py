"""What changes a user."""

from __future__ import annotations

from accounts.people.models import User
from accounts.people.names import clean_display_name


def save_settings(*, user: User, display_name: str, confirm_moves: str, sound: bool) -> User:
    """Store what a person set to their liking. Raises `ValidationError` for a display name that may not be one."""
    user.display_name = clean_display_name(display_name)
    user.confirm_moves = confirm_moves
    user.sound = sound
    user.save(update_fields=["display_name", "confirm_moves", "sound"])
    return user
