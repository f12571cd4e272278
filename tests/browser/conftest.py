"""The site in real Chromium: one server for all of these tests, an empty database and fresh visitors for each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.browser.chromium import launch
from tests.browser.people import DESKTOP, TIMEOUT_MS, Visitor
from tests.browser.server import Site
from tests.sizes import SHORT, some_of

Visit = Callable[..., Visitor]

expect.set_options(timeout=TIMEOUT_MS)


FOLDER = Path(__file__).parent


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Marks them; in a short run it leaves of each file a quarter, at least one test, always the same."""
    by_file: dict[Path, list[pytest.Item]] = {}
    for item in items:
        if item.path.is_relative_to(FOLDER):
            item.add_marker(pytest.mark.browser)
            if item.get_closest_marker("faults") is None:
                by_file.setdefault(item.path, []).append(item)
    if not SHORT:
        return
    kept = {item for own in by_file.values() for item in some_of(own, ci=max(1, len(own) // 4))}
    left_out = [item for own in by_file.values() for item in own if item not in kept]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in set(left_out)]


# Closed before the tests of other rooms: while Playwright's loop runs, no other may.
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Chromium, without a window."""
    with sync_playwright() as playwright:
        chromium = launch(playwright)
        yield chromium
        chromium.close()


@pytest.fixture(scope="package")
def _server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    site = Site(tmp_path_factory.mktemp("site"))
    try:
        site.prepare()
        site.start()
        yield site
    finally:
        site.close()


@pytest.fixture
def site(_server: Site) -> Iterator[Site]:
    """The running site, with nobody in it. Fails the test if the server noted an error meanwhile."""
    _server.ask("clear")
    before = _server.log.stat().st_size
    yield _server
    noted = _server.log.read_bytes()[before:].decode()
    assert "Traceback" not in noted, noted
    assert " ERROR " not in noted, noted


@pytest.fixture
def visit(site: Site, browser: Browser) -> Iterator[Visit]:
    """`visit("alice")`: Alice, registered, logged in and at her browser; `visit()`: a guest.

    `person` are fields of the new person, `address` leads over a slow line, the other arguments are those of the
    browser's context (`**PHONE`). At the end every visitor leaves, and must have had nothing to complain about.
    """
    here: list[Visitor] = []

    def come(username: str | None = None, person: dict[str, Any] | None = None, **context: Any) -> Visitor:
        visitor = Visitor(browser, site, username, **{**DESKTOP, **context})
        here.append(visitor)
        if username is not None:
            fields = {"display_name": username.capitalize(), **(person or {})}
            visitor.log_in(site.ask("add_person", username=username, **fields))
        return visitor

    yield come
    complaints = [f"{visitor.username or 'guest'}: {text}" for visitor in here for text in visitor.leave()]
    assert not complaints, "\n".join(complaints)
