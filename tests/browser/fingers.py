"""Fingers on the glass of a phone, for drags that a page must not take for scrolling."""

from __future__ import annotations

import time

from playwright.sync_api import Page


def middle(page: Page, selector: str) -> tuple[float, float]:
    """Of what the selector finds, in pixels of the window."""
    box = page.locator(selector).bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def tap_with_two(page: Page, x: float, y: float) -> None:
    """Two fingers beside each other touch the glass there and are lifted, one after the other."""
    session = page.context.new_cdp_session(page)
    left, right = {"x": x - 20, "y": y, "id": 1}, {"x": x + 20, "y": y, "id": 2}
    for kind, points in (
        ("touchStart", [left]),
        ("touchStart", [left, right]),
        ("touchEnd", [right]),
        ("touchEnd", []),
    ):
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


class Finger:
    """One finger on the glass, moved in small steps, which rests before it is lifted.

    Events carry times of their own: a finger lifted in full motion flings, and browsers take the next tap for the stop.
    """

    def __init__(self, page: Page) -> None:
        self._session = page.context.new_cdp_session(page)
        self._x = self._y = 0.0
        self._at = time.time() - 10

    def down(self, x: float, y: float) -> None:
        self._x, self._y = x, y
        self._send("touchStart", [{"x": x, "y": y}])

    def drag(self, dx: float, dy: float, steps: int = 10) -> None:
        for _ in range(steps):
            self._x, self._y = self._x + dx / steps, self._y + dy / steps
            self._send("touchMove", [{"x": self._x, "y": self._y}])

    def drag_to(self, x: float, y: float) -> None:
        self.drag(x - self._x, y - self._y)

    def up(self) -> None:
        self._at += 1
        self.drag(0, 1, steps=2)
        self._send("touchEnd", [])

    def _send(self, kind: str, points: list[dict[str, float]]) -> None:
        self._at += 0.03
        event = {"type": kind, "touchPoints": points, "timestamp": self._at}
        self._session.send("Input.dispatchTouchEvent", event)
