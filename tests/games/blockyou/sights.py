"""Views of BlockYou! made by hand, their areas drawn as digits: what the rules would hand to the presenter."""

from __future__ import annotations

from typing import Any

from games.blockyou.view import BlockYouView, CardFace
from games.contract.values import Event, Moment, Viewer

COMPASS = {1: (4,), 2: (4, 0), 3: (4, 7, 1), 4: (4, 6, 0, 2), 5: (4, 6, 7, 1, 2)}

AREA = """
12340512
03451234
51023410
23415023
01234501
45012345
30521430
12345012
"""

OWN = CardFace("0123", (0, 3))
OTHER = CardFace("4405", (2, 6))


def owners_by_twos() -> tuple[tuple[int, ...], ...]:
    """Sixteen cards side by side, none on another."""
    return tuple(tuple(4 * (y // 2) + x // 2 for x in range(8)) for y in range(8))


def sight(players: int = 2, viewer: Viewer = 0, **changed: Any) -> BlockYouView:
    """A round in which everybody searches, unless something else is said."""
    seat = viewer if isinstance(viewer, int) else None
    given: dict[str, Any] = {
        "viewer": viewer,
        "solo": players == 1,
        "pace": "normal",
        "phase": "open",
        "round": 3,
        "opens": 20_000,
        "closes": 110_000,
        "area": tuple(AREA.split()),
        "owners": owners_by_twos(),
        "laid": None,
        "compass": COMPASS[players],
        "queues": (11,) * players,
        "turned_up": (True,) * players,
        "pile": 40,
        "status": ("searching",) * players,
        "sits_out_next": (False,) * players,
        "cards": tuple(OWN if other == seat else None for other in range(players)),
        "waiting": (None,) * players,
        "may_claim": seat is not None,
        "penalties": 0,
        "first_opened": 3_000,
        "places": None,
        "scores": (12,) * players,
    }
    return BlockYouView(**(given | changed))


def between_rounds(players: int = 2, viewer: Viewer = 0, **changed: Any) -> BlockYouView:
    """The countdown: all cards lie face down."""
    down: dict[str, Any] = {
        "phase": "countdown",
        "closes": None,
        "cards": (None,) * players,
        "turned_up": (False,) * players,
        "status": ("idle",) * players,
        "may_claim": False,
    }
    return sight(players, viewer, **(down | changed))


def happened(*events: tuple[str, dict[str, Any]], at: int = 30_000) -> Moment:
    """A moment in which these have happened one after the other, at the same time."""
    return Moment(0, None, tuple(Event(at, code, params) for code, params in events))
