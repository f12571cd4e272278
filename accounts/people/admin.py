"""Users, for those who keep the house."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from accounts.people.announcer import announce_person_on_commit
from accounts.people.claimed_names import ClaimedName
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
        (_("Settings"), {"fields": ("confirm_moves", "sound", "mail_turns", "language", "time_zone")}),
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

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        """What has changed and no more: a whole row would undo what was imposed on the person meanwhile."""
        if change:
            columns = {field.name for field in User._meta.concrete_fields}
            obj.save(update_fields=[name for name in form.changed_data if name in columns])
            # Whoever was switched off.
            announce_person_on_commit(obj.pk)
        else:
            super().save_model(request, obj, form, change)
        ClaimedName.objects.claim(user=obj, new=(), kept=(obj.username, obj.display_name))

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        # Somebody may sit in a running match, which nobody could go on with: switch them off instead.
        return False


# allauth's own pages of these show secrets and addresses; nobody needs them.
admin.site.unregister(Authenticator)
admin.site.unregister(UserSession)


@admin.register(Authenticator)
class FactorAdmin(ListedLookupsOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    """Who has lost app, passkey and recovery codes is helped by removing the factor: nothing else can be done here."""

    list_display = ("user", "type", "created_at", "last_used_at")
    list_filter = ("type",)
    search_fields = ("user__username", "user__display_name", "user__email")
    fields = readonly_fields = list_display

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
