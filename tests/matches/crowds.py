"""Many people at once: threads that begin together, each with browsers of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple, TypeVar

from django.conf import settings
from django.db import connection
from django.test import Client

from accounts.people.models import User
from games.matches.models import Match
from tests.matches.browsing import HTMX, notice_in
from tests.matches.wire import session_of

T = TypeVar("T")

WORKERS = 20
PATIENCE_S = 60


class Answer(NamedTuple):
    status: int
    code: str | None


def at_once(jobs: Iterable[Callable[[], T]]) -> list[T]:
    """Run the jobs in a few threads that begin together; their results in order."""
    listed = list(jobs)
    workers = min(WORKERS, len(listed))
    barrier, begun = threading.Barrier(workers), threading.local()

    def run(job: Callable[[], T]) -> T:
        if not hasattr(begun, "yes"):
            begun.yes = True
            barrier.wait(PATIENCE_S)
        try:
            return job()
        finally:
            connection.close()  # as a server does at the end of a request

    with ThreadPoolExecutor(workers) as pool:
        return list(pool.map(run, listed, timeout=PATIENCE_S))


class Browser:
    """A person's browser, whose every request comes from a thread of its own."""

    def __init__(self, user: User | None) -> None:
        self.cookie = session_of(user)

    def client(self) -> Client:
        client = Client(raise_request_exception=False)
        if self.cookie:
            client.cookies[settings.SESSION_COOKIE_NAME] = self.cookie
        return client

    def act(self, match: Match, name: str, **form: str) -> Callable[[], Answer]:
        path = f"/matches/{match.slug}/act/{name}/"

        def send() -> Answer:
            response = self.client().post(path, form, headers=HTMX)
            return Answer(response.status_code, notice_in(response))

        return send

    def post(self, path: str, **form: str) -> Callable[[], Any]:
        return lambda: self.client().post(path, form)
