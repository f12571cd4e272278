"""Match records: a whole match as one JSON document. Format: docs/rules/records.md.

Everything that can be wrong with one is a `RecordError`, with the ply that the format gives it: 0 for anything but the
moves, which is looked for first, then the number of the move refused, then one more for an outcome that is not the one
replayed. This module reads and writes documents; `replay` plays their moves.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from games.contract.errors import RulesError
from games.contract.registry import Game, UnknownGame, get_game
from games.contract.seal import BadSeal, check_seal
from games.contract.strict_json import BadJson, is_integer, is_whole, read_json
from games.contract.values import NO_PARAMS, Json, Options, OptionValue, Outcome, Params

FORMAT = "match-record/1"
OUTSIDE_REASONS = ("resigned", "timeout", "abandoned", "voided")
"""How a match can end outside the rules of its game."""

_REQUIRED = ("format", "game", "options", "players", "deal", "moves", "outcome")


class RecordError(Exception):
    """What is wrong with a record, at which ply. The texts of `game` know the code; without one it is the format's."""

    def __init__(self, ply: int, code: str, params: Params = NO_PARAMS, *, game: Game | None = None) -> None:
        super().__init__(ply, code, params)
        self.ply = ply
        self.code = code
        self.params = params
        self.game = game

    def __str__(self) -> str:
        return f"ply {self.ply}: {RulesError(self.code, **self.params)}"

    @classmethod
    def by_rules(cls, ply: int, error: RulesError, game: Game) -> RecordError:
        """What the rules of the game refuse."""
        return cls(ply, error.code, error.params, game=game)


@dataclass(frozen=True, slots=True)
class Entry:
    """A move as records keep it: the seat, its text, its arrival and the player's lag in ms."""

    seat: int
    move: str
    at: int
    lag: int = 0

    def as_json(self) -> dict[str, Json]:
        """The entry of `moves`."""
        entry: dict[str, Json] = {"seat": self.seat, "move": self.move, "at": self.at}
        return {**entry, "lag": self.lag} if self.lag else entry


@dataclass(frozen=True)
class Record:
    """A document in which nothing but the moves and the outcome can still be wrong.

    `options` has all options of the game, `start` is the first position. `moves` are as they stand in the document:
    `replay` checks each when its turn comes. `outcome` is well formed, and `until` not before the last move. `seal` is
    the SHA-256 under which the deal was sealed, "" if it was not.
    """

    game: Game
    options: Mapping[str, OptionValue]
    players: tuple[str, ...]
    deal: Mapping[str, Any]
    moves: tuple[Any, ...]
    until: int | None
    outcome: Mapping[str, Any] | None
    left: tuple[int, ...]
    seal: str
    start: Any


def make_record(
    *,
    game: str,
    options: Options,
    players: Sequence[str],
    deal: Mapping[str, Json],
    moves: Iterable[Entry | Mapping[str, Json]],
    outcome: Outcome | Mapping[str, Json] | None,
    until: int | None = None,
    left: Sequence[int] = (),
    shuffle: Mapping[str, Json] | None = None,
) -> dict[str, Json]:
    """The document, keys in the format's order.

    `outcome` is the rules' own, or one of `OUTSIDE_REASONS` as an object. `until` is required where the game is played
    in real time. `shuffle` is the seal of the deal (`sha256` and `nonce`), as it was made at the start of the match.
    """
    record: dict[str, Json] = {
        "format": FORMAT,
        "game": game,
        "options": dict(options),
        "players": list(players),
        "deal": dict(deal),
        "moves": [entry.as_json() if isinstance(entry, Entry) else dict(entry) for entry in moves],
    }
    if until is not None:
        record["until"] = until
    if isinstance(outcome, Outcome):
        record["outcome"] = outcome.as_json()
    else:
        record["outcome"] = None if outcome is None else dict(outcome)
    if left:
        record["left"] = list(left)
    if shuffle is not None:
        record["shuffle"] = dict(shuffle)
    return record


def read_record(data: bytes) -> Record:
    """The record in these bytes. Raises `RecordError` for ply 0."""
    try:
        document = read_json(data)
    except BadJson as error:
        raise RecordError(0, error.code, error.params) from None
    return open_record(document)


def open_record(document: object) -> Record:
    """The record in a document that has been read, or made by `make_record`. Raises `RecordError` for ply 0."""
    if not isinstance(document, dict):
        raise RecordError(0, "not-an-object")
    for key in _REQUIRED:
        _require(document, key)
    if document["format"] != FORMAT:
        raise RecordError(0, "unknown-format", {"format": FORMAT})
    game = _read_game(document["game"])
    players = _read_players(document["players"], game)
    moves = document["moves"]
    if not isinstance(moves, list):
        raise _wrong_type("moves", "list")
    until = _read_until(document, game, moves)
    outcome = _read_outcome(document["outcome"], game, len(players))
    left = _read_left(document, len(players))
    deal = document["deal"]
    if not isinstance(deal, dict):
        raise _wrong_type("deal", "object")
    seal = _read_seal(document, deal)
    options = _read_options(document["options"], game, len(players))
    try:
        start = game.rules.start(options, deal, len(players))
    except RulesError as error:
        raise RecordError.by_rules(0, error, game) from None
    return Record(game, options, players, deal, tuple(moves), until, outcome, left, seal, start)


def _require(document: Mapping[str, Any], key: str) -> None:
    if key not in document:
        raise RecordError(0, "missing-key", {"key": key})


def _wrong_type(key: str, wanted: str) -> RecordError:
    return RecordError(0, "wrong-type", {"key": key, "wanted": wanted})


def _read_game(slug: object) -> Game:
    if not isinstance(slug, str):
        raise _wrong_type("game", "text")
    try:
        return get_game(slug)
    except UnknownGame:
        raise RecordError(0, "unknown-game", {"game": slug}) from None


def _read_players(players: object, game: Game) -> tuple[str, ...]:
    if not isinstance(players, list) or not all(isinstance(name, str) for name in players):
        raise _wrong_type("players", "texts")
    info = game.info
    if not info.allows(len(players)):
        params: Params = {"game": info.title, "players": len(players), "least": info.min_seats, "most": info.max_seats}
        raise RecordError(0, "player-count", params)
    return tuple(players)


def _read_options(options: object, game: Game, players: int) -> dict[str, OptionValue]:
    if not isinstance(options, dict):
        raise _wrong_type("options", "object")
    for key, value in options.items():
        # Told here for all games: to Python, true is 1, and 3.0 is 3.
        if not isinstance(value, str) and not is_integer(value):
            raise RecordError(0, "option-type", {"option": key})
    try:
        return game.rules.complete_options(options, players)
    except RulesError as error:
        raise RecordError.by_rules(0, error, game) from None


def _read_until(document: Mapping[str, Any], game: Game, moves: list[Any]) -> int | None:
    if "until" not in document:
        if game.info.real_time:
            _require(document, "until")
        return None
    until = document["until"]
    if not is_whole(until):
        raise _wrong_type("until", "whole")
    last = moves[-1].get("at") if moves and isinstance(moves[-1], dict) else None
    if is_whole(last) and until < last:
        raise RecordError(0, "until-too-early", {"until": until, "at": last})
    return until


def _read_outcome(outcome: object, game: Game, players: int) -> dict[str, Any] | None:
    if outcome is None:
        return None
    if not isinstance(outcome, dict):
        raise _wrong_type("outcome", "object-or-null")
    if "reason" not in outcome:
        raise RecordError(0, "missing-key", {"key": "outcome.reason"})
    reason = outcome["reason"]
    if not isinstance(reason, str):
        raise _wrong_type("outcome.reason", "text")
    if reason not in game.info.reasons and reason not in OUTSIDE_REASONS:
        raise RecordError(0, "unknown-reason", {"game": game.info.title, "reason": reason})
    for key, is_sound, wanted in (("places", is_whole, "wholes"), ("scores", is_integer, "scores")):
        if key not in outcome:
            if reason in OUTSIDE_REASONS:
                continue
            raise RecordError(0, "missing-key", {"key": f"outcome.{key}"})
        values = outcome[key]
        if not isinstance(values, list) or not all(map(is_sound, values)):
            raise _wrong_type(f"outcome.{key}", wanted)
        if len(values) != players:
            params: Params = {"key": f"outcome.{key}", "count": len(values), "players": players}
            raise RecordError(0, "not-one-a-seat", params)
    return outcome


def _read_left(document: Mapping[str, Any], players: int) -> tuple[int, ...]:
    left = document.get("left", [])
    if not isinstance(left, list) or not all(is_whole(seat) and seat < players for seat in left):
        raise _wrong_type("left", "seats")
    if len(set(left)) < len(left):
        raise RecordError(0, "left-twice")
    return tuple(left)


def _read_seal(document: Mapping[str, Any], deal: Mapping[str, Any]) -> str:
    if "shuffle" not in document:
        return ""
    try:
        check_seal(deal, document["shuffle"])
    except BadSeal as error:
        raise RecordError(0, error.code, error.params) from None
    return str(document["shuffle"]["sha256"])
