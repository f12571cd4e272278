"""Positions as plain data, and as trace lines."""

import json

from games.blockyou.position import Position
from games.blockyou.rules import RULES
from tests.games.blockyou.boards import alone, area, claim, company, wait
from tests.games.blockyou.dense import dense_match


def test_every_position_of_dense_matches_survives_storage() -> None:
    """Waiting claims, blocked seats, areas of before and all: through JSON text, with keys sorted."""
    kept = set()
    for players in range(1, 6):
        for position in dense_match(players, seed=1):
            stored = json.dumps(RULES.dump(position), sort_keys=True)
            loaded = RULES.load(json.loads(stored))
            assert loaded == position
            assert json.dumps(RULES.dump(loaded), sort_keys=True) == stored
            kept |= what_there_is(position)
    assert kept == {"past", "laid", "claim", "blocked", "sits_out", "placed_at", "up"}


def what_there_is(position: Position) -> set[str]:
    """Names of what may be missing from a position, and is not."""
    names = ("claim", "blocked", "sits_out", "placed_at", "up")
    return {name for name in names for seat in position.seats if getattr(seat, name) not in (None, False)} | (
        {name for name in ("past", "laid") if getattr(position, name)}
    )


def test_a_position_of_an_earlier_version_is_read() -> None:
    """It did not say where the last card was laid."""
    stored = RULES.dump(company())
    assert stored.pop("laid") is None
    assert RULES.load(stored) == company()


def test_a_stored_position_is_short() -> None:
    """It is written with every move."""
    assert max(len(json.dumps(RULES.dump(position))) for position in dense_match(5, seed=1)) < 4000


def test_a_trace_line_of_a_round() -> None:
    position = claim(claim(company(), 3, "5,5/0", 5000), 0, "0,0/0", 5100)
    assert RULES.trace(wait(position, 5200)) == {
        "at": 5200,
        "phase": "open",
        "round": 1,
        "area": list(wait(position, 5200).area.rows),
        "queues": [2, 2, 2, 2],
        "status": ["searching", "searching", "searching", "placed"],
        "waiting": 1,
        "pile": 3,
    }


def test_a_trace_line_counts_time_also_when_the_match_is_over() -> None:
    over = wait(claim(alone(queue=()), 0, "1,1/0", 5000), 9000)
    line = RULES.trace(over)
    assert (line["at"], line["phase"], line["status"]) == (9000, "over", ["idle"])


def test_areas_are_drawn_as_they_lie() -> None:
    """Boards of tests read as they are written."""
    drawing = "01234501 " * 8
    assert area(drawing).rows == ("01234501",) * 8
