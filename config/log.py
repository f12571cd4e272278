"""What the log keeps of a fault."""

from __future__ import annotations

from logging import LogRecord


def in_one_line(record: LogRecord) -> bool:
    """While the database is away every request fails alike: the reason is enough, a traceback each would bury it."""
    if getattr(record, "status_code", None) == 503 and record.exc_info:
        reason = " ".join(str(record.exc_info[1]).split())
        record.msg, record.args = "%s (%s)", (record.getMessage(), reason)
        record.exc_info = None
    return True
