"""What the desk stores: reports and the log. Each stands in a module of its own; Django looks for them here."""

from __future__ import annotations

from accounts.desk.acts import ModerationAct as ModerationAct
from accounts.desk.reports import Report as Report
