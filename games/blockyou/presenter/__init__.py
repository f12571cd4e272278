"""Draws BlockYou! for one viewer: the area with the players around it, the own card, a panel for each seat. Pure."""

from __future__ import annotations

from dataclasses import replace

from games.blockyou.presenter.board import draw_board
from games.blockyou.presenter.hand import draw_hand
from games.blockyou.presenter.panels import draw_panel, draw_tally
from games.blockyou.presenter.sprite import sprite
from games.blockyou.presenter.words import Words
from games.blockyou.view import BlockYouView
from games.contract.rules import Say
from games.contract.values import Drawing, Moment

__all__ = ["draw", "sprite"]


def draw(view: BlockYouView, moment: Moment, say: Say) -> Drawing:
    """The view as markup; `moment` is what to mark as just happened. The page includes `sprite()` once beside it."""
    words = Words(say)
    if moment.over and view.phase != "over":
        view = _broken_off(view)
    seats = range(len(view.compass))
    return Drawing(
        board=draw_board(view, moment, words),
        hand=draw_hand(view, moment, words),
        panels=tuple(draw_panel(view, seat, words) for seat in seats),
        tallies=tuple(draw_tally(view, seat, words) for seat in seats),
    )


def _broken_off(view: BlockYouView) -> BlockYouView:
    """The view of a match that ended although the rules would go on: nothing is about to happen in it any more."""
    last = max(1, view.round - 1) if view.phase == "countdown" and not view.solo else view.round
    return replace(view, phase="over", round=last, opens=None, closes=None, may_claim=False)
