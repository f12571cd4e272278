"""Invitations by name: the host asks a person to the table; they sit down by accepting, once, or decline."""

from __future__ import annotations

import unicodedata
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.contrib.auth import get_user_model
from django.db import transaction

from accounts.people.limits import wait_for, within_limit
from accounts.people.names import KEPT_NAMES, shown_name
from accounts.people.selectors import may_sit_together
from games.contract.registry import Game
from games.matches.callers import Caller
from games.matches.errors import BadInput, CannotInvite, NobodyCalled, NotHost, NotInvited, TableFull, TooMany, TooOften
from games.matches.models import Invitation, Match
from games.matches.newcomers import is_newcomer
from games.matches.services.sitting import Sitting, locked_match
from games.matches.services.tables import create_table, sit_down

if TYPE_CHECKING:
    from accounts.people.models import User

MAX_OPEN = 10
"""Invitations of one table that wait for an answer."""
MAX_AN_HOUR = 60
"""Invitations that one person sends."""
LONGEST_NAME = 80


def invite_person(*, slug: str, caller: Caller, name: str, moment: datetime) -> None:
    """The host asks somebody to the table, by login name or by display name; who is invited already stays so.

    Raises `NobodyCalled`, `CannotInvite`, `TableFull`, `TooMany`.
    """
    with locked_match(slug=slug, caller=caller) as sitting:
        if sitting.match.host_id != caller.require_user().pk:
            raise NotHost
        sitting.require_waiting()
        invited = person_called(name)
        _invite(sitting, host=caller.require_user(), invited=invited, moment=moment, address=caller.address)


def open_table_for(*, host: User, game: Game, invited: str, moment: datetime, **table: object) -> Match:
    """A new table, and that person invited to it: both, or nothing. Raises as `create_table` and `invite_person`."""
    with transaction.atomic():
        match = create_table(host=host, game=game, moment=moment, **table)  # type: ignore[arg-type]
        invite_person(slug=match.slug, caller=Caller(host), name=invited, moment=moment)
    return match


def accept_invitation(*, slug: str, caller: Caller, moment: datetime) -> None:
    """Take a free seat at the table to which one was invited; once accepted it stays so. Raises `NotInvited`."""
    with locked_match(slug=slug, caller=caller) as sitting:
        user = caller.require_user()
        if any(seat.user_id == user.pk for seat in sitting.seats):
            return
        sitting.require_waiting()
        if not Invitation.objects.filter(match=sitting.match, user=user, state=Invitation.State.OPEN).exists():
            raise NotInvited
        sit_down(sitting, user, None, moment)


def decline_invitation(*, slug: str, caller: Caller, moment: datetime) -> None:
    """Say no, for good. Raises `NotInvited`, also for who sits there already and has to get up."""
    with locked_match(slug=slug, caller=caller) as sitting:
        user = caller.require_user()
        invitation = Invitation.objects.filter(match=sitting.match, user=user).first()
        if invitation is None or invitation.state == Invitation.State.ACCEPTED:
            raise NotInvited
        if invitation.state == Invitation.State.OPEN:
            invitation.state = Invitation.State.DECLINED
            invitation.save(update_fields=["state"])
            sitting.tell(user.pk)


def person_called(name: str) -> User:
    """The person of that login name, in any case, or else the only one of that display name.

    Raises `NobodyCalled`, `CannotInvite` for a bot's name, `BadInput`.
    """
    wanted = unicodedata.normalize("NFC", " ".join(name.split()))
    if not wanted or len(wanted) > LONGEST_NAME or wanted != shown_name(wanted):
        raise BadInput(what="name")
    if wanted.casefold() in KEPT_NAMES:
        raise CannotInvite(what="bot")
    people = get_user_model().objects.filter(is_active=True)
    found: list[User] = list(people.filter(username__iexact=wanted)) or list(people.filter(display_name=wanted)[:2])
    if not found:
        found = list(people.filter(display_name__iexact=wanted)[:2])
    if len(found) != 1:
        raise NobodyCalled(what="several" if found else "none", name=wanted)
    return found[0]


def _invite(sitting: Sitting, *, host: User, invited: User, moment: datetime, address: str | None) -> None:
    match = sitting.match
    if invited.pk == host.pk:
        raise CannotInvite(what="self")
    if any(seat.user_id == invited.pk for seat in sitting.seats):
        raise CannotInvite(what="seated")
    if not may_sit_together(user=host, others=[invited.pk]):
        raise CannotInvite(what="apart")
    before = Invitation.objects.filter(match=match, user=invited).first()
    if before is not None and before.state == Invitation.State.OPEN:
        return
    if before is not None and before.state == Invitation.State.DECLINED:
        raise CannotInvite(what="declined")
    _require_room(sitting, host, moment)
    _require_patience(host, address, moment)
    said = {"inviter": host, "state": Invitation.State.OPEN, "invited_at": moment}
    # Who had accepted, and has got up since, may be asked once more.
    Invitation.objects.update_or_create(match=match, user=invited, defaults=said)
    sitting.touch(moment)
    sitting.tell(invited.pk)


def _require_patience(host: User, address: str | None, moment: datetime) -> None:
    """Counted last, when all else allows it. Raises `TooOften`, and `TooMany` for those who have just come."""
    wait = wait_for(action="invite", user=host, address=address)
    if wait is not None:
        raise TooOften(wait=wait)
    if is_newcomer(user=host, moment=moment) and not within_limit(action="invite_new", user=host):
        raise TooMany(what="invitations-new")


def _require_room(sitting: Sitting, host: User, moment: datetime) -> None:
    if not any(seat.is_free for seat in sitting.seats):
        raise TableFull
    if Invitation.objects.filter(match=sitting.match, state=Invitation.State.OPEN).count() >= MAX_OPEN:
        raise TooMany(what="invitations")
    lately = Invitation.objects.filter(inviter=host, invited_at__gt=moment - timedelta(hours=1))
    if lately.count() >= MAX_AN_HOUR:
        raise TooMany(what="invitations-hour")
