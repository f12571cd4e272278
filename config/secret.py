"""The secret key of an embedded site: made once, kept in a file only its owner can read."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

from django.core.management.utils import get_random_secret_key


def kept_secret_key(path: Path) -> str:
    """The key in the file; made at the first call. Of several processes that make it at once, all get the same."""
    try:
        return path.read_text()
    except FileNotFoundError:
        path.parent.mkdir(parents=True, exist_ok=True)
    # Written beside it and linked into place: nobody ever reads half a key, and only the first link succeeds.
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".secret_key-")
    draft = Path(name)
    try:
        with os.fdopen(handle, "w") as file:
            file.write(get_random_secret_key())
        with contextlib.suppress(FileExistsError):
            os.link(draft, path)
    finally:
        draft.unlink()
    return path.read_text()
