"""Who may be logged in: looked at when somebody comes, and at each request of theirs from then on."""

from __future__ import annotations

from allauth.account.auth_backends import AuthenticationBackend
from django.contrib.auth.base_user import AbstractBaseUser
from django.utils import timezone

from accounts.people.models import User


class PeopleBackend(AuthenticationBackend):  # type: ignore[misc]
    """allauth's; and whoever is suspended or banned is nobody until that ends, by itself, at any door.

    It costs nothing: the moment stands at the user. After the right password allauth is told who it was, so that the
    adapter can say why.
    """

    def user_can_authenticate(self, user: AbstractBaseUser | None) -> bool:
        barred = isinstance(user, User) and user.is_barred(timezone.now())
        return bool(super().user_can_authenticate(user)) and not barred
