"""Reads the forms of a new table and of a match of one: what the game offers, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.contract.registry import Game
from games.contract.values import Option, OptionValue
from games.matches import clock_texts
from games.matches.models import ABANDON_AFTER, Match
from games.matches.services.clocks import LIMITS, NO_CLOCK, USUAL_LIMITS, TimeLimit

UNRATED, RATED = "unrated", "rated"
AS_USUAL, BOT = "as-usual", "bot"


class TableForm(forms.Form):
    """Seats, options, pace, seating and who may come, for one game. Each option explains its values."""

    template_name = "matches/table_form.html"

    def __init__(self, game: Game, data: Any = None) -> None:
        super().__init__(data)
        self.game = game
        info = game.info
        counts = range(info.min_seats, info.max_seats + 1)
        # Who opens a table wants company; alone one begins by another button.
        company = str(max(2, info.min_seats))
        self._add_choice("seats", _("Players"), [(str(count), _players(count)) for count in counts], initial=company)
        for option in info.options:
            explained = [(str(value), *game.texts.option_value(option.key, value)) for value in option.values]
            field = self._add_choice(
                f"option_{option.key}",
                game.texts.option(option.key),
                [(value, label) for value, label, _help in explained],
                initial=str(option.default),
                players=option.players,
            )
            needed = option.only_with or {"seats": option.only_for}
            field.only_with = " ".join(f"{key}:{value}" for key, values in needed.items() for value in values)
            field.explained = [(label, help_) for _value, label, help_ in explained if help_]
        paces = [
            (Match.Pace.LIVE.value, _("Live: all sit at the table, it starts when everybody is ready")),
            (Match.Pace.TURNS.value, _("By turns: everybody moves when there is time, over days")),
        ]
        self._add_choice("pace", _("Pace"), paces[:1] if info.real_time else paces)
        if not info.real_time:
            self._add_clocks()
        self._add_choice(
            "seating",
            _("Seats"),
            [
                (Match.Seating.LOT.value, _("Drawn by lot at the start")),
                (Match.Seating.ARRANGED.value, _("As you arrange them at the table")),
            ],
        )
        people = tuple(count for count in counts if count > 1)
        rating = self._add_choice(
            "rated",
            _("Rating"),
            [
                (UNRATED, _("Unrated: nothing is counted, and bots may sit down too")),
                (RATED, _("Rated: people only; the result changes everybody's rating, which all can see")),
            ],
            players={RATED: people} if info.min_seats < 2 else {},
        )
        # A form that does not ask for it is one for an unrated match.
        rating.required = False
        leaving = self._add_choice(
            "leaving",
            _("When a player leaves"),
            [
                (AS_USUAL, _("With two the other has won; with more a stand-in plays at random, and who left is last")),
                (BOT, _("Unrated only: a bot plays the seat, and the player may have it back while the match runs")),
            ],
            required=False,
        )
        leaving.only_with = f"rated:{UNRATED}"
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
            if name.startswith(("option_", "clock_")) and name not in self.fields:
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
            "rated": data["rated"] == RATED,
            "clock": self._clock(),
            # Of a rated table, and of one for one, the form does not ask for it.
            "bot_takes_over": data["leaving"] == BOT and data["rated"] != RATED and int(data["seats"]) > 1,
        }

    def _clock(self) -> TimeLimit:
        """The clock that was chosen for the pace that was chosen; none if the form says nothing of it."""
        pace = self.cleaned_data["pace"]
        chosen = self.cleaned_data.get(f"clock_{pace}")
        return next((limit for limit in LIMITS[pace] if _clock_value(limit) == chosen), NO_CLOCK)

    def _add_clocks(self) -> None:
        """A choice for each pace, of which the page shows the one that goes with it."""
        for pace, limits in LIMITS.items():
            by_turns = pace == Match.Pace.TURNS
            choices = [
                (
                    _clock_value(limit),
                    clock_texts.time_limit(main=limit.main, increment=limit.increment, by_turns=by_turns),
                )
                for limit in (NO_CLOCK, *limits)
            ]
            usual = _clock_value(USUAL_LIMITS[pace])
            label = _("Clock of a match by turns") if by_turns else _("Clock of a live match")
            field = self._add_choice(f"clock_{pace}", label, choices, initial=usual, required=False)
            field.only_with = f"pace:{pace}"
            field.explained = [
                (
                    _("With a clock"),
                    _("who runs out of time has lost; with three or more a stand-in plays the seat on."),
                ),
                (
                    _("Without"),
                    _("if somebody has not moved for %(days)s days, the others may end the match without a result.")
                    % {"days": ABANDON_AFTER.days},
                ),
            ]

    def _options(self) -> dict[str, OptionValue]:
        options, seats = self.game.info.options, int(self.cleaned_data["seats"])
        given = {option.key: self.cleaned_data[f"option_{option.key}"] for option in options if option.matters(seats)}
        return _existing(options, {option.key: str(option.default) for option in options} | given)

    def _add_choice(
        self,
        name: str,
        label: str,
        choices: list[tuple[str, str]],
        initial: str | None = None,
        players: Mapping[OptionValue, tuple[int, ...]] = MappingProxyType({}),
        required: bool = True,
    ) -> _Choice:
        field = _Choice(
            label=label,
            choices=choices,
            initial=initial or choices[0][0],
            required=required,
            widget=_Radios(_as_attributes(players)),
        )
        self.fields[name] = field
        return field


class SoloForm(forms.Form):
    """The options of a match of one, each by its key: of the values only those that go with one player.

    What is not given is the default, so that an empty form begins a match too.
    """

    def __init__(
        self, game: Game, data: Any = None, *, chosen: Mapping[str, OptionValue] = MappingProxyType({})
    ) -> None:
        # Several games have such a form on one page.
        super().__init__(data, auto_id=f"solo-{game.slug}-%s")
        self.game = game
        for option in game.info.options:
            values = [value for value in option.values if 1 in option.players.get(value, (1,))]
            self.fields[option.key] = forms.ChoiceField(
                label=game.texts.option(option.key),
                choices=[(str(value), game.texts.option_value(option.key, value)[0]) for value in values],
                initial=str((chosen or {}).get(option.key, option.default)),
                required=False,
            )

    def options(self) -> dict[str, OptionValue]:
        """The options chosen, complete; only of a valid form."""
        options = self.game.info.options
        return _existing(
            options, {option.key: self.cleaned_data[option.key] or str(option.default) for option in options}
        )


def _existing(options: Sequence[Option], given: Mapping[str, str]) -> dict[str, OptionValue]:
    """The values chosen, without the options that do not exist with the others as chosen."""
    chosen = {
        option.key: next(value for value in option.values if str(value) == given[option.key]) for option in options
    }
    return {
        option.key: chosen[option.key]
        for option in options
        if all(chosen[key] in values for key, values in option.only_with.items())
    }


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


def _clock_value(limit: TimeLimit) -> str:
    """The limit as a value of the form: milliseconds, or "none"."""
    return "none" if limit.main is None else f"{limit.main}+{limit.increment}"


def _players(count: int) -> str:
    return ngettext("%(count)s player", "%(count)s players", count) % {"count": count}
