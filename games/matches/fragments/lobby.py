"""The lobby as its page and every push show it: the own half for each person, the public half the same for all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from games.matches import clock, clock_texts, selectors
from games.matches.models import Invitation, Match

if TYPE_CHECKING:
    from accounts.people.models import User


@dataclass(frozen=True)
class PublicHalf:
    """Open tables, and matches to look on: the rows by match, drawn once for everybody who reads the same language."""

    tables: Mapping[str, SafeString]
    running: Mapping[str, SafeString]
    pushed: bool

    def without(self, own: frozenset[str]) -> SafeString:
        """As a page shows it whose person has these matches in the other half."""
        tables = [row for slug, row in self.tables.items() if slug not in own]
        context = {
            "tables": tables,
            "running": [row for slug, row in self.running.items() if slug not in own],
            "has_own": len(tables) < len(self.tables),
            "pushed": self.pushed,
        }
        return render_to_string("matches/lobby_public.html", context)


def draw_own_half(user: User | None, *, pushed: bool = False) -> SafeString:
    """The person's tables and running matches, those that wait for them first; nothing for a guest."""
    return draw_own(user, pushed=pushed)[0]


def draw_own(user: User | None, *, pushed: bool = False) -> tuple[SafeString, frozenset[str]]:
    """The same, and which matches are the person's."""
    own = selectors.own_matches(user=user) if user is not None else []
    context = {
        "own": [_own_row(match, user) for match in own if user is not None],
        "member": user is not None,
        "by_turns": any(match.pace == Match.Pace.TURNS for match in own),
        "invitations": [_invitation(one) for one in selectors.open_invitations(user=user)] if user is not None else [],
        "vacation": selectors.current_vacation(user=user, moment=clock.now()) if user is not None else None,
        "pushed": pushed,
    }
    return render_to_string("matches/lobby_own.html", context), frozenset(match.slug for match in own)


def draw_public_half(*, apart: frozenset[int] = frozenset(), pushed: bool = False) -> PublicHalf:
    """The public half, the same for all but those who play with some people at no public table.

    `apart` are these, and their tables are left out.
    """
    tables, running = selectors.open_tables(apart=apart), selectors.public_matches()
    return PublicHalf(tables=_drawn(tables), running=_drawn(running), pushed=pushed)


def _drawn(matches: Iterable[Match]) -> dict[str, SafeString]:
    return {
        match.slug: render_to_string("matches/lobby_row.html", {**_row(match), "my_turn": False}) for match in matches
    }


def _row(match: Match) -> dict[str, Any]:
    return {"match": match, "clock": clock_texts.time_limit_of(match) if match.clock_main is not None else ""}


def _own_row(match: Match, user: User) -> dict[str, Any]:
    taken_over = any(seat.user_id == user.pk and seat.is_taken_over for seat in match.seats.all())
    return {**_row(match), "my_turn": selectors.is_to_move(match, user), "taken_over": taken_over}


def _invitation(invitation: Invitation) -> dict[str, Any]:
    seats = list(invitation.match.seats.all())
    free = any(seat.is_free for seat in seats)
    return {**_row(invitation.match), "inviter": invitation.inviter, "seats": seats, "free": free}
