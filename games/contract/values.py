"""The frozen values that games and the house exchange: viewers, events, outcomes, options."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

# A JSON value; quoted inside, since Python 3.11 has no recursive `type` statement.
Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]

OptionValue = str | int
Options = Mapping[str, OptionValue]
Param = str | int | tuple[str, ...] | tuple[int, ...]
Params = Mapping[str, Any]
"""What a sentence is filled with, by key: `Param` values, whose types the code stands for."""

NO_PARAMS: Params = MappingProxyType({})

MODE = "mode"
"""Key of the option that is a game's mode, where it has one: histories and ratings tell its values apart."""


class Watcher(enum.Enum):
    """Who looks on without a seat."""

    SPECTATOR = "spectator"
    """Knows what lies open on the table."""
    OPEN = "open"
    """Knows everything; passed only by the service, for a finished match."""


SPECTATOR = Watcher.SPECTATOR
OPEN = Watcher.OPEN

Viewer = int | Watcher
"""A seat (0..n-1), SPECTATOR or OPEN."""


ROUND_OVER = "round-over"
"""Code of the event with which a game played in real time says that a round has ended.

Its parameter `searched` are the seats that could act in that round: who of them never does may have left.
"""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened in a match, as a code with parameters; `texts.py` makes a sentence of it.

    `at` is in whole milliseconds since the match started. `audience` lists the seats that may know of it;
    None means everybody.
    """

    at: int
    code: str
    params: Params = field(default_factory=lambda: NO_PARAMS)  # dataclasses take it for mutable, since it has no hash
    audience: frozenset[int] | None = None

    def seen_by(self, viewer: Viewer) -> bool:
        """Whether this viewer may know of the event."""
        return self.audience is None or viewer is OPEN or viewer in self.audience


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match ended by the rules: places (1 first, equal results share: 1, 1, 3) and scores, by seat."""

    reason: str
    places: tuple[int, ...]
    scores: tuple[int, ...]

    def as_json(self) -> dict[str, Json]:
        """The `outcome` of a match record."""
        return {"reason": self.reason, "places": list(self.places), "scores": list(self.scores)}


@dataclass(frozen=True, slots=True)
class Option:
    """A choice the table's host makes: its key in records, the values it may have, and the default.

    `players` says with how many players a value can be chosen, where not with any number. The option exists only where
    each option in `only_with` has one of the values listed there. Rules judge by themselves (`complete_options`): this
    is for forms, which should not offer what will be refused. `only_for` are the numbers of players with which the
    option changes anything, empty where it always does: it exists with others too, and pages are silent of it there.
    """

    key: str
    values: tuple[OptionValue, ...]
    default: OptionValue
    players: Mapping[OptionValue, tuple[int, ...]] = field(default_factory=lambda: MappingProxyType({}), hash=False)
    only_with: Mapping[str, tuple[OptionValue, ...]] = field(default_factory=lambda: MappingProxyType({}), hash=False)
    only_for: tuple[int, ...] = ()

    def matters(self, players: int) -> bool:
        """Whether it changes anything in a match of so many."""
        return not self.only_for or players in self.only_for


@dataclass(frozen=True, slots=True)
class GameInfo:
    """What the house must know of a game before anybody plays it.

    `title` is the game's proper name, the same in every language. `reasons` are the codes with which a match
    can end by the rules. `real_time` is true where all play at once against the clock. `highlights` are the codes of
    public events that people look for in a replay, as a round that begins: it jumps from one to the next.
    `revealing` are the codes of events by which somebody learns what chance had hidden, as a tile that is drawn: a move
    with one is never taken back. None for a game that takes back no move at all.
    """

    slug: str
    title: str
    min_seats: int
    max_seats: int
    options: tuple[Option, ...] = ()
    reasons: tuple[str, ...] = ()
    real_time: bool = False
    highlights: tuple[str, ...] = ()
    revealing: tuple[str, ...] | None = None

    def allows(self, players: int) -> bool:
        """Whether that many can play."""
        return self.min_seats <= players <= self.max_seats

    @property
    def solo(self) -> bool:
        """Whether one can play alone."""
        return self.allows(1)

    @property
    def mode(self) -> Option | None:
        """The option that says which of its modes is played; None for a game that has none."""
        return next((option for option in self.options if option.key == MODE), None)


@dataclass(frozen=True, slots=True)
class Moment:
    """What has just happened, as one viewer may know it: a presenter marks it on the board.

    `seat` and `move` (the move's text) are None before the first move. `over` is whether the match has ended, also
    where the position does not say so, since somebody has left.
    """

    seat: int | None = None
    move: str | None = None
    events: tuple[Event, ...] = ()
    over: bool = False


@dataclass(frozen=True, slots=True)
class Drawing:
    """A position drawn for one viewer: ready markup, with no text in it that a person wrote.

    `board` is an SVG; `hand` what only this viewer holds ("" where nothing is held); `panels` one piece of
    markup a seat, shown beside its player's name; `tallies` the score of each seat in a few characters, for a line
    of all names where the panels have no room.
    """

    board: str
    hand: str = ""
    panels: tuple[str, ...] = ()
    tallies: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Hint:
    """A move worth playing, as text, and why: codes with parameters, the weightiest first, which `Texts.hint` says."""

    move: str
    why: tuple[tuple[str, Params], ...]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of a claim of `seat`: whether it was `right`, and how many ms after it was called for it was made."""

    seat: int
    right: bool
    after: int
