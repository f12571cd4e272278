"""The moderators' desk in the admin: the queue of reports, the log, and matches with what can be done to them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Any, ClassVar

from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.text import Truncator
from django.utils.timesince import timesince
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts.desk import desk_pages, texts
from accounts.desk.acts import ModerationAct, What
from accounts.desk.errors import DeskRefused
from accounts.desk.evidence import acts_for, reports_for
from accounts.desk.forms import ActForm, FindForm
from accounts.desk.reports import Report
from accounts.desk.services.matches import void_match
from accounts.desk.services.undoing import may_undo
from accounts.people.admin import ListedLookupsOnly
from accounts.people.models import Sanction
from games.matches import clock
from games.matches.admin import MatchAdmin, ReadOnly
from games.matches.models import Match

Queryset = QuerySet[Any]


class StateFilter(admin.SimpleListFilter):
    """The queue is what is open, unless one asks for the others too, or looks for something."""

    title = gettext_lazy("state")
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Sequence[tuple[str, str]]:
        # A look for something, without a state, goes through all.
        self.untold = "all" if request.GET.get("q") else Report.State.OPEN
        return [*((str(value), str(label)) for value, label in Report.State.choices), ("all", _("All"))]

    def value(self) -> str:
        said = super().value()
        return said if said in (*Report.State.values, "all") else self.untold

    def choices(self, changelist: Any) -> Iterator[Any]:
        # The first is Django's own "All": no state in the address, which is what is open here.
        choices = super().choices(changelist)
        next(choices)
        yield from choices

    def queryset(self, request: HttpRequest, queryset: Queryset) -> Queryset:
        return queryset if self.value() == "all" else queryset.filter(state=self.value())


class AgeFilter(admin.SimpleListFilter):
    """How long ago it was reported."""

    title = gettext_lazy("age")
    parameter_name = "age"

    DAYS: ClassVar[dict[str, int]] = {"day": 1, "week": 7, "month": 30}

    def lookups(self, request: HttpRequest, model_admin: Any) -> Sequence[tuple[str, str]]:
        return [("day", _("within a day")), ("week", _("within a week")), ("month", _("within a month"))]

    def queryset(self, request: HttpRequest, queryset: Queryset) -> Queryset:
        days = self.DAYS.get(self.value() or "")
        return queryset.filter(created_at__gt=clock.now() - timedelta(days=days)) if days else queryset


@admin.register(Report)
class ReportAdmin(ListedLookupsOnly, ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    """The queue. A report's page is the evidence; it changes by acts alone."""

    list_display = ("number", "age", "state_label", "reason", "about_name", "by_name", "place")
    list_display_links = ("number",)
    # Columns alone for ListedLookupsOnly; state and age are added below.
    list_filter = ("reason", "place")
    search_fields = ("about__username", "about__display_name", "by__username", "match__slug")
    search_help_text = gettext_lazy(
        "Search the reports, also decided ones, by whom they are about or by, or by the match."
    )
    list_select_related = ("about", "by", "counted_for")
    # Who waits longest comes first.
    ordering = ("created_at", "pk")
    change_list_template = "admin/desk/queue.html"
    # By the list's own bulk actions nothing can be done: there are none.
    actions = ()

    def get_list_filter(self, request: HttpRequest) -> Any:
        return (StateFilter, *self.list_filter, AgeFilter)

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        own = (StateFilter.parameter_name, AgeFilter.parameter_name)
        return lookup in own or super().lookup_allowed(lookup, value, request)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Report]:
        return reports_for(desk_pages.moderator(request))

    def get_urls(self) -> list[URLPattern]:
        wrap = self.admin_site.admin_view
        own = [
            path("find/", wrap(desk_pages.find_person), name="desk_find"),
            path("person/<int:pk>/", wrap(desk_pages.person_page), name="desk_person"),
            path("act/<slug:what>/", wrap(desk_pages.act_page), name="desk_act"),
            path("undo/<int:pk>/", wrap(desk_pages.undo_page), name="desk_undo"),
        ]
        return own + super().get_urls()

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        moment = clock.now()
        mine = reports_for(desk_pages.moderator(request))
        waiting = mine.filter(state=Report.State.OPEN)
        decided = mine.exclude(state=Report.State.OPEN).filter(decided_at__gt=moment - timedelta(days=7))
        mutes = Sanction.objects.filter(automatic=True, lifted_at=None, until__gt=moment)
        counts = [
            (_("open"), waiting.count(), "?state=open"),
            (_("open for more than two days"), waiting.filter(created_at__lt=moment - timedelta(days=2)).count(), ""),
            (_("decided within a week"), decided.count(), ""),
            (_("automatic mutes in force"), mutes.count(), ""),
        ]
        extra = {"title": _("Reports"), "counts": counts, "find": FindForm(), **(extra_context or {})}
        return super().changelist_view(request, extra)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        return desk_pages.evidence_page(request, self.get_object(request, object_id))

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        return desk_pages.evidence_page(request, self.get_object(request, object_id))

    @admin.display(description=gettext_lazy("report"), ordering="pk")
    def number(self, report: Report) -> str:
        return f"#{report.pk}"

    @admin.display(description=gettext_lazy("age"), ordering="-created_at")
    def age(self, report: Report) -> str:
        return timesince(report.created_at, clock.now(), depth=1)

    @admin.display(description=gettext_lazy("about"))
    def about_name(self, report: Report) -> str:
        return desk_pages.person_label(report.about)

    @admin.display(description=gettext_lazy("reported by"))
    def by_name(self, report: Report) -> str:
        return desk_pages.person_label(report.by)

    @admin.display(description=gettext_lazy("state"), ordering="state")
    def state_label(self, report: Report) -> str:
        state = report.get_state_display()
        return _("%(state)s, muted by it") % {"state": state} if report.counted_for_id is not None else state


@admin.register(ModerationAct)
class ModerationActAdmin(ListedLookupsOnly, ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    """The log: read by all moderators, changed by nobody."""

    list_display = ("at", "label", "who_label", "whom_label", "at_match", "undone", "why_short")
    list_filter = ("what",)
    date_hierarchy = "at"
    search_fields = ("whom__username", "whom__display_name", "who__username", "match__slug")
    search_help_text = gettext_lazy("Search the log by who did it, to whom, or by the match.")
    list_select_related = ("who", "whom", "match", "undone_by", "undoes")
    ordering = ("-at", "-pk")
    fields = (
        "at",
        "label",
        "who_label",
        "whom_label",
        "match",
        "report",
        "why",
        "stood_before",
        "stood_after",
        "undoes",
        "undone",
    )
    readonly_fields = ("label", "who_label", "whom_label", "stood_before", "stood_after", "undone")
    actions = ()
    change_form_template = "admin/desk/act_entry.html"

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        return super().changelist_view(request, {"title": _("Log of moderation"), **(extra_context or {})})

    def get_queryset(self, request: HttpRequest) -> QuerySet[ModerationAct]:
        return acts_for(desk_pages.moderator(request))

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        act = self.get_object(request, object_id)
        offered = act is not None and may_undo(desk_pages.moderator(request), act)
        return super().change_view(request, object_id, form_url, {**(extra_context or {}), "may_undo": offered})

    @admin.display(description=gettext_lazy("what"), ordering="what")
    def label(self, act: ModerationAct) -> str:
        return texts.act_label(act)

    @admin.display(description=gettext_lazy("match"), ordering="match")
    def at_match(self, act: ModerationAct) -> str:
        return act.match.slug if act.match is not None else "–"

    @admin.display(description=gettext_lazy("why"))
    def why_short(self, act: ModerationAct) -> str:
        return Truncator(act.why).chars(80)

    @admin.display(description=gettext_lazy("before"))
    def stood_before(self, act: ModerationAct) -> SafeString | str:
        return _facts(act.before)

    @admin.display(description=gettext_lazy("after"))
    def stood_after(self, act: ModerationAct) -> SafeString | str:
        return _facts(act.after)

    @admin.display(description=gettext_lazy("who"))
    def who_label(self, act: ModerationAct) -> str:
        return desk_pages.person_label(act.who) if act.who is not None else _("the house")

    @admin.display(description=gettext_lazy("whom"))
    def whom_label(self, act: ModerationAct) -> str:
        return desk_pages.person_label(act.whom) if act.whom is not None else "–"

    @admin.display(description=gettext_lazy("undone"))
    def undone(self, act: ModerationAct) -> str:
        undoing: ModerationAct | None = getattr(act, "undone_by", None)
        if undoing is None:
            return "–"
        address = reverse("admin:desk_moderationact_change", args=[undoing.pk])
        return format_html('<a href="{}">{}</a>', address, _("undone"))


def _facts(plain: dict[str, Any]) -> SafeString | str:
    """How things stood, a line for each."""
    return format_html_join("", '<div class="desk-fact">{}: {}</div>', texts.facts(plain)) or "–"


admin.site.unregister(Match)


@admin.register(Match)
class DeskMatchAdmin(MatchAdmin):
    """Matches as they are, and what moderators do to them, which goes by the log."""

    change_form_template = "admin/desk/match.html"
    actions = ("void",)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        match = self.get_object(request, object_id)
        offered = desk_pages.match_acts(desk_pages.moderator(request), match) if match is not None else []
        return super().change_view(request, object_id, form_url, {**(extra_context or {}), "offered": offered})

    @admin.action(description=gettext_lazy("Void the selected matches"), permissions=["void"])
    def void(self, request: HttpRequest, chosen: QuerySet[Match]) -> HttpResponse | None:
        """Asks for the reason first."""
        form = ActForm(What.VOID, request.POST if "why" in request.POST else None)
        if not form.is_valid():
            context = {
                **self.admin_site.each_context(request),
                "title": _("Void matches"),
                "opts": self.opts,
                "chosen": chosen,
                "form": form,
                "effect": texts.act_effect(What.VOID),
                "hidden": [("action", "void"), *((ACTION_CHECKBOX_NAME, str(match.pk)) for match in chosen)],
                "back": reverse("admin:matches_match_changelist"),
            }
            return TemplateResponse(request, "admin/desk/void_matches.html", context)
        voided, who = 0, desk_pages.moderator(request)
        for match in chosen.select_related("host"):
            try:
                void_match(who=who, match=match, why=form.cleaned_data["why"], moment=clock.now())
            except DeskRefused as error:
                said = _("Match %(slug)s: %(why)s") % {"slug": match.slug, "why": texts.refusal(error)}
                self.message_user(request, said, messages.ERROR)
                continue
            voided += 1
        if voided:
            said = ngettext("%(count)s match was voided.", "%(count)s matches were voided.", voided)
            self.message_user(request, said % {"count": voided}, messages.SUCCESS)
        return None

    def has_void_permission(self, request: HttpRequest) -> bool:
        """Django asks by this name for the action's `permissions`."""
        return bool(request.user.has_perm("matches.void_match"))
