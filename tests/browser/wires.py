"""The socket of a page in a test's hand: cut, mended, or made to say what the test wants."""

from __future__ import annotations

from playwright.sync_api import Page, WebSocketRoute

ABNORMAL = 1006
"""The close code that a browser gives a socket whose connection is gone."""

CUT = ("ERR_FAILED", "ERR_CONNECTION", "ERR_EMPTY_RESPONSE", "WebSocket", "console error: .*htmx")
"""What browsers and htmx note when a connection fails."""


class Wire:
    """The socket of one page, with scissors: `cut` closes it and lets no other through until `mend`."""

    def __init__(self, page: Page, *, whole: bool = True) -> None:
        self._whole = whole
        self._open: list[WebSocketRoute] = []
        page.route_web_socket("**/ws/**", self._connect)

    def _connect(self, socket: WebSocketRoute) -> None:
        if self._whole:
            socket.connect_to_server()
            self._open.append(socket)
        else:
            socket.close(code=ABNORMAL)

    def cut(self) -> None:
        self._whole = False
        while self._open:
            self._open.pop().close(code=ABNORMAL)

    def say(self, message: str) -> None:
        """Let a message come as the server's."""
        self._open[-1].send(message)

    def mend(self) -> None:
        self._whole = True
