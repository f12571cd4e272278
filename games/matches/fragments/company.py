"""What the pages of a match show of company: a rematch, a move to be taken back, invitations by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from games.matches import company_texts
from games.matches.models import Invitation, Match, Seat
from games.matches.rematches import players_of
from games.matches.snapshots import Snapshot
from games.matches.takebacks import was_refused, why_final

if TYPE_CHECKING:
    from games.matches.fragments.match import Role


def rematch_of(snapshot: Snapshot, role: Role) -> dict[str, Any]:
    """Of a match that is over: the way to its rematch, or who has agreed to one, and what the role may say to it."""
    rematch = snapshot.rematch
    if rematch is not None:
        return {"rematch": rematch if rematch.public or role.seat is not None else None}
    players = players_of(snapshot.seats)
    if role.seat is None or not role.may_rematch:
        return {}
    if any(seat.user is None or not seat.user.is_active for seat in players):
        return {"no_rematch": company_texts.no_rematch("gone", "")}
    agreed = [snapshot.names[seat.index] for seat in players if seat.wants_rematch_at is not None]
    others = [seat for seat in players if seat.index != role.seat]
    waiting = [snapshot.names[seat.index] for seat in others if seat.wants_rematch_at is None]
    own = snapshot.seats[role.seat].wants_rematch_at is not None
    said = company_texts.offers_rematch(agreed=agreed, waiting=waiting, own=own) if agreed else ""
    return {
        "offers_rematch": True,
        "wants_rematch": own,
        "rematch_said": said,
        # Nobody else is to be asked: it is played again at once.
        "play_again": len(players) == 1,
    }


def takeback_of(snapshot: Snapshot, role: Role) -> dict[str, Any]:
    """Of a running match: whether the role may ask to take back the last move, and who asks for it."""
    match = snapshot.match
    last = snapshot.moves[-1] if snapshot.moves else None
    if not role.present or role.seat is None or last is None:
        return {}
    asking = match.takeback_by
    if asking is None:
        is_mine = last.seat == role.seat and last.kind == Seat.Kind.PERSON and match.seat_count > 1
        may_ask = is_mine and why_final(match, last) is None and not was_refused(last, snapshot.entries)
        return {"may_ask_takeback": may_ask, "takeback_ply": last.ply}
    own = asking == role.seat
    agreed = snapshot.seats[role.seat].allows_takeback
    others = [seat for seat in snapshot.seats if seat.is_present and seat.index != asking]
    waiting = [snapshot.names[seat.index] for seat in others if not seat.allows_takeback]
    said = company_texts.asks_for_takeback(name=snapshot.names[asking], waiting=waiting, own=own)
    return {
        "takeback_said": company_texts.agreed_to_takeback(waiting) if agreed else said,
        "asks_takeback": own,
        "agreed_takeback": agreed,
        "takeback_ply": last.ply,
    }


def invitations_of(snapshot: Snapshot, role: Role) -> dict[str, Any]:
    """Of a table that waits: whom the host has invited and what they said, or the invitation of who looks."""
    if snapshot.match.status != Match.Status.TABLE:
        return {}
    seated = {seat.user_id for seat in snapshot.seats}
    sent = [
        {
            "user": invitation.user,
            # Who has accepted stands on a seat, or has got up again.
            "declined": invitation.state == Invitation.State.DECLINED,
            "left": invitation.state == Invitation.State.ACCEPTED,
        }
        for invitation in snapshot.invitations
        if invitation.user_id not in seated
    ]
    own = next((one for one in snapshot.invitations if one.user_id == role.invited_as), None)
    return {"sent_invitations": sent if role.host else [], "own_invitation": own}
