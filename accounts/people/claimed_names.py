"""What people are called, as it looks: each skeleton belongs to one person, and the database sees to it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar

from django.conf import settings
from django.db import models, transaction
from django.utils.translation import gettext_lazy as _

from accounts.people.skeletons import SKELETON_LENGTH, skeletons

if TYPE_CHECKING:
    from accounts.people.models import User


class NameTaken(Exception):
    """Somebody else is called that, or something that looks like it."""


class ClaimedNameManager(models.Manager["ClaimedName"]):
    def are_free(self, name: str, *, user: User | None = None) -> bool:
        """Whether nobody but this person has a name that looks like it."""
        taken = self.filter(skeleton__in=skeletons(name))
        return not (taken.exclude(user=user) if user is not None else taken).exists()

    def claim(self, *, user: User, new: Iterable[str], kept: Iterable[str] = ()) -> None:
        """From now on the person is called all of that, and no longer anything else.

        Raises `NameTaken` for a new name; one that is kept may have been another's first, before names were claimed.
        Of several at once that want the same, one gets it.
        """
        wanted = frozenset[str]().union(*map(skeletons, new))
        held = frozenset[str]().union(*map(skeletons, kept))
        with transaction.atomic():
            # First the new ones, then the check: whoever inserts the same waits here until the other is done. In the
            # order of the names, so that two never wait for each other.
            rows = [ClaimedName(skeleton=each, user=user) for each in sorted(wanted | held)]
            self.bulk_create(rows, ignore_conflicts=True)
            if self.filter(skeleton__in=wanted).exclude(user=user).exists():
                raise NameTaken
            self.filter(user=user).exclude(skeleton__in=wanted | held).delete()


class ClaimedName(models.Model):
    """A skeleton of a person's login name or display name. Names from before the claims may be without."""

    skeleton = models.CharField(_("skeleton"), max_length=SKELETON_LENGTH, primary_key=True)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="claimed_names")

    objects: ClassVar[ClaimedNameManager] = ClaimedNameManager()

    class Meta:
        verbose_name = _("claimed name")
        verbose_name_plural = _("claimed names")

    def __str__(self) -> str:
        return self.skeleton
