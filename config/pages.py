"""The pages' server of the production shape: `gunicorn --config python:config.pages --bind HOST:PORT config.wsgi`.

One process of pages each, so that each can be asked what it has counted. Why this server: docs/decisions/0022.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import Any

from django.conf import settings
from gunicorn.workers.gthread import ThreadWorker

from games.matches.closing import begin_closing

MOST_WAITING = 64
"""Connections that are let in still when the door is closed: more than ever wait there."""


class PagesWorker(ThreadWorker):  # type: ignore[misc]
    """Closes its door as soon as it is told to end. Gunicorn's own would leave it ajar until the last page is answered:
    who knocks meanwhile would wait, and be turned away in the end, instead of going to another process at once.
    """

    def handle_exit(self, sig: int, frame: Any) -> None:
        begin_closing()
        super().handle_exit(sig, frame)

    def set_accept_enabled(self, enabled: bool) -> None:
        super().set_accept_enabled(enabled)
        if not enabled and not self.alive:
            for listener in self.sockets:
                with suppress(OSError):
                    for _ in range(MOST_WAITING):
                        self.accept(listener)  # does nothing where nobody waits
                listener.close()


def post_worker_init(worker: PagesWorker) -> None:
    """Read what Django would read with the first page, which somebody waits for."""
    from django.urls import get_resolver

    _ = get_resolver().url_patterns


worker_class = "config.pages.PagesWorker"
workers = 1
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.prod")
threads = settings.REQUESTS_AT_ONCE
# The proxy comes anew for each request (deploy/nginx/tesela.conf).
keepalive = 0
# A worker that gives no sign of life for so long is killed, and another one begins. Pages may take longer.
timeout = 30
# Of what is under way when it is told to end.
graceful_timeout = 8
# As much as nginx takes.
limit_request_line = 8190
# Nothing listens to commands in the home of whoever runs this.
control_socket_disable = True
# Addresses would be in it, and some of them are keys; the site has a log of its own.
accesslog = None
loglevel = "warning"
