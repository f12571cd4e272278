"""Options of a table: what every game checks alike."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.contract.errors import BadOption
from games.contract.values import GameInfo, OptionValue


def complete_options(info: GameInfo, given: Mapping[str, Any], players: int) -> dict[str, OptionValue]:
    """All options of the game with their values, whatever is given.

    Raises `BadOption`: `player-count` (`players`, `least`, `most`), `wrong-type` (`key`), `unknown-option` (`option`),
    `bad-option` (`option`, and the `values` it may have). Which options go together is for the game to check.
    """
    if not info.allows(players):
        raise BadOption("player-count", players=players, least=info.min_seats, most=info.max_seats)
    if not isinstance(given, Mapping):
        raise BadOption("wrong-type", key="options")
    known = {option.key: option for option in info.options}
    for key, value in given.items():
        if key not in known:
            raise BadOption("unknown-option", option=_shown(key))
        # Compared one by one: what comes from outside need not be hashable, and 1 == True.
        if not any(type(value) is type(allowed) and value == allowed for allowed in known[key].values):
            raise BadOption("bad-option", option=key, values=tuple(str(allowed) for allowed in known[key].values))
    return {key: given.get(key, option.default) for key, option in known.items()}


def _shown(text: object) -> str:
    # From outside: as long as it likes, and perhaps with half a surrogate pair, which could not be printed.
    return str(text)[:40].encode("utf-8", "backslashreplace").decode()
