"""The sentences of the house about matches: refusals, what is going on. Plain text, to be escaped."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from accounts.people.names import isolated_name, listed_names
from accounts.people.notice_texts import how_to_appeal, sanction_params, told
from accounts.people.sanctions import Sanction
from games.contract.registry import Game, get_game
from games.contract.rules import SaysReasonsAlone
from games.contract.values import OPEN, Moment, Options, Viewer
from games.matches import bot_texts, clock_texts, company_texts, hint_texts
from games.matches.attendance import Sign
from games.matches.errors import Refused, RefusedByRules
from games.matches.log import EASED, END_DECLINED, RETURNED, TAKEN_OVER, event_of, load_event
from games.matches.models import ABANDON_AFTER, LogEntry, Move, Seat
from games.matches.replays import Frame
from games.matches.takebacks import REFUSED as TAKEBACK_REFUSED
from games.matches.takebacks import TAKEN_BACK
from games.matches.talk import LINE_LENGTH, Room


def refusal(error: Refused) -> str:
    """Why something was refused and what to do, as a player understands it."""
    if isinstance(error, RefusedByRules):
        return get_game(error.game).texts.refusal(error.rule, error.rule_params)
    sentence = _REFUSALS.get(error.code, _REFUSALS["refused"])
    return sentence(error.params)


_REFUSALS: dict[str, Callable[[dict[str, Any]], str]] = {
    "refused": lambda params: _("That is not possible now."),
    "not-found": lambda params: _("There is no such match here, or it is not open to you."),
    "not-logged-in": lambda params: _("Please log in first: only registered people can do this."),
    "not-seated": lambda params: _("You have no seat here, so you can only look on."),
    "not-host": lambda params: _("Only the host of this table can do this."),
    "not-your-turn": lambda params: _("It is not your turn. Nothing has changed."),
    "stale-turn": lambda params: _("The match has moved on since you chose this move. Please look again."),
    "key-reused": lambda params: _("This move was sent before in another form. Please load the page again."),
    "not-running": lambda params: _("This match is not running, so nothing can be played."),
    "not-voided": lambda params: _("This match has no result that could be given back."),
    "not-idle": lambda params: (
        _("Nobody has kept the others waiting for %(days)s days.") % {"days": ABANDON_AFTER.days}
    ),
    "not-away": lambda params: _("They are there, or have not been away for so long. Nothing has changed."),
    "clock-needed": lambda params: _("A rated match is played with a clock. Please choose one."),
    "no-takeback": lambda params: company_texts.no_takeback(params.get("what", "")),
    "no-hint": lambda params: hint_texts.no_hint(params.get("what", "")),
    "no-rematch": lambda params: company_texts.no_rematch(params.get("what", ""), params.get("name", "")),
    "nobody-called": lambda params: company_texts.nobody_called(params.get("what", ""), params.get("name", "")),
    "not-invited": lambda params: _("No invitation to this table waits for your answer."),
    "cannot-invite": lambda params: company_texts.cannot_invite(params.get("what", "")),
    "no-vacation-left": lambda params: _("You have used up your vacation days of this year."),
    "not-waiting": lambda params: _("This table no longer waits for players."),
    "seat-taken": lambda params: _("Somebody has just taken this seat. Please choose another one."),
    "table-full": lambda params: _("All seats at this table are taken."),
    "people-only": lambda params: _("A rated match is for people only: bots have no seat at it."),
    "already-seated": lambda params: _("You are sitting at this table already."),
    "too-late-to-cancel": lambda params: _(
        "Everybody has moved by now, so the match can't be called off. You can offer to end it, or resign."
    ),
    "too-many": lambda params: _too_many(params.get("what", "")),
    "too-big": lambda params: _("That is more than can be read at once. Nothing has changed; please send less."),
    "too-often": lambda params: _too_often(params.get("wait")),
    "not-your-room": lambda params: _("You can’t write here. What you have typed is still there."),
    "writes-too-fast": lambda params: _writes_too_fast(params.get("wait"), new=bool(params.get("new"))),
    "muted": lambda params: muted(params.get("sanction")),
    "not-together": lambda params: _(
        "You can’t sit down at this table: you and somebody there do not play together at public tables."
    ),
    "address-unconfirmed": lambda params: _(
        "Rated matches are for people who have confirmed their e-mail address: open the link in the mail that we sent "
        "you, or ask for another one."
    ),
    "rated-paused": lambda params: _(
        "You have left several matches, so rated play pauses for you for a while. Unrated matches are open to you."
    ),
    "stale-form": lambda params: _("This page is from before you logged in or out. Please load it again."),
    "away": lambda params: _away(),
    "failed": lambda params: _("Something broke on our side. Nothing has changed; please try again."),
    "bad-input": lambda params: _bad_input(params.get("what", "")),
}


def _away() -> str:
    """What the page of the number 503 says, in short (config/errors.py)."""
    why = _("Its database is away, or has too much to do. Nothing you sent was half done: it was taken back whole.")
    what = _("The site can't answer just now")
    return f"{what}. {why}"


def muted(sanction: Sanction | None) -> str:
    """That somebody may not write to others, until when, why, and how to appeal."""
    if sanction is None:  # it has ended at this very moment
        return _("You can write to others again.")
    params = sanction_params(reason=sanction.reason, until=sanction.until, automatic=sanction.automatic)
    said = told(code="muted", params=params)
    # At the end, without marks of its own: it is a sentence with its own, or quotes what was said.
    reason = _("The reason: %(reason)s") % {"reason": isolated_name(said.reason)} if said.reason else ""
    return " ".join(part for part in (said.text, how_to_appeal(), reason) if part)


def _writes_too_fast(wait: timedelta | None, *, new: bool) -> str:
    words = _wait_words(wait)
    if new:
        return _("On your first day you can write a little less often. Please send it again in %(wait)s.") % {
            "wait": words
        }
    return _("You are writing very fast. Please send it again in %(wait)s.") % {"wait": words}


def _too_often(wait: timedelta | None) -> str:
    return _("This was asked for too often in a short time. Please try again in %(wait)s.") % {
        "wait": _wait_words(wait)
    }


def _wait_words(wait: timedelta | None) -> str:
    """How long to wait in words, never too short."""
    seconds = -(-(wait or timedelta(minutes=1)) // timedelta(seconds=1))
    if seconds < 60:
        return ngettext("%(count)s second", "%(count)s seconds", seconds) % {"count": seconds}
    return clock_texts.duration(timedelta(minutes=-(-seconds // 60)))


def _too_many(what: str) -> str:
    sentences = {
        "sockets": _(
            "Many pages of this site are open in your browsers, or in your network. This one is brought up to date less"
            " often. Close some of the others, then load it again."
        ),
        "tables-new": _("On your first day you can have three open tables. Please play at one of them first."),
        "invitations-new": _(
            "On your first day you can invite five people by name. Send the link of the table to others, or play a"
            " little first."
        ),
        "matches": _("You have many matches under way already. Please bring some of them to an end first."),
        "invitations": _("Many people are invited to this table already. Please wait for their answers."),
        "invitations-hour": _("You have invited many people within the hour. Please wait a little."),
        "hour": _("You have opened many tables within the hour. Please play at some of them first."),
    }
    return sentences.get(what, _("You have many open tables already. Please close one of them first."))


def _bad_input(what: str) -> str:
    sentences = {
        "act": _("This page does not know what you asked for. Please load it again."),
        "message": _("The message could not be read. Please load the page again."),
        "move": _("This is too long to be a move."),
        "key": _("The form is damaged. Please load the page again."),
        "seats": _("This game can't be played by that many."),
        "seat": _("There is no such seat to choose."),
        "level": _("There is no such bot."),
        "name": _("Please give the name of the person you would like to invite."),
        "rated": _("Only a match between people can be rated, so it takes two players at least."),
        "leaving": _("A bot can take the seat of who leaves only at an unrated table of two or more."),
        "clock": _("This clock is not offered for this game and pace. Please choose again."),
        "room": _("There is no such room to write in. Please load the page again."),
        "blank-line": _("Please write something first."),
        "long-line": _("A line has at most %(limit)s characters. Please make it shorter.") % {"limit": LINE_LENGTH},
        "rate": _("That was a little fast. Please wait a moment and try again."),
    }
    return sentences.get(what, _("The form has a value that is not offered. Please choose again."))


def room_title(room: Room) -> str:
    """The title over what is said in that room."""
    return _("Among the players") if room is Room.PLAYERS else _("Among the spectators")


def move_lines(move: Move, *, game: Game, names: Sequence[str], viewer: Viewer) -> list[str]:
    """A move of the log in words, and what followed, as far as the viewer may know."""
    isolated = [isolated_name(name) for name in names]
    lines = [game.texts.move(move.seen_by(viewer), move.seat, _movers(move, isolated))]
    events = (load_event(data) for data in move.events)
    lines += [game.texts.event(event, isolated) for event in events if event.seen_by(viewer)]
    return [line for line in lines if line]


def _movers(move: Move, names: Sequence[str]) -> Sequence[str]:
    """The names as the move is told with them: whoever has made it is named, not who had left."""
    if move.kind != Seat.Kind.STAND_IN:
        return names
    return [bot_texts.stand_in_of(name) if seat == move.seat else name for seat, name in enumerate(names)]


def moment_lines(moment: Moment, *, game: Game, names: Sequence[str]) -> list[str]:
    """What has just happened in words, to who may know it all: a move, and what followed from it or from time."""
    isolated = [isolated_name(name) for name in names]
    lines = [game.texts.event(event, isolated) for event in moment.events]
    if moment.seat is not None and moment.move is not None:
        lines.insert(0, game.texts.move(moment.move, moment.seat, isolated))
    return [line for line in lines if line]


def entry_lines(entry: LogEntry, *, game: Game, names: Sequence[str]) -> list[str]:
    """Another entry of the log in words; none where something else says it already."""
    isolated = [isolated_name(name) for name in names]
    if entry.of_house:
        name = isolated[entry.params["seat"]]
        if entry.code == TAKEN_BACK:
            return [company_texts.taken_back(game.texts.move(entry.params["move"], entry.params["seat"], isolated))]
        return [_ACTS[entry.code](name)]
    line = game.texts.event(event_of(entry), isolated)
    return [line] if line else []


def frame_lines(frame: Frame, *, game: Game, names: Sequence[str], viewer: Viewer) -> list[str]:
    """What has led to this frame of a replay, in words, as far as the viewer may know."""
    if game.info.real_time:
        isolated = [isolated_name(name) for name in names]
        # A claim is its seat's; of others' that seat was told by events alone.
        own = [move for move in frame.moves if viewer in (OPEN, move.seat)]
        lines = [game.texts.move(move.text, move.seat, _movers(move, isolated)) for move in own]
        lines += [game.texts.event(event, isolated) for event in frame.events if event.seen_by(viewer)]
    else:
        lines = [line for move in frame.moves for line in move_lines(move, game=game, names=names, viewer=viewer)]
    lines += [line for act in frame.acts for line in entry_lines(act, game=game, names=names)]
    return [line for line in lines if line]


_ACTS: dict[str, Callable[[str], str]] = {
    "resigned": lambda name: _("%(name)s has left the match.") % {"name": name},
    "flagged": lambda name: _("%(name)s has run out of time.") % {"name": name},
    "absent": lambda name: _("%(name)s was away for three rounds and has left the match.") % {"name": name},
    TAKEBACK_REFUSED: lambda name: _("%(name)s did not agree to take back the move.") % {"name": name},
    END_DECLINED: lambda name: _("%(name)s would rather play on: the offer to end the match is gone.") % {"name": name},
    "gone": lambda name: _("%(name)s stayed away, and the others went on.") % {"name": name},
    TAKEN_OVER: bot_texts.taken_over,
    RETURNED: bot_texts.returned,
    EASED: bot_texts.eased,
    "idle": lambda name: (
        _("%(name)s had not moved for %(days)s days, and the match was ended.")
        % {"name": name, "days": ABANDON_AFTER.days}
    ),
}


def presence(sign: Sign) -> str:
    """Whether somebody is at the match, in a word."""
    words = {
        Sign.HERE: pgettext("at the match", "here"),
        Sign.AWAY: pgettext("at the match", "away"),
        Sign.GONE: pgettext("at the match", "gone"),
    }
    return words[sign]


def offer_to_go_on(name: str, *, decides: bool, bot_takes_over: bool) -> str:
    """That the reader need not wait any longer for somebody who is away, and what comes of it if they do not."""
    if bot_takes_over:
        return bot_texts.offer_to_go_on(name)
    if decides:
        sentence = _("%(name)s is away. You may wait, or end the match: then you have won.")
    else:
        sentence = _("%(name)s is away. You may wait, or go on: then a stand-in plays their seat.")
    return sentence % {"name": isolated_name(name)}


def kept_waiting(names: Sequence[str]) -> str:
    """That these have not moved for so long that the reader may end the match."""
    sentence = ngettext(
        "%(names)s has not moved for %(days)s days. You may end this match without a result.",
        "%(names)s have not moved for %(days)s days. You may end this match without a result.",
        len(names),
    )
    return sentence % {"names": listed_names(names), "days": ABANDON_AFTER.days}


def options(game: Game, chosen: Options, players: int) -> list[tuple[str, str, str]]:
    """The options of a match of so many: label, value and what it means, of those that change anything in it."""
    pointless = {option.key for option in game.info.options if not option.matters(players)}
    return [
        (game.texts.option(key), *game.texts.option_value(key, value))
        for key, value in chosen.items()
        if key not in pointless
    ]


def score(game: Game, points: int, players: int) -> str:
    """A score in a match of so many players, as the game says it."""
    if game.scores is not None:
        return game.scores.score(points, players)
    return str(points).replace("-", "−")


def counted(game: Game, points: int, players: int) -> str:
    """The same with what it counts: points, if the game does not say otherwise."""
    if game.scores is not None:
        return game.scores.counted(points, players)
    said = {"score": score(game, points, players)}
    return ngettext("%(score)s point", "%(score)s points", abs(points)) % said


def reason(game: Game, code: str, players: int) -> str:
    """Why a match of so many players ended by the rules, in a few words."""
    if players == 1 and isinstance(game.texts, SaysReasonsAlone):
        return game.texts.reason_alone(code)
    return game.texts.reason(code)


def prompt(game: Game, view: Any, names: Sequence[str]) -> str:
    """What is to be done now, said to the view's viewer."""
    return game.texts.prompt(view, [isolated_name(name) for name in names])


def missed_start(names: Sequence[str], *, own: bool) -> str:
    """That a match in real time did not begin, though all had said that they were ready, since these were away."""
    if own:
        return _("You were away when the match was about to begin. Please say again that you are ready.")
    return ngettext(
        "%(names)s was away when the match was about to begin. It begins when everybody is back and ready.",
        "%(names)s were away when the match was about to begin. It begins when everybody is back and ready.",
        len(names),
    ) % {"names": listed_names(names)}


def missed_rounds(rounds: int) -> str:
    """That the reader has claimed nothing in the last so many rounds, and what may come of it."""
    sentence = ngettext(
        "You claimed nothing in the last round. Whoever lets three in a row pass, and is away, has left the match.",
        "You claimed nothing in the last %(rounds)d rounds. Whoever lets three in a row pass, and is away, has left "
        "the match.",
        rounds,
    )
    return sentence % {"rounds": rounds}


def offer_to_end(*, offering: Sequence[str], waiting: Sequence[str], own: bool) -> str:
    """That some would end the match without a result, said to a player: who they are, or whose answer is awaited."""
    listed = {"offering": listed_names(offering), "waiting": listed_names(waiting)}
    if own:
        return _("You would end this match without a result. Not agreed yet: %(waiting)s.") % listed
    return (
        ngettext(
            "%(offering)s offers to end this match without a result.",
            "%(offering)s offer to end this match without a result.",
            len(offering),
        )
        % listed
    )
