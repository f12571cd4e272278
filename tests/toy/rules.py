"""The rules of Auction: several seats at once, due times, lag, a hidden prize, hidden hands, secret bids."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from games.contract.errors import BadDeal, BadOption, IllegalMove
from games.contract.options import complete_options
from games.contract.rules import Rules
from games.contract.values import OPEN, Event, GameInfo, Json, Option, Options, OptionValue, Outcome, Viewer

COUNT, HOLD, PAUSE = 1000, 150, 500
WINDOWS = {"long": 6000, "short": 2000}
HAND = 4
CARDS = 24


@dataclass(frozen=True, slots=True)
class Bid:
    """A card of the hand, and when it was bid after allowing for the line; `arrived` orders what happens."""

    card: int
    effective: int
    arrived: int


@dataclass(frozen=True, slots=True)
class Auction:
    """A position. By seat: `hands` (rising), `bids` (None without one), `won` (prizes). `prizes` are those to come,
    the one that lies face down in front. `opens` is when this round opens or has opened, `now` the time reached."""

    now: int
    opens: int
    window: int
    prizes: tuple[int, ...]
    unused: tuple[int, ...]
    hands: tuple[tuple[int, ...], ...]
    bids: tuple[Bid | None, ...]
    won: tuple[tuple[int, ...], ...]
    turned_up: tuple[int, ...] = ()

    @property
    def over(self) -> bool:
        return not self.prizes

    @property
    def open(self) -> bool:
        return not self.over and self.opens <= self.now

    @property
    def closes(self) -> int:
        last = self.opens + self.window + HOLD
        if all(self.bids):
            return min(last, max(bid.arrived for bid in self.bids if bid) + HOLD)
        return last


@dataclass(frozen=True, slots=True)
class AuctionView:
    """What one viewer may know: `hands` and `bids` are None where hidden, `unseen` is filled for OPEN alone."""

    viewer: Viewer
    phase: str
    opens: int
    prizes_left: int
    turned_up: tuple[int, ...]
    hands: tuple[tuple[int, ...] | None, ...]
    hand_sizes: tuple[int, ...]
    bids: tuple[int | None, ...]
    won: tuple[tuple[int, ...], ...]
    may_bid: tuple[int, ...]
    unseen: tuple[int, ...]


class AuctionRules:
    """Positions are `Auction`, moves the card that is bid, views `AuctionView`."""

    info = GameInfo(
        slug="toy",
        title="Auction",
        min_seats=1,
        max_seats=4,
        options=(Option("window", ("long", "short"), "long"), Option("rounds", (2, 3), 3, players={2: (2, 3, 4)})),
        reasons=("sold",),
        real_time=True,
    )

    def complete_options(self, given: Mapping[str, Any], players: int) -> dict[str, OptionValue]:
        complete = complete_options(self.info, given, players)
        if players == 1 and complete["rounds"] == 2:
            raise BadOption("too-short-for-one")
        return complete

    def teams(self, options: Options, players: int) -> tuple[int, ...]:
        return tuple(range(players))

    def deal(self, options: Options, players: Sequence[str], rng: Random) -> dict[str, Json]:
        return {"cards": list(rng.sample(range(1, CARDS + 1), CARDS))}

    def start(self, options: Options, deal: Mapping[str, Any], players: int) -> Auction:
        chosen = self.complete_options(options, players)
        cards = deal.get("cards")
        if not isinstance(cards, list) or any(type(card) is not int for card in cards):
            raise BadDeal("cards")
        if sorted(cards) != list(range(1, CARDS + 1)):
            raise BadDeal("cards")
        rounds = int(chosen["rounds"])
        hands = [cards[at : at + HAND] for at in range(rounds, rounds + HAND * players, HAND)]
        return Auction(
            now=0,
            opens=COUNT,
            window=WINDOWS[str(chosen["window"])],
            prizes=tuple(cards[:rounds]),
            unused=tuple(cards[rounds + HAND * players :]),
            hands=tuple(tuple(sorted(hand)) for hand in hands),
            bids=(None,) * players,
            won=((),) * players,
        )

    def to_move(self, position: Auction) -> tuple[int, ...]:
        return tuple(seat for seat, bid in enumerate(position.bids) if position.open and bid is None)

    def legal_moves(self, position: Auction, seat: int) -> Sequence[int]:
        return position.hands[seat] if seat in self.to_move(position) else ()

    def play(
        self, position: Auction, seat: int, move: int, *, at: int, lag: int = 0
    ) -> tuple[Auction, tuple[Event, ...]]:
        position, due = self.advance(position, at)
        if position.over:
            raise IllegalMove("over")
        if seat not in self.to_move(position):
            raise IllegalMove("not-your-turn")
        if move not in position.hands[seat]:
            raise IllegalMove("not-in-hand", card=move)
        effective = max(position.opens, at - min(lag, HOLD))
        if effective > position.opens + position.window:
            raise IllegalMove("too-late", by=effective - position.opens - position.window)
        bids = (*position.bids[:seat], Bid(move, effective, at), *position.bids[seat + 1 :])
        event = Event(at, "bid", {"seat": seat, "card": move}, audience=frozenset({seat}))
        return replace(position, bids=bids), (*due, event)

    def due(self, position: Auction) -> int | None:
        if position.over:
            return None
        return position.closes if position.open else position.opens

    def advance(self, position: Auction, at: int) -> tuple[Auction, tuple[Event, ...]]:
        events: list[Event] = []
        while (due := self.due(position)) is not None and due <= at:
            if position.open:
                position = _close(position, due, events)
            else:
                position = replace(position, now=due)
                events.append(Event(due, "opened"))
        return replace(position, now=max(position.now, at)), tuple(events)

    def turn_key(self, position: Auction, seat: int) -> str:
        return str(len(position.turned_up))

    def outcome(self, position: Auction) -> Outcome | None:
        if not position.over:
            return None
        scores = self.scores(position)
        return Outcome("sold", tuple(1 + sum(other > own for other in scores) for own in scores), scores)

    def scores(self, position: Auction) -> tuple[int, ...]:
        return tuple(map(sum, position.won))

    def view(self, position: Auction, viewer: Viewer) -> AuctionView:
        known = [viewer in (OPEN, seat) for seat in range(len(position.hands))]
        return AuctionView(
            viewer=viewer,
            phase="over" if position.over else "open" if position.open else "countdown",
            opens=position.opens,
            prizes_left=len(position.prizes),
            turned_up=position.turned_up,
            hands=tuple(hand if knows else None for knows, hand in zip(known, position.hands, strict=True)),
            hand_sizes=tuple(map(len, position.hands)),
            bids=tuple(bid.card if knows and bid else None for knows, bid in zip(known, position.bids, strict=True)),
            won=position.won,
            may_bid=tuple(self.legal_moves(position, viewer)) if isinstance(viewer, int) else (),
            unseen=position.prizes + position.unused if viewer is OPEN else (),
        )

    def view_move(self, position: Auction, seat: int, move: int, viewer: Viewer) -> str:
        return self.format_move(move) if viewer in (OPEN, seat) else "bid ??"

    def parse_move(self, text: str) -> int:
        if not re.fullmatch("bid [1-9][0-9]?", text):
            raise IllegalMove("malformed")
        return int(text.removeprefix("bid "))

    def format_move(self, move: int) -> str:
        return f"bid {move}"

    def dump(self, position: Auction) -> dict[str, Json]:
        return {
            "times": [position.now, position.opens, position.window],
            "prizes": list(position.prizes),
            "unused": list(position.unused),
            "hands": [list(hand) for hand in position.hands],
            "bids": [None if bid is None else [bid.card, bid.effective, bid.arrived] for bid in position.bids],
            "won": [list(prizes) for prizes in position.won],
            "turned_up": list(position.turned_up),
        }

    def load(self, data: Mapping[str, Any]) -> Auction:
        now, opens, window = data["times"]
        return Auction(
            now=now,
            opens=opens,
            window=window,
            prizes=tuple(data["prizes"]),
            unused=tuple(data["unused"]),
            hands=tuple(map(tuple, data["hands"])),
            bids=tuple(bid and Bid(*bid) for bid in data["bids"]),
            won=tuple(map(tuple, data["won"])),
            turned_up=tuple(data["turned_up"]),
        )

    def trace(self, position: Auction) -> dict[str, Json]:
        return {"at": position.now, **self.dump(position)}


def _close(position: Auction, at: int, events: list[Event]) -> Auction:
    """Turn the prize up, give it to the highest bid, and let the next round open after a pause."""
    prize, *rest = position.prizes
    highest = max((bid.card for bid in position.bids if bid), default=None)
    won, hands = list(position.won), list(position.hands)
    for seat, bid in enumerate(position.bids):
        if bid is not None:
            hands[seat] = tuple(card for card in hands[seat] if card != bid.card)
            if bid.card == highest:
                won[seat] = (*won[seat], prize)
                events.append(Event(at, "won", {"seat": seat, "prize": prize, "card": bid.card}))
    if highest is None:
        events.append(Event(at, "unsold", {"prize": prize}))
    return replace(
        position,
        now=at,
        opens=at + PAUSE,
        prizes=tuple(rest),
        hands=tuple(hands),
        bids=(None,) * len(hands),
        won=tuple(won),
        turned_up=(*position.turned_up, prize),
    )


RULES: Rules[Auction, int, AuctionView] = AuctionRules()
