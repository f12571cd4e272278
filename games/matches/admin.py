"""The moderators' view of matches: everything to be read, and nothing changed. What they do is in the desk."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy, pgettext_lazy

from accounts.people.admin import ListedLookupsOnly
from games.contract.registry import all_games
from games.matches.models import Match, Move, Outage, Rating, RatingBook, RatingChange, Seat, known_games
from games.matches.result_texts import in_short


class ReadOnly:
    """Nothing is added, changed or deleted here: matches change by services alone."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


SECRET_IN_REAL_TIME = ("revision", "ply", "to_move", "reached", "due_at")
"""Columns of a match that tell of claims which wait."""


def settled_moves(moves: QuerySet[Move]) -> QuerySet[Move]:
    """Without those of matches in real time that still run: others must not know that a claim was made."""
    live = [game.slug for game in all_games() if game.info.real_time]
    return moves.exclude(match__status=Match.Status.RUNNING, match__game_slug__in=live)


class SeatInline(ReadOnly, admin.TabularInline):  # type: ignore[type-arg]
    model = Seat
    extra = 0
    fields = ("index", "kind", "user", "shown_name", "left_order", "cancelled")
    readonly_fields = ("shown_name",)


class MoveInline(ReadOnly, admin.TabularInline):  # type: ignore[type-arg]
    model = Move
    extra = 0
    fields = ("ply", "seat", "kind", "public_text", "at", "undone")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Move]:
        return settled_moves(super().get_queryset(request))


@admin.register(Match)
class MatchAdmin(ListedLookupsOnly, ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    """Deals and positions are left out: who moderates may play too, and must not see hands of a running match."""

    list_display = ("slug", "game", "status", "ended_by", "pace", "public", "players", "created_at")
    list_filter = ("status", "game_slug", "reason", "pace", "public", "rated")
    search_fields = ("slug", "seats__user__username", "seats__user__display_name")
    date_hierarchy = "created_at"
    inlines = (SeatInline, MoveInline)
    exclude = ("deal", "deal_nonce", "position", "invite", "rematch_of", "takeback_by", *SECRET_IN_REAL_TIME)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Match]:
        return super().get_queryset(request).prefetch_related("seats__user")

    @admin.display(description=gettext_lazy("game"), ordering="game_slug")
    def game(self, match: Match) -> str:
        return match.game.info.title if match.game_slug in known_games() else match.game_slug

    @admin.display(description=gettext_lazy("reason"), ordering="reason")
    def ended_by(self, match: Match) -> str:
        if not match.reason or match.game_slug not in known_games():
            return match.reason
        seats = sorted(match.seats.all(), key=lambda seat: seat.index)
        return in_short(match, seats, [seat.shown_name for seat in seats])

    @admin.display(description=pgettext_lazy("who plays", "players"))
    def players(self, match: Match) -> str:
        return ", ".join(seat.shown_name for seat in match.seats.all() if seat.shown_name)


@admin.register(Seat)
class SeatAdmin(ListedLookupsOnly, ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    """Who sat where: the players of all matches."""

    list_display = ("match", *SeatInline.fields)
    list_filter = ("kind", "cancelled", "match__status", "match__game_slug")
    search_fields = ("user__username", "user__display_name", "match__slug")
    list_select_related = ("match", "user")
    ordering = ("-match_id", "index")
    fields = ("match", *SeatInline.fields)
    readonly_fields = ("shown_name",)


@admin.register(Move)
class MoveAdmin(ListedLookupsOnly, ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    """The log of all matches, as others at the table saw it."""

    list_display = ("match", "ply", "seat", "kind", "public_text", "at", "undone")
    list_filter = ("kind", "undone", "match__game_slug")
    # Django asks for the seats' names in a subquery: a move is listed once, whoever of its players is found.
    search_fields = (
        "match__slug",
        "match__seats__user__username",
        "match__seats__user__display_name",
    )
    list_select_related = ("match",)
    exclude = ("text", "events", "key", "clocks")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Move]:
        return settled_moves(super().get_queryset(request))


@admin.register(Outage)
class OutageAdmin(ListedLookupsOnly, ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    """When the house was down, and match time stood still."""

    list_display = ("began_at", "ended_at", "seconds")
    list_filter = ("began_at",)
    fields = list_display

    @admin.display(description=gettext_lazy("seconds"))
    def seconds(self, outage: Outage) -> str:
        return str(round((outage.ended_at - outage.began_at).total_seconds()))


@admin.register(RatingBook)
class RatingBookAdmin(ListedLookupsOnly, ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    """Of each game, how many matches were rated, and what waits to be recomputed."""

    list_display = ("game_slug", "last_number", "stale_from", "asked_at")
    list_filter = ()


@admin.register(Rating)
class RatingAdmin(ListedLookupsOnly, ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    """Everybody's ratings."""

    list_display = ("user", "book", "shown", "matches", "last_number")
    list_filter = ("book",)
    search_fields = ("user__username", "user__display_name")
    list_select_related = ("user",)


@admin.register(RatingChange)
class RatingChangeAdmin(ListedLookupsOnly, ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    """The ledger: what each match did to whose rating."""

    list_display = ("match", "finish_number", "seat", "who", "place", "result", "shown_before", "shown_after")
    list_filter = ("book", "result")
    search_fields = ("match__slug", "rating__user__username", "rating__user__display_name")
    list_select_related = ("match", "rating__user")
    ordering = ("book", "-finish_number", "seat")

    def get_queryset(self, request: HttpRequest) -> QuerySet[RatingChange]:
        return RatingChange.objects.in_force()

    @admin.display(description=gettext_lazy("user"))
    def who(self, change: RatingChange) -> str:
        return str(change.rating.user or "")
