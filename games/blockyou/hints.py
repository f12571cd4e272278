"""What to claim, and why: a placement that fits and is safe, and blocks as many as it can."""

from __future__ import annotations

from random import Random

from games.blockyou.area import safe_placements
from games.blockyou.cards import WHITE, CardFace, turned
from games.blockyou.notation import format_move
from games.blockyou.placement import SIZE, Placement
from games.blockyou.position import NOFIT, SEARCHING
from games.blockyou.view import BlockYouView
from games.contract.rules import Budget, no_budget
from games.contract.values import Hint, Params


def hint(view: BlockYouView, rng: Random, budget: Budget = no_budget) -> Hint | None:
    """A safe placement for the view's seat, with these reasons; None if it may not claim, or nothing is safe.

    `blocks` (`count`) who still searches; `points-away` from the own direction (`direction`); `covers` so many quarters
    of the `same` colour, all others by white. Solo, where nothing is safe, `nofit` for `nothing-safe`.
    """
    if not view.may_claim:
        return None
    assert isinstance(view.viewer, int), "only a seat plays"
    face, direction = view.cards[view.viewer], view.compass[view.viewer]
    assert face is not None, "who may claim has turned up a card"
    safe = safe_placements("".join(view.area), face, direction)
    if not safe:
        return Hint(format_move(NOFIT), (("nothing-safe", {}),)) if view.solo else None
    most = max(_blocked(view, face, placement) for placement in safe)
    placement = rng.choice([placement for placement in safe if _blocked(view, face, placement) == most])
    why: list[tuple[str, Params]] = [("blocks", {"count": most})] if most else []
    why += [("points-away", {"direction": direction}), ("covers", {"same": _same(view, face, placement)})]
    return Hint(format_move(placement), tuple(why))


def _blocked(view: BlockYouView, face: CardFace, placement: Placement) -> int:
    """How many who search the card would block there; its own player is none of them, since it is safe."""
    fingers = turned(face, placement.turn).fingers
    return sum(
        status == SEARCHING and direction in fingers
        for status, direction in zip(view.status, view.compass, strict=True)
    )


def _same(view: BlockYouView, face: CardFace, placement: Placement) -> int:
    """How many quarters lie on one of the same colour, neither of them white."""
    pairs = zip(turned(face, placement.turn).quarters, placement.cells, strict=True)
    return sum(own != WHITE and own == view.area[cell // SIZE][cell % SIZE] for own, cell in pairs)
