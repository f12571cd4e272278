"""The postman: writes to those whose turn it is and who are away, and to whom the house has something to tell.

A thread beside the keeper, which must never wait.
"""

from __future__ import annotations

from accounts.people.telling import send_notices
from games.matches import clock
from games.matches.attendants import Attendant
from games.matches.services.reminders import gather_turns, send_reminders


class Postman(Attendant):
    """Looks now and then whether a mail is due."""

    name, every_s = "postman", 10.0
    fails = "the postman could not go round"

    def work(self) -> None:
        moment = clock.now()
        gather_turns(moment=moment)
        send_reminders(moment=moment)
        send_notices(moment=moment)


def start_postman() -> Postman:
    """A postman in this process; `stop()` it before leaving."""
    postman = Postman()
    postman.start()
    return postman
