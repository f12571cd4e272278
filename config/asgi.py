"""The doors: pages to Django, sockets past the Origin check to the consumers. A server of its own is production's."""

from __future__ import annotations

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.prod")
# The consumers' imports need it.
django.setup(set_prefix=False)

from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402
from channels.sessions import CookieMiddleware  # noqa: E402
from django.conf import settings  # noqa: E402

from config import monitoring  # noqa: E402
from config.door import PagesHandler, Turnstile  # noqa: E402
from config.origin import NotWhileAway, SameOriginOnly  # noqa: E402
from config.routing import websocket_urlpatterns  # noqa: E402
from config.session_keys import PlainSessionKeys  # noqa: E402
from config.visitors import KnownVisitors  # noqa: E402

sockets = KnownVisitors(URLRouter(websocket_urlpatterns))

application = ProtocolTypeRouter(
    {
        "http": Turnstile(PagesHandler(), places=settings.REQUESTS_AT_ONCE, free=monitoring.PATHS),
        "websocket": SameOriginOnly(NotWhileAway(CookieMiddleware(PlainSessionKeys(sockets)))),
    }
)
