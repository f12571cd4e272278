"""Addresses of the sockets."""

from __future__ import annotations

from django.urls import URLPattern, path

from games.matches.consumers import MatchSocket
from games.matches.lobby_socket import LobbySocket

websocket_urlpatterns: list[URLPattern] = [
    path("ws/matches/<slug:slug>/", MatchSocket.as_asgi()),
    path("ws/lobby/", LobbySocket.as_asgi()),
]
