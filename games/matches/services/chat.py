"""Saying something: one line in one room, never under the match's lock, and no change of the match."""

from __future__ import annotations

import re
import unicodedata
from datetime import datetime
from typing import TYPE_CHECKING

from django.db import IntegrityError, transaction
from django.db.models import Max

from accounts.people.limits import wait_for
from accounts.people.names import BLANK_LETTERS, JOINERS, MARKS_IN_A_ROW
from accounts.people.sanctioning import Kind, sanction_in_force
from games.matches.callers import Caller
from games.matches.errors import BadInput, Failed, KeyReused, Muted, NotFound, NotYourRoom, WritesTooFast
from games.matches.events import announce_hidden_line, announce_line
from games.matches.models import Match
from games.matches.newcomers import is_newcomer
from games.matches.rooms import rights_at
from games.matches.talk import KEY_LENGTH, LINE_LENGTH, ChatLine, Room

if TYPE_CHECKING:
    from accounts.people.models import User

KEY = re.compile(rf"[A-Za-z0-9_-]{{0,{KEY_LENGTH}}}")

LONGEST_TEXT = 4000
"""Characters that are looked at: whoever brings more has not typed them."""

TRIES = 30
"""Each failure is another line of that room that was committed first."""


def send_line(*, slug: str, caller: Caller, room: str, text: str, key: str, moment: datetime) -> ChatLine:
    """Say this in that room of the match. Gives the line as it is stored.

    `key` makes a repetition harmless: the same key with the same words is the line that it was, with others a
    `KeyReused`; "" is no key. The match keeps its version: the line has an announcement of its own.
    Raises `NotFound`, `NotLoggedIn`, `NotYourRoom`, `BadInput`, `KeyReused`, `Muted`, `WritesTooFast`.
    """
    user = caller.require_user()
    match = _match_for(slug, caller, room)
    if not KEY.fullmatch(key):
        raise BadInput(what="key")
    said = clean_line(text)
    first = _said_before(match, user, room, said, key)
    if first is not None:
        return first
    if user.is_muted(moment):
        raise Muted(sanction=sanction_in_force(user=user, kinds=(Kind.MUTE,), moment=moment))
    _require_patience(user, caller.address, moment)
    for _ in range(TRIES):
        try:
            return _append(match, user, room, said, key, moment)
        except IntegrityError:  # the number or the key was taken a moment ago
            first = _said_before(match, user, room, said, key)
            if first is not None:
                return first
    raise Failed


def _require_patience(user: User, address: str | None, moment: datetime) -> None:
    """Raises `WritesTooFast`, sooner for those who have just come to the site."""
    wait = wait_for(action="chat", user=user, address=address)
    new = wait is None and is_newcomer(user=user, moment=moment)
    if new:
        wait = wait_for(action="chat_new", user=user)
    if wait is not None:
        raise WritesTooFast(wait=wait, new=new)


def hide_line(*, match: Match, room: str, number: int, hidden: bool) -> ChatLine:
    """A moderator's word: nobody is shown this line any more, or everybody again. Raises `NotFound`, also if it is so.

    Open pages take a hidden line away at once; one that is shown again comes with the next load.
    """
    with transaction.atomic():
        line = ChatLine.objects.select_for_update(no_key=True).filter(match=match, room=room, number=number).first()
        if line is None or line.hidden == hidden:
            raise NotFound
        line.hidden = hidden
        line.save(update_fields=["hidden"])
        if hidden:
            transaction.on_commit(lambda: announce_hidden_line(slug=match.slug, room=room, number=number), robust=True)
    return line


def clean_line(text: str) -> str:
    """What was typed as it is stored and shown: one line of plain text, NFC, with single blanks.

    Line breaks become blanks. Control characters, marks that change the direction of what stands around them and others
    that can't be seen are left out, and so is what is heaped upon one letter. Raises `BadInput` for what is blank then,
    or longer than `LINE_LENGTH`.
    """
    if len(text) > LONGEST_TEXT:
        raise BadInput(what="long-line")
    kept: list[str] = []
    marks = 0
    for character in unicodedata.normalize("NFC", text):
        category = unicodedata.category(character)
        if character.isspace():  # line and paragraph separators too
            character = " "
        elif category in ("Cc", "Cf", "Cs") and character not in JOINERS:
            continue
        if character not in JOINERS:  # which begin no new letter
            marks = marks + 1 if category in ("Mn", "Me") else 0
        if marks <= MARKS_IN_A_ROW:
            kept.append(character)
    line = " ".join("".join(kept).split())
    if not any(unicodedata.category(each)[0] in "LNPS" and each not in BLANK_LETTERS for each in line):
        raise BadInput(what="blank-line")
    if len(line) > LINE_LENGTH:
        raise BadInput(what="long-line")
    return line


def _match_for(slug: str, caller: Caller, room: str) -> Match:
    """The match, if the caller may write in that room of it."""
    match = Match.objects.defer("position", "deal").prefetch_related("seats").filter(slug=slug).first()
    if match is None:
        raise NotFound
    seats = list(match.seats.all())
    if not (match.is_playable and caller.may_see(match, seats)):
        raise NotFound
    if room not in Room.values:
        raise BadInput(what="room")
    if rights_at(match, seats, caller).writes != room:
        raise NotYourRoom
    return match


def _said_before(match: Match, user: User, room: str, said: str, key: str) -> ChatLine | None:
    """The line that came with this key before. Raises `KeyReused` if it was another one."""
    first = ChatLine.objects.filter(match=match, user=user, key=key).first() if key else None
    if first is not None and (first.room, first.text) != (room, said):
        raise KeyReused
    return first


def _append(match: Match, user: User, room: str, said: str, key: str, moment: datetime) -> ChatLine:
    """The next line of its room. Raises `IntegrityError` if another one has become that meanwhile.

    The number is free only for who has seen the one before committed: so who has heard a line has heard all below.
    """
    with transaction.atomic():
        last = ChatLine.objects.filter(match=match, room=room).aggregate(last=Max("number"))["last"] or 0
        line = ChatLine.objects.create(
            match=match, room=room, number=last + 1, user=user, text=said, created_at=moment, key=key
        )
        transaction.on_commit(lambda: announce_line(slug=match.slug, room=room), robust=True)
    return line
