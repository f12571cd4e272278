"""What a viewer of Auction may not know: the prizes to come, the cards out of play, others' hands and bids."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from games.contract.values import Viewer
from tests.toy.rules import Auction, Bid


def twin(position: Auction, viewer: Viewer, rng: Random) -> Auction:
    """Deal the cards that the viewer has not seen anew, and let the others have bid, or not, at some other time."""
    others = [seat for seat in range(len(position.hands)) if seat != viewer]
    pool = [*position.prizes, *position.unused, *(card for seat in others for card in position.hands[seat])]
    rng.shuffle(pool)
    hands, bids = list(position.hands), list(position.bids)
    prizes = tuple(pool.pop() for _ in position.prizes)
    for seat in others:
        hands[seat] = tuple(sorted(pool.pop() for _ in hands[seat]))
        bids[seat] = None
        if position.open and rng.random() < 0.5:
            arrived = rng.randint(position.opens, position.now)
            bids[seat] = Bid(rng.choice(hands[seat]), arrived, arrived)
    return replace(position, prizes=prizes, unused=tuple(pool), hands=tuple(hands), bids=tuple(bids))


def twin_move(position: Auction, seat: int, text: str, viewer: Viewer, rng: Random) -> tuple[Auction, str]:
    """Any bid looks like any other."""
    dealt = twin(position, viewer, rng)
    bids = (*dealt.bids[:seat], None, *dealt.bids[seat + 1 :])
    return replace(dealt, bids=bids), f"bid {rng.choice(dealt.hands[seat])}"
