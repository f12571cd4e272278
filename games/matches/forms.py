"""Reads the form of a new table: what the game offers, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.contract.registry import Game
from games.contract.values import Option, OptionValue
from games.matches.models import Match


class TableForm(forms.Form):
    """Seats, options, pace, seating and who may come, for one game. Each option explains its values."""

    template_name = "matches/table_form.html"

    def __init__(self, game: Game, data: Any = None) -> None:
        super().__init__(data)
        self.game = game
        info = game.info
        counts = range(info.min_seats, info.max_seats + 1)
        self._add_choice("seats", _("Players"), [(str(count), _players(count)) for count in counts])
        for option in info.options:
            explained = [(str(value), *game.texts.option_value(option.key, value)) for value in option.values]
            field = self._add_choice(
                f"option_{option.key}",
                game.texts.option(option.key),
                [(value, label) for value, label, _help in explained],
                initial=str(option.default),
                players=option.players,
            )
            field.only_with = " ".join(f"{key}:{value}" for key, values in option.only_with.items() for value in values)
            field.explained = [(label, help_) for _value, label, help_ in explained if help_]
        self._add_choice(
            "pace",
            _("Pace"),
            [
                (Match.Pace.LIVE.value, _("Live: all sit at the table, it starts when everybody is ready")),
                (Match.Pace.TURNS.value, _("By turns: everybody moves when there is time, over days")),
            ],
        )
        self._add_choice(
            "seating",
            _("Seats"),
            [
                (Match.Seating.LOT.value, _("Drawn by lot at the start")),
                (Match.Seating.ARRANGED.value, _("As you arrange them at the table")),
            ],
        )
        self._add_choice(
            "visibility",
            _("Who may come"),
            [
                ("public", _("Everybody: the table stands in the lobby, and others may look on")),
                ("invited", _("Only who has the invitation link")),
            ],
        )

    def clean(self) -> dict[str, Any]:
        for name in self.data:
            if name.startswith("option_") and name not in self.fields:
                raise forms.ValidationError(_("The form has a value that is not offered. Please choose again."))
        return self.cleaned_data

    def table(self) -> dict[str, Any]:
        """The table's arguments for `create_table`."""
        data = self.cleaned_data
        return {
            "seats": int(data["seats"]),
            "options": self._options(),
            "public": data["visibility"] == "public",
            "pace": data["pace"],
            "seating": data["seating"],
        }

    def _options(self) -> dict[str, OptionValue]:
        """The values chosen, without the options that do not exist with the others as chosen."""
        info = self.game.info
        chosen = {option.key: self._value(option) for option in info.options}
        return {
            option.key: chosen[option.key]
            for option in info.options
            if all(chosen[key] in values for key, values in option.only_with.items())
        }

    def _value(self, option: Option) -> OptionValue:
        chosen: str = self.cleaned_data[f"option_{option.key}"]
        return next(value for value in option.values if str(value) == chosen)

    def _add_choice(
        self,
        name: str,
        label: str,
        choices: list[tuple[str, str]],
        initial: str | None = None,
        players: Mapping[OptionValue, tuple[int, ...]] = MappingProxyType({}),
    ) -> _Choice:
        field = _Choice(
            label=label, choices=choices, initial=initial or choices[0][0], widget=_Radios(_as_attributes(players))
        )
        self.fields[name] = field
        return field


class _Choice(forms.ChoiceField):
    """A choice that may exist only with certain others: `only_with` lists them, for the page's script.

    `explained` are labels of values, each with a sentence.
    """

    only_with = ""
    explained: Sequence[tuple[str, str]] = ()


class _Radios(forms.RadioSelect):
    """Radio buttons, some of which say with how many players they go."""

    def __init__(self, players: Mapping[str, str]) -> None:
        super().__init__()
        self.players = players

    def create_option(self, name: str, value: Any, *args: Any, **kwargs: Any) -> dict[str, Any]:
        option = super().create_option(name, value, *args, **kwargs)
        if str(value) in self.players:
            option["attrs"]["data-players"] = self.players[str(value)]
        return option


def _as_attributes(players: Mapping[OptionValue, tuple[int, ...]]) -> dict[str, str]:
    return {str(value): " ".join(map(str, counts)) for value, counts in players.items()}


def _players(count: int) -> str:
    return ngettext("%(count)s player", "%(count)s players", count) % {"count": count}
