"""Scores and places."""

from dataclasses import replace

from games.blockyou.position import Position
from games.blockyou.results import places, scores
from tests.games.blockyou.boards import company


def ended(*left: int, placed_at: tuple[int | None, ...] | None = None) -> Position:
    """A match in which the seats have so many cards left."""
    position = company()
    cards = iter(range(88))
    seats = tuple(
        replace(position.seats[0], up=None, queue=tuple(next(cards) for _ in range(count)), placed_at=at)
        for count, at in zip(left, placed_at or [None] * len(left), strict=True)
    )
    return replace(position, seats=seats, phase="over", reason="cleared")


def test_the_score_is_the_number_of_cards_left() -> None:
    assert scores(ended(0, 5, 3)) == (0, 5, 3)
    assert scores(company()) == (3, 3, 3, 3), "one turned up would go back if the match ended now"


def test_fewer_cards_come_first_and_equal_numbers_share_the_place() -> None:
    assert places(ended(4, 2, 4, 1)) == (3, 2, 3, 1)
    assert places(ended(4, 2, 4, 1, placed_at=(1, 2, 3, 4))) == (3, 2, 3, 1)


def test_among_players_with_none_the_earlier_effective_time_comes_first() -> None:
    assert places(ended(0, 3, 0, placed_at=(5002, 1, 5001))) == (2, 3, 1)


def test_equal_times_share_the_place() -> None:
    assert places(ended(0, 3, 0, placed_at=(5001, None, 5001))) == (1, 3, 1)
