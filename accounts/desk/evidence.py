"""What a moderator has to know to decide, on one page: the slice of the chat, and what there is of the people."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Q, QuerySet
from django.urls import reverse

from accounts.desk.acts import ModerationAct, What
from accounts.desk.reports import Report
from accounts.people.models import Sanction, User
from accounts.people.tracing import SamePlace, others_from_same_place
from games.contract.registry import all_games
from games.contract.rules import TellsGifts
from games.contract.values import Event
from games.matches.callers import Caller
from games.matches.leaving_records import leaving_record
from games.matches.log import load_event
from games.matches.models import ChatLine, Match, Move, Rating, Seat, known_games
from games.matches.rooms import rights_at

LATELY = timedelta(days=90)
MOST = 10
"""Reports, acts and sanctions of each kind that are listed; what is older is counted."""
MOST_OTHERS = 20
MOST_SHARED = 50
"""Matches of two people in which gifts are looked for, the last ones."""


@dataclass(frozen=True, slots=True)
class Slice:
    """A part of a chat; `withheld` from who plays the match at this moment, and must not read that room."""

    lines: Sequence[ChatLine]
    withheld: bool = False


def chat_slice(*, report: Report, viewer: User) -> Slice | None:
    """The lines that belong to a report, hidden ones among them; None if none do."""
    match = report.match
    if match is None or not report.room or report.first_line is None or report.last_line is None:
        return None
    if not may_read_room(match=match, room=report.room, viewer=viewer):
        return Slice([], withheld=True)
    lines = ChatLine.objects.filter(
        match=match, room=report.room, number__gte=report.first_line, number__lte=report.last_line
    )
    return Slice(list(lines.select_related("user").order_by("number")))


def may_read_room(*, match: Match, room: str, viewer: User) -> bool:
    """Whether a moderator may read there: everywhere, but for what is closed to who plays the match at this moment."""
    if not _plays_now(match, viewer):
        return True
    return room in rights_at(match, list(match.seats.select_related("user")), Caller(viewer)).reads


def where_to_look(report: Report) -> str:
    """The address of the match at the moment of the report: its replay once it is over, its page before."""
    match = report.match
    if match is None:
        return reverse("profile", args=[report.about.username])
    if match.status == Match.Status.OVER and match.is_playable:
        if report.ply is not None and (match.in_real_time or report.ply <= match.ply):
            return reverse("replay", args=[match.slug, report.ply])
        return reverse("replay-end", args=[match.slug])
    return match.get_absolute_url()


@dataclass(frozen=True, slots=True)
class Gift:
    """How much one has given the other by choice in rated matches of a game."""

    game: str
    given: int
    taken: int


@dataclass(frozen=True, slots=True)
class Neighbour:
    """Another account from the same place, and what the two have played with each other."""

    place: SamePlace
    shared: int
    last: Sequence[Match]
    gifts: Sequence[Gift]


@dataclass(frozen=True, slots=True)
class PersonFile:
    """What there is of one person, as far as that viewer may know of it."""

    person: User
    is_muted: bool
    is_barred: bool
    rated_pause_until: datetime | None
    ratings: Sequence[tuple[str, Rating]]
    finished: int
    exits: Sequence[tuple[str, int]]
    sanctions: Sequence[tuple[Sanction, bool]]
    about: Sequence[Report]
    about_counts: Counter[str]
    by_counts: Counter[str]
    acts: Sequence[ModerationAct]
    neighbours: Sequence[Neighbour]


def person_file(*, person: User, viewer: User, moment: datetime) -> PersonFile:
    """Everything on one person. What is about the viewer, or by them, is left out wherever it stands."""
    seats = Seat.objects.filter(user=person, finished_at__isnull=False)
    lately = seats.filter(finished_at__gt=moment - LATELY)
    exits = Counter(dict(lately.exclude(exit="").values_list("exit").annotate(count=Count("pk"))))
    if cancelled := lately.filter(cancelled=True).count():
        exits["cancelled"] = cancelled
    games = {game.slug: game.info.title for game in all_games()}
    ratings = Rating.objects.filter(user=person, book__in=games).order_by("book")
    about = reports_for(viewer).filter(about=person)
    return PersonFile(
        person=person,
        is_muted=person.is_muted(moment),
        is_barred=person.is_barred(moment),
        rated_pause_until=leaving_record(user=person, moment=moment).account.paused_until,
        ratings=[(games[rating.book_id], rating) for rating in ratings],
        finished=seats.count(),
        exits=sorted(exits.items()),
        sanctions=[(each, each.is_in_force(moment)) for each in Sanction.objects.filter(user=person)[:MOST]],
        about=list(about.select_related("by", "match")[:MOST]),
        about_counts=_by_state(about),
        by_counts=_by_state(reports_for(viewer).filter(by=person)),
        acts=list(_acts_upon(person, viewer)[:MOST]),
        neighbours=[
            _neighbour(person, place) for place in others_from_same_place(user=person, moment=moment)[:MOST_OTHERS]
        ],
    )


def reports_for(viewer: User) -> QuerySet[Report]:
    """All reports but those about this person, of which they must not know, and those by them, which others decide."""
    return Report.objects.exclude(about=viewer).exclude(by=viewer)


def acts_for(viewer: User) -> QuerySet[ModerationAct]:
    """The log, without what was decided about reports that this person must not know of."""
    return ModerationAct.objects.exclude(report__about=viewer).exclude(report__by=viewer)


def _acts_upon(person: User, viewer: User) -> QuerySet[ModerationAct]:
    """What was done to somebody, and to a match because of a report about them."""
    at_match = (What.VOID, What.END, What.REMOVE_TABLE)
    by_report = Q(report__about=person) & (Q(what__in=at_match) | Q(undoes__what__in=at_match))
    found = acts_for(viewer).filter(Q(whom=person) | by_report)
    return found.select_related("who", "match", "undone_by", "undoes")


def _by_state(reports: QuerySet[Report]) -> Counter[str]:
    return Counter(dict(reports.order_by().values_list("state").annotate(count=Count("pk"))))


def _plays_now(match: Match, viewer: User) -> bool:
    if match.status not in (Match.Status.TABLE, Match.Status.RUNNING):
        return False
    return any(seat.user_id == viewer.pk and seat.is_present for seat in match.seats.all())


def _neighbour(person: User, place: SamePlace) -> Neighbour:
    shared = Match.objects.filter(seats__user=person).filter(seats__user=place.user)
    shared = shared.filter(game_slug__in=known_games()).defer("position", "deal").order_by("-created_at")
    return Neighbour(place, shared.count(), list(shared[:3]), _gifts(person, place.user, shared))


def _gifts(person: User, other: User, shared: QuerySet[Match]) -> list[Gift]:
    """By game, what the two have given each other in rated matches that are over, also in void ones."""
    slugs = [game.slug for game in all_games() if isinstance(game.rules, TellsGifts)]
    rated = list(shared.filter(rated=True, status=Match.Status.OVER, game_slug__in=slugs)[:MOST_SHARED])
    # Few queries, however many matches: somebody may have twenty such neighbours.
    seats = Seat.objects.filter(Q(user=person) | Q(user=other), match__in=rated)
    index = {(match, user): seat for match, user, seat in seats.values_list("match", "user", "index")}
    events = defaultdict[int, list[Event]](list)
    moves = Move.objects.filter(match__in=rated, undone=False).order_by("match", "pk")
    for match_id, log in moves.values_list("match", "events"):
        events[match_id].extend(load_event(event) for event in log)
    given, taken = Counter[str](), Counter[str]()
    for match in rated:
        rules = match.game.rules
        assert isinstance(rules, TellsGifts)
        one, two = index[match.pk, person.pk], index[match.pk, other.pk]
        for giver, taker, count in rules.gifts(events[match.pk]):
            if (giver, taker) == (one, two):
                given[match.game.info.title] += count
            elif (giver, taker) == (two, one):
                taken[match.game.info.title] += count
    return [Gift(title, given[title], taken[title]) for title in sorted({*given, *taken})]
