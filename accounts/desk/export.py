"""All that the house keeps of a person, for that person: a zip file of JSON, made piece by piece while it is sent."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from datetime import datetime
from itertools import chain
from typing import TYPE_CHECKING, Any

from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import QuerySet

from accounts.desk.belongings import BELONGINGS, IN_FORCE, PROFILE, SETTINGS, WITHHELD, Belonging
from accounts.desk.export_texts import RECORDS, readme
from accounts.people.logins import logins_of
from accounts.people.names import former_player
from games.matches.archives import AT_ONCE, Outlet, pack_records
from games.matches.ledger import RatingChange
from games.matches.models import Match, Move, Seat, TurnNotice, known_games
from games.matches.selectors import own_finished

if TYPE_CHECKING:
    from accounts.people.models import User

ROWS_AT_ONCE = 500
"""Rows read and packed together."""

Row = dict[str, Any]

OF_PEOPLE = ("username", "display_name", "deleted_at", "is_active")


def export(user: User, *, moment: datetime) -> Iterator[bytes]:
    """The pieces of the zip file.

    Each piece takes a few queries, and all of them are done when it comes: the next may be asked for in another thread.
    Nothing is in it that a page would not show the person: of matches that run no deal, no position, and nobody else's
    moves; of other people what they are called.
    """
    # Which of them have ended is seen only by looking.
    logins_of(user=user, session_key=None)
    outlet = Outlet()
    with zipfile.ZipFile(outlet, "w", zipfile.ZIP_DEFLATED) as packed:
        _write(packed, "profile.json", _profile(user), moment)
        _write(packed, "settings.json", _settings(user), moment)
        for belonging in BELONGINGS:
            if belonging.file:
                yield from _pack(packed, outlet, belonging.file, rows_of(belonging, user), moment)
        for name, batches in (
            ("moves", moves_of(user)),
            ("rating-changes", _paged(RatingChange.objects.in_force().filter(rating__user=user), _CHANGE)),
            ("turns-told", _paged(TurnNotice.objects.filter(seat__user=user), _TURN)),
        ):
            yield from _pack(packed, outlet, name, batches, moment)
        ids = own_finished(user=user)
        for start in range(0, len(ids), AT_ONCE):
            pack_records(packed, ids[start : start + AT_ONCE], folder=RECORDS)
            yield outlet.taken()
        text = readme(language=user.language, names=packed.namelist())
        packed.writestr(_entry("README.txt", moment), text)
    yield outlet.taken()


def rows_of(belonging: Belonging, user: User) -> Iterator[list[Row]]:
    """What the export has of these rows, in batches."""
    yield from _paged(belonging.rows(user.pk), belonging.shown)


def moves_of(user: User) -> Iterator[list[Row]]:
    """All that the person has played, in batches of matches; not what bots and stand-ins have played for them.

    Of a running match in real time without their number: it tells of others' claims that wait.
    """
    last = 0
    while True:
        own = Seat.objects.filter(user=user, match__started_at__isnull=False, pk__gt=last).order_by("pk")
        seats = list(own.select_related("match").defer("match__position", "match__deal")[:AT_ONCE])
        if not seats:
            return
        last = seats[-1].pk
        index = {seat.match_id: seat.index for seat in seats}
        matches = {seat.match_id: seat.match for seat in seats}
        played = Move.objects.filter(match__in=matches, kind=Seat.Kind.PERSON).order_by("match", "pk")
        rows = played.values("match", "ply", "seat", "text", "at", "lag", "undone")
        yield [_move({**row}, matches[row["match"]]) for row in rows if row["seat"] == index[row["match"]]]


def _move(row: Row, match: Match) -> Row:
    # A game whose folder is gone may have been one.
    may_wait = match.status == Match.Status.RUNNING and (match.game_slug not in known_games() or match.in_real_time)
    kept = {key: value for key, value in row.items() if key not in ("match", "ply")}
    return {"match": match.slug, **({} if may_wait else {"ply": row["ply"]}), **kept}


_CHANGE = {
    "game": "book_id",
    "match": "match__slug",
    "place": "place",
    "result": "result",
    "shown_before": "shown_before",
    "shown_after": "shown_after",
}
_TURN = {"match": "seat__match__slug", "ply": "ply", "told": "told", "warned": "warned"}


def _profile(user: User) -> Row:
    return {name: getattr(user, name) for name in (*PROFILE, *IN_FORCE)}


def _settings(user: User) -> Row:
    """What the person has set, and whatever else is kept at their row."""
    known = {*PROFILE, *IN_FORCE, *WITHHELD}
    names = [each.attname for each in user._meta.concrete_fields if each.attname not in known]
    return {name: getattr(user, name) for name in sorted(names, key=lambda name: (name not in SETTINGS, name))}


def _paged(rows: QuerySet[Any], shown: Any) -> Iterator[list[Row]]:
    """The rows by their keys, a query a batch: no cursor stays open between two of them."""
    columns = [column for path in shown.values() for column in _columns(path)]
    last: Any = None
    while True:
        after = rows.order_by("pk") if last is None else rows.filter(pk__gt=last).order_by("pk")
        batch = list(after.values("pk", *dict.fromkeys(columns))[:ROWS_AT_ONCE])
        if batch:
            yield [{name: _value(row, path) for name, path in shown.items()} for row in batch]
        if len(batch) < ROWS_AT_ONCE:
            return
        last = batch[-1]["pk"]


def _columns(path: str) -> list[str]:
    return [f"{path[1:]}__{column}" for column in OF_PEOPLE] if path.startswith("@") else [path]


def _value(row: Row, path: str) -> Any:
    """Of another person what they are called now; of whoever has a profile its address as well."""
    if not path.startswith("@"):
        return row[path]
    username, name, deleted_at, is_active = (row[column] for column in _columns(path))
    if username is None:
        return None
    if deleted_at is not None:
        return {"name": former_player()}
    return {"name": name, "login": username} if is_active else {"name": name}


def _pack(
    packed: zipfile.ZipFile, outlet: Outlet, name: str, batches: Iterator[list[Row]], moment: datetime
) -> Iterator[bytes]:
    """Write the batches as one list of JSON, and give the bytes of each; no file where there is nothing."""
    first = next((batch for batch in batches if batch), None)
    if first is None:
        return
    with packed.open(_entry(f"{name}.json", moment), "w") as file:
        opened = False
        for batch in chain([first], batches):
            for row in batch:
                file.write(b",\n" if opened else b"[\n")
                file.write(_json(row))
                opened = True
            yield outlet.taken()
        file.write(b"\n]\n" if opened else b"[]\n")


def _write(packed: zipfile.ZipFile, name: str, row: Row, moment: datetime) -> None:
    packed.writestr(_entry(name, moment), _json(row, indent=1) + b"\n")


def _json(row: Row, *, indent: int | None = None) -> bytes:
    return json.dumps(row, cls=DjangoJSONEncoder, ensure_ascii=False, indent=indent).encode()


def _entry(name: str, moment: datetime) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, moment.timetuple()[:6])
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = 0o644 << 16
    return entry
