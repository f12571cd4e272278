"""Somebody who has done everything that can be done here, under names that nobody else has."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any, NamedTuple

from allauth.account.models import EmailAddress
from allauth.account.utils import user_pk_to_url_str
from allauth.mfa.models import Authenticator
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import Group, Permission
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.backends.db import SessionStore
from django.test import Client
from django.urls import reverse

from accounts.desk.belongings import BELONGINGS
from accounts.desk.models import ModerationAct, Report
from accounts.people.models import FormerName, Notice, Trace, User
from accounts.people.sanctioning import impose_sanction, lift_sanction
from accounts.people.services import block_person, mute_person
from games.contract.registry import get_game
from games.matches.callers import Caller
from games.matches.models import Match, Presence, Reminder, TurnNotice, Vacation
from games.matches.services.invitations import invite_person
from games.matches.services.lessons import note_lessons_done
from games.matches.services.play import resign
from games.matches.services.rematches import offer_rematch
from games.matches.services.results import void_match
from tests.conftest import PASSWORD
from tests.matches import alone
from tests.matches.chatting import say
from tests.matches.conftest import START, sit_down
from tests.matches.ledgers import rated_table
from tests.matches.playing import play_some

USERNAME, NAME, FORMER_NAME = "zanzi.quokka", "Quokkadia Wombatius", "Numbatella von Emu"
EMAIL, OTHER_EMAIL = "platypus.echidna@kookaburra.example", "wallaby+tesela@kookaburra.example"
ADDRESS, DEVICE = "203.0.113.77", "Wallabrowser/9.9 (Outback)"
SAID = "Greetings from Quokkadia Wombatius, write to platypus.echidna@kookaburra.example"

PRIVATE: dict[str, Any] = {"public": False}

LATER = START + timedelta(days=1)


class Life(NamedTuple):
    """The person, the browser in which they are logged in, and what must not be found afterwards."""

    person: User
    client: Client
    session_key: str
    over: list[Match]
    running: list[Match]
    tables: list[Match]

    @property
    def sound(self) -> list[Match]:
        """Those of the matches that are over whose records replay: the first one was given a time it has not had."""
        return self.over[1:]

    @property
    def marks(self) -> list[str]:
        return [USERNAME, NAME, FORMER_NAME, EMAIL, OTHER_EMAIL, ADDRESS, DEVICE, self.session_key]


def logged_in(client: Client) -> str:
    """By the page; the key of the session."""
    response = client.post(reverse("account_login"), {"login": USERNAME, "password": PASSWORD})
    assert response.status_code == 302
    return str(client.session.session_key)


def lived(make_person: Callable[..., User], bob: User, carol: User, mod: User) -> Life:
    """A person of whom there is a row, at least, in every table that knows people."""
    # A number that is written otherwise in base 36, as allauth has it in sessions.
    person = make_person(USERNAME, id=4321, display_name=NAME, email=EMAIL, time_zone="Australia/Perth", is_staff=True)
    client = Client(REMOTE_ADDR=ADDRESS, headers={"User-Agent": DEVICE})
    # First the matches: who has blocked whom sits down together no more.
    over, running, tables = _at_matches(person, bob, carol)
    _as_a_person(person, bob, carol, mod)
    _at_the_desk(person, bob, mod, over[0])
    key = logged_in(client)
    Authenticator.objects.create(user=person, type=Authenticator.Type.TOTP, data={"secret": NAME})
    missing = [each.column for each in BELONGINGS if not each.rows(person.pk).exists()]
    assert missing == [], "the life is complete"
    person.refresh_from_db()
    return Life(person, client, key, over, running, tables)


def _as_a_person(person: User, bob: User, carol: User, mod: User) -> None:
    EmailAddress.objects.create(user=person, email=EMAIL, verified=True, primary=True)
    other = EmailAddress.objects.create(user=person, email=OTHER_EMAIL, verified=False, primary=False)
    FormerName.objects.create(user=person, name=FORMER_NAME, until=START)
    Trace.objects.create(user=person, address="a" * 64, device="b" * 64, seen_at=START)
    Notice.objects.create(user=person, code="renamed", params={"reason": "", "now": NAME}, created_at=START)
    lift_sanction(
        sanction=impose_sanction(user=person, kind="mute", reason="Enough", moment=START, until=LATER),
        moment=START + timedelta(minutes=1),
    )
    for by, whom in ((person, bob), (carol, person)):
        mute_person(by=by, whom=whom, moment=START)
        block_person(by=by, whom=whom, moment=START)
    person.groups.add(Group.objects.create(name="Gardeners"))
    person.user_permissions.add(Permission.objects.get(codename="view_outage"))
    note_lessons_done(user=person, lessons=[("m", "chips")], moment=START)
    Vacation.objects.create(user=person, began_at=START, ends_at=LATER, ended_at=LATER)
    Reminder.objects.create(user=person, seen_at=START, due_at=LATER)
    kinds = ContentType.objects.get_for_models(User, EmailAddress)
    for kind, row, words in (
        (kinds[User], person, '[{"changed": {"fields": ["E-mail address"]}}]'),
        (kinds[EmailAddress], other, f'[{{"added": {{"name": "email address", "object": "{OTHER_EMAIL}"}}}}]'),
    ):
        entry = {"content_type": kind, "object_id": str(row.pk), "object_repr": str(row), "change_message": words}
        LogEntry.objects.create(user=mod, action_flag=CHANGE, **entry)
    LogEntry.objects.create(user=person, action_flag=CHANGE, object_repr="Bots of the house")
    # Was asked for a second factor, and went away; typed an address to have a password reset; changed an address.
    for left in (
        {"account_login": {"user_pk": user_pk_to_url_str(person), "email": None}},
        {"account_authentication_methods_user": str(person.pk)},
        {"account_authentication_methods": [{"method": "password", "username": USERNAME.upper()}]},
        {"state": {"request": [{"email": EMAIL}]}},
    ):
        waiting = SessionStore()
        waiting.update(left)
        waiting.save()


def _at_matches(person: User, bob: User, carol: User) -> tuple[list[Match], list[Match], list[Match]]:
    games = [get_game(slug) for slug in ("m", "block_buster", "blockyou")]
    over = [alone.ended(person, 80_000)]
    matches = [rated_table(person, bob), *(sit_down(person, bob, game=game, **PRIVATE) for game in games)]
    for game, match in zip([games[0], *games], matches, strict=True):
        if not game.info.real_time:
            play_some(match, 3)
        resign(slug=match.slug, caller=Caller(bob), moment=START + timedelta(seconds=10))
        over.append(match)
    void_match(slug=over[-1].slug, moment=START + timedelta(seconds=20))
    offer_rematch(slug=over[2].slug, caller=Caller(person), wanted=True, moment=START + timedelta(seconds=30))
    running = [sit_down(person, bob, game=game, **PRIVATE) for game in games]
    running.append(sit_down(bob, person, pace=Match.Pace.TURNS, **PRIVATE))
    running.append(sit_down(bob, person, carol, **PRIVATE))
    for match in (running[0], running[3]):
        play_some(match, 3)
    for match in (over[2], running[0]):
        say(match, person, SAID)
        say(match, bob, "And to you")
    hosted = sit_down(person, seats=3, start=False, **PRIVATE)
    visited = sit_down(bob, person, seats=3, start=False, **PRIVATE)
    asked = sit_down(carol, seats=3, start=False, **PRIVATE)
    invite_person(slug=hosted.slug, caller=Caller(person), name="bob", moment=START)
    invite_person(slug=asked.slug, caller=Caller(carol), name=USERNAME, moment=START)
    Presence.objects.update_or_create(match=running[0], user=person, defaults={"last_seen": START})
    TurnNotice.objects.create(seat=running[0].seats.get(user=person), ply=1, told=True)
    return over, running, [hosted, visited, asked]


def _at_the_desk(person: User, bob: User, mod: User, match: Match) -> None:
    report, act = Report.objects, ModerationAct.objects
    common: dict[str, Any] = {"place": "profile", "created_at": START}
    report.create(by=person, about=bob, reason="abuse", text=SAID, **common)
    upheld: dict[str, Any] = {"state": "upheld", "decided_by": person, "decided_at": START}
    report.create(by=bob, about=person, reason="spam", text="Again and again", **common)
    report.create(by=bob, about=mod, reason="other", **common, **upheld)
    act.create(who=mod, what="warn", whom=person, why="Enough", at=START)
    act.create(who=person, what="warn", whom=bob, match=match, why="Enough", at=START)
