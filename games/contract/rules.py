"""The contract of a game: its rules, its presenter, its bot and its texts, as protocols.

A folder `games/<slug>/` keeps the contract with four modules: `rules.py` has `RULES`, an object that is a `Rules`;
`presenter.py`, `bot.py` and `texts.py` are modules that are a `Presenter`, a `Bot` and a `Texts`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from typing import Any, Protocol, TypeVar, runtime_checkable

from games.contract.values import (
    Drawing,
    Event,
    GameInfo,
    Hint,
    Json,
    Moment,
    Options,
    OptionValue,
    Outcome,
    Params,
    Verdict,
    Viewer,
)

P = TypeVar("P")
M = TypeVar("M")
V_co = TypeVar("V_co", covariant=True)
V_contra = TypeVar("V_contra", contravariant=True)
P_contra = TypeVar("P_contra", contravariant=True)
M_contra = TypeVar("M_contra", contravariant=True)

Say = Callable[..., str]
"""`say(code, **params)` gives a label in the reader's language. The parameters are hashable: labels are kept."""


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
        Raises `IllegalMove` (code `over` when the match has ended, `not-your-turn` for a seat that may not act, or in
        real time a code that says what keeps it from acting).
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


@runtime_checkable
class EarnsTime(Protocol[P_contra, M_contra]):
    """Rules may have this too, where not every move adds time to its player's clock."""

    def earns_time(self, position: P_contra, move: M_contra) -> bool:
        """Whether this move in this position adds the increment."""


@runtime_checkable
class RanksSolo(Protocol):
    """Rules may have this too, where matches of one are compared: the lower the score, the better."""

    def solo_ranks(self, outcome: Outcome) -> bool:
        """Whether a match of one that ended so counts among the best."""


@runtime_checkable
class TellsGifts(Protocol):
    """Rules may have this too, where a player can choose to give another something that counts: moderators look at it
    where two accounts may be one person's."""

    def gifts(self, events: Iterable[Event]) -> Sequence[tuple[int, int, int]]:
        """What was given by choice in these events, as (giver, taker, how much)."""


@runtime_checkable
class JudgesClaims(Protocol):
    """Rules of a game in real time may have this too: how quick and how sure players are is compared by it."""

    def verdicts(self, events: Iterable[Event]) -> Sequence[Verdict]:
        """What came of the claims of a match, of all its events."""


class Presenter(Protocol[V_contra]):
    """Draws views. Pure: gets a view and words, gives markup."""

    def sprite(self) -> str:
        """The drawings that all boards refer to, as hidden markup: a page has it once, so no push need bring it."""

    def draw(self, view: V_contra, moment: Moment, say: Say) -> Drawing:
        """The view as markup; `moment` is what to mark as just happened."""


Budget = Callable[[], bool]
"""Asked before each iteration of a search: whether one more may be made. It may count them, or look at a clock."""


def no_budget() -> bool:
    """Not one iteration: what comes to mind at once is played."""
    return False


class Bot(Protocol[V_contra]):
    """Plays a seat from what a person in that seat may know."""

    LEVELS: tuple[str, ...]
    """From the weakest to the strongest."""

    ITERATIONS: Mapping[str, int]
    """By level: how many iterations a move is granted where bots are compared (`manage.py tournament`)."""

    def choose(self, view: V_contra, level: str, rng: Random, budget: Budget = no_budget) -> str | None:
        """The text of a legal move for the view's seat; None to wait (only in games played in real time).

        Levels that search ask `budget` before each iteration, and play the best they know when it is used up.
        """

    def stand_in(self, view: V_contra, rng: Random) -> str | None:
        """What is played for somebody who has left: a random legal move, passing only if there is nothing else."""


@runtime_checkable
class SetsPace(Protocol[V_contra]):
    """A bot may have this too: how long it takes, where that depends on what it sees."""

    def pause(self, view: V_contra, level: str, rng: Random, *, at: int) -> int:
        """Milliseconds from the match time `at` until it acts next if nothing changes; drawn anew whenever its view
        changes."""


@runtime_checkable
class GivesHints(Protocol[V_contra]):
    """A bot may have this too: what it would do in the view's seat, and why."""

    def hint(self, view: V_contra, rng: Random, budget: Budget = no_budget) -> Hint | None:
        """A legal move worth playing, with reasons that `Texts.hint` says; None if there is nothing to suggest."""


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


@runtime_checkable
class SaysHints(Protocol):
    """Texts must have this too where the bot gives hints."""

    def hint(self, code: str, params: Params) -> str:
        """One reason of a hint, in the game's terms: what the move does ("takes 2 chips"), to go on from "this".

        Others are joined to it by commas and "and", so it should have none of its own.
        """


@runtime_checkable
class SaysScores(Protocol):
    """Texts may have this too, where a score is not said as a number of points."""

    def score(self, score: int, players: int) -> str:
        """A score in a match of so many players, in a few characters."""

    def counted(self, score: int, players: int) -> str:
        """The same with what it counts, as "3 cards left"."""


@runtime_checkable
class SaysReasonsAlone(Protocol):
    """Texts may have this too, where a match of one does not end for the reasons of one of several."""

    def reason_alone(self, code: str) -> str:
        """One of the game's own reasons for the end of a match of one."""
