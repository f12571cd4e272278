"""The best that each person has reached alone: noted when a match of one ends, looked for anew when one is voided."""

from __future__ import annotations

from typing import Any

from django.db.models import Q

from games.contract.rules import RanksSolo
from games.contract.values import Outcome
from games.matches.bests import solo_variant
from games.matches.models import Match, SoloBest


def rank_solo(match: Match) -> None:
    """A match of one has ended, or has been voided since: bring the best of its person up to that.

    Only the row of the best is written and locked, after that of the match: two matches that end at once, or are voided
    at once, wait for each other here, and no more.
    """
    if match.host_id is None or match.finished_at is None:
        return
    if _counts(match):
        _note(match)
        return
    # Also of a match that is not the best: it might be chosen as the next best by who voids that one at this moment.
    kept = SoloBest.objects.select_for_update().filter(**_key(match)).first()
    if kept is not None and kept.match_id == match.pk:
        own = Match.objects.filter(host=match.host_id, game_slug=match.game_slug, status=Match.Status.OVER)
        # The match itself is not written yet.
        others = own.filter(seat_count=1).exclude(pk=match.pk).defer("position", "deal").order_by("finished_at", "pk")
        same = [other for other in others if other.options == match.options and _counts(other)]
        if same:
            # Written over, not made anew: others wait for this row.
            SoloBest.objects.filter(pk=kept.pk).update(**_reached(min(same, key=_score)))
        else:
            kept.delete()


def _counts(match: Match) -> bool:
    """Whether it ended by the rules, and they compare such an end."""
    if match.standing is None or match.outcome is None:
        return False
    outcome = Outcome(match.outcome["reason"], tuple(match.outcome["places"]), tuple(match.outcome["scores"]))
    rules = match.game.rules
    return isinstance(rules, RanksSolo) and rules.solo_ranks(outcome)


def _score(match: Match) -> int:
    assert match.outcome is not None
    return int(match.outcome["scores"][0])


def _note(match: Match) -> None:
    """Keep it if it is better than what is kept; of equal ones the earlier, which may be one that was void till now."""
    key, reached = _key(match), _reached(match)
    SoloBest.objects.bulk_create([SoloBest(**key, **reached)], ignore_conflicts=True)
    score = _score(match)
    beaten = Q(score__gt=score) | Q(score=score, done_at__gt=match.finished_at)
    SoloBest.objects.filter(beaten, **key).update(**reached)


def _key(match: Match) -> dict[str, Any]:
    """Whose best it may be, and at what: there is one for each."""
    return {"user_id": match.host_id, "game_slug": match.game_slug, "variant": solo_variant(match.options)}


def _reached(match: Match) -> dict[str, Any]:
    return {"match": match, "score": _score(match), "done_at": match.finished_at}
