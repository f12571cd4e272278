"""The contract of a game: its rules, its presenter, its bot and its texts, as protocols.

A folder `games/<slug>/` keeps the contract with four modules: `rules.py` has `RULES`, an object that is a `Rules`;
`presenter.py`, `bot.py` and `texts.py` are modules that are a `Presenter`, a `Bot` and a `Texts`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, Protocol, TypeVar

from games.contract.values import Drawing, Event, GameInfo, Json, Moment, Options, OptionValue, Outcome, Params, Viewer

P = TypeVar("P")
M = TypeVar("M")
V_co = TypeVar("V_co", covariant=True)
V_contra = TypeVar("V_contra", contravariant=True)

Say = Callable[..., str]
"""`say(code, **params)` gives a label in the reader's language."""


class Rules(Protocol[P, M, V_co]):
    """The rules of a game, without state. Positions (P), moves (M) and views (V_co) are frozen values.

    Nothing here knows Django, the clock, or chance of its own: times come in as whole milliseconds since the match
    started, chance as `rng`.
    """

    @property
    def info(self) -> GameInfo: ...

    def complete_options(self, given: Mapping[str, Any], players: int) -> dict[str, OptionValue]:
        """All options with their values, defaults filled in. Raises `BadOption`."""

    def teams(self, options: Options, players: int) -> tuple[int, ...]:
        """The team of each seat, numbered from 0 in the order of their first seats; where each plays alone, 0, 1, 2 ...

        Members of a team win and lose together. Raises `BadOption`.
        """

    def deal(self, options: Options, players: Sequence[str], rng: Random) -> dict[str, Json]:
        """Everything that chance decides, as plain data. `players` are display names by seat.

        Give empty names to let the lot decide what a rule makes depend on names.
        """

    def start(self, options: Options, deal: Mapping[str, Any], players: int) -> P:
        """The first position. Raises `BadOption`, or `BadDeal` for whatever is wrong with data from outside."""

    def to_move(self, position: P) -> tuple[int, ...]:
        """The seats that may act now, rising; empty when the match is over."""

    def legal_moves(self, position: P, seat: int) -> Sequence[M]:
        """Every legal move of the seat, in a stable order; empty when the seat may not act."""

    def play(self, position: P, seat: int, move: M, *, at: int, lag: int = 0) -> tuple[P, tuple[Event, ...]]:
        """The position after the move, and what happened. Leaves `position` alone.

        `at` is the arrival, not before the time the position has reached; `lag` the player's measured round trip.
        Raises `IllegalMove` (code `not-your-turn` for a seat that may not act, `over` when the match has ended).
        """

    def due(self, position: P) -> int | None:
        """When the position next changes by time alone; None if never."""

    def advance(self, position: P, at: int) -> tuple[P, tuple[Event, ...]]:
        """The position brought to `at`, with the events on the way: the same in one step or in many."""

    def turn_key(self, position: P, seat: int) -> str:
        """Text that changes exactly when a move composed before can no longer be meant."""

    def outcome(self, position: P) -> Outcome | None:
        """How the match ended; None while it runs."""

    def scores(self, position: P) -> tuple[int, ...]:
        """The scores by seat, as if the match ended now."""

    def view(self, position: P, viewer: Viewer) -> V_co:
        """What that viewer may know of the position, and nothing else."""

    def view_move(self, position: P, seat: int, move: M, viewer: Viewer) -> str:
        """The text of a move that `seat` plays in `position`, with what the viewer may not know left out."""

    def parse_move(self, text: str) -> M:
        """Raises `IllegalMove` with the code `malformed`."""

    def format_move(self, move: M) -> str: ...

    def dump(self, position: P) -> dict[str, Json]:
        """The position as plain data, for storage."""

    def load(self, data: Mapping[str, Any]) -> P:
        """The position again. Trusts the data: they come from `dump`."""

    def trace(self, position: P) -> dict[str, Json]:
        """The position as a line of `record trace`, all but the `ply`."""


class Presenter(Protocol[V_contra]):
    """Draws views. Pure: gets a view and words, gives markup."""

    def sprite(self) -> str:
        """The drawings that all boards refer to, as hidden markup: a page has it once, so no push need bring it."""

    def draw(self, view: V_contra, moment: Moment, say: Say) -> Drawing:
        """The view as markup; `moment` is what to mark as just happened."""


class Bot(Protocol[V_contra]):
    """Plays a seat from what a person in that seat may know."""

    LEVELS: tuple[str, ...]

    def choose(self, view: V_contra, level: str, rng: Random) -> str | None:
        """The text of a legal move for the view's seat; None to wait (only in games played in real time)."""

    def stand_in(self, view: V_contra, rng: Random) -> str | None:
        """What is played for somebody who has left: a random legal move, passing only if there is nothing else."""


class Texts(Protocol):
    """The sentences of a game, all through gettext. `names` are the players' display names by seat.

    Everything returned is plain text, to be escaped by whoever puts it on a page.
    """

    def say(self, code: str, **params: Any) -> str:
        """A label for the presenter."""

    def refusal(self, code: str, params: Params) -> str:
        """Why a move, option or deal was refused, and what to do, as a player understands it."""

    def move(self, text: str, seat: int, names: Sequence[str]) -> str:
        """A move (its text from `view_move`) in words."""

    def event(self, event: Event, names: Sequence[str]) -> str:
        """An event in words; "" where the move's own words say it already."""

    def prompt(self, view: Any, names: Sequence[str]) -> str:
        """What is to be done now, said to the view's viewer: whose turn it is, or what one may do."""

    def reason(self, code: str) -> str:
        """One of the game's own reasons for an end."""

    def tagline(self) -> str:
        """The game in a sentence."""

    def option(self, key: str) -> str:
        """The option's label."""

    def option_value(self, key: str, value: OptionValue) -> tuple[str, str]:
        """The value's label, and a sentence that explains it."""

    def seat(self, options: Options, players: int, seat: int) -> str:
        """What the seat plays, as its colours; "" where all seats are alike."""
