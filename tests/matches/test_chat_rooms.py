"""Who may read and write what in the chat: one pure function, and what it is asked of seats and invitations."""

from __future__ import annotations

import pytest

from accounts.people.models import User
from games.matches.callers import Caller
from games.matches.models import Match
from games.matches.rooms import NONE, Rights, chat_rights, rights_at
from games.matches.services.acts import perform_act
from games.matches.services.at_once import play_now
from games.matches.talk import Room
from tests.matches.conftest import START, sit_down

PLAYERS, SPECTATORS = Room.PLAYERS, Room.SPECTATORS
BOTH = (PLAYERS, SPECTATORS)
WAITING, RUNNING, OVER, CLOSED = Match.Status.TABLE, Match.Status.RUNNING, Match.Status.OVER, Match.Status.CLOSED


@pytest.mark.parametrize(
    ("who", "member", "plays", "status", "rights"),
    [
        ("a player", True, True, WAITING, Rights((PLAYERS,), PLAYERS)),
        ("a player", True, True, RUNNING, Rights((PLAYERS,), PLAYERS)),
        ("a player", True, True, OVER, Rights(BOTH, PLAYERS)),
        ("a player", True, True, CLOSED, Rights(BOTH)),
        ("a spectator", True, False, WAITING, Rights((SPECTATORS,), SPECTATORS)),
        ("a spectator", True, False, RUNNING, Rights((SPECTATORS,), SPECTATORS)),
        ("a spectator", True, False, OVER, Rights(BOTH, SPECTATORS)),
        ("a spectator", True, False, CLOSED, Rights(BOTH)),
        ("a guest", False, False, WAITING, Rights((SPECTATORS,))),
        ("a guest", False, False, RUNNING, Rights((SPECTATORS,))),
        ("a guest", False, False, OVER, Rights(BOTH)),
        ("a guest", False, False, CLOSED, Rights(BOTH)),
    ],
)
def test_rights_by_status(who: str, member: bool, plays: bool, status: str, rights: Rights) -> None:
    assert chat_rights(status=status, may_see=True, member=member, plays=plays) == rights, who


@pytest.mark.parametrize("status", Match.Status.values)
@pytest.mark.parametrize("member", [True, False])
def test_who_may_not_see_the_match_has_no_rights(status: str, member: bool) -> None:
    assert chat_rights(status=status, may_see=False, member=member, plays=False) == NONE


def test_the_rooms_of_a_private_match_are_for_its_people(alice: User, bob: User, carol: User, mallory: User) -> None:
    """Players, who was invited, and nobody else."""
    match = sit_down(alice, bob, public=False)
    seats = list(match.seats.select_related("user"))
    assert rights_at(match, seats, Caller(alice)) == Rights((PLAYERS,), PLAYERS)
    assert rights_at(match, seats, Caller(bob)) == Rights((PLAYERS,), PLAYERS)
    assert rights_at(match, seats, Caller(carol, invited=True)) == Rights((SPECTATORS,), SPECTATORS)
    assert rights_at(match, seats, Caller(None, invited=True)) == Rights((SPECTATORS,))
    assert rights_at(match, seats, Caller(mallory)) == NONE
    assert rights_at(match, seats, Caller(None)) == NONE


def test_who_has_left_looks_on_until_the_end(alice: User, bob: User, carol: User) -> None:
    """What the others agree on is not for them any more; after the end they are among its players again."""
    match = sit_down(alice, bob, carol)
    perform_act(act="resign", slug=match.slug, caller=Caller(carol), data={}, arrived=START)
    match.refresh_from_db()
    assert match.status == RUNNING
    assert rights_at(match, list(match.seats.all()), Caller(carol)) == Rights((SPECTATORS,), SPECTATORS)
    perform_act(act="resign", slug=match.slug, caller=Caller(bob), data={}, arrived=START)
    match.refresh_from_db()
    for user in (alice, bob, carol):
        assert rights_at(match, list(match.seats.all()), Caller(user)) == Rights(BOTH, PLAYERS)


def test_there_is_no_chat_with_bots(alice: User, bob: User) -> None:
    """Where nobody else can be: alone and in private against bots; at a public match somebody may look on."""
    match = play_now(user=alice, game=sit_down(alice, bob).game, moment=START)
    match.refresh_from_db()
    assert rights_at(match, list(match.seats.all()), Caller(alice)) == NONE
    public = sit_down(alice, bots=1)
    assert rights_at(public, list(public.seats.all()), Caller(alice)) == Rights((PLAYERS,), PLAYERS)
