"""The bot of BlockYou! and the stand-in."""

from __future__ import annotations

from collections import Counter
from random import Random
from statistics import mean

import pytest

from games.blockyou import bot
from games.blockyou.placement import Placement
from games.blockyou.position import Position
from games.blockyou.rules import RULES
from tests.games.blockyou.boards import AREA, BARREN, OPENED, alone, claim, company, wait

by_levels = pytest.mark.parametrize("level", bot.LEVELS)


def chosen(position: Position, seat: int, count: int, level: str = "easy") -> Counter[str | None]:
    """What the bot claims, so many times asked."""
    view, rng = RULES.view(position, seat), Random(1)
    return Counter(bot.choose(view, level, rng) for _ in range(count))


def pauses(position: Position, seat: int = 0, *, at: int, level: str = "easy", count: int = 3000) -> list[int]:
    """How long it waits from that match time on, so many times asked."""
    view, rng = RULES.view(position, seat), Random(1)
    return [bot.pause(view, level, rng, at=at) for _ in range(count)]


def paused(position: Position, seat: int = 0, level: str = "easy") -> float:
    """How long it searches, on average, once it has seen all there is."""
    return mean(pauses(position, seat, at=OPENED + 5000, level=level)) - bot.SEES_CHANGE_MS


@by_levels
def test_it_mostly_claims_what_is_safe(level: str) -> None:
    """Window 1,1 turned 0 or 3; turned 1 or 2 a finger points at seat 0."""
    claims = chosen(company(), 0, 2000, level)
    safe = claims["1,1/0"] + claims["1,1/3"]
    assert safe > 1600
    assert claims["1,1/0"] > 700
    assert claims["1,1/3"] > 700


@by_levels
def test_it_makes_every_kind_of_mistake(level: str) -> None:
    claims = chosen(company(), 0, 2000, level)
    assert claims["1,1/1"] + claims["1,1/2"] > 30
    assert any(text is not None and not text.startswith("1,1") for text in claims)


def test_the_better_the_level_the_quicker_and_the_surer() -> None:
    safe = [sum(chosen(company(), 0, 4000, level)[text] for text in ("1,1/0", "1,1/3")) for level in bot.LEVELS]
    assert safe == sorted(safe)
    assert safe[0] + 200 < safe[1] + 100 < safe[2]
    easy, normal, hard = (paused(company(), level=level) for level in bot.LEVELS)
    assert easy > 1.5 * normal > 1.5 * 1.5 * hard


def test_it_waits_when_it_may_not_claim() -> None:
    ended = wait(claim(company(), 0, "1,1/0", 5000), 5150)
    for position in (ended, claim(company(), 0, "1,1/0", 5000)):
        assert chosen(position, 0, 1) == {None: 1}
        assert bot.pause(RULES.view(position, 0), "easy", Random(1), at=5000) == bot.LONGEST_WAIT


@by_levels
def test_few_safe_placements_take_long(level: str) -> None:
    """Half of the 196 are safe, four in two windows, two in one, none (nothing but misreadings)."""
    many, some, few = BARREN.replace("3", "2"), AREA.replace("4", "2"), AREA
    assert 1.6 < paused(company(drawing=few), level=level) / paused(company(drawing=some), level=level) < 2.4
    assert paused(company(drawing=many), level=level) < 800
    assert paused(company(drawing=BARREN), level=level) > 40_000


@pytest.mark.parametrize(
    ("level", "least", "most"), [("easy", 20_000, 35_000), ("normal", 14_000, 20_000), ("hard", 8_000, 12_000)]
)
def test_what_two_safe_placements_take(level: str, least: int, most: int) -> None:
    """Among 196, on average: so few are about as many as half of all cards have at most."""
    assert least < paused(company(), level=level) < most


def test_the_eye_is_drawn_to_what_has_just_changed() -> None:
    """What a card that was just laid touches is looked at again at once, and the rest less."""
    beside, far = company(laid=Placement(2, 2, 0)), company(laid=Placement(5, 5, 0))
    assert paused(beside) < 0.5 * paused(company())
    assert 1.2 * paused(company()) < paused(far)
    safe = ("1,1/0", "1,1/3")
    barely = {position: sum(chosen(position, 0, 2000)[text] for text in safe) for position in (beside, far)}
    assert barely[beside] > barely[far]


def test_pauses_are_positive_and_bounded() -> None:
    for position in (company(), alone(), company(drawing=BARREN)):
        assert all(1 <= wait <= bot.LONGEST_WAIT for wait in pauses(position, at=OPENED, count=500))


@by_levels
def test_it_claims_no_sooner_than_a_person_could_have_seen_the_card(level: str) -> None:
    """Counted from when the card turned up, also if it looks again in between: half of all places are safe here."""
    many = company(drawing=BARREN.replace("3", "2"))
    for late in (0, 100, 500):
        earliest = min(late + wait for wait in pauses(many, at=OPENED + late, level=level))
        assert bot.SEES_CARD_MS <= earliest < bot.SEES_CARD_MS + 50
    assert 700 <= bot.SEES_CARD_MS <= 900


def test_it_needs_a_moment_for_what_has_changed_in_the_round() -> None:
    """Far less than for a card: with changes all the time it would never claim."""
    many = company(drawing=BARREN.replace("3", "2"))
    for late in (bot.SEES_CARD_MS, 10_000):
        assert bot.SEES_CHANGE_MS <= min(pauses(many, at=OPENED + late)) < bot.SEES_CHANGE_MS + 50
    assert bot.SEES_CHANGE_MS < bot.SEES_CARD_MS / 2


def test_each_card_of_a_solo_match_is_seen_first() -> None:
    position = claim(alone(), 0, "1,1/0", OPENED + 5000)
    assert position.round == 2
    assert min(pauses(position, at=OPENED + 5000)) >= bot.SEES_CARD_MS


def test_solo_it_says_that_nothing_fits_when_it_has_looked_long_enough() -> None:
    position = alone(drawing=BARREN)
    for level in bot.LEVELS:
        assert chosen(position, 0, 500, level)["nofit"] > 400
        assert chosen(alone(), 0, 500, level)["nofit"] == 0
    assert 10_000 < paused(position, level="hard") < paused(position, level="normal") < 30_000


def test_who_has_left_claims_nothing() -> None:
    assert bot.stand_in(RULES.view(company(), 0), Random(1)) is None
