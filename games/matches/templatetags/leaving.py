"""What somebody has left, for a page that stands below matches: the settings know nothing of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import template
from django.utils.safestring import SafeString

from games.matches.fragments.leaving import draw_leaving

if TYPE_CHECKING:
    from accounts.people.models import User

register = template.Library()


@register.simple_tag
def matches_left(user: User) -> SafeString:
    """What the reader has left of late, and what it comes to; nothing for who has left nothing."""
    return draw_leaving(user)
