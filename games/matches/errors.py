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


class NotVoided(Refused):
    """The match is not void, or ran when it was voided: then nothing can be given back."""

    code = "not-voided"


class SeatTaken(Refused):
    code = "seat-taken"


class TableFull(Refused):
    code = "table-full"


class PeopleOnly(Refused):
    """A rated table has no seat for bots."""

    code = "people-only"


class AlreadySeated(Refused):
    code = "already-seated"


class TooLateToCancel(Refused):
    """Every seat has moved once: the match can be resigned, or ended by agreement."""

    code = "too-late-to-cancel"


class ClockNeeded(Refused):
    """A rated match is played with a clock, so that it comes to an end."""

    status, code = 422, "clock-needed"


class NotIdle(Refused):
    """Nobody has kept the others waiting for so long that they may end the match."""

    code = "not-idle"


class NoTakeback(Refused):
    """The move can't be taken back, or nobody asks for it any more; `what` says why."""

    code = "no-takeback"


class NoHint(Refused):
    """No hint is given; `what` says why."""

    code = "no-hint"


class NoRematch(Refused):
    """The same people can't play once more; `what` says why, `name` who it is about."""

    code = "no-rematch"


class NobodyCalled(Refused):
    """Nobody has that name, or several have it; `what` says which."""

    status, code = 422, "nobody-called"


class NotInvited(Refused):
    """There is no invitation that waits for this person's answer."""

    code = "not-invited"


class CannotInvite(Refused):
    """This person can't be invited to this table; `what` says why."""

    code = "cannot-invite"


class NotAway(Refused):
    """The others need not wait for that player only if they are away, and have been for long enough."""

    code = "not-away"


class NoVacationLeft(Refused):
    """The days off of this calendar year are used up."""

    code = "no-vacation-left"


class TooMany(Refused):
    """The person has as many open tables, or running matches, as one may have; `what` says which."""

    status, code = 429, "too-many"


class BadInput(Refused):
    """The form or message does not say what it should; `what` names the part that is wrong."""

    status, code = 422, "bad-input"


class FormTooBig(Refused):
    """The form has more in it than any of ours may have."""

    status, code = 413, "too-big"


class TooOften(Refused):
    """The same was asked for too often in a short time."""

    status, code = 429, "too-often"


class NotYourRoom(Refused):
    """The room of the chat is not open to this person, or only for reading."""

    status, code = 403, "not-your-room"


class WritesTooFast(Refused):
    """More lines of chat in a short time than a person has to say."""

    status, code = 429, "writes-too-fast"


class NoRatedPlay(Refused):
    """The person may not sit down to a rated match now."""

    status, code = 403, "no-rated-play"


class AddressUnconfirmed(NoRatedPlay):
    """Rated matches are for people who have confirmed their e-mail address."""

    code = "address-unconfirmed"


class RatedPaused(NoRatedPlay):
    """The person has left too many matches, and plays none that is rated for a while."""

    code = "rated-paused"


class Muted(Refused):
    """A moderator, or the house, keeps the person from writing to others; `sanction` says until when and why."""

    status, code = 403, "muted"


class NotTogether(Refused):
    """Somebody at this public table has blocked the person, or the other way round; which of them is not said."""

    status, code = 403, "not-together"


class StaleForm(Refused):
    """The form's token is not, or no longer, the browser's: it logged in anew, or another site sent the form."""

    status, code = 403, "stale-form"


class Failed(Refused):
    """Something broke on our side; all of it was taken back."""

    status, code = 500, "failed"


class HouseAway(Refused):
    """The database is away, or has no room; nothing was half done."""

    status, code = 503, "away"


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
