"""The lines of a leaderboard, drawn as one text: a hundred cost a template more than all the rest of the page."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from accounts.people.templatetags.names import display_name
from games.matches.rating_lists import Ranked

if TYPE_CHECKING:
    from accounts.people.models import User


def draw_lines(lines: Iterable[Ranked], viewer: User | None) -> SafeString:
    """A table row for each; the viewer's own is marked."""
    own = viewer.pk if viewer is not None else None
    you = format_html(' <span class="tag">{}</span>', _("you"))
    return format_html_join(
        "",
        '<tr{}><td class="number">{}</td><th scope="row"><a href="{}">{}</a>{}</th>'
        '<td class="number">{}</td><td class="number">{}</td></tr>',
        (
            (
                format_html(' class="{}"', "own") if line.user_id == own else "",
                line.place,
                reverse("profile", args=[line.username]),
                display_name(line),
                you if line.user_id == own else "",
                line.shown,
                line.matches,
            )
            for line in lines
        ),
    )
