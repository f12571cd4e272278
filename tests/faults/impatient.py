"""`python -m tests.faults.impatient serve ...` is `manage.py serve`, whose patience with its readers is short."""

from __future__ import annotations

import os
import sys

import django
from django.core.management import execute_from_command_line

PING_EVERY_S, PONG_WITHIN_S, STALLED_S = 1, 6, 2.0

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.play")
    django.setup()
    from games.matches import shedding
    from games.matches.management.commands import serve

    serve.PING_EVERY_S, serve.PONG_WITHIN_S = PING_EVERY_S, PONG_WITHIN_S
    shedding.STALLED_S = STALLED_S
    execute_from_command_line(["manage.py", *sys.argv[1:]])
