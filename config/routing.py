"""Which consumer answers on which socket path."""

from __future__ import annotations

from typing import Any

from django.urls import URLPattern, re_path

from config.origin import close_socket
from games.matches.routing import websocket_urlpatterns as match_patterns

UNKNOWN_PATH = 4404


async def unknown_path(scope: Any, receive: Any, send: Any) -> None:
    """Nothing listens here: close, where the router by itself would raise."""
    await close_socket(receive, send, code=UNKNOWN_PATH)


websocket_urlpatterns: list[URLPattern] = [*match_patterns, re_path(r"", unknown_path)]  # type: ignore[arg-type]
