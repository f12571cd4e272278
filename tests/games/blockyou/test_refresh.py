"""Refreshing the area."""

from dataclasses import replace

import pytest

from games.blockyou.position import Position, fully_covered
from games.blockyou.refresh import refresh
from games.contract.values import Event
from tests.games.blockyou.boards import AREA, BARREN, TWOS, company, told

HELD = {*range(60, 68), 0, 81, 22, 59}
"""The cards of the four seats."""


def refreshed(position: Position, number: int) -> tuple[Position, list[Event]]:
    happened: list[Event] = []
    return refresh(position, 9000, number, happened), happened


def test_the_top_penalty_card_goes_to_the_first_place_where_it_fits_whatever_its_fingers_say() -> None:
    """Card 0 fits window 1,1 alone, number 32 to 35; in round 4 the search starts at 4 * 53 - 196 = 16."""
    after, happened = refreshed(company(pile=(TWOS, 71), drawing=AREA), 4)
    assert told(happened) == [(9000, "refreshed", {"card": TWOS, "claim": "1,1/0"})]
    assert after.pile == (71,)
    assert after.area.rows[1:3] == ("30233443", "32233443")
    assert after.past[-1].until == 9000
    assert after.past[-1].seat is None


@pytest.mark.parametrize(("number", "start"), [(0, "0,0/0"), (1, "1,6/1"), (3, "5,4/3"), (4, "0,4/0"), (15, "0,2/3")])
def test_the_search_starts_where_the_round_says(number: int, start: str) -> None:
    """On an area where the card fits everywhere, that is where it goes: 53 placements further each round."""
    _, happened = refreshed(company(pile=(TWOS,), drawing=BARREN.replace("3", "0")), number)
    assert happened[0].params["claim"] == start


def test_the_search_goes_round() -> None:
    """In round 1 it starts at 53, behind the only window."""
    _, happened = refreshed(company(pile=(TWOS,), drawing=AREA), 1)
    assert happened[0].params["claim"] == "1,1/0"


def test_a_card_that_fits_nowhere_goes_to_the_middle() -> None:
    after, happened = refreshed(company(pile=(TWOS,), drawing=BARREN), 4)
    assert happened[0].params["claim"] == "3,3/0"
    assert after.area.rows[3:5] == ("33302333", "33322333")


def covering(*cards: int) -> Position:
    """No pile; of all cards that no seat holds, these alone are fully covered: the others' quarters are seen."""
    position = company(pile=(), drawing=BARREN)
    seen = [card for card in range(88) if card not in HELD and card not in cards]
    # 88 - 12 - 2 do not fit on 64 quarters: what is left over is put into a queue.
    owners, over = seen[:64], seen[64:]
    owners += [owners[0]] * (64 - len(owners))
    position = position.with_seat(0, replace(position.seats[0], queue=(60, 61, *over)))
    return replace(position, area=replace(position.area, owners=tuple(owners)))


def test_with_the_pile_empty_the_lowest_card_that_is_fully_covered_takes_its_place() -> None:
    position = covering(17, 5)
    assert fully_covered(position) == [5, 17]
    after, happened = refreshed(position, 0)
    assert happened[0].params["card"] == 5
    assert 5 in after.area.owners
    assert 5 not in fully_covered(after)


def test_with_none_covered_nothing_happens() -> None:
    position = covering()
    assert refreshed(position, 0) == (position, [])
