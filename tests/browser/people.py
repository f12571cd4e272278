"""People at their browsers: a context for each, watched for anything that goes wrong in it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Dialog, Page, Request, Response

from tests.browser.server import Site
from tests.sizes import SOAKING

DESKTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
PHONE: dict[str, Any] = {
    "viewport": {"width": 360, "height": 740},
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 2,
}

SCREENS = {"desktop": DESKTOP, "phone": PHONE}

TIMEOUT_MS = 20_000
"""A busy machine may take so long for what is done in a moment."""

CLOSED_WITHIN_S = 20


def on_screens(in_slice: str) -> pytest.MarkDecorator:
    """For what a test does whatever the `screen`: on that one in a slice, on each in full."""
    names = list(SCREENS) if SOAKING else [in_slice]
    return pytest.mark.parametrize(
        "screen", [pytest.param(SCREENS[name], marks=pytest.mark.soak, id=name) for name in names]
    )


class Visitor:
    """Somebody with a browser of their own, logged in as `username`, or a guest.

    `complaints` collects what a person would never see and we must: errors of scripts, broken security policy, failed
    requests, refusals of the server, dialogs. `excuse` names those that a test brings about on purpose. `address` is
    where this browser finds the site, where not at its own.
    """

    def __init__(
        self, browser: Browser, site: Site, username: str | None, *, address: str | None = None, **context: Any
    ) -> None:
        self.site = site
        self.username = username
        self._address = address or site.address
        self.context = browser.new_context(base_url=self._address, **context)
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
        self.context.add_cookies([{"name": "sessionid", "value": session_key, "url": self._address}])

    def go(self, path: str) -> Page:
        """Open a page of the site."""
        self.page.goto(path)
        return self.page

    def on_screen(self, width: int, height: int) -> Visitor:
        """The same browser, on a screen of that size from now on."""
        self.page.set_viewport_size({"width": width, "height": height})
        return self

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
        # Now and then Chromium never says that it has closed, and Playwright waits for ever. Its public `close` has
        # no time limit; what is left open ends with the browser.
        with suppress(TimeoutError):
            self.context._sync(asyncio.wait_for(self.context._impl_obj.close(reason=None), CLOSED_WITHIN_S))
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
