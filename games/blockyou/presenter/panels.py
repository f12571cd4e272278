"""What stands beside each player's name: where the seat is, the cards it has left, what it does, and its open card."""

from __future__ import annotations

from games.blockyou.presenter.card import draw_card
from games.blockyou.presenter.seats import cards_left
from games.blockyou.presenter.words import Words, lasted, status_of
from games.blockyou.view import BlockYouView, CardFace
from games.contract.durations import to_the_millisecond


def draw_panel(view: BlockYouView, seat: int, words: Words) -> str:
    """The panel of a seat. Its card is shown in it where the viewer knows it without holding it."""
    status = status_of(view.status[seat], sits_out_next=view.sits_out_next[seat])
    sign = status.replace(" ", "-")
    own = " by-own" if view.viewer == seat else ""
    direction = words("way", direction=view.compass[seat])
    doing = (
        ""
        if view.phase == "over"
        else f'<span class="by-doing by-is-{sign}"><svg viewBox="0 0 32 32" aria-hidden="true">'
        f'<use href="#by-s-{sign}"/></svg>{words(f"status-{status}")}</span>'
    )
    if view.sits_out_next[seat] and status == "erred":
        doing += f'<span class="tag bad">{words("sits-out-next")}</span>'
    return (
        f'<div class="by-panel{own}"><span class="by-sign-of-seat" role="img" aria-label="{words("seat", seat=seat)}">'
        f'{seat + 1}</span><span class="by-way">{direction}</span>{doing}{_left(view, seat, words)}'
        f"{_open_card(view, view.cards[seat], seat, words)}</div>"
    )


def draw_tally(view: BlockYouView, seat: int, words: Words) -> str:
    """The cards that the seat has left, after its number; solo, the time so far as it counts."""
    if view.solo:
        return _left(view, seat, words)
    count = cards_left(view, seat)
    label = f"{words('seat', seat=seat)}: {words('cards-left', count=count)}"
    return (
        f'<span class="by-tally" role="img" aria-label="{label}">'
        f'<span class="by-sign-of-seat">{seat + 1}</span><span class="by-cards-left">{count}</span></span>'
    )


def _left(view: BlockYouView, seat: int, words: Words) -> str:
    if view.solo:
        score = view.scores[seat]
        time = to_the_millisecond(score) if view.phase == "over" else lasted(score)
        return f'<span class="by-tally" role="img" aria-label="{words("time-counted", time=time)}">{time}</span>'
    count = cards_left(view, seat)
    return (
        f'<span class="by-tally" role="img" aria-label="{words("cards-left", count=count)}">'
        f'<svg viewBox="0 0 30 36" aria-hidden="true"><use href="#by-cards"/></svg>{count}</span>'
    )


def _open_card(view: BlockYouView, card: CardFace | None, seat: int, words: Words) -> str:
    if card is None or view.viewer == seat:
        return ""
    label = words("card", quarters=card.quarters, fingers=card.fingers)
    return f'<svg class="by-open-card" viewBox="-4 -4 210 212" role="img" aria-label="{label}">{draw_card(card)}</svg>'
