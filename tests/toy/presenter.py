"""Draws an Auction: the prizes so far, the own hand, and what each seat has won."""

from __future__ import annotations

from games.contract.rules import Say
from games.contract.values import Drawing, Moment
from tests.toy.rules import AuctionView


def sprite() -> str:
    """Nothing is shared: cards are numbers."""
    return ""


def draw(view: AuctionView, moment: Moment, say: Say) -> Drawing:
    """A row of prizes, and one button a card that may be bid."""
    prizes = "".join(
        f'<text x="{20 * at}" y="20">{prize}</text>' for at, prize in enumerate((*view.turned_up, *view.unseen))
    )
    title = say("prizes", left=view.prizes_left)
    own = view.hands[view.viewer] if isinstance(view.viewer, int) else None
    hand = "".join(
        f'<button data-move="bid {card}">{card}</button>' if card in view.may_bid else f"<span>{card}</span>"
        for card in own or ()
    )
    return Drawing(
        board=f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 40"><title>{title}</title>{prizes}</svg>',
        hand=f"<div>{hand}</div>" if own else "",
        panels=tuple(f"<span>{sum(prizes)}</span>" for prizes in view.won),
        tallies=tuple(f"<b>{sum(prizes)}</b>" for prizes in view.won),
    )
