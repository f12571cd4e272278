"""People at their browsers: a context for each, watched for anything that goes wrong in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, ConsoleMessage, Dialog, Page, Request, Response

from tests.browser.server import Site

DESKTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
PHONE: dict[str, Any] = {
    "viewport": {"width": 360, "height": 740},
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 2,
}

TIMEOUT_MS = 10_000


class Visitor:
    """Somebody with a browser of their own, logged in as `username`, or a guest.

    `complaints` collects what a person would never see and we must: errors of scripts, broken security policy, failed
    requests, refusals of the server, dialogs. `excuse` names those that a test brings about on purpose.
    """

    def __init__(self, browser: Browser, site: Site, username: str | None, **context: Any) -> None:
        self.site = site
        self.username = username
        self.context = browser.new_context(base_url=site.address, **context)
        self.context.set_default_timeout(TIMEOUT_MS)
        self.complaints: list[str] = []
        self._excused: list[re.Pattern[str]] = []
        self.context.on("console", self._heard)
        self.context.on("weberror", lambda error: self._complain(f"script error: {error.error}"))
        self.context.on("requestfailed", self._failed)
        self.context.on("response", self._answered)
        self.context.on("dialog", self._asked)
        self.page: Page = self.context.new_page()

    def log_in(self, session_key: str) -> None:
        """Be logged in by a session that the server knows."""
        self.context.add_cookies([{"name": "sessionid", "value": session_key, "url": self.site.address}])

    def go(self, path: str) -> Page:
        """Open a page of the site."""
        self.page.goto(path)
        return self.page

    def excuse(self, *patterns: str) -> None:
        """Complaints that match one of these are meant to come, for the rest of this visit."""
        self._excused += [re.compile(pattern) for pattern in patterns]

    @contextmanager
    def staying(self) -> Iterator[None]:
        """Fails if the page is loaded anew inside the block."""
        self.page.evaluate("() => { window.staying = true; }")
        yield
        assert self.page.evaluate("() => window.staying === true"), f"{self.username}'s page was loaded anew"

    def leave(self) -> list[str]:
        """Close the browser; what there was to complain about."""
        self.context.close()
        return [text for text in self.complaints if not any(excused.search(text) for excused in self._excused)]

    def _complain(self, text: str) -> None:
        self.complaints.append(text)

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning", "assert"}:
            self._complain(f"console {message.type}: {message.text} ({message.location.get('url', '')})")

    def _failed(self, request: Request) -> None:
        # A page that is left takes its requests with it.
        if request.failure != "net::ERR_ABORTED":
            self._complain(f"request failed: {request.method} {request.url}: {request.failure}")

    def _asked(self, dialog: Dialog) -> None:
        self._complain(f"dialog: {dialog.message}")
        dialog.accept()

    def _answered(self, response: Response) -> None:
        if response.status >= 400:
            self._complain(f"answer {response.status}: {response.request.method} {response.url}")
