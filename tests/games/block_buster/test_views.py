"""What viewers of Block Buster see: all the same, and each what its own blocks could do."""

from dataclasses import replace

import pytest

from games.block_buster.placing import Fit
from games.block_buster.rules import RULES
from games.contract.values import OPEN, SPECTATOR, Viewer
from tests.games.block_buster.boards import legal, play, position, start

FIELD = """
    bbbbb..y
    .##..##y
    .##..##y
    r...yyyy
"""


@pytest.mark.parametrize("viewer", [0, 1, SPECTATOR, OPEN])
def test_everybody_sees_everything(viewer: Viewer) -> None:
    begun = position(FIELD, mode="two-colours", tokens=(-4, -1), supply=(6, 8), turn=2, out=(1,))
    view = RULES.view(begun, viewer)
    assert (view.viewer, view.phase, view.to_move, view.colour, view.ply) == (viewer, "play", 0, 2, 20)
    assert view.board[:4] == (
        "bbbbb..y............",
        ".##..##y.##..##..##.",
        ".##..##y.##..##..##.",
        "r...yyyy............",
    )
    assert (view.tokens, view.supply, view.out) == ((-4, -1), (6, 8), (1,))
    assert (view.placed, view.left, view.cells) == (begun.placed, begun.left, begun.cells)
    assert view.reach == (3, 4, 3, 4)
    assert [(ring.leader, ring.lead) for ring in view.rings[:2]] == [(0, 3), (1, 6)]
    # ABACD: an A for blue's player, a B for yellow's, who has acquired it
    assert view.held == ((1, 0, 0, 0, 0), (0, 1, 0, 0, 0))
    assert view.acquired == ((0, 0, 0, 0, 0), (0, 1, 0, 0, 0))
    assert view.scores == RULES.scores(begun)
    assert (view.may_pass, view.outcome) == (False, None)


def test_views_differ_by_seat_in_nothing_but_the_own_blocks() -> None:
    begun = position(FIELD, players=3)
    for viewer in (0, 1, 2, OPEN):
        view = replace(RULES.view(begun, viewer), viewer=SPECTATOR, fits=((), (), ()))
        assert view == RULES.view(begun, SPECTATOR)


def test_who_looks_on_has_no_seat_and_no_colours() -> None:
    for viewer in (SPECTATOR, OPEN):
        view = RULES.view(start(), viewer)
        assert (view.seat, view.may_act, view.own_colours, view.fits) == (None, False, (), ((), ()))


def test_seats_know_their_colours_and_whether_it_is_their_turn() -> None:
    begun = position(FIELD, mode="two-colours", turn=3)
    assert [RULES.view(begun, seat).own_colours for seat in (0, 1)] == [(0, 2), (1, 3)]
    assert [RULES.view(begun, seat).may_act for seat in (0, 1)] == [False, True]


def test_fits_tell_what_each_block_left_could_do_also_while_another_plays() -> None:
    begun = position("bb\n.##y", left={"b": "1 2 V5", "y": "1"}, tokens=(-8, 0), turn=1)
    assert RULES.view(begun, 0).fits == (
        (Fit("1", joined=2, jumps=2), Fit("2", joined=2, jumps=2), Fit("V5", joined=2, jumps=1)),
        (),
    )
    own = play(begun, "1 d3")
    fits = RULES.view(own, 0).fits[0]
    assert sum(fit.joined + fit.jumps for fit in fits) == len(legal(own))
    assert RULES.view(own, 1).fits == ((), ()), "yellow has nothing left"


def test_a_colour_that_is_out_and_a_match_that_is_over_have_no_fits() -> None:
    begun = position("bb\n.##y", out=(0,), turn=1)
    assert RULES.view(begun, 0).fits == ((), ())
    over = replace(begun, out=(0, 1), reason="exhausted")
    view = RULES.view(over, 1)
    assert (view.fits, view.phase, view.colour, view.to_move, view.may_pass) == (((), ()), "over", None, None, False)
    assert view.outcome == RULES.outcome(over)


def test_moves_read_the_same_for_everybody() -> None:
    move = RULES.parse_move("L4 c4 c5 d5 c6")
    for viewer in (0, 1, SPECTATOR, OPEN):
        assert RULES.view_move(start(), 0, move, viewer) == "L4 c4 c5 d5 c6"
