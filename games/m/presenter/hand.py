"""The viewer's own tiles as buttons, with where each fits and what it earns there, and the ways to pass."""

from __future__ import annotations

import json
from html import escape
from itertools import groupby

from games.m.dealing import HAND_SIZE
from games.m.notation import format_cell
from games.m.position import Fit, Tile, View
from games.m.presenter.words import Words, drawn_once

CELL = "{cell}"
"""Stands for the cell in the label of a placement, until one is chosen on the page."""


def draw_hand(view: View, words: Words) -> str:
    """The hand of the view's seat; "" for who looks on.

    Each tile is a button that carries its places as JSON in `data-fits`: a list of
    `[cell, chips, [lines that it scores], what it earns in words, [the same for each line that may be said]]`.
    """
    if view.seat is None:
        return ""
    held = view.hands[view.seat] or ()
    fits = {tile: tuple(group) for tile, group in groupby(view.fits, key=lambda fit: fit.tile)}
    thinking = view.phase == "play"
    parts = [_head(_hint(view), words, may_act=view.may_act)]
    parts += [
        _held(index, tile, fits.get(tile, ()), words, thinking=thinking, pays=view.chips[view.seat] > 0)
        for index, tile in enumerate(held)
    ]
    # Places left empty keep the others where they are.
    parts += ['<span class="m-slot"></span>'] * (HAND_SIZE - len(held) if held else 0)
    if not held:
        parts.append(f'<p class="muted">{words("hand-empty")}</p>')
    parts.append("</div>")
    if view.phase != "over":
        may_pass, pays = view.may_act and thinking, view.chips[view.seat] > 0
        parts.append(_passes(words, may_pass=may_pass, pays=pays, stack=view.stack > 0))
        parts.append(_choice(words))
    parts.append("</div>")
    return "".join(parts)


def _hint(view: View) -> str:
    if view.phase == "over":
        return "hand"
    if view.phase == "take":
        return "hint-take" if view.may_act else "hint-wait"
    return "hint-choose" if view.may_act else "hint-think"


@drawn_once
def _head(hint: str, words: Words, *, may_act: bool) -> str:
    return (
        f'<div class="m-hand" data-may-act="{"yes" if may_act else "no"}"'
        f' data-not-yet="{words("hint-wait")}"><p class="m-hint">{words(hint)}</p>'
        f'<div class="m-held" role="group" aria-label="{words("hand")}">'
    )


@drawn_once
def _held(index: int, tile: Tile, fits: tuple[Fit, ...], words: Words, *, thinking: bool, pays: bool) -> str:
    label = words("held", tile=tile, places=len(fits)) if thinking else words("tile", tile=tile)
    places = [[format_cell(fit.cell), fit.chips, fit.lines, *_earnings(fit, words)] for fit in fits]
    stuck = " m-stuck" if thinking and not fits else ""
    return (
        f'<button type="button" class="m-card{stuck}" aria-pressed="false"'
        f' tabindex="{-1 if index else 0}" data-tile="{tile}" aria-label="{label}"'
        f' data-place="{words("place", tile=tile, cell=CELL)}"'
        f' data-exchange="{words("exchange-tile", tile=tile, pays=pays)}"'
        f' data-fits="{escape(json.dumps(places, ensure_ascii=False, separators=(",", ":")))}">'
        f'<svg viewBox="0 0 100 100" aria-hidden="true"><use href="#m-{tile}"/></svg></button>'
    )


def _earnings(fit: Fit, words: Words) -> tuple[str, list[str]]:
    """What the place earns in words, and the same for each line that may be said there."""
    said = [words.plain("earns", chips=fit.chips, lines=(line,)) for line in fit.said if line is not None]
    return words.plain("earns", chips=fit.chips, lines=fit.lines), said


@drawn_once
def _passes(words: Words, *, may_pass: bool, pays: bool, stack: bool) -> str:
    """Always the same two buttons, so that nothing moves; `m-exchange` is enabled by the script for a chosen tile."""
    label = words("pass", pays=pays)
    why_not = words(("exchange-first" if may_pass else "exchange-wait") if stack else "exchange-not")
    kind = "m-exchange" if may_pass and stack else "m-no-exchange"
    return (
        '<div class="m-passes">'
        f'<button type="button" class="button" data-move="pass" data-label="{label}"{"" if may_pass else " disabled"}>'
        f'{label}</button><button type="button" class="{kind} button" disabled>'
        f'<span>{words("exchange")}<small class="m-why">{why_not}</small></span></button></div>'
    )


@drawn_once
def _choice(words: Words) -> str:
    """Asked where a placement could score its row or its column."""
    buttons = "".join(
        f'<button type="button" class="button" data-line="{line}"><svg viewBox="0 0 100 100" aria-hidden="true">'
        f'<use href="#m-line-{line}"/></svg>{words(f"score-{line}")}</button>'
        for line in ("row", "col")
    )
    return (
        f'<div class="m-choice card" role="group" aria-label="{words("which-line")}" hidden>'
        f'<p>{words("which-line")}</p><div class="row">{buttons}'
        f'<button type="button" class="button quiet" data-line="">{words("back")}</button></div></div>'
    )
