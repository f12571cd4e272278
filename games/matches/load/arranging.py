"""What a load test makes at the site before it begins, and takes away after its end: people, log-ins, matches."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random
from typing import Any, cast

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX, make_password
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import Model, QuerySet
from django.utils.crypto import salted_hmac

from accounts.people.models import User
from games.contract.registry import Game, all_games
from games.matches import clock
from games.matches.load.scripts import Crowd, Prepared, Watched, play_out, some_claims
from games.matches.log import EASED
from games.matches.models import Match, Seat, new_invite, new_slug
from games.matches.services import tables
from games.matches.services.sitting import locked_match

PREFIX = "loadtest-"
"""Begins the login name of everybody whom a load test makes."""

DOMAIN = "load.invalid"
"""Of their addresses. Nobody can have one there (RFC 2606)."""

AT_ONCE = 500
"""Rows written or deleted by one statement."""

DEALS = 25
"""So many matches are begun by the house itself; further ones are copies of these, with other people at them."""

_LONG_AGO = timedelta(days=365)


@dataclass(slots=True)
class Arrangement(Crowd):
    """All that one load test makes: unrated public matches without a clock, and people. Its name is in theirs.

    The same `seed` gives the same random play for the same deals, which chance decides.
    """

    game: Game = field(kw_only=True)
    seats: int = field(kw_only=True)
    options: dict[str, Any] = field(kw_only=True)
    seed: int = field(kw_only=True)
    name: str = field(default_factory=lambda: secrets.token_hex(3))
    people: int = 0
    _begun: list[tuple[Match, list[Seat]]] = field(default_factory=list)
    _of_bots: list[int] = field(default_factory=list)

    def add_matches(self, number: int) -> list[Prepared]:
        """So many matches more, which have begun, and their scripts. Raises `OptionRefused`."""
        people, sessions = self._add_people(number * self.seats)
        companies = [people[begin : begin + self.seats] for begin in range(0, len(people), self.seats)]
        # In real time each needs a beginning of its own.
        dealt = number if self.game.info.real_time else max(0, DEALS - len(self._begun))
        matches = [
            begin_match(self.game, company, host=company[0], options=self.options) for company in companies[:dealt]
        ]
        self._begun += [(match, list(match.seats.order_by("index"))) for match in matches]
        matches += _begin_alike(self._begun, companies[dealt:])
        added: list[Prepared] = []
        for match, begin in zip(matches, range(0, len(people), self.seats), strict=True):
            rng = Random(f"{self.seed} {len(self.matches) + len(added)}")
            deal = match.deal or {}
            play = some_claims if self.game.info.real_time else play_out
            found: Any = play(self.game.rules, options=match.options, deal=deal, players=self.seats, rng=rng)
            steps, claims = ((), found) if self.game.info.real_time else (found, ())
            added.append(Prepared(match.slug, steps, sessions[begin : begin + self.seats], claims))
        self.matches += added
        return added

    def add_onlookers(self, number: int) -> None:
        """So many people without a seat."""
        self.onlookers += self._add_people(number)[1]

    def add_bots(self, number: int) -> list[Watched]:
        """So many matches more of bots alone, of the strongest level of each game in which bots take thought, in turn;
        with each of them its host, who looks on."""
        games = [game for game in all_games() if not game.info.real_time]
        hosts, sessions = self._add_people(number)
        added = []
        for host, session in zip(hosts, sessions, strict=True):
            game = games[len(self._of_bots) % len(games)]
            levels = game.bot.LEVELS[-1:] * max(2, game.info.min_seats)
            match = begin_match(game, levels, host=host, options={})
            self._of_bots.append(match.pk)
            added.append(Watched(match.slug, session))
        return added

    def count_bots(self) -> tuple[int, int]:
        """How many matches of bots run, and how many bots of all have failed (an easier one plays on)."""
        of_bots = Match.objects.filter(pk__in=self._of_bots)
        failed = of_bots.filter(entries__of_house=True, entries__code=EASED)
        return of_bots.filter(status=Match.Status.RUNNING).count(), failed.count()

    def end_bots(self) -> None:
        """Take these matches away, also where all else is kept: they would go on by themselves."""
        for pk in self._of_bots:
            with transaction.atomic():
                # As keepers do: the match first, then what hangs on it.
                Match.objects.select_for_update().get(pk=pk).delete()

    def _add_people(self, number: int) -> tuple[list[User], list[str]]:
        """So many people without a password, each logged in; and the keys of their sessions, in the same order."""
        joined_at = clock.now() - _LONG_AGO
        people = [
            User(
                username=f"{PREFIX}{self.name}-{index}",
                display_name=f"Load {self.name} {index}",
                email=f"{self.name}-{index}@{DOMAIN}",
                password=make_password(None),
                date_joined=joined_at,
            )
            for index in range(self.people, self.people + number)
        ]
        self.people += number
        with transaction.atomic():
            made = User.objects.bulk_create(people, AT_ONCE)
            sessions = [_session_of(user) for user in made]
            Session.objects.bulk_create(sessions, AT_ONCE)
        return made, [session.session_key for session in sessions]


def clear_away(*, name: str = "") -> tuple[int, int]:
    """Delete the people of that load test, or of all there ever were, with their matches; how many of each."""
    people = list(_people_of_tests(name).values_list("pk", flat=True))
    matches = 0
    for begin in range(0, len(people), AT_ONCE):
        matches += _clear_some(people[begin : begin + AT_ONCE])
    return len(people), matches


def session_key(pk: int) -> str:
    """The key of a made person's session: whoever has the site's secret finds it again, and nobody else."""
    return salted_hmac("games.matches.load", str(pk)).hexdigest()[:32]


def _people_of_tests(name: str) -> QuerySet[User]:
    # Somebody may have chosen such a login name: they have a password, or an address of this world.
    return User.objects.filter(
        username__startswith=f"{PREFIX}{name}",
        email__endswith=f"@{DOMAIN}",
        password__startswith=UNUSABLE_PASSWORD_PREFIX,
    )


def _clear_some(people: list[int]) -> int:
    found = Match.objects.filter(host__in=people)
    number = found.count()
    with transaction.atomic():
        found.delete()
        # Whose session it is stands inside of it alone.
        Session.objects.filter(session_key__in=[session_key(pk) for pk in people]).delete()
        User.objects.filter(pk__in=people).delete()
    return number


def _session_of(user: User) -> Session:
    store = SessionStore(session_key(user.pk))
    held = {
        SESSION_KEY: str(user.pk),
        BACKEND_SESSION_KEY: settings.AUTHENTICATION_BACKENDS[0],
        HASH_SESSION_KEY: user.get_session_auth_hash(),
    }
    return cast(Session, store.create_model_instance(held))


def begin_match(
    game: Game, sitters: Sequence[User | str], *, host: User, options: dict[str, Any], moment: datetime | None = None
) -> Match:
    """A public live match of these in this order, begun: people, and bots by their level.

    By the site's own forms there is none of bots alone.
    """
    moment = moment or clock.now()
    with transaction.atomic():
        table = tables.create_table(
            host=host,
            game=game,
            options=options,
            seats=len(sitters),
            public=True,
            pace=Match.Pace.LIVE,
            seating=Match.Seating.ARRANGED,
            moment=moment,
        )
        with locked_match(slug=table.slug) as sitting:
            for seat, sitter in zip(sitting.seats, sitters, strict=True):
                if isinstance(sitter, str):
                    seat.kind, seat.level, seat.user = Seat.Kind.BOT, sitter, None
                else:
                    seat.user = sitter
                seat.ready = True
            tables.start_match(sitting, moment)
        return sitting.match


def _begin_alike(begun: Sequence[tuple[Match, list[Seat]]], companies: Sequence[Sequence[User]]) -> list[Match]:
    """A match for each of the companies, as those were at their beginning, in turn."""
    copies: list[Match] = []
    seats: list[Seat] = []
    for number, company in enumerate(companies):
        match, places = begun[number % len(begun)]
        copy = Match(**_fields_of(match, slug=new_slug(), invite=new_invite(), host=company[0]))
        copies.append(copy)
        seats += [Seat(**_fields_of(place, match=copy, user=user)) for place, user in zip(places, company, strict=True)]
    with transaction.atomic():
        Match.objects.bulk_create(copies, AT_ONCE)
        for seat in seats:  # only now the matches have keys
            seat.match_id = seat.match.pk
        Seat.objects.bulk_create(seats, AT_ONCE)
    return copies


def _fields_of(row: Model, **others: Any) -> dict[str, Any]:
    """All of a row but its key, with these instead of its own."""
    fields = [field for field in row._meta.concrete_fields if not field.primary_key and field.name not in others]
    return {field.attname: getattr(row, field.attname) for field in fields} | others
