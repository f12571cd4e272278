"""The doors: pages to Django, sockets past the Origin check to the consumers. A server of its own is production's."""

from __future__ import annotations

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.prod")
# The consumers' imports need it.
django.setup(set_prefix=False)

from channels.auth import AuthMiddleware  # noqa: E402
from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402
from channels.sessions import CookieMiddleware, SessionMiddleware  # noqa: E402
from django.conf import settings  # noqa: E402

from config.door import PagesHandler, Turnstile  # noqa: E402
from config.origin import SameOriginOnly  # noqa: E402
from config.routing import websocket_urlpatterns  # noqa: E402
from config.session_keys import PlainSessionKeys  # noqa: E402

sockets = SessionMiddleware(AuthMiddleware(URLRouter(websocket_urlpatterns)))

application = ProtocolTypeRouter(
    {
        "http": Turnstile(PagesHandler(), places=settings.REQUESTS_AT_ONCE),
        "websocket": SameOriginOnly(CookieMiddleware(PlainSessionKeys(sockets))),
    }
)
