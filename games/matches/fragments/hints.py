"""A hint as the page gets it: the sentence for the place that waits for it, with the move that is to be marked."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from django.utils.safestring import SafeString

from games.contract.values import Hint
from games.matches import hint_texts
from games.matches.fragments.trust import trusted
from games.matches.snapshots import Snapshot

if TYPE_CHECKING:
    from accounts.people.models import User


def draw_hint(current: Snapshot, user: User | None, hint: Hint) -> SafeString:
    """An out-of-band swap. It says for which stamp the hint was given: it holds as long as the page shows that one."""
    stamp, why = current.stamp_for(user), hint_texts.why(current.match.game, hint)
    return trusted(
        f'<div id="hint-said" class="hint-said" hx-swap-oob="true"><p data-hint="{escape(hint.move)}"'
        f' data-version="{stamp.version}" data-own="{stamp.own}">{escape(why)}</p></div>'
    )
