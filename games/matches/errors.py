"""Why the house refuses something: each refusal is a fact, with the HTTP status that says it to a program."""

from __future__ import annotations

from typing import Any


class Refused(Exception):
    """Something was asked that cannot be done; nothing has changed. `texts.py` says it to people."""

    status = 409
    code = "refused"

    def __init__(self, **params: Any) -> None:
        super().__init__(self.code, params)
        self.params = params


class NotFound(Refused):
    """There is no such match, or none that this person may know of: both look the same."""

    status, code = 404, "not-found"


class NotLoggedIn(Refused):
    status, code = 403, "not-logged-in"


class NotSeated(Refused):
    """Only who sits at the match may do this."""

    status, code = 403, "not-seated"


class NotHost(Refused):
    """Only the host of the table may do this."""

    status, code = 403, "not-host"


class NotYourTurn(Refused):
    code = "not-your-turn"


class StaleTurn(Refused):
    """The move was composed for a position that has passed."""

    code = "stale-turn"


class KeyReused(Refused):
    """The idempotency key came with another move before."""

    code = "key-reused"


class NotRunning(Refused):
    """The match has not begun, or is over."""

    code = "not-running"


class NotWaiting(Refused):
    """The table has become a match, or was closed."""

    code = "not-waiting"


class SeatTaken(Refused):
    code = "seat-taken"


class TableFull(Refused):
    code = "table-full"


class AlreadySeated(Refused):
    code = "already-seated"


class TooLateToCancel(Refused):
    """Every seat has moved once: the match can be resigned, or ended by agreement."""

    code = "too-late-to-cancel"


class TooMany(Refused):
    """The person has as many open tables, or running matches, as one may have; `what` says which."""

    status, code = 429, "too-many"


class BadInput(Refused):
    """The form or message does not say what it should; `what` names the part that is wrong."""

    status, code = 422, "bad-input"


class StaleForm(Refused):
    """The form's token is not, or no longer, the browser's: it logged in anew, or another site sent the form."""

    status, code = 403, "stale-form"


class Failed(Refused):
    """Something broke on our side; all of it was taken back."""

    status, code = 500, "failed"


class RefusedByRules(Refused):
    """The rules of the game refuse it: their code and parameters, said by the game's own texts."""

    status, code = 422, "refused-by-rules"

    def __init__(self, *, game: str, rule: str, rule_params: Any) -> None:
        super().__init__(game=game, rule=rule, rule_params=rule_params)
        self.game = game
        self.rule = rule
        self.rule_params = rule_params


class MoveRefused(RefusedByRules):
    code = "move-refused"


class OptionRefused(RefusedByRules):
    """It is an option of the table, or its value."""

    code = "option-refused"
