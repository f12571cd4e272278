"""How a match ended, in sentences, said to whoever looks. Plain text, to be escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.people.names import isolated_name, listed_names
from games.matches import bot_texts, texts
from games.matches.models import ABANDON_AFTER, Match, RatingChange, Seat, SoloBest


def headline(match: Match, names: Sequence[str], *, seat: int | None = None) -> str:
    """Who has won, and with how many points; `seat` is the reader's own."""
    if match.standing is None:
        return _("The match has ended without a result.")
    winners = [index for index, place in enumerate(match.standing["places"]) if place == 1]
    if len(names) == 1:
        return _own_result(match, names, seat)
    # Who has left has lost, whatever the points: only where the rules have ended it do they say who won.
    counted = match.outcome is not None
    if len(winners) == 1 and counted and len(names) == 2 and not _played_on_by_bot(match):
        return _won_by_points(match, winners[0], names, seat)
    sentence = _who_won(winners, names, seat)
    return f"{sentence} {_final_scores(match, names, seat)}" if counted else sentence


def _played_on_by_bot(match: Match) -> bool:
    """Whether a bot has played it to its end for who has left, and was better than they stand."""
    assert match.outcome is not None
    assert match.standing is not None
    return match.bot_takes_over and match.outcome["places"] != match.standing["places"]


def cause(match: Match, seats: Sequence[Seat], names: Sequence[str], *, seat: int | None = None) -> str:
    """Why it is over, in a sentence."""
    if match.reason in ("resigned", "timeout"):
        return _exits(seats, names, seat)
    if match.reason == "abandoned":
        return _abandoned(seats, names, seat)
    if match.reason == "voided":
        return _("A moderator has voided it.")
    if match.reason == "cancelled":
        callers = [other.index for other in seats if other.cancelled]
        if callers == [seat]:
            return _("You called it off before everybody had moved.")
        return _("%(names)s called it off before everybody had moved.") % {"names": _list(callers, names)}
    return _("It is over because %(reason)s.") % {"reason": texts.reason(match.game, match.reason, len(seats))}


def in_short(match: Match, seats: Sequence[Seat], names: Sequence[str]) -> str:
    """Why it is over, in a few words for a list."""
    if match.reason == "resigned":
        resigned = [seat.index for seat in seats if seat.exit == Seat.Exit.RESIGNED]
        return _("%(names)s resigned") % {"names": _list(resigned, names)}
    if match.reason == "timeout":
        last = max(seats, key=lambda seat: seat.left_order or 0)
        return _("by absence") if last.exit in (Seat.Exit.ABSENT, Seat.Exit.GONE) else _("time ran out")
    if match.reason == "abandoned":
        return _abandoned_in_short(seats)
    if match.reason == "voided":
        return _("voided by a moderator")
    if match.reason == "cancelled":
        return _("called off before everybody had moved")
    return texts.reason(match.game, match.reason, len(seats))


def picture_title(match: Match, *, ply: int | None) -> str:
    """What a picture shows: the final position, or the one of that number in the replay."""
    given = {"game": match.game.info.title, "ply": ply}
    return _("%(game)s: the final position") % given if ply is None else _("%(game)s: position %(ply)s") % given


def picture_description(match: Match, names: Sequence[str]) -> str:
    """Whose match a picture is of, when it ended, and how."""
    day = date_format(match.finished_at, "DATE_FORMAT") if match.finished_at is not None else ""
    given = {"names": _list(range(len(names)), names), "day": day, "headline": headline(match, names)}
    return _("A match of %(names)s, %(day)s. %(headline)s") % given


def rating_change(change: RatingChange) -> str:
    """What a match did to one rating."""
    difference = change.shown_after - change.shown_before
    signed = f"+{difference}" if difference > 0 else str(difference).replace("-", "−")
    given = {"before": str(change.shown_before), "after": str(change.shown_after), "difference": signed}
    return _("%(before)s → %(after)s (%(difference)s)") % given


def _exits(seats: Sequence[Seat], names: Sequence[str], seat: int | None) -> str:
    """How those left who have left, first those who left first."""
    leavers = sorted(
        (other for other in seats if other.left_order is not None), key=lambda other: other.left_order or 0
    )
    kinds = dict.fromkeys(other.exit for other in leavers)
    return " ".join(
        _exit(kind, [other.index for other in leavers if other.exit == kind], names, seat) for kind in kinds
    )


def _exit(kind: str, leavers: Sequence[int], names: Sequence[str], seat: int | None) -> str:
    given = {"names": _list(leavers, names)}
    if kind == Seat.Exit.FLAGGED:
        return _("Your time ran out.") if leavers == [seat] else _("The time of %(names)s ran out.") % given
    if kind == Seat.Exit.ABSENT:
        if leavers == [seat]:
            return _("You were away for three rounds.")
        return (
            ngettext("%(names)s was away for three rounds.", "%(names)s were away for three rounds.", len(leavers))
            % given
        )
    if kind == Seat.Exit.GONE:
        if leavers == [seat]:
            return _("You were away for too long.")
        return ngettext("%(names)s was away for too long.", "%(names)s were away for too long.", len(leavers)) % given
    return _("You resigned.") if leavers == [seat] else _("%(names)s resigned.") % given


def own_exit(seat: Seat) -> str:
    """To who has left a match that goes on: how, and what becomes of the seat."""
    if seat.is_taken_over:
        return bot_texts.plays_your_seat(flagged=seat.exit == Seat.Exit.FLAGGED, absent=seat.exit == Seat.Exit.ABSENT)
    if seat.exit == Seat.Exit.FLAGGED:
        return _("Your time ran out. A stand-in plays your seat, and you look on.")
    if seat.exit == Seat.Exit.ABSENT:
        return _("You were away for three rounds, and have left this match; a stand-in has your seat.")
    return _("You have left this match; a stand-in plays your seat.")


def _abandoned(seats: Sequence[Seat], names: Sequence[str], seat: int | None) -> str:
    idle = [other.index for other in seats if other.exit == Seat.Exit.IDLE]
    given = {"names": _list(idle, names), "days": ABANDON_AFTER.days}
    if idle:
        sentence = (
            _("You had not moved for %(days)s days.")
            if idle == [seat]
            else _("%(names)s had not moved for %(days)s days.")
        )
        return sentence % given
    if any(other.is_present for other in seats):
        return _("Everybody who was left agreed to end it.")
    return _exits(seats, names, seat)


def _abandoned_in_short(seats: Sequence[Seat]) -> str:
    if any(seat.exit == Seat.Exit.IDLE for seat in seats):
        return _("ended for want of moves, without a result")
    if any(seat.is_present for seat in seats):
        return _("ended by agreement, without a result")
    return _("left by everybody, without a result")


def score(match: Match, seat: int) -> str:
    """What the seat has reached, as the game says it. Only for a match that has a result."""
    assert match.standing is not None
    return texts.score(match.game, match.standing["scores"][seat], len(match.standing["scores"]))


def _counted(match: Match, seat: int) -> str:
    assert match.standing is not None
    return texts.counted(match.game, match.standing["scores"][seat], len(match.standing["scores"]))


def _own_result(match: Match, names: Sequence[str], seat: int | None) -> str:
    """A match of one has no winner."""
    if seat == 0:
        return _("Your result: %(score)s.") % {"score": score(match, 0)}
    return _("The result of %(name)s: %(score)s.") % {"name": isolated_name(names[0]), "score": score(match, 0)}


def best_so_far(match: Match, best: SoloBest, *, place: int) -> str:
    """Where the person who played this match of one stands among the best of all."""
    given = {"score": texts.score(match.game, best.score, 1), "place": place}
    if best.match_id == match.pk:
        return _("Your best so far: place %(place)d of all.") % given
    return _("Your best is %(score)s, place %(place)d of all.") % given


def _won_by_points(match: Match, winner: int, names: Sequence[str], seat: int | None) -> str:
    points = {"points": score(match, winner), "others": score(match, 1 - winner)}
    if match.game.scores is not None:
        counted = {"counted": _counted(match, winner), "others": points["others"]}
        if winner == seat:
            return _("You have won, with %(counted)s to %(others)s.") % counted
        sentence = _("%(name)s has won, with %(counted)s to %(others)s.")
        return sentence % {"name": isolated_name(names[winner]), **counted}
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
    places = match.standing["places"]  # type: ignore[index]
    by_place = sorted(range(len(names)), key=lambda index: (places[index], index))
    says = match.game.scores is not None
    said = [
        _("%(name)s %(points)s")
        % {
            "name": _("you") if index == seat else isolated_name(names[index]),
            # What is counted is said once, where it is not points.
            "points": _counted(match, index) if says and index == by_place[0] else score(match, index),
        }
        for index in by_place
    ]
    return _("Final scores: %(scores)s.") % {"scores": _(", ").join(said)}


def _list(seats: Iterable[int], names: Sequence[str]) -> str:
    return listed_names([names[index] for index in seats])
