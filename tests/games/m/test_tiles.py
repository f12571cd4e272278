"""The tiles of M: how many there are, and what two of them share."""

from collections import Counter

import pytest

from games.m.tiles import ALL_TILES, COPIES, points_of, shared_features


def test_ninety_tiles_eighteen_and_400_points_a_colour() -> None:
    assert len(ALL_TILES) == 90
    for colour in "RYGBV":
        tiles = [tile for tile in ALL_TILES if tile[0] == colour]
        assert len(tiles) == 18
        assert sum(map(points_of, tiles)) == 400


def test_one_of_each_but_two_of_each_zero() -> None:
    assert Counter(ALL_TILES) == COPIES
    assert {tile for tile, copies in COPIES.items() if copies == 2} == {"R0", "Y0", "G0", "B0", "V0"}


@pytest.mark.parametrize(
    ("one", "other", "shared"),
    [
        ("RT3", "RC4", 1),
        ("RT3", "YT4", 1),
        ("RT3", "YC3", 1),
        ("RT3", "YC4", 0),
        ("RT3", "RT4", 2),
        ("RT3", "RC3", 2),
        ("RT3", "YT3", 2),
        ("R0", "R0", 2),
        ("R0", "Y0", 1),
        ("R0", "RT3", 1),
        ("R0", "YT3", 0),
    ],
)
def test_shared_features(one: str, other: str, shared: int) -> None:
    assert shared_features(one, other) == shared
    assert shared_features(other, one) == shared
