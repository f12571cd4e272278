"""What is wrong with a record, in words that a player understands."""

from __future__ import annotations

import logging

from django.utils.translation import gettext_lazy as _

from games.contract.record import Record, RecordError
from games.contract.registry import Game
from games.contract.values import Outcome, Param, Params
from games.matches import texts

logger = logging.getLogger(__name__)

_LONGEST = 60

_SENTENCES = {
    # The file
    "no-file": _("There is no such file."),
    "not-a-file": _("This is not an ordinary file."),
    "unreadable-file": _("The file can’t be read."),
    "file-too-large": _("The file is too large: a record has at most %(limit)s bytes."),
    "internal": _("The record can’t be checked, because of a mistake in the program. Please report it."),
    # The document
    "not-utf-8": _("The file is not text in UTF-8, as a record must be."),
    "byte-order-mark": _("The file begins with a byte order mark, which a record may not have. Save it without."),
    "not-json": _("The file is not JSON: something is wrong in line %(line)s, column %(column)s."),
    "not-a-number": _("“%(literal)s” is no number that a record may have."),
    "too-deep": _("Lists and objects are nested too deeply to be read."),
    "duplicate-key": _("“%(key)s” stands twice in the same object."),
    "not-an-object": _("The document is not a record: it must be a JSON object."),
    "missing-key": _("“%(key)s” is missing."),
    "unknown-format": _("The format is not the one that is known here, “%(format)s”."),
    "unknown-game": _("There is no game “%(game)s” here."),
    "player-count": _("%(game)s is for %(least)s to %(most)s players; the record names %(players)s."),
    "option-type": _("The value of the option “%(option)s” must be a text or a whole number."),
    "until-too-early": _("“until” is %(until)s, and yet the last move was played at %(at)s."),
    "unknown-reason": _("A match of %(game)s can’t end for the reason “%(reason)s”."),
    "not-one-a-seat": _("“%(key)s” must have one number for each of the %(players)s seats; it has %(count)s."),
    "left-twice": _("“left” names a seat twice."),
    "broken-seal": _("The deal is not the one that was sealed: its checksum under this nonce is another."),
    # The moves
    "entry-not-an-object": _("Each entry of “moves” must be an object."),
    "no-such-seat": _("There is no seat %(seat)s: seats are numbered from 0 to %(last)s."),
    "falling-time": _("Time can’t run backwards: “at” is %(at)s, and the move before was played at %(before)s."),
    "refused": _("The rules of %(game)s refuse this (%(code)s)."),
    # The end
    "outcome-though-running": _("The record gives a result, and yet the match is not over after the last move."),
    "outcome-missing": _("The record gives no result, and yet the match is over after the last move."),
    "outside-though-over": _("The match ended by the rules of the game, and not as the record says."),
    "wrong-outcome": _("The result is not the one that the moves lead to: “%(key)s” differs."),
}

_OF_THE_END = frozenset({"outcome-though-running", "outcome-missing", "outside-though-over", "wrong-outcome"})

_WRONG_TYPES = {
    "text": _("“%(key)s” must be a text."),
    "texts": _("“%(key)s” must be a list of texts."),
    "list": _("“%(key)s” must be a list."),
    "object": _("“%(key)s” must be an object."),
    "object-or-null": _("“%(key)s” must be an object, or null while the match is running."),
    "whole": _("“%(key)s” must be a whole number from 0 to 9007199254740991."),
    "wholes": _("“%(key)s” must be a list of whole numbers from 0 to 9007199254740991."),
    "scores": _("“%(key)s” must be a list of whole numbers, none beyond 9007199254740991 or -9007199254740991."),
    "seats": _("“%(key)s” must be a list of seats of this match."),
    "hex": _("“%(key)s” must be a text of 64 hexadecimal digits."),
}


_ENDS = {
    "resigned": _("Somebody resigned."),
    "timeout": _("Somebody ran out of time, or stayed away."),
    "abandoned": _("It was ended by agreement, without a result."),
    "voided": _("A moderator has voided it."),
}


def record_end(record: Record, outcome: Outcome | None) -> str:
    """How the match of a sound record ended; `outcome` is what the rules say."""
    if outcome is not None:
        return str(_("It is over because %(reason)s.")) % {
            "reason": texts.reason(record.game, outcome.reason, len(record.players))
        }
    if record.outcome is not None:
        return str(_ENDS[record.outcome["reason"]])
    return str(_("It is not over."))


def record_place(error: RecordError) -> str:
    """Where a record is wrong: in a move, in its result, or anywhere else."""
    if error.ply == 0:
        return str(_("The document"))
    if error.game is None and error.code in _OF_THE_END:
        return str(_("The result"))
    return str(_("Move %(ply)s")) % {"ply": error.ply}


def record_error(error: RecordError) -> str:
    """The sentence for what is wrong; a refusal by the rules of a game is said by that game's texts."""
    params = {key: _shown(value) for key, value in error.params.items()}
    if error.game is not None:
        return _said_by_game(error.game, error.code, params)
    if error.code == "wrong-type":
        return str(_WRONG_TYPES[str(params["wanted"])]) % params
    return str(_SENTENCES[error.code]) % params


def _said_by_game(game: Game, code: str, params: Params) -> str:
    try:
        return game.texts.refusal(code, params)
    except Exception:
        # What matters is that the record is refused, and where; the missing sentence is ours to mend.
        logger.exception("%s has no sentence for the refusal %r", game.slug, code)
        return str(_SENTENCES["refused"]) % {"game": game.info.title, "code": code}


def _shown(value: Param) -> Param:
    """A text from outside may be as long as it likes, and have half of a surrogate pair, which can't be printed."""
    if not isinstance(value, str):
        return value
    cut = value if len(value) <= _LONGEST else value[: _LONGEST - 1] + "…"
    return cut.encode("utf-8", "backslashreplace").decode()
