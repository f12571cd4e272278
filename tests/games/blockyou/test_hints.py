"""Hints of BlockYou!: what they suggest, and why."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from games.blockyou import bot, texts
from games.blockyou.area import safe_placements
from games.blockyou.position import Position
from games.blockyou.rules import RULES
from games.blockyou.texts.hints import HINTS
from games.contract.values import Hint
from tests.games.blockyou.boards import (
    AREA,
    BARREN,
    CONTESTED,
    FIVES,
    SOUTH,
    TWO_TWOS,
    TWOS,
    alone,
    claim,
    company,
    wait,
)
from tests.games.blockyou.dense import dense_match


def hints(position: Position, seat: int = 0, count: int = 40) -> list[Hint]:
    """What is suggested, so many times asked."""
    found = [bot.hint(RULES.view(position, seat), Random(number)) for number in range(count)]
    return [hint for hint in found if hint is not None]


def why(position: Position, seat: int = 0) -> dict[str, Any]:
    """The reasons of one hint."""
    return {code: dict(params) for code, params in hints(position, seat, 1)[0].why}


def test_every_hint_fits_and_is_safe() -> None:
    asked = 0
    for players in range(1, 6):
        for position in dense_match(players, seed=1):
            for seat in RULES.to_move(position):
                safe = safe_placements(position.area.colours, position.face_up(seat), position.setup.compass[seat])
                texts_of_safe = {RULES.format_move(placement) for placement in safe}
                for hint in hints(position, seat, 1):
                    assert hint.move in (texts_of_safe or {"nofit"})
                    asked += 1
    assert asked > 100


def test_it_blocks_as_many_as_it_can() -> None:
    """Turned 0 the fingers point north and east, turned 3 west and north. Who is done cannot be blocked any more."""
    assert {hint.move for hint in hints(company())} == {"1,1/0", "1,1/3"}
    assert why(company())["blocks"] == {"count": 2}
    fewer = wait(claim(company(), 3, "5,5/0", 5000), 5150)
    assert {hint.move for hint in hints(fewer)} == {"1,1/3"}


def test_of_whom_nobody_is_blocked_nothing_is_said() -> None:
    assert "blocks" not in why(company([TWOS, FIVES], [SOUTH, 1]))


def test_it_says_what_the_quarters_cover() -> None:
    assert why(company()) == {"blocks": {"count": 2}, "points-away": {"direction": SOUTH}, "covers": {"same": 3}}
    two = company([TWO_TWOS, TWOS], [SOUTH, 1], CONTESTED)
    assert why(two)["covers"] == {"same": 2}


def test_solo_it_may_be_that_nothing_fits() -> None:
    assert hints(alone(drawing=BARREN), count=1) == [Hint("nofit", (("nothing-safe", {}),))]
    assert {hint.move for hint in hints(alone())} == {"1,1/0", "1,1/3"}


def test_there_is_none_where_nothing_can_be_claimed_or_is_safe() -> None:
    assert hints(claim(company(), 0, "1,1/0", 5000)) == []
    mixed = company(drawing=AREA.replace("2", "3"))
    assert hints(mixed, 0) == []
    assert hints(mixed, 1) != []


def test_every_reason_comes_about_and_has_a_sentence() -> None:
    """And no sentence is left over."""
    given = [*hints(company()), *hints(alone(drawing=BARREN))]
    assert {code for hint in given for code, _ in hint.why} == set(HINTS)


@pytest.mark.parametrize(
    ("code", "params", "said"),
    [
        ("blocks", {"count": 1}, "blocks 1 player who searches"),
        ("blocks", {"count": 3}, "blocks 3 players who search"),
        ("points-away", {"direction": SOUTH}, "points no finger at you (south)"),
        ("covers", {"same": 0}, "matches every quarter by white"),
        ("covers", {"same": 1}, "matches 1 quarter by colour (the others by white)"),
        ("covers", {"same": 3}, "matches 3 quarters by colour (the others by white)"),
        ("nothing-safe", {}, "is right (no place is safe)"),
    ],
)
def test_reasons_are_parts_of_a_sentence(code: str, params: dict[str, Any], said: str) -> None:
    assert texts.hint(code, params) == said
