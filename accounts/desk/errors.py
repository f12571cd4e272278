"""Why the desk refuses something: each refusal is a fact, with its HTTP status; `texts.py` says it to people."""

from __future__ import annotations


class DeskRefused(Exception):
    """Nothing has changed."""

    status = 409
    code = "refused"

    def __init__(self) -> None:
        super().__init__(self.code)


class NotAllowed(DeskRefused):
    """The person has no right to this kind of act."""

    status, code = 403, "not-allowed"


class Protected(DeskRefused):
    """One acts neither upon oneself nor upon superusers, and upon other moderators only as a superuser."""

    status, code = 403, "protected"


class OwnMatch(DeskRefused):
    """Nobody decides about a match at which they sit."""

    status, code = 403, "own-match"


class NoSuchThing(DeskRefused):
    """There is no such report, match, line or person, or none that this person may know of."""

    status, code = 404, "no-such-thing"


class ReasonNeeded(DeskRefused):
    status, code = 422, "reason-needed"


class BadEnd(DeskRefused):
    """A sanction ends after it has begun."""

    status, code = 422, "bad-end"


class BadName(DeskRefused):
    """The new name may not be one, or somebody else has it."""

    status, code = 422, "bad-name"


class Overtaken(DeskRefused):
    """It is not as it was when the page was drawn: somebody else was faster, or it is over."""

    code = "overtaken"


class AlreadyUndone(DeskRefused):
    code = "already-undone"


class CanNotBeUndone(DeskRefused):
    """As the end of a match that ran, or a name that was changed again since."""

    code = "can-not-be-undone"


class Oneself(DeskRefused):
    """Nobody reports themselves."""

    status, code = 422, "oneself"


class ReportedAlready(DeskRefused):
    """The same person for the same reason, and nobody has decided yet."""

    code = "reported-already"


class ReportsTooOften(DeskRefused):
    status, code = 429, "reports-too-often"
