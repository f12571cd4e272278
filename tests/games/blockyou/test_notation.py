"""Claims as text."""

import pytest

from games.blockyou.notation import format_move, parse_move
from games.blockyou.placement import PLACEMENTS, Placement
from games.blockyou.position import NOFIT
from games.contract.errors import IllegalMove


def test_a_claim_is_row_column_and_turn() -> None:
    assert parse_move("3,0/2") == Placement(3, 0, 2)
    assert format_move(Placement(3, 0, 2)) == "3,0/2"
    assert parse_move("nofit") == NOFIT
    assert format_move(NOFIT) == "nofit"


def test_every_placement_has_one_text() -> None:
    texts = [format_move(placement) for placement in PLACEMENTS]
    assert len(set(texts)) == 196
    assert [parse_move(text) for text in texts] == [*PLACEMENTS]


NO_CLAIMS = [
    *("", "7,0/0", "0,7/0", "0,0/4", "3,0", "3,0/", "3,0/2 ", " 3,0/2", "3,0/2\n", "3, 0/2", "03,0/2", "3.0/2"),
    *("-1,0/0", "3,0/-1", "\u0663,0/2", "Nofit", "nofit ", "pass", "?", "\ud800", "9" * 5000),
]


@pytest.mark.parametrize("text", NO_CLAIMS)
def test_anything_else_is_malformed(text: str) -> None:
    with pytest.raises(IllegalMove) as refused:
        parse_move(text)
    assert refused.value.code == "malformed"
