"""What each viewer of M may know, and that nothing else reaches them."""

from dataclasses import replace
from random import Random

import pytest

from games.contract.values import OPEN, SPECTATOR, Viewer
from games.m.position import Fit, Position
from games.m.rules import RULES
from tests.games.m.boards import board, legal, play, position

FIELD = """
    .   RT1 .
    RC2 .   RT3
    .   RF4 .
"""


def test_a_seat_sees_its_own_hand_a_spectator_none_and_open_all() -> None:
    start = position(FIELD, ["RT2 B0", "V0 GS1", "YF4"])
    hands = (("B0", "RT2"), ("GS1", "V0"), ("YF4",))
    assert RULES.view(start, 0).hands == (hands[0], None, None)
    assert RULES.view(start, 2).hands == (None, None, hands[2])
    assert RULES.view(start, SPECTATOR).hands == (None, None, None)
    assert RULES.view(start, OPEN).hands == hands


def test_everybody_sees_the_field_the_chips_the_taken_tiles_and_how_much_is_left() -> None:
    taken = (("RT4", "YT3"), (), ("B0",))
    start = position(FIELD, ["RT2 B0", "V0 GS1", "YF4"], chips=(3, 6, 9), taken=taken, turn=2)
    for viewer in (0, 1, 2, SPECTATOR, OPEN):
        view = RULES.view(start, viewer)
        assert view.table == board(FIELD)
        assert (view.phase, view.to_move, view.ply) == ("play", 2, 20)
        assert (view.chips, view.stack, view.hand_sizes) == ((3, 6, 9), 3, (2, 2, 1))
        assert (view.taken, view.scores) == (taken, (100, 60, 90))
        assert (view.scoring, view.takeable, view.outcome) == (None, (), None)


def test_fits_show_the_chips_that_a_place_would_really_bring() -> None:
    start = position(FIELD, ["RT2", "V0", "V0"], chips=(10, 1, 1))
    fits = {fit.cell: fit for fit in RULES.view(start, 0).fits}
    assert fits[1, 1] == Fit("RT2", (1, 1), chips=2), "three are due, but the others have two"
    assert fits[0, 0].chips == 1
    assert fits[1, -1].chips == 0


def test_fits_show_which_lines_would_score() -> None:
    drawing = """
        .   .   .   .   RT2
        .   .   .   .   RF3
        .   .   .   .   RC1
        .   .   .   .   RS2
        RT1 RC2 RS3 RF4 .
    """
    fits = {(fit.tile, fit.cell): fit for fit in RULES.view(position(drawing, ["RS4 R0", "V0"]), 0).fits}
    assert fits["RS4", (4, 4)].lines == ("row", "col")
    assert fits["RS4", (4, 4)].said == ("row", "col")
    assert fits["R0", (4, 4)].lines == ()
    assert fits["R0", (4, 4)].said == (None,)


def test_fits_are_listed_also_while_it_is_anothers_turn_and_only_for_the_own_hand() -> None:
    start = position("RT3", ["RC1", "YT1", "V0"], turn=1)
    assert {fit.tile for fit in RULES.view(start, 0).fits} == {"RC1"}
    assert {fit.tile for fit in RULES.view(start, 1).fits} == {"YT1"}
    for viewer in (2, SPECTATOR, OPEN):
        assert RULES.view(start, viewer).fits == ()


def test_fits_are_the_legal_placements() -> None:
    start = position(FIELD, ["RT2 B0 RC1 YS4", "V0"])
    fits = RULES.view(start, 0).fits
    texts = [f"{fit.tile}@{fit.cell[0]},{fit.cell[1]}" for fit in fits]
    assert texts == [text for text in legal(start) if not text.startswith("pass")]


def test_a_scoring_round_shows_all_its_line_whose_pick_it_is_and_what_may_be_taken() -> None:
    begun = play(position("RT1 RC2 RS3 RF4 .", ["RS4", "V0", "V0"]), "RS4@4,0", "take 4,0")
    for viewer in (0, 1, 2, SPECTATOR, OPEN):
        view = RULES.view(begun, viewer)
        assert (view.phase, view.to_move) == ("take", 2)
        assert view.scoring is not None
        assert (view.scoring.placer, view.scoring.picker) == (0, 2)
        assert view.scoring.line == ((0, 0), (1, 0), (2, 0), (3, 0))
        assert view.takeable == ((0, 0), (3, 0))
        assert view.fits == ()


def test_when_it_is_over_the_outcome_is_seen_and_hands_stay_hidden() -> None:
    over = play(position("RT1 .", ["RC2", "YS4"], stack=()), "RC2@1,0")
    view = RULES.view(over, 0)
    assert view.phase == "over"
    assert view.outcome == RULES.outcome(over)
    assert view.hands == ((), None)


def test_only_the_tile_of_an_exchange_is_hidden_in_the_text_of_a_move() -> None:
    start = position(FIELD, ["RT2", "V0"])
    for text in ("RT2@1,1", "take 2,-1", "pass"):
        move = RULES.parse_move(text)
        for viewer in (0, 1, SPECTATOR, OPEN):
            assert RULES.view_move(start, 0, move, viewer) == text
    exchange = RULES.parse_move("pass RT2")
    assert [RULES.view_move(start, 0, exchange, viewer) for viewer in (0, 1, SPECTATOR, OPEN)] == [
        "pass RT2",
        "pass ??",
        "pass ??",
        "pass RT2",
    ]


def shuffled_for(viewer: Viewer, start: Position, rng: Random) -> Position:
    """The position with all tiles that the viewer does not see dealt anew among the others' hands and the stack."""
    others = [seat for seat in range(start.seats) if seat != viewer]
    hidden = [tile for seat in others for tile in start.hands[seat]] + list(start.stack)
    rng.shuffle(hidden)
    hands = list(start.hands)
    for seat in others:
        hands[seat] = tuple(sorted(hidden.pop() for _ in start.hands[seat]))
    return replace(start, hands=tuple(hands), stack=tuple(hidden))


@pytest.mark.parametrize("players", range(2, 7))
def test_what_a_viewer_may_not_know_changes_nothing_they_get(players: int) -> None:
    """A random match; at every ply the hidden tiles are dealt anew for each viewer, who must not notice."""
    rng = Random(players)
    current = RULES.start({}, RULES.deal({}, [""] * players, rng), players)
    while current.reason is None:
        seat = current.to_move
        assert seat is not None
        move = rng.choice(RULES.legal_moves(current, seat))
        after, events = RULES.play(current, seat, move, at=5)
        for viewer in (*range(players), SPECTATOR):
            other = shuffled_for(viewer, current, rng)
            assert repr(RULES.view(other, viewer)) == repr(RULES.view(current, viewer))
            if move in RULES.legal_moves(other, seat):
                other_after, other_events = RULES.play(other, seat, move, at=5)
                # What one draws oneself may differ, and whether everybody is blocked; that is news, not a leak.
                if viewer not in (seat, current.turn) and other_after.reason == after.reason:
                    assert repr(RULES.view(other_after, viewer)) == repr(RULES.view(after, viewer))
                    assert [event for event in other_events if event.seen_by(viewer)] == [
                        event for event in events if event.seen_by(viewer)
                    ]
        current = after


def test_the_order_in_which_the_field_came_to_be_is_not_seen() -> None:
    one = play(position("RT3", ["RT1", "RT2"]), "RT1@1,0", "RT2@0,1")
    two = RULES.load(RULES.dump(one))
    assert list(RULES.view(one, 0).table) == list(RULES.view(two, 0).table)
    backwards = replace(one, table=dict(reversed(one.table.items())))  # type: ignore[call-overload]
    assert repr(RULES.view(backwards, 1)) == repr(RULES.view(one, 1))
    assert RULES.legal_moves(backwards, 0) == RULES.legal_moves(one, 0)
