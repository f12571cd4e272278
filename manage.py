#!/usr/bin/env python
"""Tesela's command line; under a Python that lacks Django it goes on with the one that `make` sets up."""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from pathlib import Path

ENVIRONMENT = Path(__file__).resolve().parent / ".venv"


def find_django() -> None:
    """Returns if Django is there; otherwise the environment's Python takes over, or it ends with advice."""
    if find_spec("django") is not None:
        return
    python = ENVIRONMENT / "bin" / "python"
    if python.exists() and Path(sys.prefix).resolve() != ENVIRONMENT.resolve():
        os.execv(python, [str(python), *sys.argv])  # noqa: S606
    sys.exit("Django is not installed for this Python: `make play` sets up an environment (.venv) that has it.")


if __name__ == "__main__":
    find_django()
    from django.core.management import execute_from_command_line

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.play")
    execute_from_command_line(sys.argv)
