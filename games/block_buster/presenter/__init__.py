"""Draws Block Buster for one viewer: the board as an SVG, the tray, and a panel a seat. Pure: words to markup."""

from __future__ import annotations

from games.block_buster.presenter.board import draw_board
from games.block_buster.presenter.hand import draw_hand
from games.block_buster.presenter.panels import draw_panel, draw_tally
from games.block_buster.presenter.sprite import sprite
from games.block_buster.presenter.words import Words
from games.block_buster.view import View
from games.contract.rules import Say
from games.contract.values import Drawing, Moment

__all__ = ["draw", "sprite"]


def draw(view: View, moment: Moment, say: Say) -> Drawing:
    """The view as markup; `moment` is what to mark as just happened. The page includes `sprite()` once beside it."""
    words = Words(say)
    return Drawing(
        board=draw_board(view, moment, words),
        hand=draw_hand(view, words),
        panels=tuple(draw_panel(view, seat, moment, words) for seat in range(view.setup.mode.players)),
        tallies=tuple(draw_tally(view, seat, words) for seat in range(view.setup.mode.players)),
    )
