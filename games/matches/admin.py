"""The moderators' view of matches: everything to be read, the log never to be changed, and voiding a match."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts.people.admin import ListedLookupsOnly
from games.matches import clock
from games.matches.errors import Refused
from games.matches.models import Match, Move, Seat
from games.matches.services.results import void_match


class _ReadOnly:
    """Nothing is added, changed or deleted here: matches change by services alone."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class SeatInline(_ReadOnly, admin.TabularInline):  # type: ignore[type-arg]
    model = Seat
    extra = 0
    fields = ("index", "kind", "user", "name", "left_order", "cancelled")


class MoveInline(_ReadOnly, admin.TabularInline):  # type: ignore[type-arg]
    model = Move
    extra = 0
    fields = ("ply", "seat", "kind", "public_text", "at", "undone")


@admin.register(Match)
class MatchAdmin(ListedLookupsOnly, _ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    """Deals and positions are left out: who moderates may play too, and must not see hands of a running match."""

    list_display = ("slug", "game_slug", "status", "reason", "pace", "public", "players", "ply", "created_at")
    list_filter = ("status", "game_slug", "reason", "pace", "public")
    search_fields = ("slug", "seats__name", "seats__user__username", "seats__user__display_name")
    date_hierarchy = "created_at"
    inlines = (SeatInline, MoveInline)
    exclude = ("deal", "position", "invite")
    actions = ("void",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Match]:
        return super().get_queryset(request).prefetch_related("seats__user")

    @admin.display(description=gettext_lazy("players"))
    def players(self, match: Match) -> str:
        return ", ".join(seat.shown_name for seat in match.seats.all() if seat.shown_name)

    @admin.action(description=gettext_lazy("Void the selected matches"), permissions=["void"])
    def void(self, request: HttpRequest, chosen: QuerySet[Match]) -> HttpResponse | None:
        """Asks first: a result that is voided does not come back."""
        if "sure" not in request.POST:
            context = {
                **self.admin_site.each_context(request),
                "title": _("Void matches"),
                "opts": self.opts,
                "chosen": chosen,
                "checkbox": ACTION_CHECKBOX_NAME,
            }
            return TemplateResponse(request, "admin/matches/match/void.html", context)
        voided = 0
        for slug in chosen.values_list("slug", flat=True):
            try:
                void_match(slug=slug, moment=clock.now())
            except Refused:
                self.message_user(
                    request, _("Match %(slug)s has not begun, so it can't be voided.") % {"slug": slug}, messages.ERROR
                )
                continue
            voided += 1
            self.log_change(request, Match.objects.get(slug=slug), [{"changed": {"fields": ["reason: voided"]}}])
        if voided:
            said = ngettext("%(count)s match was voided.", "%(count)s matches were voided.", voided)
            self.message_user(request, said % {"count": voided}, messages.SUCCESS)
        return None

    def has_void_permission(self, request: HttpRequest) -> bool:
        """Django asks by this name for the action's `permissions`."""
        return request.user.has_perm("matches.void_match")


@admin.register(Seat)
class SeatAdmin(ListedLookupsOnly, _ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    """Who sat where: the players of all matches."""

    list_display = ("match", *SeatInline.fields)
    list_filter = ("kind", "cancelled", "match__status", "match__game_slug")
    search_fields = ("name", "user__username", "user__display_name", "match__slug")
    list_select_related = ("match", "user")
    ordering = ("-match_id", "index")
    fields = ("match", *SeatInline.fields)


@admin.register(Move)
class MoveAdmin(ListedLookupsOnly, _ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    """The log of all matches, as others at the table saw it."""

    list_display = ("match", "ply", "seat", "kind", "public_text", "at", "undone")
    list_filter = ("kind", "undone", "match__game_slug")
    # Django asks for the seats' names in a subquery: a move is listed once, whoever of its players is found.
    search_fields = (
        "match__slug",
        "match__seats__name",
        "match__seats__user__username",
        "match__seats__user__display_name",
    )
    list_select_related = ("match",)
    exclude = ("text", "events", "key")
