"""The viewer's own card, large, with the players around it in their directions, and what became of the last claim."""

from __future__ import annotations

from games.blockyou.presenter.card import draw_card
from games.blockyou.presenter.verdict import draw_verdict
from games.blockyou.presenter.words import Words, status_of
from games.blockyou.view import BlockYouView, CardFace
from games.contract.values import Moment

REACH = {
    # Where the disc of a player stands around the card of 200 by 200.
    0: (100, -21), 1: (216, -16), 2: (221, 100), 3: (216, 216),
    4: (100, 221), 5: (-16, 216), 6: (-21, 100), 7: (-16, -16),
}  # fmt: skip


def draw_hand(view: BlockYouView, moment: Moment, words: Words) -> str:
    """What the view's seat holds; "" for who looks on, and when the match is over.

    What the script turns it finds in `data-quarters` and `data-fingers`, unturned; `data-card` changes with the card.
    """
    seat = view.viewer
    if not isinstance(seat, int) or view.phase == "over":
        return ""
    card = view.cards[seat]
    known = f' data-quarters="{card.quarters}" data-fingers="{",".join(map(str, card.fingers))}"' if card else ""
    label = words("claim-label", row="{row}", col="{col}")
    return (
        f'<div class="by-hand{" by-solo" if view.solo else ""}" data-may-claim="{"yes" if view.may_claim else "no"}"'
        f' data-waits="{"no" if view.waiting[seat] is None else "yes"}" data-card="{view.round}"'
        f' data-label="{label}" data-taken="{words("taken-back")}"{known}>'
        f"{draw_verdict(view, seat, moment, words)}{_turn('left', view, words)}"
        f"{_card(view, seat, card, words)}{_turn('right', view, words)}{_nofit(view, words)}</div>"
    )


def _card(view: BlockYouView, seat: int, card: CardFace | None, words: Words) -> str:
    if card is not None:
        label = words("own-card", quarters=card.quarters, fingers=card.fingers)
        turn = view.waiting[seat].turn if view.waiting[seat] is not None else 0  # type: ignore[union-attr]
        drawn, kind = f'<g class="by-card">{draw_card(card, turn)}</g>', "by-up"
    else:
        label, drawn, kind = _state(view, seat, words), _back(view, seat, words), "by-down"
    return (
        f'<svg class="by-table {kind}" viewBox="-44 -44 288 288" role="img" aria-label="{label}">'
        f"{''.join(_disc(view, other) for other in range(len(view.compass)))}{drawn}</svg>"
    )


def _disc(view: BlockYouView, seat: int) -> str:
    direction = view.compass[seat]
    x, y = REACH[direction]
    own = " by-own" if view.viewer == seat else ""
    return (
        f'<g class="by-around{own}" data-way="{direction}" transform="translate({x} {y})">'
        f'<circle class="by-disc" r="18"/><text class="by-number" y="8">{seat + 1}</text></g>'
    )


def _state(view: BlockYouView, seat: int, words: Words) -> str:
    """Why no card is up, in words."""
    status = status_of(view.status[seat], sits_out_next=view.sits_out_next[seat])
    if status == "idle":
        return words("state-idle", number=view.round)
    return words(f"state-{status}", out=view.sits_out_next[seat])


def _back(view: BlockYouView, seat: int, words: Words) -> str:
    """A card face down; with the sign and the word of the state before it, and in the countdown its number."""
    status = status_of(view.status[seat], sits_out_next=view.sits_out_next[seat])
    if view.phase == "countdown" and status == "idle":
        return '<use href="#by-back"/><text class="by-count" x="100" y="140" aria-hidden="true"></text>'
    sign = status.replace(" ", "-")
    lines = words(f"status-{status}")
    return (
        f'<g class="by-state by-is-{sign}"><rect class="by-empty" width="200" height="200" rx="10"/>'
        f'<use href="#by-s-{sign}" transform="translate(64 46) scale(2.250)"/>'
        f'<text x="100" y="162">{lines}</text></g>'
    )


def _turn(side: str, view: BlockYouView, words: Words) -> str:
    seat = view.viewer
    disabled = "" if isinstance(seat, int) and view.cards[seat] is not None else " disabled"
    return (
        f'<button type="button" id="by-turn-{side}" class="button by-turn" data-turn="{side}"'
        f' aria-label="{words(f"turn-{side}")}"{disabled}><svg viewBox="0 0 32 32" aria-hidden="true">'
        f'<use href="#by-to-{side}"/></svg></button>'
    )


def _nofit(view: BlockYouView, words: Words) -> str:
    """Solo, the claim that nothing is safe. It goes by the script like every claim, without a confirmation."""
    if not view.solo:
        return ""
    disabled = "" if view.may_claim else " disabled"
    return f'<button type="button" id="by-nofit" class="button by-nofit"{disabled}>{words("nofit")}</button>'
