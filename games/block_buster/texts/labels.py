"""The labels of Block Buster's pictures: what the presenter may `say`, each code with its parameters."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.block_buster.texts.names import colour_name, listed


def _board(*, size: int, blocks: int) -> str:
    return ngettext(
        "The board of %(size)d by %(size)d cells, with %(count)d block",
        "The board of %(size)d by %(size)d cells, with %(count)d blocks",
        blocks,
    ) % {"size": size, "count": blocks}


def _ring(*, shape: str, cell: str, leader: str | None, lead: int, free: int, acquired: bool) -> str:
    """Whose the point block is as things stand; `leader` is a colour's code, None for no one."""
    named = {"shape": shape, "cell": cell, "free": _free(free)}
    if leader is None:
        return _("Point block %(shape)s at %(cell)s: nobody leads, %(free)s") % named
    named["colour"] = colour_name(leader)
    if acquired:
        return _("Point block %(shape)s at %(cell)s: acquired by %(colour)s") % named
    return _("Point block %(shape)s at %(cell)s: %(colour)s leads by %(lead)d, %(free)s") % {**named, "lead": lead}


def _free(count: int) -> str:
    return ngettext("%(count)d cell free", "%(count)d cells free", count) % {"count": count}


def _fit(*, block: str, squares: int, joined: int, jumps: int) -> str:
    size = ngettext("%(count)d square", "%(count)d squares", squares) % {"count": squares}
    named = {"block": block, "size": size, "joined": joined, "jumps": jumps}
    if joined:
        return (
            ngettext(
                "Block %(block)s, %(size)s, can be joined in %(joined)d place",
                "Block %(block)s, %(size)s, can be joined in %(joined)d places",
                joined,
            )
            % named
        )
    if jumps:
        return _("Block %(block)s, %(size)s, can be placed by a jump only") % named
    return _("Block %(block)s, %(size)s, fits nowhere now") % named


LABELS: Mapping[str, Callable[..., str]] = {
    # The board
    "board": _board,
    "ring": _ring,
    # The hand
    "hand": lambda *, colour: _("Your blocks: %(colour)s") % {"colour": colour_name(colour)},
    "hand-out": lambda *, colour: _("You are out with %(colour)s.") % {"colour": colour_name(colour)},
    "fit": _fit,
    "pass": lambda: _("Pass, for good"),
    # The players
    "colours": lambda *, colours: listed([colour_name(colour) for colour in colours]),
    "points": lambda *, points: ngettext("%(points)d point", "%(points)d points", abs(points)) % {"points": points},
    "tokens": lambda *, points: (
        ngettext("%(points)d in tokens", "%(points)d in tokens", abs(points)) % {"points": points}
    ),
    "squares-left": lambda *, count: (
        ngettext("%(count)d square left", "%(count)d squares left", count) % {"count": count}
    ),
}
