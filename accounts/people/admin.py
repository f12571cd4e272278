"""Users, for those who keep the house."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from accounts.people.models import User


class ListedLookupsOnly:
    """Lists are filtered by what they offer. Django lets an address filter by any column, and tells by what it finds
    what no page shows."""

    list_filter: ClassVar[Sequence[str]] = ()
    date_hierarchy: ClassVar[str | None] = None

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        if any(lookup.removeprefix(column) in ("", "__exact", "__in", "__isnull") for column in self.list_filter):
            return True
        return lookup in {f"{self.date_hierarchy}__{part}" for part in ("year", "month", "day")}


@admin.register(User)
class UserAdmin(ListedLookupsOnly, DjangoUserAdmin):  # type: ignore[type-arg]
    list_display = ("username", "display_name", "email", "is_active", "is_staff", "date_joined", "last_login")
    list_filter = ("is_active", "is_staff")
    date_hierarchy = "date_joined"
    search_fields = ("username", "display_name", "email")
    ordering = ("-date_joined",)
    readonly_fields = ("date_joined", "last_login")
    fieldsets = (
        (None, {"fields": ("username", "password")}),
        (_("Person"), {"fields": ("display_name", "email")}),
        (_("Settings"), {"fields": ("confirm_moves", "sound")}),
        (_("Permissions"), {"fields": ("is_active", "is_staff", "is_superuser", "groups", "user_permissions")}),
        (_("Dates"), {"fields": ("date_joined", "last_login")}),
    )
    add_fieldsets = (
        (
            None,
            {
                "classes": ("wide",),
                "fields": ("username", "display_name", "email", "usable_password", "password1", "password2"),
            },
        ),
    )

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        # Somebody may sit in a running match, which nobody could go on with: switch them off instead.
        return False
