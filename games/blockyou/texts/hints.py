"""The reasons for a hint: each a part of a sentence about the claim."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.blockyou.texts.names import way_name


def _covers(*, same: int) -> str:
    if not same:
        return _("matches every quarter by white")
    return ngettext(
        "matches %(count)d quarter by colour (the others by white)",
        "matches %(count)d quarters by colour (the others by white)",
        same,
    ) % {"count": same}


HINTS: Mapping[str, Callable[..., str]] = {
    "blocks": lambda *, count: (
        ngettext("blocks %(count)d player who searches", "blocks %(count)d players who search", count)
        % {"count": count}
    ),
    "points-away": lambda *, direction: (
        _("points no finger at you (%(direction)s)") % {"direction": way_name(direction)}
    ),
    "covers": _covers,
    "nothing-safe": lambda: _("is right (no place is safe)"),
}
