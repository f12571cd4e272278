"""What threads do where the database goes away under them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.db import OperationalError

from games.matches import threads


def half_of_it() -> Iterator[bytes]:
    yield b"half"
    raise OperationalError("the server closed the connection")


async def test_download_that_fails_half_way_does_not_look_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """An iterator that has failed has no more pieces: asked once more, it would seem to have come to its end."""
    monkeypatch.setattr(threads, "_drop_broken", lambda: True)
    pieces = threads.in_steps(half_of_it())
    assert await anext(pieces) == b"half"
    with pytest.raises(OperationalError):
        await anext(pieces)


async def test_other_work_is_done_once_more_on_a_new_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "_drop_broken", lambda: True)
    tries = []

    def look() -> int:
        tries.append(1)
        if len(tries) == 1:
            raise OperationalError("the server closed the connection")
        return len(tries)

    assert await threads.in_db_thread(look) == 2
