"""Dense random matches: claims in heaps, piles empty and queues short, so that whatever can happen does.

Claims come in the same millisecond, over slow lines, for the same windows, for what fitted a moment ago, and a hair
before and after every opening and closing.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

from games.blockyou.area import has_safe, legal_placements, safe_placements
from games.blockyou.notation import format_move
from games.blockyou.placement import PLACEMENTS
from games.blockyou.position import Position
from games.blockyou.rules import RULES
from games.blockyou.timing import CAP, HOLD, SEEN
from games.contract.errors import IllegalMove
from games.contract.values import Event

LONGEST = 220
"""Claims tried in a match."""


def dense_match(players: int, seed: int) -> list[Position]:
    """The positions of such a match, for other tests: the first, and after each claim and each thing that was due."""
    rng = Random(f"dense/{players}/{seed}")
    options = {"deck": "standard", "pace": "normal"}
    deal: dict[str, Any] = dict(RULES.deal(options, [""] * players, rng))
    positions = [begin(options, deal | {"queue": 4, "pile": 6, "barren": bool(seed % 2)})]
    for _ in range(LONGEST):
        at = next_time(positions[-1], "busy", rng)
        positions.append(RULES.advance(positions[-1], at)[0])
        seat, text, lag = draw_claim(positions[-1], rng)
        (position, _), _ = play(positions[-1], seat, text, at, lag)
        positions.append(position)
    return positions


def begin(options: dict[str, Any], deal: dict[str, Any]) -> Position:
    """The match with shorter queues, a smaller pile, and perhaps without white; cards left out lie covered."""
    whole = RULES.start(options, {key: deal[key] for key in ("deck", "turns", "compass")}, len(deal["compass"]))
    size, cards = deal["queue"], deal["deck"]
    count = len(whole.seats)
    seats = tuple(
        replace(seat, queue=tuple(cards[16 + size * number : 16 + size * (number + 1)]))
        for number, seat in enumerate(whole.seats)
    )
    colours = whole.area.colours
    if deal["barren"]:
        colours = "".join(
            str(1 + sum(divmod(cell, 8)) % 4) if colour == "0" else colour for cell, colour in enumerate(colours)
        )
    pile = tuple(cards[16 + size * count :][: deal["pile"]])
    return replace(whole, seats=seats, pile=pile, area=replace(whole.area, colours=colours))


def play(position: Position, seat: int, text: str, at: int, lag: int) -> tuple[tuple[Position, tuple[Event, ...]], Any]:
    """The position and the events, and the code of the refusal; after one, as time alone makes it."""
    try:
        return RULES.play(position, seat, RULES.parse_move(text), at=at, lag=lag), None
    except IllegalMove as error:
        return RULES.advance(position, at), error.code


def next_time(position: Position, mood: str, rng: Random) -> int:
    """Some time from now on: at once, soon, or around the next thing that is due."""
    now, due = position.now, RULES.due(position)
    if due is not None and position.closes is None and rng.random() < 0.8:
        return max(now, due + rng.choice([-1, 0, 0, 0, 1, HOLD]))
    drawn = rng.random()
    if drawn < 0.3:
        return now
    if drawn < 0.5:
        return now + rng.randint(1, 8)
    if drawn < 0.75:
        return now + rng.randint(1, 2 * HOLD + SEEN)
    if due is not None and (drawn < 0.9 or mood != "busy"):
        around = due if mood == "busy" or rng.random() < 0.5 or position.closes is None else position.closes
        return max(now, around + rng.choice([-HOLD, -2, -1, 0, 0, 1, 2, HOLD - 1, HOLD, HOLD + 1]))
    return now + (rng.randint(1, 3 * CAP) if mood == "idle" else rng.randint(1, 4000))


def draw_claim(position: Position, rng: Random) -> tuple[int, str, int]:
    """A seat, a claim that is more often right or nearly right than not, and a lag."""
    count = len(position.seats)
    seat = rng.choice(position.searching or range(count)) if rng.random() < 0.9 else rng.randrange(count)
    lag = rng.choice([0, 0, rng.randrange(HOLD), HOLD - 1, HOLD, HOLD + 1, 10**9])
    card = position.seats[seat].up
    stuck = card is not None and not has_safe(
        position.area.colours, position.setup.face(card), position.setup.compass[seat]
    )
    if rng.random() < (0.01 if count > 1 else 0.7 if stuck else 0.1):
        return seat, "nofit", lag
    placements = list(PLACEMENTS)
    if card is not None:
        face, drawn = position.setup.face(card), rng.random()
        colours = rng.choice([position.area.colours, *(past.colours for past in position.past)])
        if drawn < 0.6:
            placements = list(safe_placements(colours, face, position.setup.compass[seat]))
        elif drawn < 0.9:
            placements = list(legal_placements(colours, face))
    claimed = [state.claim.placement for state in position.seats if state.claim is not None]
    near = [one for one in placements for other in claimed if abs(one.row - other.row) + abs(one.col - other.col) < 2]
    return seat, format_move(rng.choice(near if near and rng.random() < 0.6 else placements or PLACEMENTS)), lag
