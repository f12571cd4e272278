"""What one page shows of its match, and what it is sent so that it shows the newest."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from games.matches.attendance import Attendance
from games.matches.fragments.match import MATCH, draw_stage, stage_kind, update_parts
from games.matches.snapshots import Snapshot, Stamp

if TYPE_CHECKING:
    from accounts.people.models import User

SINCE = "<!--since {version} {own}-->"
"""Begins a push that brings only what has changed since that stamp: a page that shows another asks for the whole."""

ATTENDANCE = ("tally", "absence", "players")
"""The parts into which the signs of who is there are swapped beside the pushes."""


class Screen:
    """Of one page. `stamp` is the newest that was sent to it, and `stage` what it shows of it: at first as it says."""

    def __init__(self, stamp: Stamp, stage: str) -> None:
        self.stamp = stamp
        self.stage = stage
        self._parts: Mapping[str, str] = {}

    def bring_up(self, current: Snapshot, user: User | None, attendance: Attendance, *, whole: bool = False) -> str:
        """The markup that brings the page to this snapshot: what is not there yet, or with `whole` all of it."""
        before, known = self.stamp, self._parts
        stage = stage_kind(current)
        # What can't be drawn now has not been sent: it is noted after that.
        if stage != MATCH or self.stage != MATCH:
            return self._whole_stage(current, user, attendance)
        parts = update_parts(current, user, attendance=attendance)
        if "no_form" in known and "turn_key" in parts:  # who had left has the seat back, and needs the form
            return self._whole_stage(current, user, attendance)
        self.stamp, self._parts = current.stamp_for(user), parts
        if whole or not known:
            return "".join(parts.values())
        # What orders the fragments always comes, and first.
        changed = [drawn for name, drawn in parts.items() if name == "freshness" or known.get(name) != drawn]
        return SINCE.format(version=before.version, own=before.own) + "".join(changed)

    def _whole_stage(self, current: Snapshot, user: User | None, attendance: Attendance) -> str:
        drawn = draw_stage(current, user, attendance=attendance, pushed=True)
        self.stamp, self.stage, self._parts = current.stamp_for(user), stage_kind(current), {}
        return drawn

    def forget(self, names: Collection[str] = ATTENDANCE) -> None:
        """Something else was swapped into these parts: the next push brings them whole."""
        self._parts = {name: drawn for name, drawn in self._parts.items() if name not in names}
