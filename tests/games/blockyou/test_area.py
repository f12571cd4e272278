"""The area: windows, what fits, what is safe, and what a card covers."""

from random import Random

import pytest

from games.blockyou.area import first_legal, has_safe, is_legal, lay_out, legal_placements, safe_placements
from games.blockyou.cards import DECKS, CardFace
from games.blockyou.notation import format_move, parse_move
from games.blockyou.placement import PLACEMENTS, Placement
from tests.games.blockyou.boards import AREA, BARREN, EAST, NORTH, SOUTH, WEST, area

TWOS = CardFace("0222", (NORTH, EAST))


def legal(drawing: str, face: CardFace) -> list[str]:
    return [format_move(placement) for placement in legal_placements(area(drawing).colours, face)]


def place(text: str) -> Placement:
    placement = parse_move(text)
    assert isinstance(placement, Placement)
    return placement


def test_there_are_196_placements_numbered_row_by_row() -> None:
    assert len(PLACEMENTS) == 196
    assert PLACEMENTS[0] == Placement(0, 0, 0)
    assert PLACEMENTS[-1] == Placement(6, 6, 3)
    for number, placement in enumerate(PLACEMENTS):
        assert number == 28 * placement.row + 4 * placement.col + placement.turn == placement.number


def test_a_window_never_hangs_over_the_edge() -> None:
    """The whole area is of one colour: every window fits, and there is none in row or column 7."""
    assert legal(BARREN, CardFace("3333", (0, 1))) == [format_move(placement) for placement in PLACEMENTS]


def test_pairs_of_equal_colours_fit_and_windows_may_straddle_cards() -> None:
    assert legal(AREA, TWOS) == ["1,1/0", "1,1/1", "1,1/2", "1,1/3"]


def test_white_on_the_card_is_wild() -> None:
    """The white quarter lies where the area has a 5, whichever way that asks the card to be turned."""
    drawing = """
        33333333
        35233223
        32233523
        33333333
        33333333
        32233223
        32533253
        33333333
    """
    assert legal(drawing, TWOS) == ["1,1/0", "1,5/3", "5,1/2", "5,5/2"]


def test_white_in_the_area_is_wild() -> None:
    drawing = """
        33333333
        30033333
        30033333
        33333333
        33333333
        33333023
        33333203
        33333333
    """
    assert legal(drawing, CardFace("4141", (0, 1))) == ["1,1/0", "1,1/1", "1,1/2", "1,1/3"]
    assert {"5,5/0", "5,5/1", "5,5/2", "5,5/3"} <= set(legal(drawing, CardFace("2222", (0, 1))))


def test_one_pair_that_differs_is_too_many() -> None:
    drawing = AREA.replace("32233443", "32433443", 1)
    assert is_legal(area(drawing).colours, TWOS, place("1,1/1"))
    for text in ("1,1/0", "1,1/2", "1,1/3"):
        assert not is_legal(area(drawing).colours, TWOS, place(text))


def test_safe_is_what_fits_with_no_finger_in_the_own_direction() -> None:
    """Turned by a quarter at a time the fingers N and E point E and S, S and W, W and N."""
    colours = area(AREA).colours
    safe = {
        direction: [placement.turn for placement in safe_placements(colours, TWOS, direction)]
        for direction in (NORTH, EAST, SOUTH, WEST, 1)
    }
    assert safe == {NORTH: [1, 2], EAST: [2, 3], SOUTH: [0, 3], WEST: [0, 1], 1: [0, 1, 2, 3]}
    assert has_safe(colours, TWOS, NORTH)
    assert not has_safe(area(BARREN).colours, TWOS, NORTH)


def test_a_card_that_fits_only_pointing_at_its_owner_is_not_safe() -> None:
    drawing = AREA.replace("32233443", "32533443", 1)
    colours = area(drawing).colours
    assert [format_move(placement) for placement in legal_placements(colours, TWOS)] == ["1,1/1"]
    assert not has_safe(colours, TWOS, SOUTH)
    assert has_safe(colours, TWOS, NORTH)


def test_the_first_that_fits_is_searched_upward_and_round() -> None:
    colours = area(AREA).colours
    number = PLACEMENTS.index(place("1,1/2"))
    assert first_legal(colours, TWOS, number) == place("1,1/2")
    assert first_legal(colours, TWOS, number + 1) == place("1,1/3")
    assert first_legal(colours, TWOS, number + 2) == place("1,1/0")
    assert first_legal(area(BARREN).colours, TWOS, 0) is None


def test_a_card_covers_four_quarters_and_owns_them() -> None:
    """0 at the top left, turned once: the white comes to the top right."""
    after = area(AREA).with_card(7, CardFace("0124", (0, 1)), place("2,3/1"))
    assert after.rows == (
        "33333333",
        "32233443",
        "32240443",
        "33321333",
        "33333333",
        "31133553",
        "31133553",
        "33333333",
    )
    assert [cell for cell, owner in enumerate(after.owners) if owner == 7] == [19, 20, 27, 28]


def test_sixteen_cards_are_laid_row_by_row() -> None:
    """Card n shows its number's colours; the second is turned by a quarter, the last by a half."""
    faces = [CardFace(f"0{1 + n % 5}{1 + n // 5}5", (0, 1)) for n in range(16)]
    turns = [0, 1, *[0] * 13, 2]
    laid = lay_out((n, face, turn) for n, (face, turn) in enumerate(zip(faces, turns, strict=True)))
    assert laid.rows[:2] == ("01500304", "51125151")
    assert laid.rows[6:] == ("03040545", "53535310")
    assert laid.owners[:8] == (0, 0, 1, 1, 2, 2, 3, 3)
    assert laid.owners[-8:] == (12, 12, 13, 13, 14, 14, 15, 15)


@pytest.mark.parametrize("deck", DECKS)
def test_what_fits_agrees_with_trying_every_placement(deck: str) -> None:
    rng = Random(deck)
    for _ in range(60):
        colours = "".join(rng.choice("0012345") for _ in range(64))
        face, direction = rng.choice(DECKS[deck]), rng.randrange(8)
        tried = [placement for placement in PLACEMENTS if is_legal(colours, face, placement)]
        assert list(legal_placements(colours, face)) == tried
        safe = safe_placements(colours, face, direction)
        assert set(safe) <= set(tried)
        assert has_safe(colours, face, direction) == bool(safe)
