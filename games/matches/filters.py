"""Reads what is asked of a history: by addresses, which anybody may write, so every value may be wrong."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django import forms
from django.utils.dateparse import parse_datetime
from django.utils.timezone import get_current_timezone
from django.utils.translation import gettext as _

from accounts.people.names import DISPLAY_NAME_LENGTH, isolated_name, shown_name
from games.contract.registry import all_games, get_game
from games.matches.histories import Asked, Cursor, people_called
from games.matches.models import Seat
from games.matches.numbers import whole_number

if TYPE_CHECKING:
    from accounts.people.models import User

FIRST, LAST = "from", "to"
RATED = {"rated": True, "unrated": False}


class HistoryForm(forms.Form):
    """What is asked of the matches of `who`: each field may be left out. A wrong one says so beside it."""

    def __init__(self, who: User, data: Mapping[str, Any]) -> None:
        super().__init__(data, auto_id="asked-%s")
        self.who = who
        games = [(game.slug, game.info.title) for game in all_games()]
        modes = [
            (
                game.info.title,
                [(f"{game.slug}.{value}", game.texts.option_value(mode.key, value)[0]) for value in mode.values],
            )
            for game in all_games()
            if (mode := game.info.mode) is not None
        ]
        self._add_choice("game", _("Game"), [("", _("all games")), *games])
        if modes:
            self._add_choice("mode", _("Mode"), [("", _("all modes")), *modes])
        results = [(result.value, result.label) for result in Seat.Result]
        self._add_choice("result", _("Result"), [("", _("all results")), *results])
        rated = [("rated", _("Rated")), ("unrated", _("Unrated"))]
        self._add_choice("rated", _("Rating"), [("", _("rated or not")), *rated])
        self.fields["opponent"] = forms.CharField(
            label=_("Played with"),
            required=False,
            max_length=DISPLAY_NAME_LENGTH,
            error_messages={"max_length": _("Nobody has a name as long as that.")},
            # Whom browsers would fill in is oneself.
            widget=forms.TextInput({"autocomplete": "off", "spellcheck": "false", "autocapitalize": "none"}),
        )
        for name, label in ((FIRST, _("From day")), (LAST, _("To day"))):
            self.fields[name] = forms.DateField(
                label=label,
                required=False,
                input_formats=["%Y-%m-%d"],
                error_messages={"invalid": _("Please give a day of the calendar, as 2026-03-01.")},
                widget=forms.DateInput({"type": "date"}, format="%Y-%m-%d"),
            )

    def clean_mode(self) -> str:
        chosen = str(self.cleaned_data["mode"])
        game = self.cleaned_data.get("game")
        if chosen and game and chosen.partition(".")[0] != game:
            raise forms.ValidationError(
                _("%(game)s has no such mode. Please choose another mode, or another game.")
                % {"game": get_game(game).info.title}
            )
        return chosen

    def clean_opponent(self) -> User | None:
        name = shown_name(self.cleaned_data["opponent"]).strip()
        if not name:
            return None
        found = people_called(name)
        given = {"name": isolated_name(name)}
        if not found:
            raise forms.ValidationError(_("Nobody here is called %(name)s. Please check the spelling.") % given)
        if len(found) > 1:
            raise forms.ValidationError(
                _("Several people are called %(name)s. Please give the login name, which stands on the profile.")
                % given
            )
        if found[0] == self.who:
            raise forms.ValidationError(_("These are the matches of %(name)s. Please name somebody else.") % given)
        return found[0]

    def clean(self) -> dict[str, Any]:
        first, last = self.cleaned_data.get(FIRST), self.cleaned_data.get(LAST)
        if first is not None and last is not None and last < first:
            self.add_error(LAST, _("This is before the first day."))
        return self.cleaned_data

    @property
    def is_used(self) -> bool:
        """Whether the address has any of its fields, empty or not: then whoever asks wants to see them."""
        return any(name in self.data for name in self.fields)

    def asked(self) -> Asked:
        """What is asked; only of a valid form."""
        data = self.cleaned_data
        game, _dot, mode = data.get("mode", "").partition(".")
        return Asked(
            game=data["game"] or game,
            mode=mode,
            result=data["result"],
            opponent=data["opponent"],
            rated=RATED.get(data["rated"]),
            since=_midnight(data[FIRST]),
            until=_midnight(data[LAST], after=True),
        )

    def query(self) -> dict[str, str]:
        """What of the address says what is asked, without what is left empty."""
        given = {name: str(self.data.get(name, "")) for name in self.fields}
        return {name: value for name, value in given.items() if value.strip()}

    def _add_choice(self, name: str, label: str, choices: list[Any]) -> None:
        wrong = _("There is no such choice. Please choose again.")
        self.fields[name] = forms.ChoiceField(
            label=label, choices=choices, required=False, error_messages={"invalid_choice": wrong}
        )


def address(query: Mapping[str, str]) -> str:
    """The query as the end of an address."""
    return f"?{urlencode(query)}" if query else ""


def cursor_text(cursor: Cursor) -> str:
    """The cursor as an address has it."""
    return f"{cursor.finished_at.isoformat()}_{cursor.match}"


def read_cursor(text: str) -> Cursor | None:
    """The cursor of a link to older matches; None for none, and for one that somebody made up."""
    moment, _sign, pk = text.rpartition("_")
    try:
        finished_at = parse_datetime(moment)
    except ValueError:
        return None
    match = whole_number(pk, digits=17)
    if finished_at is None or finished_at.tzinfo is None or match is None:
        return None
    try:
        # In the first and the last hours of the calendar, another zone may have no such moment.
        return Cursor(finished_at.astimezone(UTC), match)
    except OverflowError:
        return None


def _midnight(day: date | None, *, after: bool = False) -> datetime | None:
    """With which moment the reader's day begins, or with which it is over, in UTC; None for no day."""
    if day is None or (after and day == date.max):
        return None
    midnight = datetime.combine(day + timedelta(days=1) if after else day, time.min, tzinfo=get_current_timezone())
    try:
        return midnight.astimezone(UTC)
    except OverflowError:  # in UTC it was, or will be, out of the calendar, where nothing has ended
        return None
