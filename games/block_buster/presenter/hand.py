"""The viewer's tray: the blocks left of the colour that plays next, and the buttons that turn, flip and move them."""

from __future__ import annotations

from games.block_buster.modes import COLOURS
from games.block_buster.placing import Fit
from games.block_buster.presenter.words import Words
from games.block_buster.tokens import cost
from games.block_buster.view import View


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
    hint = "hint-choose" if now == "yes" else "hint-think"
    return (
        f'<div class="bb-hand bb-{code}" data-colour="{code}" data-reach="{view.reach[colour]}" data-may-act="{now}"'
        f' data-cost="{cost(1)}" data-not-yet="{words("hint-wait")}"><p class="bb-hint">{words(hint)}</p>'
        f'<div class="bb-cards" role="group" aria-label="{words("hand", colour=code)}">{cards}</div>'
        f"{_tools(view, words)}</div>"
    )


def _card(block: str, colour: str, fit: Fit, copies: int, words: Words, *, first: bool) -> str:
    label = words("fit", block=block, copies=copies, joined=fit.joined, jumps=fit.jumps)
    state = "" if fit.joined else " bb-by-jump" if fit.jumps else " bb-stuck"
    more = f'<span class="bb-copies" aria-hidden="true">{copies}</span>' if copies > 1 else ""
    return (
        f'<button type="button" class="bb-card{state}" aria-pressed="false" tabindex="{0 if first else -1}"'
        f' data-block="{block}" aria-label="{label}"><svg viewBox="0 0 50 50" aria-hidden="true">'
        f'<use href="#bb-{colour}-{block}"/></svg>{more}</button>'
    )


def _tools(view: View, words: Words) -> str:
    """Buttons for what keys, wheel and fingers can do too; the script shows those that are of use."""
    turn, flip, zoom, back = (
        _tool(name, words(name), key) for name, key in (("turn", "R"), ("flip", "F"), ("zoom", ""), ("back", "Esc"))
    )
    nudges = "".join(_tool(way, words(way), "") for way in ("nudge-left", "nudge-up", "nudge-down", "nudge-right"))
    passing = ""
    if view.may_act and view.may_pass:
        label = words("pass")
        passing = (
            f'<button type="button" class="button quiet bb-pass" data-move="pass" data-label="{label}">{label}</button>'
        )
    return (
        f'<div class="bb-tools">{turn}{flip}{back}{zoom}'
        f'<div class="bb-nudges" role="group" aria-label="{words("nudge")}" hidden>{nudges}</div>{passing}</div>'
    )


def _tool(name: str, label: str, key: str) -> str:
    shown = (
        f'<span>{label}</span><kbd aria-hidden="true">{key}</kbd>'
        if key
        else f'<span class="visually-hidden">{label}</span>'
    )
    return (
        f'<button type="button" class="bb-tool" data-tool="{name}"><svg viewBox="0 0 24 24" aria-hidden="true">'
        f'<use href="#bb-i-{name}"/></svg>{shown}</button>'
    )
