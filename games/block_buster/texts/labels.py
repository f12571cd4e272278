"""The labels of Block Buster's pictures: what the presenter may `say`, each code with its parameters."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from games.block_buster.modes import COLOURS
from games.block_buster.texts.names import colour_name, listed


def _board(*, size: int, blocks: int) -> str:
    return ngettext(
        "The board of %(size)d by %(size)d cells, with %(count)d block",
        "The board of %(size)d by %(size)d cells, with %(count)d blocks",
        blocks,
    ) % {"size": size, "count": blocks}


def _blocks(*, colour: str, blocks: Sequence[str]) -> str:
    """The blocks of a colour on the board, each with its cells: "L4 c3 c4 c5 d5"."""
    return _("%(colour)s: %(blocks)s") % {"colour": capfirst(colour_name(colour)), "blocks": listed(list(blocks))}


def _fit(*, block: str, copies: int, joined: int, jumps: int) -> str:
    name = _("%(block)s, two of them") % {"block": block} if copies > 1 else block
    if joined:
        return ngettext(
            "%(block)s, can be joined in %(count)d place", "%(block)s, can be joined in %(count)d places", joined
        ) % {"block": name, "count": joined}
    if jumps:
        return _("%(block)s, by a jump only") % {"block": name}
    return _("%(block)s, fits nowhere now") % {"block": name}


def _colour(*, colour: str, state: str) -> str:
    """A colour in a panel; `state` is "now" while it plays, "out", or "in"."""
    name = colour_name(colour)
    return {"now": _("%(colour)s, to move"), "out": _("%(colour)s, out"), "in": "%(colour)s"}[state] % {"colour": name}


def _sets(*, counts: Sequence[tuple[str, int, int]], collection: int) -> str:
    """Point blocks by shape: how many go to a player as things stand, and how many are acquired."""
    for_good = _("%(shape)s %(held)d (%(acquired)d of %(collection)d acquired)")
    some = [
        for_good % {"shape": shape, "held": held, "acquired": acquired, "collection": collection}
        if acquired
        else f"{shape} {held}"
        for shape, held, acquired in counts
        if held
    ]
    return _("Point blocks: %(counts)s") % {"counts": listed(some) if some else _("none")}


def _left(*, colour: str, blocks: Sequence[str], count: int) -> str:
    return ngettext(
        "%(colour)s has %(count)d square left: %(blocks)s", "%(colour)s has %(count)d squares left: %(blocks)s", count
    ) % {"colour": capfirst(colour_name(colour)), "count": count, "blocks": listed(list(blocks))}


LABELS: Mapping[str, Callable[..., str]] = {
    # The board
    "board": _board,
    "ring-leads": lambda *, point, colour, lead, free: (
        _("%(point)s: %(colour)s leads by %(lead)s, %(free)s free")
        % {"point": point, "colour": colour, "lead": lead, "free": free}
    ),
    "ring-nobody": lambda *, point, free: _("%(point)s: nobody leads, %(free)s free") % {"point": point, "free": free},
    "ring-acquired": lambda *, point, colour: (
        _("%(point)s: acquired by %(colour)s") % {"point": point, "colour": colour}
    ),
    "blocks": _blocks,
    **{colour: partial(colour_name, colour) for colour in COLOURS},
    "last": lambda *, colour, block, cell: (
        _("Placed last: %(block)s at %(cell)s, %(colour)s")
        % {"block": block, "cell": cell, "colour": colour_name(colour)}
    ),
    "paid": lambda *, cost: _("%(cost)d in tokens for the jump") % {"cost": cost},
    "field": lambda: _(
        "Board. Arrows move, R turns, F flips, N and P go to the next and previous fit, Enter places, Escape cancels."
    ),
    # Completed by the page's script: what stands in braces is filled in there.
    "say-free": lambda *, cell: _("%(cell)s: free") % {"cell": cell},
    "say-taken": lambda *, cell, colour: _("%(cell)s: %(colour)s") % {"cell": cell, "colour": colour},
    "say-point": lambda *, cell, ring: _("%(cell)s: point block %(ring)s") % {"cell": cell, "ring": ring},
    "say-place": lambda *, block, cell: _("%(block)s at %(cell)s") % {"block": block, "cell": cell},
    "say-first": lambda: _("fits"),
    "say-joined": lambda: _("joins your blocks"),
    "say-jump": lambda *, gap, cost: _("gap %(gap)s, costs %(cost)s in tokens") % {"gap": gap, "cost": cost},
    "say-too-far": lambda *, gap, cost, reach: (
        _("gap %(gap)s would cost %(cost)s in tokens: no more than gap %(reach)s can be paid")
        % {"gap": gap, "cost": cost, "reach": reach}
    ),
    "say-covers-point": lambda *, cell: _("does not fit: a point block at %(cell)s") % {"cell": cell},
    "say-covers-block": lambda *, cell: _("does not fit: a block at %(cell)s") % {"cell": cell},
    "say-leads": lambda *, point, colour, lead: (
        _("%(point)s: %(colour)s leads by %(lead)s") % {"point": point, "colour": colour, "lead": lead}
    ),
    "say-nobody": lambda *, point: _("%(point)s: nobody leads") % {"point": point},
    "say-acquired": lambda *, point, colour: (
        _("%(point)s: acquired by %(colour)s") % {"point": point, "colour": colour}
    ),
    "say-nowhere": lambda *, block: _("%(block)s fits nowhere now") % {"block": block},
    # The tray
    "hand": lambda *, colour: _("Your blocks: %(colour)s") % {"colour": colour_name(colour)},
    "hand-out": lambda: _("You are out: you have no more turns."),
    "hint-choose": lambda: _("Choose a block, then a place on the board."),
    "hint-think": lambda: _("You can try out places while you wait."),
    "hint-wait": lambda: _("It is not your turn yet."),
    "fit": _fit,
    "pass": lambda: _("Pass, for good"),
    "turn": lambda: pgettext("a block", "Turn"),
    "flip": lambda: pgettext("a block", "Flip"),
    "back": lambda: _("Put back"),
    "zoom": lambda: _("Enlarge the board, or make it small again"),
    "nudge": lambda: _("Move the block"),
    "nudge-left": lambda: _("Move it to the left"),
    "nudge-up": lambda: _("Move it up"),
    "nudge-down": lambda: _("Move it down"),
    "nudge-right": lambda: _("Move it to the right"),
    # The players
    "colour": _colour,
    "out": lambda: pgettext("a colour", "out"),
    "team": lambda *, number: _("Team %(number)s") % {"number": number},
    "points": lambda *, points: ngettext("%(points)d point", "%(points)d points", abs(points)) % {"points": points},
    "tokens": lambda *, points: _("%(points)d in tokens") % {"points": points},
    "sets": _sets,
    "left": _left,
}
