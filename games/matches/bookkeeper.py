"""The bookkeeper: recomputes ratings after a match was voided. A thread beside the keeper, which must never wait."""

from __future__ import annotations

from games.matches.attendants import Attendant
from games.matches.services.recompute import recompute, stale_games


class Bookkeeper(Attendant):
    """Looks every second whether a game's ratings are stale."""

    name, every_s = "bookkeeper", 1.0
    fails = "the bookkeeper could not put ratings right"

    def work(self) -> None:
        for game in stale_games():
            recompute(game=game)


def start_bookkeeper() -> Bookkeeper:
    """A bookkeeper in this process; `stop()` it before leaving."""
    bookkeeper = Bookkeeper()
    bookkeeper.start()
    return bookkeeper
