"""Rings: who leads, and what has been acquired for good."""

import pytest

from games.block_buster.rings import Ring, all_rings
from games.block_buster.rules import RULES
from tests.games.block_buster.boards import play_one, position, told


@pytest.mark.parametrize(
    ("counts", "leader", "lead", "acquirer"),
    [
        ((0, 0), None, 0, None),
        ((1, 0), 0, 1, None),
        ((2, 2), None, 0, None),
        ((3, 5), 1, 2, None),
        # more than the largest rival and the free cells together
        ((6, 0), 0, 6, None),
        ((7, 0), 0, 7, 0),
        ((0, 7), 1, 7, 1),
        ((5, 3), 0, 2, None),
        ((6, 4), 0, 2, None),
        ((6, 5), 0, 1, None),
        ((7, 5), 0, 2, 0),
        ((6, 6), None, 0, None),
        # the largest rival counts, not all together
        ((5, 3, 3), 0, 2, 0),
        ((5, 3, 2), 0, 2, None),
        ((4, 3, 3, 2), 0, 1, 0),
        ((4, 4, 2, 2), None, 0, None),
        ((3, 3, 3, 3), None, 0, None),
    ],
)
def test_leaders_and_acquirers(counts: tuple[int, ...], leader: int | None, lead: int, acquirer: int | None) -> None:
    ring = Ring("A", counts, 12 - sum(counts))
    assert (ring.leader, ring.lead, ring.acquirer) == (leader, lead, acquirer)


def test_seven_cells_always_suffice() -> None:
    for rival in range(6):
        for other in range(6 - rival):
            assert Ring("A", (7, rival, other), 5 - rival - other).acquirer == 0


def test_cells_count_for_the_ring_that_they_lie_in() -> None:
    begun = position(
        """
        bbbbb..y
        .##..##y
        .##..##y
        ....yyyy
        """
    )
    rings = all_rings(begun.setup, begun.cells)
    assert [ring.shape for ring in rings] == list("AABCBABCC")
    assert [(ring.counts, ring.free) for ring in rings[:3]] == [((4, 0), 8), ((1, 7), 4), ((0, 0), 12)]
    assert (rings[0].leader, rings[1].acquirer, rings[2].leader) == (0, 1, None)


def test_an_acquisition_is_told_once_also_if_another_colour_makes_it_sure() -> None:
    """Blue takes the last cells with which red could have caught up with yellow."""
    begun = position(
        """
        yyyy
        y##y
        .##.
        rr..
        """,
        players=3,
        left={"b": "1 2", "r": "1"},
    )
    after, events = play_one(begun, "2 c4 d4")
    assert told(events) == [
        ("acquired", {"seat": 1, "colour": "yellow", "tile": 0, "cell": "b2", "shape": "A"}),
    ]
    assert RULES.view(after, 0).rings[0].acquirer == 1
    _, events = play_one(after, "1 a3")
    assert told(events) == []


@pytest.mark.parametrize(("mode", "players"), [("two-colours", 2), ("pairs", 4)])
def test_a_partners_and_ones_own_other_colour_are_rivals_too(mode: str, players: int) -> None:
    begun = position(
        """
        bbbb
        b##r
        b##r
        rrrr
        """,
        mode=mode,
        players=players,
    )
    ring = RULES.view(begun, 0).rings[0]
    assert (ring.leader, ring.acquirer) == (None, None)
    assert sum(RULES.view(begun, 0).held[0]) == 0
