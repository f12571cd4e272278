"""The viewer's tray: the blocks left of the colour that plays next, and the labels of its tools."""

from __future__ import annotations

from games.block_buster.modes import COLOURS
from games.block_buster.placing import Fit
from games.block_buster.presenter.words import Words
from games.block_buster.tokens import cost
from games.block_buster.view import View

TOOLS = ("turn", "flip", "back", "zoom", "nudge", "nudge-left", "nudge-up", "nudge-down", "nudge-right")
"""The buttons that the page's script makes, for what keys, wheel and fingers can do too; the tray has their labels."""


def tray_colour(view: View) -> int | None:
    """The viewer's colour that plays now or next; None when all are out, or the match is over, or nobody sits here."""
    playing = [colour for colour in view.own_colours if colour not in view.out]
    if view.colour is None or not playing:
        return None
    count = len(view.cells)
    return min(playing, key=lambda colour: (colour - (view.colour or 0)) % count)


def draw_hand(view: View, words: Words) -> str:
    """The tray of the view's seat; "" for who looks on. A block is a button that carries its name in `data-block`."""
    if view.seat is None or view.phase == "over":
        return ""
    colour = tray_colour(view)
    if colour is None:
        return f'<div class="bb-hand"><p class="bb-hint">{words("hand-out")}</p></div>'
    code = COLOURS[colour]
    now = "yes" if view.may_act and view.colour == colour else "no"
    fits = {fit.block: fit for fit in view.fits[colour]}
    cards = "".join(
        _card(block, code, fits[block], view.left[colour].count(block), words, first=not number)
        for number, block in enumerate(fits)
    )
    tools = "".join(f' data-{code}="{words(code)}"' for code in TOOLS)
    hint = "hint-choose" if now == "yes" else "hint-think"
    return (
        f'<div class="bb-hand bb-{code}" data-colour="{code}" data-reach="{view.reach[colour]}" data-may-act="{now}"'
        f' data-cost="{cost(1)}" data-not-yet="{words("hint-wait")}">'
        f'<div class="bb-tools"{tools}>{_pass(view, words)}</div><p class="bb-hint">{words(hint)}</p>'
        f'<div class="bb-cards" role="group" aria-label="{words("hand", colour=code)}">{cards}</div></div>'
    )


def _card(block: str, colour: str, fit: Fit, copies: int, words: Words, *, first: bool) -> str:
    label = words("fit", block=block, copies=copies, joined=fit.joined, jumps=fit.jumps)
    state = "" if fit.joined else " bb-by-jump" if fit.jumps else " bb-stuck"
    more = f'<span class="bb-copies" aria-hidden="true">{copies}</span>' if copies > 1 else ""
    return (
        f'<button type="button" class="bb-card{state}" tabindex="{0 if first else -1}"'
        f' data-block="{block}" aria-label="{label}"><svg viewBox="0 0 50 50">'
        f'<use href="#bb-{colour}-{block}"/></svg>{more}</button>'
    )


def _pass(view: View, words: Words) -> str:
    """The pass, where it is allowed. The script puts its own buttons before it."""
    if not (view.may_act and view.may_pass):
        return ""
    label = words("pass")
    return f'<button type="button" class="button quiet bb-pass" data-move="pass" data-label="{label}">{label}</button>'
