"""Dates and times as nobody can misread them, the same in every language: 2026-11-30, 2026-11-30 00:53 UTC."""

from __future__ import annotations

DATE_FORMAT = SHORT_DATE_FORMAT = "Y-m-d"
DATETIME_FORMAT = SHORT_DATETIME_FORMAT = "Y-m-d H:i e"
TIME_FORMAT = "H:i"
