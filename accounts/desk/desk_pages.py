"""The desk's own pages in the admin: the evidence, a person, an act with its reason, and undoing one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts.desk import texts
from accounts.desk.acts import ModerationAct, What
from accounts.desk.errors import DeskRefused
from accounts.desk.evidence import acts_for, chat_slice, may_read_room, person_file, reports_for, where_to_look
from accounts.desk.forms import ActForm, FindForm
from accounts.desk.reports import Report
from accounts.desk.rights import may_act_upon, may_decide, may_do
from accounts.desk.services import chat, matches, people
from accounts.desk.services.reports import decide_report
from accounts.desk.services.undoing import may_undo, undo_act
from accounts.people.models import User
from accounts.people.names import isolated_name, may_be_login_name
from games.matches import clock
from games.matches.models import ChatLine, Match
from games.matches.numbers import whole_number
from games.matches.talk import Room

UPON_PEOPLE = (What.WARN, What.MUTE, What.SUSPEND, What.BAN, What.RENAME)
MOST_FOUND = 50


def moderator(request: HttpRequest) -> User:
    """Who is at the desk; the admin lets in nobody who is not logged in."""
    assert isinstance(request.user, User)
    return request.user


def person_label(person: User) -> str:
    """Display name and login name, since names change and look alike."""
    if person.deleted_at is not None:
        return _("former player #%(number)s") % {"number": str(person.pk)}
    return f"{isolated_name(person.display_name)} ({person.username})"


@dataclass(frozen=True, slots=True)
class Offer:
    """An act that a page offers, as a link to its form."""

    title: str
    address: str


def act_address(what: str, **fields: Any) -> str:
    """Where the form for such an act is."""
    given = {name: value for name, value in fields.items() if value not in (None, "")}
    return f"{reverse('admin:desk_act', args=[what])}?{urlencode(given)}"


def match_acts(who: User, match: Match, *, report: Report | None = None) -> Sequence[Offer]:
    """What this moderator may do to that match, as it stands."""
    status = Match.Status
    fitting = {
        status.TABLE: (What.REMOVE_TABLE,),
        status.RUNNING: (What.END, What.VOID),
        status.OVER: (What.VOID,) if match.reason != "voided" else (),
        status.CLOSED: (),
    }[status(match.status)]
    number = report.pk if report is not None else None
    return [
        Offer(texts.act_title(what), act_address(what, match=match.slug, report=number))
        for what in fitting
        if may_do(who, what)
    ]


def _person_acts(who: User, whom: User, *, report: Report | None = None) -> Sequence[Offer]:
    if not may_act_upon(who, whom):
        return []
    number = report.pk if report is not None else None
    return [
        Offer(texts.act_title(what), act_address(what, whom=whom.pk, report=number))
        for what in UPON_PEOPLE
        if may_do(who, what)
    ]


@require_safe
def evidence_page(request: HttpRequest, report: Report | None) -> HttpResponse:
    """All that there is to one report; 404 for one that this moderator must not know of."""
    who, moment = moderator(request), clock.now()
    if not who.has_perm("desk.view_report"):
        raise PermissionDenied
    if report is None:
        raise Http404
    said = chat_slice(report=report, viewer=who)
    context = {
        "title": _("Report #%(number)s") % {"number": str(report.pk)},
        "report": report,
        "match": report.match,
        "look": where_to_look(report),
        "slice": said,
        "lines": _lines(report, said.lines, who) if said is not None else [],
        "entries": [
            _entry(heading, person, who, moment, report=report)
            for heading, person in ((_("Reported"), report.about), (_("Reported by"), report.by))
        ],
        "match_offers": match_acts(who, report.match, report=report) if report.match is not None else [],
        "decisions": [
            Offer(texts.act_title(what), act_address(what, report=report.pk)) for what in (What.UPHOLD, What.DISMISS)
        ]
        if report.is_open and may_decide(who, report)
        else [],
        "acts": _acts(
            acts_for(who).filter(report=report).select_related("who", "whom", "match", "undone_by", "undoes"), who
        ),
    }
    return _page(request, "admin/desk/evidence.html", context)


def _entry(heading: str, person: User, who: User, moment: datetime, *, report: Report | None = None) -> dict[str, Any]:
    """What a page shows of one person."""
    found = person_file(person=person, viewer=who, moment=moment)
    return {
        "heading": heading,
        "label": person_label(person),
        "file": found,
        "acts": _acts(found.acts, who),
        "exits": [(texts.exit_label(code), count) for code, count in found.exits],
        "offers": _person_acts(who, person, report=report),
    }


def _acts(acts: Iterable[ModerationAct], who: User) -> list[tuple[ModerationAct, str, bool]]:
    """Each with its words, and whether undoing it is offered."""
    return [(act, texts.act_label(act), may_undo(who, act)) for act in acts]


def _lines(report: Report, lines: Sequence[ChatLine], who: User) -> list[dict[str, Any]]:
    """Each line with what may be done to it: hidden, or shown again by undoing the act that has hidden it."""
    hiding = ModerationAct.objects.filter(match=report.match, what=What.HIDE_LINE, undone_by=None)
    by_line = {(act.after["room"], act.after["number"]): act for act in hiding}
    speakers = {line.user for line in lines if line.user is not None}
    allowed = {None, *(speaker.pk for speaker in speakers if may_act_upon(who, speaker))}
    rows = []
    for line in lines:
        offer = None
        if may_do(who, What.HIDE_LINE) and line.user_id in allowed:
            act = by_line.get((line.room, line.number))
            if not line.hidden and report.match is not None:
                fields = {"match": report.match.slug, "room": line.room, "line": line.number, "report": report.pk}
                offer = Offer(_("Hide"), act_address(What.HIDE_LINE, **fields))
            elif act is not None:
                offer = Offer(_("Show again"), reverse("admin:desk_undo", args=[act.pk]))
        rows.append({"line": line, "reported": line.number == report.line, "offer": offer})
    return rows


@require_safe
def person_page(request: HttpRequest, pk: int) -> HttpResponse:
    """All that there is of one person, and what can be done."""
    who = moderator(request)
    if not who.has_perm("desk.view_report"):
        raise PermissionDenied
    person = get_object_or_404(User, pk=pk)
    if person == who:
        raise PermissionDenied
    entry = _entry("", person, who, clock.now())
    return _page(request, "admin/desk/person.html", {"title": person_label(person), "entry": entry})


@require_safe
def find_person(request: HttpRequest) -> HttpResponse:
    """People by login name or display name, also by a part of them."""
    if not moderator(request).has_perm("desk.view_report"):
        raise PermissionDenied
    form = FindForm(request.GET)
    found: Sequence[User] = []
    if form.is_valid() and may_be_login_name(form.cleaned_data["name"][:30]):
        name = form.cleaned_data["name"]
        named = User.objects.filter(Q(username__icontains=name) | Q(display_name__icontains=name))
        found = list(named.filter(deleted_at=None).order_by("username")[:MOST_FOUND])
    return _page(request, "admin/desk/find.html", {"title": _("Find a person"), "find": form, "found": found})


@dataclass(frozen=True, slots=True)
class Subject:
    """What an act is about, as its address says."""

    whom: User | None = None
    match: Match | None = None
    line: ChatLine | None = None
    report: Report | None = None

    def address(self) -> str:
        """Where to go on afterwards."""
        if self.report is not None:
            return reverse("admin:desk_report_change", args=[self.report.pk])
        if self.whom is not None:
            return reverse("admin:desk_person", args=[self.whom.pk])
        if self.match is not None:
            return reverse("admin:matches_match_change", args=[self.match.pk])
        return reverse("admin:desk_report_changelist")


@require_http_methods(["GET", "HEAD", "POST"])
def act_page(request: HttpRequest, what: str) -> HttpResponse:
    """The form for an act, with its reason; nothing is done without it."""
    who = moderator(request)
    if what not in What.values or not may_do(who, what):
        raise PermissionDenied
    subject = _subject(who, What(what), request.GET)
    form = ActForm(what, request.POST or None, whom=subject.whom)
    refusal: DeskRefused | None = None
    if form.is_valid():
        try:
            _perform(What(what), who, subject, form, clock.now())
        except DeskRefused as error:
            refusal = error
        else:
            messages.success(request, _("Done, and entered in the log."))
            return redirect(subject.address())
    return _form_page(request, form, what, subject, refusal)


@require_http_methods(["GET", "HEAD", "POST"])
def undo_page(request: HttpRequest, pk: int) -> HttpResponse:
    """The form for undoing an act, with its reason."""
    who = moderator(request)
    act = get_object_or_404(acts_for(who).select_related("whom", "match", "report"), pk=pk)
    if not may_do(who, act.what):
        raise PermissionDenied
    subject = Subject(whom=act.whom, match=act.match, report=act.report)
    form = ActForm(What.UNDO, request.POST or None, undoes=act.what)
    refusal: DeskRefused | None = None
    if form.is_valid():
        try:
            undo_act(who=who, act=act, why=form.cleaned_data["why"], moment=clock.now())
        except DeskRefused as error:
            refusal = error
        else:
            messages.success(request, _("Undone, and entered in the log."))
            return redirect(subject.address())
    return _form_page(request, form, What.UNDO, subject, refusal, act=act)


def _form_page(
    request: HttpRequest,
    form: ActForm,
    what: str,
    subject: Subject,
    refusal: DeskRefused | None,
    act: ModerationAct | None = None,
) -> HttpResponse:
    context = {
        "title": texts.act_title(what),
        "effect": texts.act_effect(what),
        "form": form,
        "subject": subject,
        "whom": person_label(subject.whom) if subject.whom is not None else "",
        "act": act,
        "act_label": texts.act_label(act) if act is not None else "",
        "back": subject.address(),
        "notice": texts.refusal(refusal) if refusal is not None else "",
        "code": refusal.code if refusal is not None else "",
    }
    wrong = 422 if form.is_bound and not form.is_valid() else 200
    return _page(request, "admin/desk/act.html", context, refusal.status if refusal is not None else wrong)


def _subject(who: User, what: What, asked: Mapping[str, str]) -> Subject:
    """404 for what is not there, for reports of which this moderator must not know, and for one about something else;
    403 for a line in a room that is closed to them while they play."""
    report = match = line = None
    if "report" in asked:
        report = get_object_or_404(reports_for(who).select_related("about", "by", "match"), pk=_number(asked["report"]))
    if what in (What.UPHOLD, What.DISMISS):
        if report is None:
            raise Http404
        return Subject(whom=report.about, match=report.match, report=report)
    if what in UPON_PEOPLE:
        whom = get_object_or_404(User, pk=_number(asked.get("whom", "")))
        if report is not None and whom not in (report.about, report.by):
            raise Http404
        return Subject(whom=whom, report=report)
    match = get_object_or_404(Match.objects.select_related("host"), slug=asked.get("match", "").replace("\0", ""))
    if report is not None and report.match != match:
        raise Http404
    if what == What.HIDE_LINE:
        room = asked.get("room", "")
        if room not in Room.values:
            raise Http404
        if not may_read_room(match=match, room=room, viewer=who):
            raise PermissionDenied
        lines = ChatLine.objects.filter(match=match, room=room).select_related("user", "match")
        line = get_object_or_404(lines, number=_number(asked.get("line", "")))
        return Subject(whom=line.user, match=match, line=line, report=report)
    return Subject(match=match, report=report)


def _number(text: str) -> int:
    number = whole_number(text, digits=15)
    if number is None:
        raise Http404
    return number


def _perform(what: What, who: User, subject: Subject, form: ActForm, moment: datetime) -> None:
    given: dict[str, Any] = {"who": who, "why": form.cleaned_data["why"], "moment": moment}
    whom, match, report = subject.whom, subject.match, subject.report
    if what in (What.UPHOLD, What.DISMISS):
        assert report is not None
        decide_report(report=report, upheld=what == What.UPHOLD, **given)
    elif what == What.HIDE_LINE:
        assert subject.line is not None
        line = subject.line
        chat.hide_line(match=line.match, room=line.room, number=line.number, report=report, **given)
    elif what in UPON_PEOPLE:
        assert whom is not None
        if what == What.WARN:
            people.warn_person(whom=whom, report=report, **given)
        elif what == What.RENAME:
            people.rename_person(whom=whom, name=form.cleaned_data["name"], report=report, **given)
        else:
            resigns = form.cleaned_data.get("resign_seats", False)
            people.sanction_person(
                what=what, whom=whom, until=form.end(moment), resign_seats=resigns, report=report, **given
            )
    else:
        assert match is not None
        service = {What.VOID: matches.void_match, What.END: matches.end_match, What.REMOVE_TABLE: matches.remove_table}
        service[what](match=match, report=report, **given)


def _page(request: HttpRequest, template: str, context: dict[str, Any], status: int = 200) -> HttpResponse:
    response = TemplateResponse(request, template, {**admin.site.each_context(request), **context}, status=status)
    response.render()
    return response
