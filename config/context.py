"""What the frame of every page shows besides the page itself."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from games.contract.registry import all_games


def house(request: HttpRequest) -> dict[str, Any]:
    """`house.games`: slug and title of every game, for the menu of rules."""
    return {"house": {"games": [game.info for game in all_games()]}}
