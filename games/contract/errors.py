"""What can be wrong with a move, an option or a deal: the fact as a code, for `texts.py` to make a sentence of."""

from __future__ import annotations

from games.contract.values import NO_PARAMS, Param, Params


class RulesError(Exception):
    """A code and its parameters; never a sentence, since sentences depend on the reader's language."""

    def __init__(self, code: str, **params: Param) -> None:
        super().__init__(code, params)
        self.code = code
        self.params: Params = params or NO_PARAMS

    def __str__(self) -> str:
        details = ", ".join(f"{key}={value!r}" for key, value in self.params.items())
        return f"{self.code} ({details})" if details else self.code


class IllegalMove(RulesError):
    """The rules refuse this move in this position. A text that is no move at all has the code `malformed`."""


class BadOption(RulesError):
    """The game has no such option, no such value of it, or not in this combination."""


class BadDeal(RulesError):
    """These data cannot be what chance decided at the start of a match with these options."""
