"""The rows of a history and the form above them, drawn as one text: by template they took most of the page's time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from django.forms import BoundField, Form, Select
from django.forms.utils import flatatt
from django.forms.widgets import Input
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from accounts.people.names import shown_name
from games.contract.values import MODE
from games.matches import result_texts
from games.matches.models import Match, Seat

if TYPE_CHECKING:
    from accounts.people.models import User

_ROW = (
    '<li class="card match-row"><a class="match-link" href="{}"{}><strong>{}</strong>{} '
    '<span class="match-players">{}</span></a> <span class="row">{}{}'
    '<span class="muted small">{}</span> <time class="muted small" datetime="{}">{}</time></span></li>'
)
_FIELD = '<div class="field{}"><label for="{}">{}</label>{}{}</div>'
_PLACE, _NAME, _SCORE = (
    '<span class="number">{}.</span> ',
    "<bdi>{}</bdi>",
    ' <span class="number muted">{}</span>',
)
_BETWEEN = format_html('<span class="muted" aria-hidden="true">{}</span>', " · ")
_NONE = SafeString()


def draw_rows(matches: Iterable[Match], who: User, *, first_has_focus: bool = False) -> SafeString:
    """A list item for each finished match, with its seats at hand; `who` sat in all of them."""
    rated = format_html('<span class="tag">{}</span> ', _("Rated"))
    modes: dict[tuple[str, Any], SafeString] = {}
    focus = iter([SafeString(" autofocus")] if first_has_focus else [])
    return format_html_join("", _ROW, (_row(match, who, next(focus, _NONE), rated, modes) for match in matches))


def draw_fields(form: Form) -> SafeString:
    """The fields of the form one by one, each with what is wrong with it: choices, and lines to write in."""
    return format_html_join(
        "",
        _FIELD,
        (
            (
                " invalid" if field.errors else "",
                field.id_for_label,
                field.label,
                _control(field),
                field.errors or "",
            )
            for field in form
        ),
    )


def _row(
    match: Match, who: User, focus: SafeString, rated: SafeString, modes: dict[tuple[str, Any], SafeString]
) -> tuple[Any, ...]:
    """What stands in a row; `modes` has the words of those that other rows have named."""
    seats = list(match.seats.all())
    # Who plays alone has no place among others.
    places = (match.standing or {}).get("places") if len(seats) > 1 else None
    own = next(seat.index for seat in seats if seat.user_id == who.pk)
    kind = (match.game_slug, match.options.get(MODE))
    if kind not in modes:
        modes[kind] = _mode(match)
    assert match.finished_at is not None
    ended = localtime(match.finished_at)
    return (
        reverse("replay-end", args=[match.slug]),
        focus,
        match.game.info.title,
        modes[kind],
        _players(match, seats, places),
        _place(places[own]) if places else _NONE,
        rated if match.rated else _NONE,
        result_texts.in_short(match, seats, [seat.shown_name for seat in seats]),
        ended.isoformat(),
        date_format(ended, "DATETIME_FORMAT"),
    )


def _mode(match: Match) -> SafeString:
    if MODE not in match.options:
        return _NONE
    return format_html(' <span class="muted">{}</span>', match.game.texts.option_value(MODE, match.options[MODE])[0])


def _players(match: Match, seats: Sequence[Seat], places: Sequence[int] | None) -> SafeString:
    """The names with place and score, the best first; where nobody has a place, as they sat."""
    names = [shown_name(seat.shown_name) for seat in seats]
    if match.standing is None:
        return format_html_join(_BETWEEN, _NAME, ((name,) for name in names))
    scores = [result_texts.score(match, seat.index) for seat in seats]
    if places is None:
        return format_html_join(_BETWEEN, _NAME + _SCORE, zip(names, scores, strict=True))
    ranked = sorted(range(len(seats)), key=lambda seat: places[seat])
    return format_html_join(
        _BETWEEN, _PLACE + _NAME + _SCORE, ((places[seat], names[seat], scores[seat]) for seat in ranked)
    )


def _place(place: int) -> SafeString:
    if place == 1:
        return format_html('<span class="tag good">{}</span> ', _("first place"))
    return format_html('<span class="tag">{}</span> ', _("place %(place)s") % {"place": place})


def _control(field: BoundField) -> SafeString:
    widget = field.field.widget
    attrs = field.build_widget_attrs({**widget.attrs, "id": field.auto_id})
    if isinstance(widget, Select):
        options = _options(widget.choices, str(field.value() or ""))
        return format_html('<select name="{}"{}>{}</select>', field.html_name, flatatt(attrs), options)
    assert isinstance(widget, Input)
    given = flatatt({"value": widget.format_value(field.value())})
    return format_html('<input type="{}" name="{}"{}{}>', widget.input_type, field.html_name, given, flatatt(attrs))


def _options(choices: Iterable[tuple[Any, Any]], chosen: str) -> SafeString:
    return format_html_join("", "{}", ((_option(value, label, chosen),) for value, label in choices))


def _option(value: Any, label: Any, chosen: str) -> SafeString:
    """A choice; or a group of them, whose value is its label."""
    if isinstance(label, list | tuple):
        return format_html('<optgroup label="{}">{}</optgroup>', value, _options(label, chosen))
    selected = " selected" if str(value) == chosen else ""
    return format_html('<option value="{}"{}>{}</option>', value, selected, label)
