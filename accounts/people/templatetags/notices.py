"""The newest notice that somebody has not read, in the head of every page."""

from __future__ import annotations

from typing import Any

from django import template

from accounts.people.notice_texts import how_to_appeal, told
from accounts.people.telling import newest_unread

register = template.Library()


@register.inclusion_tag("people/notice_banner.html", takes_context=True)
def unread_notice(context: dict[str, Any]) -> dict[str, Any]:
    """It, and how many more there are. A query, so only for who has one; nothing is drawn if it was read meanwhile."""
    request = context["request"]
    notice = newest_unread(user=request.user)
    if notice is None:
        return {}
    said = told(code=notice.code, params=notice.params)
    return {
        "notice": notice,
        "said": said,
        "appeal": how_to_appeal() if said.may_appeal else "",
        "more": request.user.unread_notices - 1,
        "back": request.get_full_path(),
        "csrf_token": context.get("csrf_token"),
    }
