"""The lessons of BlockYou!: placing, white, turning, fingers, oneself, errors, ten seconds, the last player, no fit.

Time stands still in them: a claim is made at the moment at which the lesson stands, and time goes on just so far that
its verdict falls. All are played with the easy cards, and the learner sits in the south.

What a claim may fail by, as codes that `texts/lessons.py` explains: `wrong` and `self-block`, which are the rules' own
verdicts; `wrong-alone` (of who plays alone), `no-white`, `nobody-blocked`, `no-error`.
"""

from __future__ import annotations

from games.blockyou.cards import CARDS, WHITE, turned
from games.blockyou.dealing import QUEUE
from games.blockyou.placement import Placement
from games.blockyou.position import Position
from games.blockyou.timing import COUNT, HOLD
from games.contract.lessons import Answer, Judge, Lesson, Played, Step
from games.contract.values import Json

LEARNER = 0
DECK = {"deck": "easy"}

OPENED = COUNT + 2_000
"""When most lessons stand: the round has just opened."""

OTHERS_CLAIM, AFTER_THEM = COUNT + 3_000, COUNT + 4_000
"""When another player claims first, and when the lesson stands then."""


def _deal(area: str, turns: str, fronts: str, compass: tuple[int, ...]) -> dict[str, Json]:
    """The cards of the area and how they are turned, the first card of each seat, and where the seats are.

    The other cards, which stay face down, follow in their order.
    """
    open_cards = [int(card) for card in area.split()]
    first = [int(card) for card in fronts.split()]
    rest = [card for card in range(CARDS) if card not in (*open_cards, *first)]
    deck = open_cards
    for card in first:
        deck = [*deck, card, *rest[: QUEUE - 1]]
        rest = rest[QUEUE - 1 :]
    return {
        "deck": [*deck, *rest],
        "turns": [int(turn) for turn in turns],
        "compass": list(compass),
    }


def _lesson(key: str, deal: dict[str, Json], judge: Judge, *claims: str) -> Lesson:
    """A lesson of one step; `claims` are those of the second seat before it."""
    seats = deal["compass"]
    assert isinstance(seats, list)
    return Lesson(
        key,
        len(seats),
        DECK,
        deal,
        (Step(judge),),
        tuple(Played(1, claim, OTHERS_CLAIM) for claim in claims),
        seat=LEARNER,
        at=AFTER_THEM if claims else OPENED,
        settles=HOLD,
    )


def _verdict(answer: Answer) -> str | None:
    """The code of an error in the claim; None for a card that is placed, which is all that most steps ask for."""
    return next((code for code in ("wrong", "self-block") if answer.happened(code, seat=LEARNER)), None)


def _colour_on_white(answer: Answer) -> str | None:
    return _verdict(answer) or (None if _covers_white(answer.before, answer.move) else "no-white")


def _covers_white(position: Position, claim: Placement) -> bool:
    """Whether a coloured quarter of the learner's card lies on a white one of the area."""
    own = turned(position.face_up(LEARNER), claim.turn).quarters
    return any(position.area.colours[cell] == WHITE != colour for cell, colour in zip(claim.cells, own, strict=True))


def _blocks_somebody(answer: Answer) -> str | None:
    return _verdict(answer) or (None if answer.happened("blocked", by=LEARNER) else "nobody-blocked")


def _errs(answer: Answer) -> str | None:
    return None if _verdict(answer) else "no-error"


def _says_no_fit(answer: Answer) -> str | None:
    return None if answer.happened("nofit-right") else "wrong-alone"


LESSONS: tuple[Lesson, ...] = (
    _lesson(
        "placing",
        _deal("29 42 0 72 57 37 34 47 78 65 54 33 83 82 5 70", "0130210120211123", "66 50", (4, 0)),
        _verdict,
    ),
    _lesson(
        "white",
        _deal("63 40 27 87 14 65 61 73 39 18 47 33 58 1 34 70", "0311020022300110", "74 13", (4, 0)),
        _colour_on_white,
    ),
    # As the card is turned up, it fits nowhere.
    _lesson(
        "turning",
        _deal("56 34 16 18 62 58 28 43 3 25 39 2 74 75 67 65", "1032103222203332", "22 20", (4, 0)),
        _verdict,
    ),
    _lesson(
        "fingers",
        _deal("50 35 75 67 47 71 16 87 34 14 18 40 28 66 4 61", "0001010203300311", "2 42 58 43 79", (4, 1, 2, 7, 6)),
        _blocks_somebody,
    ),
    # As the card is turned up, a finger points south.
    _lesson(
        "oneself",
        _deal("14 26 20 2 17 82 78 47 41 33 71 77 81 85 3 43", "3032213112032111", "21 37 18 4", (4, 2, 0, 6)),
        _verdict,
    ),
    _lesson(
        "errors",
        _deal("30 75 69 16 47 77 60 80 74 8 82 1 81 33 70 29", "3102330003221020", "24 63", (4, 0)),
        _errs,
    ),
    # The other one has claimed a place that does not fit.
    _lesson(
        "final",
        _deal("44 78 19 47 48 72 32 46 40 51 26 14 2 12 84 25", "1322313212030103", "34 20", (4, 0)),
        _verdict,
        "3,2/1",
    ),
    # The second one has placed, blocking nobody; the third one searches.
    _lesson(
        "last",
        _deal("53 73 1 45 5 69 66 47 80 26 38 44 87 63 43 42", "1221311111321013", "78 61 48", (4, 7, 1)),
        _verdict,
        "0,1/2",
    ),
    # The card fits nowhere, however it is turned.
    _lesson(
        "nofit",
        _deal("17 48 63 80 36 7 6 71 23 3 11 62 37 64 61 4", "0010303230012210", "2", (4,)),
        _says_no_fit,
    ),
)
