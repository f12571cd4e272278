"""Requests and socket messages that nobody would send: seeded, drawn from all addresses and from what they take."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any
from urllib.parse import quote, quote_from_bytes, unquote, urlencode

from django.urls import URLPattern, URLResolver, get_resolver

from games.matches.services.acts import ACTS

METHODS = ("GET", "POST", "HEAD", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "PROPFIND", "get", "")

ODD = (
    *(
        "",
        " ",
        "0",
        "-1",
        "1",
        "7",
        "99999999999999999999",
        "9" * 3000,
        "1.5",
        "NaN",
        "1e9",
        "٣",
        "0x10",
        "true",
        "None",
    ),
    *(
        "\0",
        "a\0b",
        "\ud800",
        "\ufeff",
        "\u202e",
        "é" * 300,
        "x" * 5000,
        "\r\nSet-Cookie: a=b",
        "\\",
        "'",
        '"',
        "`",
        "%",
        "%00",
    ),
    *("' OR 1=1--", "<script>alert(1)</script>", "{{ 7|add:7 }}", "${7*7}", "../../../etc/passwd", "//evil.example"),
    *("javascript:alert(1)", "http://[", "https://evil.example/", "__class__", "[]", "{}", "a@b", "alice@example.org"),
    *("2026-02-30", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "12:00", "2026-03-01T12:00:00+00:00_1"),
)

FIELDS = (
    *(
        "act",
        "action",
        "_selected_action",
        "post",
        "move",
        "turn_key",
        "key",
        "seat",
        "ready",
        "agreed",
        "ply",
        "answer",
    ),
    *("wanted", "name", "level", "room", "text", "heard", "reads", "version", "own", "stage", "attendance", "invite"),
    *(
        "login",
        "password",
        "password1",
        "password2",
        "oldpassword",
        "username",
        "email",
        "display_name",
        "language",
        "next",
    ),
    *(
        "confirm_moves",
        "sound",
        "turn_mails",
        "away",
        "person",
        "seats",
        "pace",
        "visibility",
        "clock",
        "rated",
        "seating",
    ),
    *("record", "file", "before", "game", "mode", "result", "mine", "q", "o", "p", "e", "all", "_popup", "_to_field"),
    *("code", "id", "is_staff", "is_superuser", "user_permissions", "groups", "status__exact", "host__id__exact"),
    *(
        "csrfmiddlewaretoken",
        "action_add",
        "action_send",
        "action_remove",
        "action_primary",
        "reason",
        "until",
        "time_zone",
    ),
)

KINDS = (
    *(
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/json",
        "text/plain",
        "",
        "x",
    ),
    *(
        "application/x-www-form-urlencoded; charset=utf-16",
        "multipart/form-data",
        "multipart/form-data; boundary=" + "b" * 300,
    ),
    *("text/html; charset*=nope''%41", "application/octet-stream", "application/x-www-form-urlencoded; charset=hex"),
)


@dataclass(frozen=True)
class Request:
    """One request as a server would hand it over."""

    method: str
    target: str
    headers: tuple[tuple[bytes, bytes], ...]
    body: bytes

    def scope(self) -> dict[str, Any]:
        path, _, query = self.target.partition("?")
        return {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "scheme": "http",
            "method": self.method,
            "path": unquote(path),
            "raw_path": path.encode("ascii"),
            "root_path": "",
            "query_string": query.encode("ascii"),
            "headers": list(self.headers),
            "client": ["127.0.0.1", 50_000],
            "server": ["localhost", 80],
        }

    def __str__(self) -> str:
        kind = dict(self.headers).get(b"content-type", b"")
        return f"{self.method} {self.target[:300]} {kind!r} {self.body[:200]!r} ({len(self.body)} bytes)"


class Fuzz:
    """Draws what to ask. `known` are values that exist, by the name of the part of an address or field they fit."""

    def __init__(self, seed: int, known: Mapping[str, tuple[str, ...]]) -> None:
        self.chance = Random(seed)
        self.known = known
        routes = sorted(set(_routes(get_resolver())))
        # Half of all addresses are the administration's, and strangers get no further than its door.
        self.admin = [route for route in routes if route.startswith("admin/")]
        self.pages = [route for route in routes if not route.startswith("admin/")]

    def request(self, cookie: str) -> Request:
        """A request by whoever has that session cookie; "" for a guest."""
        chance = self.chance
        method = chance.choice(METHODS) if chance.random() < 0.2 else chance.choice(("GET", "POST", "POST"))
        token = "".join(chance.choices("abcdefghijklmnopqrstuvwxyz0123456789", k=32))
        cookies = [f"csrftoken={token}"]
        if cookie:
            cookies.append(f"sessionid={cookie}")
        if chance.random() < 0.1:
            cookies.append(
                chance.choice(("sessionid=x", 'a="\\000"', "django_language=xx", "messages=x", "=", "csrftoken="))
            )
        kind, body = self._body(token) if method not in ("GET", "HEAD") or chance.random() < 0.1 else ("", b"")
        headers = {
            b"host": b"localhost",
            b"cookie": "; ".join(cookies).encode(),
            b"content-type": kind.encode("latin-1"),
            b"content-length": str(len(body)).encode(),
        }
        if chance.random() < 0.6:
            headers[b"x-csrftoken"] = token.encode()
        if chance.random() < 0.4:
            headers[b"hx-request"] = b"true"
        for name in (b"hx-current-url", b"accept-language", b"referer", b"range", b"x-forwarded-for", b"authorization"):
            if chance.random() < 0.05:
                headers[name] = self._odd().encode("utf-8", "surrogatepass")[:2000]
        if chance.random() < 0.03:
            headers[b"content-length"] = chance.choice((b"-1", b"x", b"0", b"999999999999", b""))
        if chance.random() < 0.02:
            headers[b"host"] = chance.choice((b"evil.example", b"[::1::2]", b"", b"localhost:x", b"\xff"))
        return Request(method, self._target(), tuple(headers.items()), body)

    def message(self) -> dict[str, Any]:
        """What a page's socket might be handed: a text, or bytes."""
        chance = self.chance
        if chance.random() < 0.08:
            return {"bytes": chance.randbytes(chance.choice((0, 1, 50, 5000)))}
        fields: dict[str, Any] = {"act": self._value("act")}
        for name in chance.sample(FIELDS, chance.randint(0, 6)):
            fields[name] = self._value(name) if chance.random() < 0.8 else self._of_wrong_type()
        text = json.dumps(fields)
        if chance.random() < 0.15:
            cut = chance.randrange(len(text) + 1)
            text = (
                text[:cut] + chance.choice(("", "\0", "]", '"', "9" * 5000)) + text[chance.randrange(len(text) + 1) :]
            )
        return {"text": text}

    def _target(self) -> str:
        chance = self.chance
        route = chance.choice(self.pages if chance.random() < 0.8 else self.admin)
        path = "/" + re.sub(r"<(\w+)>", lambda part: self._quoted(self._value(part[1])), route)
        if chance.random() < 0.05:
            path = chance.choice(
                (path[:-1], path + "/", path + self._quoted(self._odd()), path.upper(), "//" + path, "/%ff%fe")
            )
        if chance.random() < 0.3:
            pairs = [(name, self._value(name)) for name in chance.sample(FIELDS, chance.randint(1, 4))]
            path += "?" + urlencode(pairs, errors="surrogatepass")
            if chance.random() < 0.1:
                path += chance.choice(("&%ff=%fe", "&&=&", "&a[]=1&a[]=2", "&" + "a=1&" * 300))
        return path[:8000]

    def _body(self, token: str) -> tuple[str, bytes]:
        chance = self.chance
        pairs = [(name, self._value(name)) for name in chance.sample(FIELDS, chance.randint(0, 12))]
        if chance.random() < 0.5:
            pairs.append(("csrfmiddlewaretoken", token))
        form = urlencode(pairs, errors="surrogatepass").encode()
        drawn = chance.random()
        if drawn < 0.6:
            return KINDS[0], form
        if drawn < 0.75:
            return KINDS[1], self._multipart(pairs)
        if drawn < 0.8:
            return KINDS[2], json.dumps(dict(pairs) | {"x": self._of_wrong_type()}).encode()
        if drawn < 0.82:
            return chance.choice(KINDS), b"x=" + b"y" * chance.choice((300_000, 5_000_000))
        return chance.choice(KINDS), chance.choice((form, self._multipart(pairs), chance.randbytes(500)))

    def _multipart(self, pairs: list[tuple[str, str]]) -> bytes:
        parts = []
        for name, value in pairs:
            extra = self.chance.choice(("", "", '; filename="a.json"', "; filename*=hex''%41", '; filename=""'))
            head = f'--x\r\nContent-Disposition: form-data; name="{name}"{extra}\r\n\r\n'
            parts.append(head.encode() + value.encode("utf-8", "surrogatepass") + b"\r\n")
        return b"".join(parts) + self.chance.choice((b"--x--\r\n", b"--x--\r\n", b"", b"--x"))

    def _value(self, name: str) -> str:
        if name == "act" and self.chance.random() < 0.8:
            return self.chance.choice([*ACTS, "say", "here", "pong"])
        known = self.known.get(name)
        return self.chance.choice(known) if known and self.chance.random() < 0.75 else self._odd()

    def _odd(self) -> str:
        return self.chance.choice(ODD)

    def _of_wrong_type(self) -> Any:
        return self.chance.choice((None, True, 7, -1, 1.5, [], ["x"], {}, {"a": {"b": []}}, 10**30, "x"))

    @staticmethod
    def _quoted(value: str) -> str:
        return quote(value.encode("utf-8", "surrogatepass")[:2000], safe="") or quote_from_bytes(b"\0")


def _routes(resolver: URLResolver, prefix: str = "") -> Iterator[str]:
    """Every address of the site, its parts as `<name>`."""
    for pattern in resolver.url_patterns:
        own = re.sub(
            r"\(\?P<(\w+)>[^)]*\)|<(?:\w+:)?(\w+)>", lambda part: f"<{part[1] or part[2]}>", str(pattern.pattern)
        )
        route = prefix + own.removeprefix("^").removesuffix("$")
        if isinstance(pattern, URLPattern):
            yield route
        else:
            yield from _routes(pattern, route)
