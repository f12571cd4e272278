"""A browser without scripts: cookies, pages and forms."""

from __future__ import annotations

import re
from http.cookiejar import CookieJar
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, Request, build_opener

PATIENCE_S = 30


class Visitor:
    """Somebody who has come to this address and may log in."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._browser = build_opener(HTTPCookieProcessor(CookieJar()))

    def read(self, path: str) -> tuple[int, str]:
        """Status and text of a page, after redirects."""
        return self._open(Request(f"{self._address}{path}"))

    def send(self, path: str, **fields: str) -> tuple[int, str]:
        """Fill in the form on that page and send it; status and text of what comes."""
        _, page = self.read(path)
        found = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)
        token = found[1] if found else ""
        body = urlencode({"csrfmiddlewaretoken": token, **fields}).encode()
        return self._open(Request(f"{self._address}{path}", data=body))

    def _open(self, request: Request) -> tuple[int, str]:
        try:
            with self._browser.open(request, timeout=PATIENCE_S) as answer:
                return answer.status, answer.read().decode()
        except HTTPError as error:
            with error:
                return error.code, error.read().decode()
