"""What a viewer may know: what lies open, the own card and the own claim; never the time reached."""

from dataclasses import fields

import pytest

from games.blockyou.cards import CardFace
from games.blockyou.placement import Placement
from games.blockyou.rules import RULES
from games.blockyou.timing import CAP, FINAL
from games.contract.values import OPEN, SPECTATOR, Viewer
from tests.games.blockyou.boards import FIVES, OPENED, SOUTH, TWOS, alone, claim, company, wait

CARDS = (
    CardFace("0222", (0, 2)),
    CardFace("0444", (0, 4)),
    CardFace("0111", (1, 4)),
    CardFace("0555", (3, 7)),
)


def test_all_see_the_area_the_counts_and_who_does_what() -> None:
    view = RULES.view(company(), SPECTATOR)
    assert view.area == company().area.rows
    assert view.owners[0] == (40, 40, 41, 41, 42, 42, 43, 43)
    assert view.owners[7] == (52, 52, 53, 53, 54, 54, 55, 55)
    assert (view.queues, view.turned_up, view.pile) == ((2,) * 4, (True,) * 4, 3)
    assert view.status == ("searching",) * 4
    assert view.scores == (3,) * 4
    assert (view.phase, view.round, view.opens, view.closes) == ("open", 1, OPENED, OPENED + CAP)


@pytest.mark.parametrize("seat", range(4))
def test_a_card_turned_up_is_seen_by_its_owner_alone(seat: int) -> None:
    shown = RULES.view(company(), seat).cards
    assert shown == tuple(CARDS[seat] if other == seat else None for other in range(4))


def test_who_looks_on_sees_no_card_and_when_the_match_is_over_all() -> None:
    assert RULES.view(company(), SPECTATOR).cards == (None,) * 4
    assert RULES.view(company(), OPEN).cards == CARDS


def test_a_claim_that_waits_is_seen_by_its_seat_alone() -> None:
    position = claim(company(), 0, "1,1/0", 5000)
    seen = Placement(1, 1, 0)
    assert RULES.view(position, 0).waiting == (seen, None, None, None)
    assert RULES.view(position, OPEN).waiting == (seen, None, None, None)
    assert not RULES.view(position, 0).may_claim
    for viewer in (1, 2, 3, SPECTATOR):
        assert RULES.view(position, viewer) == RULES.view(company(), viewer)


@pytest.mark.parametrize("viewer", [0, SPECTATOR, OPEN])
def test_a_view_does_not_tell_the_time_reached(viewer: Viewer) -> None:
    """Or it would be another one whenever somebody looks."""
    for position in (company(), alone()):
        assert RULES.view(wait(position, 9000), viewer) == RULES.view(position, viewer)


def test_the_order_of_face_down_cards_is_in_no_view() -> None:
    other = company(queues=[(80, 79), (78, 77), (76, 75), (74, 73)], pile=(69, 68, 58))
    assert RULES.view(other, 0) == RULES.view(company(), 0)


def test_all_see_where_the_last_card_was_laid_in_the_round() -> None:
    """Whoever looks at the board does. A claim that waits has laid nothing; the next round begins anew."""
    waiting = claim(company(), 3, "5,5/0", 5000)
    placed = wait(waiting, 5150)
    wrong = wait(claim(placed, 0, "0,0/0", 6000), 6150)
    for viewer in (0, 1, SPECTATOR, OPEN):
        assert [RULES.view(position, viewer).laid for position in (company(), waiting)] == [None, None]
        assert [RULES.view(position, viewer).laid for position in (placed, wrong)] == [
            Placement(5, 5, 0),
            Placement(0, 0, 0),
        ]
        assert RULES.view(wait(wrong, 101_000), viewer).round == 2
        assert RULES.view(wait(wrong, 101_000), viewer).laid is None


def test_in_final_a_claim_may_be_as_late_as_final_says() -> None:
    final = wait(claim(company([TWOS, FIVES], [SOUTH, 1]), 0, "0,0/0", 5000), 5150)
    view = RULES.view(final, SPECTATOR)
    assert (view.phase, view.closes) == ("final", 5150 + FINAL)
    assert view.sits_out_next == (True, False)


def test_between_rounds_nothing_is_to_be_done_until_the_next_opens() -> None:
    ended = wait(claim(company([TWOS, FIVES], [SOUTH, 1]), 1, "5,5/0", 5000), 5150)
    view = RULES.view(ended, 0)
    assert (view.phase, view.round, view.opens, view.closes) == ("countdown", 2, 12_150, None)
    assert (view.may_claim, view.status, view.turned_up) == (False, ("idle",) * 2, (False,) * 2)


def test_when_the_match_is_over_there_are_places() -> None:
    over = wait(claim(company([TWOS, FIVES], [SOUTH, 1], queues=[(60,), ()]), 1, "5,5/0", 5000), 5150)
    view = RULES.view(over, SPECTATOR)
    assert (view.phase, view.opens, view.closes) == ("over", None, None)
    assert (view.places, view.scores) == ((2, 1), (2, 0))
    assert RULES.view(company(), 0).places is None


def test_solo_the_view_has_the_card_its_time_and_the_penalties() -> None:
    view = RULES.view(claim(alone(), 0, "0,0/0", 5000), 0)
    assert (view.solo, view.round, view.opens, view.closes) == (True, 2, 5000, 35_000)
    assert (view.penalties, view.first_opened, view.pace) == (10_000, 3000, "normal")


def test_a_move_is_its_seats_alone() -> None:
    """What is public of it, an event tells when it is committed."""
    move = RULES.parse_move("1,1/0")
    seen = {viewer: RULES.view_move(company(), 0, move, viewer) for viewer in (0, 1, SPECTATOR, OPEN)}
    assert seen == {0: "1,1/0", 1: "?", SPECTATOR: "?", OPEN: "1,1/0"}


def test_no_view_has_a_field_that_is_not_spoken_of_here() -> None:
    """Whoever adds one has to say who may know it."""
    names = {field.name for field in fields(RULES.view(company(), 0))}
    public = {"solo", "pace", "phase", "round", "opens", "closes", "area", "owners", "compass", "queues", "turned_up"}
    public |= {"laid", "pile", "status", "sits_out_next", "penalties", "first_opened", "places", "scores"}
    assert names == public | {"viewer", "cards", "waiting", "may_claim"}
