"""The naive telling of BlockYou!, continued: the match of several, the match of one, and how either begins."""

from __future__ import annotations

from typing import Any

from tests.games.blockyou.slow import (
    CAP,
    COUNT,
    FINAL,
    HOLD,
    PAUSE,
    SEEN,
    Place,
    Player,
    Table,
    Waiting,
    face,
    read,
    turn,
    write,
)


class Company(Table):
    """A match of several."""

    closes = 0
    final_since = 0
    empty_rounds = 0

    def moments(self) -> list[int]:
        dues = [player.claim.due for player in self.players if player.claim is not None]
        return [self.opens, self.opens + CAP + HOLD, self.final_since + FINAL + HOLD, *dues]

    def tick(self, t: int) -> None:
        if self.phase == "countdown":
            if t == self.opens:
                self.open(t)
            return
        due = [seat for seat, player in enumerate(self.players) if player.claim is not None and player.claim.due == t]
        for seat in sorted(due, key=self.order):
            if self.players[seat].claim is not None:
                self.commit(seat, t)
        if self.phase == "open" and t == self.opens + CAP + HOLD:
            self.tell(t, "capped")
            self.end(t)
        if self.phase == "final" and t == self.final_since + FINAL + HOLD:
            self.tell(t, "final-over")
            self.end(t)

    def order(self, seat: int) -> tuple[int, int, int]:
        claim = self.players[seat].claim
        assert claim is not None
        return claim.effective, -len(self.players[seat].queue), seat

    def open(self, t: int) -> None:
        playing = [player for player in self.players if not player.sits_out_next]
        if not playing:
            self.tell(t, "passed-over")
            for player in self.players:
                player.sits_out_next = False
            self.round += 1
            self.open(t)
            return
        self.tell(t, "opened")
        self.phase, self.opens = "open", t
        for player in self.players:
            player.status = "sitting out" if player.sits_out_next else "searching"
            player.sits_out_next = False
            if player in playing:
                player.up = player.queue.pop(0)
        if len(playing) == 1:
            self.begin_final(t)
        elif self.nobody_can():
            self.stalemate(t)

    def searching(self) -> list[int]:
        return [seat for seat, player in enumerate(self.players) if player.status == "searching"]

    def nobody_can(self) -> bool:
        return not any(place for seat in self.searching() for place in self.safe(self.players[seat]))

    def begin_final(self, t: int) -> None:
        self.phase, self.final_since = "final", t
        self.tell(t, "final")
        if self.nobody_can():
            self.stalemate(t)

    def stalemate(self, t: int) -> None:
        self.tell(t, "stalemate")
        self.end(t, stalemate=True)

    def claim(self, seat: int, text: str, at: int, lag: int) -> str | None:
        """The code of the refusal, None if the claim waits now."""
        self.run(at)
        player = self.players[seat]
        if self.phase == "over":
            return "over"
        if text == "nofit":
            return "nofit-in-company"
        if self.phase == "countdown":
            return "not-open"
        if player.status != "searching":
            return {"placed": "done"}.get(player.status, player.status.replace(" ", "-"))
        if player.claim is not None:
            return "claim-waiting"
        effective = max(self.opens, at - min(lag, HOLD))
        last = self.final_since + FINAL if self.phase == "final" else self.opens + CAP
        if effective > last:
            return "too-late"
        player.claim = Waiting(read(text), effective, max(at + 1, effective + HOLD))
        self.tell(at, "claimed", seat, text)
        return None

    def commit(self, seat: int, c: int) -> None:
        player = self.players[seat]
        claim, player.claim = player.claim, None
        assert claim is not None
        text = write(claim.place)
        if player.status != "searching":
            self.tell(c, "dropped", seat, text)
            return
        assert player.up is not None
        _, fingers = turn(*face(self.deck, player.up), claim.place[2])
        pointed_at = [other for other in self.searching() if self.players[other].direction in fingers]
        if not self.legal(self.colours(), player.up, claim.place):
            if self.was_legal(player.up, claim.place, claim.effective - SEEN, c):
                self.tell(c, "bounced", seat, text)
                return
            self.tell(c, "wrong", seat, text)
            self.err(player, claim.place, c)
            pointed_at = []
        elif seat in pointed_at:
            self.tell(c, "self-block", seat, text)
            self.err(player, claim.place, c)
        else:
            self.tell(c, "placed", seat, text)
            self.put(player.up, claim.place, c)
            player.up, player.status, player.placed_at = None, "placed", claim.effective
        for other in pointed_at:
            if other != seat:
                self.tell(c, "blocked", other)
                self.back(self.players[other])
                self.players[other].status = "blocked"
        left = self.searching()
        if not left:
            self.end(c)
        elif len(left) == 1 and player.status == "placed":
            self.tell(c, "last", left[0])
            self.end(c)
        elif len(left) == 1:
            self.begin_final(c)
        elif self.nobody_can():
            self.stalemate(c)

    def err(self, player: Player, place: Place, c: int) -> None:
        player.status, player.sits_out_next = "erred", True
        assert player.up is not None
        if self.pile:
            self.put(player.up, place, c)
            player.up = None
            player.queue.append(self.pile.pop(0))
        else:
            self.back(player)

    def back(self, player: Player) -> None:
        if player.up is not None:
            player.queue.append(player.up)
            player.up = None

    def end(self, e: int, *, stalemate: bool = False) -> None:
        for seat, player in enumerate(self.players):
            if player.claim is not None:
                self.tell(e, "dropped", seat, write(player.claim.place))
                player.claim = None
            self.back(player)
        if stalemate:
            self.refresh(e, self.round)
        self.tell(e, "round-over")
        somebody = any(player.status in ("placed", "erred") for player in self.players)
        self.empty_rounds = 0 if somebody else self.empty_rounds + 1
        for player in self.players:
            player.status = "idle"
        if any(not player.queue for player in self.players):
            self.phase, self.reason = "over", "cleared"
            self.tell(e, "cleared")
        elif self.empty_rounds == 5:
            self.phase, self.reason = "over", "stalled"
            self.tell(e, "stalled")
        else:
            self.phase, self.opens, self.round = "countdown", e + PAUSE + COUNT, self.round + 1

    def result(self) -> tuple[list[int], list[int]]:
        """Places and scores."""
        scores = [len(player.queue) for player in self.players]
        keys = [(score, 0 if score else player.placed_at) for score, player in zip(scores, self.players, strict=True)]
        return [1 + sum(other < key for other in keys) for key in keys], scores


class Solo(Table):
    """A match of one."""

    limit = 30_000
    penalties = 0
    settled_at = COUNT

    def moments(self) -> list[int]:
        return [self.opens, self.opens + self.limit, 1_800_000]

    def tick(self, t: int) -> None:
        if t == 1_800_000:
            self.phase, self.reason, self.settled_at = "over", "stalled", t
            self.players[0].status = "idle"
            self.tell(t, "stalled")
        elif self.phase == "countdown":
            if t == self.opens:
                self.open(t)
        elif t == self.opens + self.limit:
            self.tell(t, "ran-out", 0)
            stuck = not any(True for _ in self.safe(self.players[0]))
            self.back()
            self.settle(t, refreshed=stuck)

    def open(self, t: int) -> None:
        self.phase, self.opens = "open", t
        self.players[0].status, self.players[0].up = "searching", self.players[0].queue.pop(0)
        self.tell(t, "opened")

    def back(self) -> None:
        player = self.players[0]
        assert player.up is not None
        player.queue.append(player.up)
        player.up = None

    def settle(self, t: int, *, refreshed: bool = False) -> None:
        if refreshed:
            self.refresh(t, self.round - 1)
        self.settled_at = t
        if self.players[0].queue:
            self.round += 1
            self.open(t)
        else:
            self.phase, self.reason, self.players[0].status = "over", "cleared", "idle"
            self.tell(t, "cleared")

    def claim(self, seat: int, text: str, at: int, lag: int) -> str | None:
        """The code of the refusal, None if the claim was an act."""
        self.run(at)
        player = self.players[0]
        if self.phase != "open":
            return {"over": "over", "countdown": "not-open"}[self.phase]
        if text == "nofit":
            right = not any(True for _ in self.safe(player))
            self.tell(at, "nofit-right" if right else "nofit-wrong", 0)
            self.penalties += 0 if right else 10_000
            self.back()
            self.settle(at, refreshed=right)
            return None
        place = read(text)
        assert player.up is not None
        legal = self.legal(self.colours(), player.up, place)
        _, fingers = turn(*face(self.deck, player.up), place[2])
        if not legal and self.was_legal(player.up, place, at - SEEN, at):
            self.tell(at, "bounced", 0, text)
            return None
        if legal and player.direction not in fingers:
            self.tell(at, "placed", 0, text)
            self.put(player.up, place, at)
            player.up = None
        else:
            self.tell(at, "self-block" if legal else "wrong", 0, text)
            self.penalties += 10_000
            if self.pile:
                self.put(player.up, place, at)
                player.up = None
                player.queue.append(self.pile.pop(0))
            else:
                self.back()
        self.settle(at)
        return None

    def result(self) -> tuple[list[int], list[int]]:
        """Place and score."""
        return [1], [self.settled_at - COUNT + self.penalties]


def begin(deal: dict[str, Any], options: dict[str, Any]) -> Company | Solo:
    """The match of a deal, as an odd one may begin: with short queues, a small pile, nothing white in the area.

    Cards left out lie covered in the area from the start.
    """
    deck, count = deal["deck"], len(deal["compass"])
    size = deal.get("queue", 12)
    hands = [deck[16 + size * seat : 16 + size * (seat + 1)] for seat in range(count)]
    pile = deck[16 + size * count :][: deal.get("pile", 88)]
    players = [Player(direction, hand) for direction, hand in zip(deal["compass"], hands, strict=True)]
    kind = Company if count > 1 else Solo
    table = kind(options["deck"], pile, players)
    if isinstance(table, Solo):
        table.limit = {"normal": 30_000, "expert": 10_000}[options["pace"]]
    for number, (card, i) in enumerate(zip(deck[:16], deal["turns"], strict=True)):
        table.put(card, (2 * (number // 4), 2 * (number % 4), i), 0)
    if deal.get("barren"):
        table.grid = [
            [(colour or 1 + (row + col) % 4, card) for col, (colour, card) in enumerate(cells)]
            for row, cells in enumerate(table.grid)
        ]
    table.areas = [(0, table.colours())]
    table.buried |= set(range(88)) - set(pile) - {card for hand in hands for card in hand}
    return table
