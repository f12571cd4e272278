"""The lessons of M: matching, chips, passing, the scoring round, taking, the two colours, and taking what hurts.

What a legal move may fail by, as codes that `texts/lessons.py` explains: `passed` (a placement is asked for),
`one-neighbour`, `few-chips`, `no-exchange-yet`, `one-feature` (the row is full, and does not score), `no-round-begun`,
`less` (another tile brings more), `counts-against`, `costs-more`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from games.contract.lessons import Answer, Judge, Lesson, Played, Step
from games.contract.values import Json
from games.m.dealing import tiles_used
from games.m.field import line_through, neighbours
from games.m.position import Cell, Pass, Place, Position, Take
from games.m.scoring import LINE_LENGTHS, score, takeable
from games.m.tiles import ALL_TILES, points_of

PLAYERS, LEARNER = 2, 0
CHIPS_WANTED = 2
"""What the lesson on chips asks for: three neighbours."""


def _deal(start: str, own: str, other: str, drawn: str = "") -> dict[str, Json]:
    """The first five tiles, the two hands, and what is drawn next; the rest of the stack is never seen."""
    known = " ".join((start, own, other, drawn)).split()
    rest = Counter(ALL_TILES) - Counter(known)
    tiles: list[Json] = [*known, *rest.elements()]
    return {"tiles": tiles[: tiles_used(PLAYERS)], "first": LEARNER}


def _lesson(
    key: str, deal: dict[str, Json], judges: tuple[Judge, ...], *opening: str, replies: tuple[str, ...] = ()
) -> Lesson:
    """A lesson for the first of two players, with the replies to its last step.

    Moves are like "0 GS2@0,0": the seat, then the move.
    """
    steps = (*map(Step, judges[:-1]), Step(judges[-1], _moves(replies)))
    return Lesson(key, PLAYERS, {}, deal, steps, _moves(opening), seat=LEARNER)


def _moves(texts: tuple[str, ...]) -> tuple[Played, ...]:
    return tuple(Played(int(seat), move) for seat, _, move in (text.partition(" ") for text in texts))


def _placing(judge: Callable[[Answer, Place], str | None]) -> Judge:
    """For what asks for a placement."""
    return lambda answer: judge(answer, answer.move) if isinstance(answer.move, Place) else "passed"


def _touches_two(answer: Answer, move: Place) -> str | None:
    return None if len(neighbours(answer.before.table, move.cell)) > 1 else "one-neighbour"


def _brings_chips(answer: Answer, move: Place) -> str | None:
    won = sum(event.params["count"] for event in answer.events if event.code == "chips")
    return None if won >= CHIPS_WANTED else "few-chips"


def _exchanges(answer: Answer) -> str | None:
    return None if answer.move != Pass() else "no-exchange-yet"


def _begins_round(answer: Answer, move: Place) -> str | None:
    if answer.happened("round"):
        return None
    return (
        "one-feature" if len(line_through(answer.after.table, move.cell, "row")) in LINE_LENGTHS else "no-round-begun"
    )


def _taking(code: str, worth: Callable[[Position, Cell], int]) -> Judge:
    """For what asks for the tile that is worth most of those that may be taken."""

    def judge(answer: Answer) -> str | None:
        position, move = answer.before, answer.move
        assert isinstance(move, Take), "in a scoring round nothing else is legal"
        best = max(worth(position, cell) for cell in takeable(position.table, position.scoring.line))
        return None if worth(position, move.cell) == best else code

    return judge


def _points(position: Position, cell: Cell) -> int:
    return points_of(position.table[cell])


def _score_with(position: Position, cell: Cell) -> int:
    return score(position.chips[LEARNER], (*position.taken[LEARNER], position.table[cell]))


LESSONS: tuple[Lesson, ...] = (
    _lesson(
        "matching",
        _deal("RT2 YC3 BS2 GF1 VT4", "RC2 YT4 GS3 V0", "BF3 RS4 YS1 GC4", "BC1"),
        (_placing(_touches_two),),
    ),
    _lesson(
        "chips",
        _deal("RT2 YT3 BS2 GF1 VS4", "YS2 BT1 GC3 V0", "BF3 RS4 YS1 GC4", "RC1"),
        (_placing(_brings_chips),),
    ),
    # The tiles on the table and those of the hand have neither colour nor figure nor value in common.
    _lesson(
        "passing",
        _deal("RT1 YT2 RC2 YC1 RT2", "BS3 GF4 VS4 BF3", "RC1 YT1 GC2 BT4", "GT1"),
        (_exchanges,),
    ),
    # The row has five tiles, and did not score. A sixth fits at both ends, but YC4 alone shares two features, with YC1.
    _lesson(
        "scoring",
        _deal("BS3 RF3 RC1 RT1 YC1", "VS4 BC1 YC4 YS4", "GF2 GF3 RC3 BF1", "GT4 VF2 RT3"),
        (_placing(_begins_round), _taking("less", _points)),
        "0 BC1@3,1",
        "1 BF1@1,1",
    ),
    _lesson(
        "taking",
        _deal("BF3 GT3 BT2 VS2 BC2", "V0 YF3 VT4 YC3", "BC3 GF1 V0 YT3", "RF2 RT4 BT1"),
        (_taking("less", _points),),
        "0 YC3@5,1",
        "1 V0@3,-1",
        "0 RF2@3,1",
        "1 BC3@1,1",
        "1 take 5,1",
        replies=("1 take 4,1",),
    ),
    # 40 red and 40 yellow are taken. Of what may be taken now, green 20 would count against, red 10 for the learner.
    _lesson(
        "colours",
        _deal("YS4 BC2 RC1 V0 RF4", "GC4 GS2 YC4 RC3", "GF1 YT4 R0 VC3", "VT1 RF1 YC3 RT1 GT1 BF3 YS1 GC2"),
        (_taking("counts-against", _score_with),),
        "0 GS2@0,0",
        "1 YT4@-1,1",
        "0 RC3@1,-1",
        "1 R0@3,1",
        "0 YC4@1,1",
        "0 take 4,1",
        "1 take -1,1",
        "0 take 0,1",
        "1 VC3@2,0",
        "0 VT1@4,0",
        "1 RT1@5,0",
        "1 take 2,0",
    ),
    # 40 yellow and 20 violet are taken. One of blue 10 and green 20 must be taken as well.
    _lesson(
        "forced",
        _deal("VT4 VT3 VF3 GF3 YF4", "VT1 Y0 GF2 VF2", "V0 GC4 Y0 GT2", "BS2 GF4 VS2 YF2 VS3 BC1 YF1 YS4 RC3"),
        (_taking("costs-more", _score_with),),
        "0 VT1@1,1",
        "1 GC4@3,-1",
        "0 VF2@3,1",
        "0 take 4,1",
        "1 take 0,1",
        "1 GF4@2,-1",
        "0 BS2@3,2",
        "1 GT2@4,0",
        "0 VS2@3,3",
        "0 take 3,3",
        "1 take 3,2",
        "1 BC1@0,1",
        "0 GF2@4,1",
    ),
)
