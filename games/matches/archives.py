"""All finished matches of one person as an archive of records, made piece by piece while it is sent."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator, Sequence
from datetime import UTC
from typing import TYPE_CHECKING

from games.matches.models import Match
from games.matches.replays import match_record
from games.matches.selectors import own_finished, whole_matches

if TYPE_CHECKING:
    from accounts.people.models import User

AT_ONCE = 20
"""Matches loaded, packed and sent together: what the archive needs in memory, however many there are."""


def record_name(match: Match) -> str:
    """The name of the match's record as a file, sorted by when it ended."""
    assert match.finished_at is not None
    return f"{match.finished_at.astimezone(UTC):%Y-%m-%d}-{match.game_slug}-{match.slug}.json"


def record_text(record: object) -> str:
    """A record as files have it: a key a line, to be read by people too."""
    return json.dumps(record, ensure_ascii=False, indent=1) + "\n"


def archive(user: User) -> Iterator[bytes]:
    """The pieces of a zip file with the records of all matches that this person has finished, oldest first.

    Each piece takes a few queries, and all of them are done when it comes: the next may be asked for in another thread.
    """
    ids = own_finished(user=user)
    outlet = Outlet()
    with zipfile.ZipFile(outlet, "w", zipfile.ZIP_DEFLATED) as packed:
        for start in range(0, len(ids), AT_ONCE):
            pack_records(packed, ids[start : start + AT_ONCE])
            yield outlet.taken()
    yield outlet.taken()


def pack_records(packed: zipfile.ZipFile, ids: Sequence[int], *, folder: str = "") -> None:
    """Add the records of these matches, all of them over; by a few queries."""
    for match, seats, moves in whole_matches(ids=ids):
        packed.writestr(_entry(match, folder), record_text(match_record(match, seats, moves)))


def _entry(match: Match, folder: str) -> zipfile.ZipInfo:
    assert match.finished_at is not None
    entry = zipfile.ZipInfo(folder + record_name(match), match.finished_at.astimezone(UTC).timetuple()[:6])
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = 0o644 << 16
    return entry


class Outlet(io.RawIOBase):
    """What the zip file is written to: keeps what nobody has taken yet. It has no way back; `zipfile` copes."""

    def __init__(self) -> None:
        self._waiting = bytearray()

    def writable(self) -> bool:
        return True

    def write(self, data: bytes | bytearray | memoryview) -> int:  # type: ignore[override]
        self._waiting += data
        return len(data)

    def taken(self) -> bytes:
        """What has been written since it was last taken."""
        taken = bytes(self._waiting)
        self._waiting.clear()
        return taken
