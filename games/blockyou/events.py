"""What can happen in BlockYou!, each event by its code; `texts` has a sentence for every one.

| code | parameters | audience |
|---|---|---|
| `opened` | the `round` opened; solo, the card of that number was turned up | all |
| `claimed` | the `claim` of `seat` has arrived and waits | that seat |
| `placed` | `seat` has placed its card, as its `claim` says | all |
| `blocked` | `seat` was blocked by a finger of the seat `by` | all |
| `wrong` | the `claim` of `seat` did not fit (`why`: "colours"); `penalty`: whether a pile card was drawn | all |
| `self-block` | the `claim` of `seat` pointed at itself; `penalty` as above | all |
| `bounced` | the `claim` of `seat` fitted until the seat `by` changed the area `margin` ms earlier | that seat |
| `dropped` | the `claim` of `seat` fell, `why`: "blocked" (`by`, `margin`) or "round-over" | that seat |
| `nofit-right`, `nofit-wrong` | solo: `seat` said that its card fits nowhere | all |
| `ran-out` | solo: the time of the card of `seat` ran out | all |
| `last` | `seat` was the last to search: its card goes back | all |
| `final` | the last who searches has until the time `until` | all |
| `stalemate` | no card that is up can be placed safely | all |
| `capped`, `final-over` | time ran out for all who still searched | all |
| `refreshed` | a penalty `card` was put where `claim` says | all |
| `passed-over` | nobody could play in the `round` | all |
| `round-over` | the `round` ended; `searched` are the seats that did when it opened. Solo there are no rounds | all |
| `cleared`, `stalled` | the match is over | all |

`margin` is in whole milliseconds, by effective times where a claim did it, and never negative. `by` is left out where
no seat changed the area, but a refresh did. A claim has exactly one verdict: `placed`, `wrong`, `self-block`,
`bounced`, `dropped`, `nofit-right` or `nofit-wrong`.
"""

from __future__ import annotations

from games.blockyou.notation import format_move
from games.blockyou.placement import Placement
from games.blockyou.position import Block, Past
from games.contract.values import ROUND_OVER, Event


def opened(at: int, number: int) -> Event:
    return Event(at, "opened", {"round": number})


def claimed(at: int, seat: int, placement: Placement) -> Event:
    return Event(at, "claimed", _claim(seat, placement), frozenset({seat}))


def placed(at: int, seat: int, placement: Placement) -> Event:
    return Event(at, "placed", _claim(seat, placement))


def blocked(at: int, seat: int, by: int) -> Event:
    return Event(at, "blocked", {"seat": seat, "by": by})


def wrong(at: int, seat: int, placement: Placement, *, penalty: bool) -> Event:
    return Event(at, "wrong", {**_claim(seat, placement), "why": "colours", "penalty": penalty})


def self_block(at: int, seat: int, placement: Placement, *, penalty: bool) -> Event:
    return Event(at, "self-block", {**_claim(seat, placement), "penalty": penalty})


def bounced(at: int, seat: int, placement: Placement, effective: int, change: Past) -> Event:
    by = {} if change.seat is None else {"by": change.seat}
    margin = max(0, effective - change.effective)
    return Event(at, "bounced", {**_claim(seat, placement), **by, "margin": margin}, frozenset({seat}))


def dropped(at: int, seat: int, placement: Placement, effective: int, block: Block | None) -> Event:
    why: dict[str, str | int] = {"why": "round-over"}
    if block is not None:
        why = {"why": "blocked", "by": block.seat, "margin": max(0, effective - block.effective)}
    return Event(at, "dropped", {**_claim(seat, placement), **why}, frozenset({seat}))


def nofit(at: int, seat: int, *, right: bool) -> Event:
    return Event(at, "nofit-right" if right else "nofit-wrong", {"seat": seat})


def ran_out(at: int, seat: int) -> Event:
    return Event(at, "ran-out", {"seat": seat})


def last(at: int, seat: int) -> Event:
    return Event(at, "last", {"seat": seat})


def final(at: int, until: int) -> Event:
    return Event(at, "final", {"until": until})


def stalemate(at: int) -> Event:
    return Event(at, "stalemate")


def closed(at: int, *, final: bool) -> Event:
    return Event(at, "final-over" if final else "capped")


def refreshed(at: int, card: int, placement: Placement) -> Event:
    return Event(at, "refreshed", {"card": card, "claim": format_move(placement)})


def passed_over(at: int, number: int) -> Event:
    return Event(at, "passed-over", {"round": number})


def round_over(at: int, number: int, searched: tuple[int, ...]) -> Event:
    return Event(at, ROUND_OVER, {"round": number, "searched": searched})


def match_over(at: int, reason: str) -> Event:
    return Event(at, reason)


def _claim(seat: int, placement: Placement) -> dict[str, str | int]:
    return {"seat": seat, "claim": format_move(placement)}
