"""What is markup and may stand in a page as it is: the one place that trusts a string."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.safestring import SafeString


def trusted(markup: str) -> SafeString:
    """Markup of presenters, or written by hand in this package: every text in it has been escaped."""
    return SafeString(markup)


def joined(pieces: Iterable[SafeString]) -> SafeString:
    """Pieces of markup in a row."""
    return trusted("".join(pieces))


SWAP = ("", ' hx-swap-oob="true"')
"""By whether it is pushed: what makes an element replace that of its id."""
