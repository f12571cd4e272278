"""The parts of a match's stage, each an element with its own id, so that a push can bring one without the rest.

What every move changes is written in f-strings: as templates these parts took longer than the board. The others are
templates, drawn anew only when something in them has changed.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import lru_cache
from html import escape
from typing import Any

from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.timezone import get_current_timezone_name
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from games.matches.fragments.log import draw_log
from games.matches.fragments.players import draw_players, draw_tally
from games.matches.fragments.trust import SWAP, trusted
from games.matches.snapshots import Snapshot

Context = dict[str, Any]


def draw_parts(snapshot: Snapshot, context: Context) -> dict[str, SafeString]:
    """By name, in the order in which they are sent; what orders the fragments comes first."""
    over, role = context["over"], context["role"]
    names = ["freshness", "news", "prompt", "hint", "tally", "next", "absence", "board", "hand"]
    names += ["turn_key" if role.present and not over else "no_form", "takeback", "rated", "players"]
    if over:
        names.append("summary")
    names += ["actions", "log"]
    if snapshot.match.seal:
        names.append("seal")
    terms = (get_language(), get_current_timezone_name(), context["pushed"])
    return {name: _draw(snapshot, name, context, terms) for name in names}


def _draw(snapshot: Snapshot, name: str, context: Context, terms: Hashable) -> SafeString:
    if name in BY_HAND:
        return trusted(BY_HAND[name](context))
    if context["over"] or name not in IN_PLAY:
        return _render(name, context)
    key = ("part", name, terms, IN_PLAY[name](context))
    return snapshot.pieces.piece(key, lambda: _render(name, context))


def _render(name: str, context: Context) -> SafeString:
    return render_to_string(f"matches/part_{name}.html", context)


ASKED = ("takeback_ply", "asks_takeback", "agreed_takeback")

IN_PLAY: dict[str, Callable[[Context], Hashable]] = {
    "next": lambda context: (
        context.get("offer"),
        context.get("wants_end"),
        context.get("takeback_said"),
        *(context.get(name) for name in ASKED if context.get("takeback_said")),
    ),
    "absence": lambda context: (
        context["attendance"].key,
        tuple((choice["words"], choice["decides"]) for choice in context["choices"]),
    ),
    "no_form": lambda context: None,
    "hint": lambda context: (context["hints"], context["may_act"]),
    "rated": lambda context: context["recomputing"],
    "actions": lambda context: (
        context["role"],
        context["own_exit"],
        context["kept_waiting"],
        context["may_cancel"],
        *(context.get(name) for name in ("wants_end", "others_want_end", "alone")),
    ),
}
"""By part, what its template makes of the context while the match runs: where that is the same as before, so is it."""


def _freshness(context: Context) -> str:
    match, missed = context["match"], context["missed"]
    return (
        f'<div id="freshness" data-version="{match.version}" data-own="{context["own_version"]}"'
        f' data-turn="{int(context["may_act"])}" data-ply="{context["shown_ply"]}" data-epoch="{context["epoch"]}"'
        f' data-status="{match.status}"{f" data-missed={_quoted(missed)}" if missed else ""}'
        f" hidden{SWAP[context['pushed']]}></div>"
    )


def _news(context: Context) -> str:
    if context["over"]:
        said = f"{escape(context['headline'])} {escape(context['cause'])}"
        said += "".join(f" {escape(more)}" for more in (_own_rating(context), context["said_of_solo"]) if more)
    else:
        said = escape(context["prompt"])
    offer = f'<p data-news="note">{escape(context["offer"])}</p>' if context.get("offer") else ""
    return (
        f'<div id="news" data-ply="{context["shown_ply"]}" data-turn-key="{escape(context["turn_key"])}"'
        f" hidden{SWAP[context['pushed']]}><ol>{context['news']}</ol>"
        f'<p data-news="{"at-once" if context["turn_at_once"] else "in-turn"}">{said}</p>{offer}</div>'
    )


def _prompt(context: Context) -> str:
    swap = SWAP[context["pushed"]]
    if not context["over"]:
        yours = " yours" if context["may_act"] else ""
        return f'<p id="prompt" class="prompt{yours}" tabindex="-1"{swap}>{escape(context["prompt"])}</p>'
    rating = f" <span>{escape(_own_rating(context))}</span>" if context["own_rating"] else ""
    return (
        f'<p id="prompt" class="prompt over{" won" if context["won"] else ""}" tabindex="-1"{swap}>'
        f'<strong class="headline">{escape(context["headline"])}</strong>'
        f" <span>{escape(context['cause'])}</span>{rating}</p>"
    )


def _own_rating(context: Context) -> str:
    return _("Your rating: %(change)s") % {"change": context["own_rating"]} if context["own_rating"] else ""


def _frame(name: str) -> Callable[[Context], str]:
    """Of what the game has drawn."""
    return lambda context: f'<div id="{name}" class="{name}"{SWAP[context["pushed"]]}>{context[name]}</div>'


def _turn_key(context: Context) -> str:
    value, swap = escape(context["turn_key"]), SWAP[context["pushed"]]
    return f'<input type="hidden" name="turn_key" id="turn-key" value="{value}"{swap}>'


def _takeback(context: Context) -> str:
    asks = _form_to_ask(context["match"].slug, context["takeback_ply"]) if context.get("may_ask_takeback") else ""
    return f'<div id="takeback" class="takeback"{SWAP[context["pushed"]]}>{asks}</div>'


def _form_to_ask(slug: str, ply: int) -> str:
    path, words = _takeback_path(slug), escape(_("Ask to take back my move"))
    return (
        f'<form method="post" action="{path}" hx-post="{path}" hx-swap="none"><!--token-->'
        '<input type="hidden" name="answer" value="ask"><input type="hidden" name="stage" value="match">'
        f'<input type="hidden" name="ply" value="{ply}">'
        f'<button id="takeback-ask" class="button quiet">{words}</button></form>'
    )


@lru_cache(maxsize=1024)
def _takeback_path(slug: str) -> str:
    return reverse("act", args=[slug, "takeback"])


def _quoted(text: str) -> str:
    return f'"{escape(text)}"'


BY_HAND: dict[str, Callable[[Context], str]] = {
    "freshness": _freshness,
    "news": _news,
    "prompt": _prompt,
    "tally": lambda context: draw_tally(context["rows"], timed=context["timed"], pushed=context["pushed"]),
    "board": _frame("board"),
    "hand": _frame("hand"),
    "turn_key": _turn_key,
    "takeback": _takeback,
    "players": lambda context: draw_players(context["rows"], pushed=context["pushed"]),
    "log": lambda context: draw_log(context["match"], context["log"], pushed=context["pushed"]),
}
