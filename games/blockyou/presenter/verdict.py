"""The latest verdict on the viewer's own claim: what came of it, why, and by how many milliseconds."""

from __future__ import annotations

from games.blockyou.presenter.words import Words
from games.blockyou.view import BlockYouView
from games.contract.values import Event, Moment

GOOD, BAD, NEUTRAL = "good", "bad", "neutral"

KINDS = {
    "placed": GOOD,
    "wrong": BAD,
    "self-block": BAD,
    "bounced": NEUTRAL,
    "dropped": NEUTRAL,
    "blocked": BAD,
    "last": NEUTRAL,
    "ran-out": BAD,
    "nofit-right": GOOD,
    "nofit-wrong": BAD,
}
"""Events that tell a seat what became of its claim or its card."""


def draw_verdict(view: BlockYouView, seat: int, moment: Moment, words: Words) -> str:
    """The verdict as a line with a place that stays, also while there is nothing to say in it.

    The script keeps what it says legible for some seconds, known by `data-at`, also when a newer drawing is without it;
    by `data-verdict` the page says it aloud, once.
    """
    event = _latest(seat, moment)
    if event is None:
        return '<p class="by-verdict"></p>'
    said = words(f"verdict-{event.code}", **_facts(event, moment, solo=view.solo))
    at = event.at
    return f'<p class="by-verdict by-{KINDS[event.code]}" data-at="{at}" data-verdict="{at}">{said}</p>'


def _latest(seat: int, moment: Moment) -> Event | None:
    """The last word to the seat: of a claim that was dropped for a block, the drop, which knows the margin."""
    own = [event for event in moment.events if event.code in KINDS and event.params.get("seat") == seat]
    return own[-1] if own else None


def _facts(event: Event, moment: Moment, *, solo: bool) -> dict[str, object]:
    """What the sentence of the event is made of. Values are hashable, as `say` wants them."""
    params = event.params
    match event.code:
        case "placed":
            return {"blocked": _blocked(event, moment)}
        case "self-block":
            return {"blocked": _blocked(event, moment), "penalty": params["penalty"], "solo": solo}
        case "wrong":
            return {"penalty": params["penalty"], "solo": solo}
        case "bounced":
            return {"by": params.get("by"), "margin": params["margin"]}
        case "dropped":
            return {"why": params["why"], "by": params.get("by"), "margin": params.get("margin")}
        case "blocked":
            return {"by": params["by"]}
        case _:
            return {}


def _blocked(event: Event, moment: Moment) -> tuple[int, ...]:
    """The seats that the card of the event has blocked."""
    return tuple(
        other.params["seat"]
        for other in moment.events
        if other.code == "blocked" and other.at == event.at and other.params["by"] == event.params["seat"]
    )
