"""How a match ended, in sentences, said to whoever looks. Plain text, to be escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.people.names import isolated_name
from games.matches.models import Match, Seat


def headline(match: Match, names: Sequence[str], *, seat: int | None = None) -> str:
    """Who has won, and with how many points; `seat` is the reader's own."""
    if match.standing is None:
        return _("The match has ended without a result.")
    winners = [index for index, place in enumerate(match.standing["places"]) if place == 1]
    # Who has left has lost, whatever the points: only where the rules have ended it do they say who won.
    counted = match.outcome is not None
    if len(winners) == 1 and counted and len(names) == 2:
        return _won_by_points(match.standing["scores"], winners[0], names, seat)
    sentence = _who_won(winners, names, seat)
    return f"{sentence} {_final_scores(match, names, seat)}" if counted else sentence


def cause(match: Match, seats: Sequence[Seat], names: Sequence[str], *, seat: int | None = None) -> str:
    """Why it is over, in a sentence."""
    leavers = [other.index for other in seats if other.left_order is not None]
    if match.reason == "resigned":
        return _("You resigned.") if leavers == [seat] else _("%(names)s resigned.") % {"names": _list(leavers, names)}
    if match.reason == "timeout":
        given = {"names": _list(leavers, names)}
        return _("Your time ran out.") if leavers == [seat] else _("The time of %(names)s ran out.") % given
    if match.reason == "abandoned":
        return _("Everybody who was left agreed to end it.")
    if match.reason == "voided":
        return _("A moderator has voided it.")
    if match.reason == "cancelled":
        callers = [other.index for other in seats if other.cancelled]
        if callers == [seat]:
            return _("You called it off before everybody had moved.")
        return _("%(names)s called it off before everybody had moved.") % {"names": _list(callers, names)}
    return _("It is over because %(reason)s.") % {"reason": match.game.texts.reason(match.reason)}


def in_short(match: Match, seats: Sequence[Seat], names: Sequence[str]) -> str:
    """Why it is over, in a few words for a list."""
    leavers = [other.index for other in seats if other.left_order is not None]
    if match.reason == "resigned":
        return _("%(names)s resigned") % {"names": _list(leavers, names)}
    sentences = {
        "timeout": _("on time"),
        "abandoned": _("ended by agreement, without a result"),
        "voided": _("voided by a moderator"),
        "cancelled": _("called off before everybody had moved"),
    }
    return sentences.get(match.reason) or match.game.texts.reason(match.reason)


def _won_by_points(scores: Sequence[int], winner: int, names: Sequence[str], seat: int | None) -> str:
    points = {"points": _signed(scores[winner]), "others": _signed(scores[1 - winner])}
    if winner == seat:
        return _("You have won, %(points)s to %(others)s.") % points
    return _("%(name)s has won, %(points)s to %(others)s.") % {"name": isolated_name(names[winner]), **points}


def _who_won(winners: Sequence[int], names: Sequence[str], seat: int | None) -> str:
    if seat not in winners:
        return ngettext("%(names)s has won.", "%(names)s share the first place.", len(winners)) % {
            "names": _list(winners, names)
        }
    others = [index for index in winners if index != seat]
    if not others:
        return _("You have won.")
    return _("You share the first place with %(names)s.") % {"names": _list(others, names)}


def _final_scores(match: Match, names: Sequence[str], seat: int | None) -> str:
    places, scores = match.standing["places"], match.standing["scores"]  # type: ignore[index]
    by_place = sorted(range(len(names)), key=lambda index: (places[index], index))
    said = [
        _("%(name)s %(points)s")
        % {"name": _("you") if index == seat else isolated_name(names[index]), "points": _signed(scores[index])}
        for index in by_place
    ]
    return _("Final scores: %(scores)s.") % {"scores": _(", ").join(said)}


def _list(seats: Iterable[int], names: Sequence[str]) -> str:
    return _(", ").join(isolated_name(names[index]) for index in seats)


def _signed(number: int) -> str:
    return str(number).replace("-", "−")
