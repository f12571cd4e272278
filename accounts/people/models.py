"""Who plays: the user, with what they set to their liking."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any, ClassVar

from django.contrib.auth.models import AbstractUser, UserManager
from django.db import models
from django.db.models.functions import Upper
from django.utils.translation import gettext_lazy as _

# Django looks for models here; those of names, sanctions, notices and traces stand in modules of their own.
from accounts.people.claimed_names import ClaimedName as ClaimedName
from accounts.people.fields import LowerCaseEmailField
from accounts.people.former_names import FormerName as FormerName
from accounts.people.names import (
    DISPLAY_NAME_LENGTH,
    USERNAME_LENGTH,
    former_player,
    validate_display_name,
    validate_username,
)
from accounts.people.notices import Notice as Notice
from accounts.people.sanctions import BannedAddress as BannedAddress
from accounts.people.sanctions import Sanction as Sanction
from accounts.people.traces import Trace as Trace


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
        ClaimedName.objects.claim(user=user, new=(), kept=(user.username, user.display_name))
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
    # A code of LANGUAGES, which are those with a catalogue: no choices here, or each new one would be a migration.
    # Empty for those made on the command line, until they log in.
    language = models.CharField(_("language"), max_length=10, blank=True)
    mail_turns = models.BooleanField(_("mails about turns"), default=True)
    # A name of the IANA time zones; empty: the site's own.
    time_zone = models.CharField(_("time zone"), max_length=64, blank=True)
    # Until when what the sanctions say is in force (sanctions.py has them one by one); null: none ever was.
    barred_until = models.DateTimeField(_("suspended or banned until"), null=True, blank=True, editable=False)
    muted_until = models.DateTimeField(_("muted until"), null=True, blank=True, editable=False)
    rated_pause_until = models.DateTimeField(_("no rated matches until"), null=True, blank=True, editable=False)
    # How often all sessions of the person were ended at once: those of an earlier count are nobody's.
    sessions_ended = models.PositiveIntegerField(default=0, editable=False)
    # Counted here so that a page of who has none looks for none.
    unread_notices = models.PositiveIntegerField(default=0, editable=False)
    # Whoever has deleted the account stays as a row without anything of theirs: their matches are others' too.
    deleted_at = models.DateTimeField(_("deleted"), null=True, blank=True, editable=False)

    objects: ClassVar[PeopleManager] = PeopleManager()

    # Not stored: a mark of the row and its session as they were when a socket looked them up (matches/callers.py).
    mark_known: int | None = None

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

    def is_barred(self, moment: datetime) -> bool:
        """Whether the person is suspended or banned then, and may not be logged in."""
        return self.barred_until is not None and moment < self.barred_until

    def is_muted(self, moment: datetime) -> bool:
        """Whether a sanction keeps the person from writing to others then."""
        return self.muted_until is not None and moment < self.muted_until

    def is_rated_paused(self, moment: datetime) -> bool:
        """Whether the person may not sit down at rated tables then."""
        return self.rated_pause_until is not None and moment < self.rated_pause_until

    def get_session_auth_hash(self) -> str:
        """What a session must carry to be the person's: it changes with the password, and when all sessions end."""
        return self._of_these_sessions(super().get_session_auth_hash())

    def get_session_auth_fallback_hash(self) -> Iterator[str]:
        """The same by secret keys from before."""
        return map(self._of_these_sessions, super().get_session_auth_fallback_hash())

    def _of_these_sessions(self, plain: str) -> str:
        # The server alone keeps it, so that there is nothing to sign.
        return f"{plain}.{self.sessions_ended}" if self.sessions_ended else plain

    @property
    def shown_name(self) -> str:
        """What others call the person; it is looked up wherever it is shown, and stored nowhere else."""
        return former_player() if self.deleted_at is not None else self.display_name

    @property
    def has_profile(self) -> bool:
        """Whether there is a page about the person; who has deleted the account, or was switched off, has none."""
        return self.is_active and self.deleted_at is None

    def get_full_name(self) -> str:
        return self.shown_name

    def get_short_name(self) -> str:
        return self.shown_name


class Mute(models.Model):
    """`by` does not want to read what `whom` writes; nobody else is told."""

    by = models.ForeignKey(User, on_delete=models.CASCADE, related_name="mutes", db_index=False)
    whom = models.ForeignKey(User, on_delete=models.CASCADE, related_name="muted_by")
    created_at = models.DateTimeField(_("since"))

    class Meta:
        verbose_name = _("muted person")
        verbose_name_plural = _("muted people")
        constraints = [
            models.UniqueConstraint(fields=["by", "whom"], name="mute_once"),
            models.CheckConstraint(condition=~models.Q(by=models.F("whom")), name="mute_others"),
        ]

    def __str__(self) -> str:
        return f"{self.by_id}/{self.whom_id}"


class Block(models.Model):
    """`by` does not want to play with `whom` at a public table, nor to read what they write."""

    by = models.ForeignKey(User, on_delete=models.CASCADE, related_name="blocks", db_index=False)
    whom = models.ForeignKey(User, on_delete=models.CASCADE, related_name="blocked_by")
    created_at = models.DateTimeField(_("since"))

    class Meta:
        verbose_name = _("blocked person")
        verbose_name_plural = _("blocked people")
        constraints = [
            models.UniqueConstraint(fields=["by", "whom"], name="block_once"),
            models.CheckConstraint(condition=~models.Q(by=models.F("whom")), name="block_others"),
        ]

    def __str__(self) -> str:
        return f"{self.by_id}/{self.whom_id}"
