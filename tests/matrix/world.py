"""A small world in which everything can be tried: the cast, their sessions, and one match in the state asked for."""

from __future__ import annotations

import time
from datetime import datetime, timedelta
from http.cookies import SimpleCookie
from random import Random
from typing import Any

from allauth.account.models import EmailAddress
from django.apps import apps
from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.sessions.backends.db import SessionStore
from django.test import Client

from accounts.desk.moderators import make_group
from accounts.people.models import User
from accounts.people.sanctioning import impose_sanction
from accounts.people.sanctions import FOR_GOOD, Sanction
from games.contract.registry import Game, get_game
from games.matches.callers import Caller, remember_invitation
from games.matches.models import Match
from games.matches.services.acts import perform_act
from games.matches.services.chat import send_line
from games.matches.services.play import resign
from tests.conftest import JOINED, PASSWORD
from tests.matches.conftest import START, Clock, move_form, player_to_move, sit_down
from tests.matches.playing import play_form, play_in_real_time
from tests.matches.timekeeping import LIVE

BARRED_UNTIL = START + timedelta(days=3650)

SANCTIONS = {"muted": Sanction.Kind.MUTE, "suspended": Sanction.Kind.SUSPENSION, "banned": Sanction.Kind.BAN}
"""Those under a sanction are the player: whoever has most to do with everything is held to it."""

BARRED = ("suspended", "banned")

NAMES = {"player": "alice", "opponent": "bob", "spectator": "carol", "outsider": "mallory"} | {
    "moderator": "mod",
    "superuser": "root1",
}


ROLES_OF_PEOPLE = tuple(NAMES)


class World:
    """The cast, each with a session that has just been opened by password, and the match that stands in the middle."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.people = {role: self._make(name, role) for role, name in NAMES.items()}
        # Nobody of the cast: whom one invites, looks up, or takes from a list.
        self.friend = self._make("erin", "")
        self.sessions = {role: session_of(user) for role, user in self.people.items()}
        self.match: Match
        self.said_at_the_door: dict[str, str] = {}
        self._client = Client()

    def user(self, role: str) -> User | None:
        """Who that is; None for a guest."""
        return None if role == "guest" else self.people["player" if role in SANCTIONS else role]

    def browser(self, role: str) -> Client:
        """A browser with that role's cookie and no other. There is one: beginning a client takes long."""
        self._client.cookies = SimpleCookie()
        if self.session(role):
            self._client.cookies[settings.SESSION_COOKIE_NAME] = self.session(role)
        return self._client

    def session(self, role: str) -> str:
        """The cookie of that role's browser; "" for a guest's."""
        return "" if role == "guest" else self.sessions["player" if role in SANCTIONS else role]

    def same_person(self, role: str) -> list[str]:
        """The other roles of that person: only the player has any."""
        person = {"player", *SANCTIONS}
        return sorted(person - {role}) if role in person else []

    def impose(self, role: str) -> None:
        """What makes the player one of those under a sanction. They were logged in before."""
        if role in SANCTIONS:
            until = FOR_GOOD if role == "banned" else BARRED_UNTIL
            impose_sanction(
                user=self.people["player"], kind=SANCTIONS[role], reason="flooding", moment=self.now, until=until
            )
            self.people["player"].refresh_from_db()

    @property
    def now(self) -> datetime:
        return self.clock.moment

    def gather_at(self, match: Match) -> Match:
        """This is the match; whoever looks on has followed its link."""
        self.match = match
        store = _store(self.sessions["spectator"])
        remember_invitation(session=store, slug=match.slug)
        store.save()
        return match

    def perform(self, act: str, role: str, **form: str) -> None:
        """That role does this at the match, before anything is tried."""
        perform_act(act=act, slug=self.match.slug, caller=self._caller(role), data=form, arrived=self.now)
        self.match.refresh_from_db()

    def say(self, role: str, room: str, text: str) -> None:
        send_line(slug=self.match.slug, caller=self._caller(role), room=room, text=text, key="", moment=self.now)

    def move(self) -> None:
        """Whoever is to move plays the first legal move."""
        play_form(self.match, player_to_move(self.match), move_form(self.match), seconds=1)
        self.match.refresh_from_db()

    def _caller(self, role: str) -> Caller:
        return Caller(self.user(role), invited=True)

    def _make(self, name: str, role: str) -> User:
        rank = {"is_staff": role in ("moderator", "superuser"), "is_superuser": role == "superuser"}
        user = get_user_model().objects.create_user(
            name,
            email=f"{name}@example.org",
            password=PASSWORD,
            display_name=name.capitalize(),
            date_joined=JOINED,
            **rank,
        )
        EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
        if role == "moderator":
            user.groups.add(make_group(apps))
        return user


# Matches in the states that the table's headings name


def running(world: World, *, public: bool, game: str = "m", rated: bool = False) -> Match:
    """Player against opponent, the player to move, nothing played yet."""
    return world.gather_at(_begun(world, get_game(game), public=public, rated=rated))


def waiting(world: World, *, public: bool) -> Match:
    """Three seats: the player is the host, the opponent sits, one seat is free."""
    player, opponent = world.people["player"], world.people["opponent"]
    return world.gather_at(sit_down(player, opponent, seats=3, start=False, public=public, moment=world.now))


def over(world: World, *, public: bool, rated: bool = False) -> Match:
    """The player has won, since the opponent resigned; both rooms have been talked in."""
    running(world, public=public, rated=rated)
    world.move()
    world.say("player", "players", "good luck")
    world.say("spectator", "spectators", "what a game")
    resign(slug=world.match.slug, caller=Caller(world.people["opponent"]), moment=world.now)
    world.match.refresh_from_db()
    return world.match


def in_real_time(world: World, *, public: bool) -> Match:
    """BlockYou!, a few claims in."""
    match = running(world, public=public, game="blockyou")
    play_in_real_time(match, Random(3), until=lambda match: match.ply > 1)
    return match


def _begun(world: World, game: Game, *, public: bool, rated: bool) -> Match:
    """Who begins is drawn: until it is the player."""
    player, opponent = world.people["player"], world.people["opponent"]
    table: dict[str, Any] = {"game": game, "public": public, "moment": world.now}
    if rated:
        table |= {"rated": True, "clock": LIVE}
    while True:
        match = sit_down(player, opponent, **table)
        if game.info.real_time or player_to_move(match) == player:
            return match
        match.delete()


# Browsers


def session_of(user: User) -> str:
    """The cookie of a browser in which that person has just logged in."""
    client = Client()
    client.force_login(user)
    session = client.session
    # The password was typed a moment ago: what asks for it again is not what is tried here.
    session["account_authentication_methods"] = [{"method": "password", "at": time.time(), "reauthenticated": True}]
    session["account_authentication_methods_user"] = str(user.pk)
    session.save()
    return client.cookies[settings.SESSION_COOKIE_NAME].value


def _store(key: str) -> Any:
    return SessionStore(key)
