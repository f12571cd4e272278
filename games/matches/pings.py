"""How long one socket's line takes, measured by pings that its page answers. Pure: tokens and times come in."""

from __future__ import annotations

from collections import deque

PING_EVERY_S = 2.0
"""Between two pings to somebody whose claims in real time are allowed for the line."""

CLOCK_EVERY_S = 60.0
"""Between two pings to a page that only wants to know the server's time."""

ANSWER_WITHIN_S = 3.0
"""A later answer is none; so no figure is larger than this."""

KEPT = 10
"""The last figures, of which the lowest counts."""


class Line:
    """The line of one socket. Times are seconds of one monotonic clock of ours: no figure of the page's counts.

    The lowest of the last figures is the estimate: what delays one answer or another is not the line. Whoever delays
    all of them is believed, and gains what the rules allow for at the most (HOLD); whoever leaves some out, or makes
    some up, has no lag for a while, since these count as answers without any delay.
    """

    def __init__(self) -> None:
        self._sent: dict[str, float] = {}
        self._figures: deque[int] = deque(maxlen=KEPT)

    def ping(self, token: str, now: float) -> None:
        """A ping goes out with that token, which nobody can know before."""
        self._give_up(now)
        self._sent[token] = now

    def pong(self, token: str, now: float) -> bool:
        """An answer has come; whether it answers a ping that was waited for."""
        self._give_up(now)
        sent = self._sent.pop(token, None)
        self._figures.append(int((now - sent) * 1000) if sent is not None else 0)
        return sent is not None

    def lag(self, now: float) -> int | None:
        """The low estimate of the round trip in whole ms; None while there is nothing to go by."""
        self._give_up(now)
        return min(self._figures, default=None)

    def _give_up(self, now: float) -> None:
        for token in [token for token, sent in self._sent.items() if now - sent > ANSWER_WITHIN_S]:
            del self._sent[token]
            self._figures.append(0)
