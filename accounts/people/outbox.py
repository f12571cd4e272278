"""Mails that a page has caused, sent beside it: how long a mail server takes must tell nobody whether we wrote.

A thread of its own takes them in order. What the server refuses is tried again twice; then it stands in the log, and
the page has said what to do if nothing comes.
"""

from __future__ import annotations

import atexit
import logging
import queue
import threading
from collections.abc import Callable
from smtplib import SMTPException

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction

logger = logging.getLogger(__name__)

PAUSES_S = (5.0, 30.0)
"""Before the second and the third try."""
MOST_WAITING = 1000
LAST_MINUTE_S = 10.0
"""How long a process that ends waits for what is still to go."""


class Outbox:
    """A queue and the thread that empties it, begun with the first mail."""

    def __init__(self, pause: Callable[[float], object] | None = None) -> None:
        self._waiting: queue.Queue[EmailMessage] = queue.Queue(MOST_WAITING)
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._ending = threading.Event()
        self._pause = pause or self._ending.wait

    def put(self, message: EmailMessage) -> None:
        """Send it soon. Never waits; one too many is dropped, and logged."""
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="outbox", daemon=True)
                self._thread.start()
                atexit.register(self.end)
        try:
            self._waiting.put_nowait(message)
        except queue.Full:
            logger.error("too many mails wait for the mail server: one was dropped")

    def wait_until_empty(self) -> None:
        """Until all that was put there is sent, or given up."""
        self._waiting.join()

    def end(self) -> None:
        """The process ends: send what waits, without pauses, if it does not take long."""
        self._ending.set()
        done = threading.Thread(target=self._waiting.join, daemon=True)
        done.start()
        done.join(LAST_MINUTE_S)

    def _run(self) -> None:
        while True:
            message = self._waiting.get()
            try:
                self._send(message)
            except Exception:
                logger.exception("the mail server does not take our mail")
            finally:
                self._waiting.task_done()

    def _send(self, message: EmailMessage) -> None:
        for pause in PAUSES_S:
            try:
                message.send()
            except (OSError, SMTPException):
                logger.warning("the mail server does not take our mail: it is tried again", exc_info=True)
                self._pause(pause)
            else:
                return
        message.send()


outbox = Outbox()


def send_beside(message: EmailMessage) -> None:
    """Send the mail when what has caused it is committed: by the outbox, or at once where there is no mail server.

    At once it raises what the mail server's refusal raises.
    """
    if not settings.MAILS_BESIDE_PAGES:
        message.send()
        return
    transaction.on_commit(lambda: outbox.put(message))
