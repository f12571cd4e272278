"""Draws M for one viewer: the table as an SVG, the hand, and a panel for each seat. Pure: gets words, gives markup."""

from __future__ import annotations

from games.contract.rules import Say
from games.contract.values import Drawing, Moment
from games.m.position import View
from games.m.presenter.board import draw_board
from games.m.presenter.hand import draw_hand
from games.m.presenter.panels import draw_panel, draw_points
from games.m.presenter.sprite import sprite
from games.m.presenter.words import words_of

__all__ = ["draw", "sprite"]


def draw(view: View, moment: Moment, say: Say) -> Drawing:
    """The view as markup; `moment` is what to mark as just happened. The page includes `sprite()` once beside it."""
    words = words_of(say)
    return Drawing(
        board=draw_board(view, moment, words),
        hand=draw_hand(view, words),
        panels=tuple(draw_panel(view, seat, moment, words) for seat in range(len(view.chips))),
        tallies=tuple(draw_points(score, words) for score in view.scores),
    )
