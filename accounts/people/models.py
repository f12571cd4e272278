"""Who plays: the user, with what they set to their liking."""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib.auth.models import AbstractUser, UserManager
from django.db import models
from django.db.models.functions import Upper
from django.utils.translation import gettext_lazy as _

from accounts.people.fields import LowerCaseEmailField
from accounts.people.names import DISPLAY_NAME_LENGTH, USERNAME_LENGTH, validate_display_name, validate_username


class ConfirmMoves(models.TextChoices):
    AUTO = "auto", _("When I play by touch or by turns")
    ALWAYS = "always", _("Always")
    NEVER = "never", _("Never")


class PeopleManager(UserManager["User"]):
    """Finds login names in any case; gives a display name to those made on the command line."""

    use_in_migrations = False

    def get_by_natural_key(self, username: str | None) -> User:
        return self.get(username__iexact=username)

    def _create_user(self, username: str, email: str | None, password: str | None, **extra: Any) -> User:
        extra.setdefault("display_name", username[:DISPLAY_NAME_LENGTH])
        user: User = super()._create_user(username, email, password, **extra)  # type: ignore[misc]
        return user


class User(AbstractUser):
    """A registered person. `username` is for logging in and for addresses, `display_name` is what others see.

    Both `username` and `email` are unique whatever the case.
    """

    first_name = None  # type: ignore[assignment]
    last_name = None  # type: ignore[assignment]
    username = models.CharField(
        _("login name"),
        max_length=USERNAME_LENGTH,
        unique=True,
        validators=[validate_username],
        error_messages={"unique": _("Somebody has this login name already.")},
    )
    display_name = models.CharField(
        _("display name"), max_length=DISPLAY_NAME_LENGTH, validators=[validate_display_name]
    )
    email = LowerCaseEmailField(_("e-mail address"), blank=True)
    confirm_moves = models.CharField(
        _("confirm my moves"), max_length=6, choices=ConfirmMoves.choices, default=ConfirmMoves.AUTO
    )
    sound = models.BooleanField(_("sound"), default=True)

    objects: ClassVar[PeopleManager] = PeopleManager()

    class Meta:
        verbose_name = _("user")
        verbose_name_plural = _("users")
        # Upper, not Lower: PostgreSQL answers `iexact` with UPPER(...), and so from these indexes.
        constraints = [
            models.UniqueConstraint(
                Upper("username"),
                name="people_user_username_any_case",
                violation_error_message=_("Somebody has this login name already."),
            ),
            models.UniqueConstraint(
                Upper("email"),
                condition=~models.Q(email=""),
                name="people_user_email_any_case",
                violation_error_message=_("Somebody has this e-mail address already."),
            ),
        ]

    def __str__(self) -> str:
        return self.username

    def get_full_name(self) -> str:
        return self.display_name

    def get_short_name(self) -> str:
        return self.display_name
