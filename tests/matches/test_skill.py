"""The arithmetic of ratings: whoever does better never gets less for it, and it depends on nothing but places."""

from __future__ import annotations

from itertools import permutations, product

import pytest

from games.matches.skill import MU, Competitor, Strength, rated

NEW = Strength()
SETTLED = Strength(27.0, 2.0)


def flat(strengths: list[Strength]) -> list[float]:
    return [number for each in strengths for number in (each.mu, each.sigma)]


def changes(places: tuple[int, ...], strengths: tuple[Strength, ...] | None = None) -> list[int]:
    """What everybody's shown rating changes by, each a team of one."""
    before = strengths or (NEW,) * len(places)
    after = rated(
        [Competitor(strength, team, place) for team, (strength, place) in enumerate(zip(before, places, strict=True))]
    )
    return [now.shown - then.shown for then, now in zip(before, after, strict=True)]


def test_numbers_are_those_that_the_stored_ledgers_were_made_with() -> None:
    """If this fails after an upgrade of the library: every game's ratings must be recomputed, or there is none."""
    two = rated([Competitor(NEW, 0, 1), Competitor(SETTLED, 1, 2)])
    assert flat(two) == pytest.approx([28.658703965488765, 7.784732709159501, 26.788913889802316, 1.9999673010064103])
    three = rated([Competitor(NEW, 0, 1), Competitor(Strength(27, 4), 1, 1), Competitor(Strength(20, 3), 2, 3)])
    assert flat(three) == pytest.approx(
        [
            27.79903114055587,
            7.34745984693906,
            27.52980712122385,
            3.919037707939362,
            19.338884895265426,
            2.975059385520401,
        ]
    )
    assert changes((1, 2)) == [79, -79]
    assert changes((1, 2, 3)) == [158, 0, -158]
    assert NEW.shown == 1500


def test_settled_ratings_mean_what_chess_players_expect() -> None:
    """400 points are about ten wins to one: so the favourite gains a tenth of what the other would."""
    strong, weak = Strength(MU + 400 / 30, 1.0), Strength(MU, 1.0)
    favourite, _loser = rated([Competitor(strong, 0, 1), Competitor(weak, 1, 2)])
    _beaten, outsider = rated([Competitor(strong, 0, 2), Competitor(weak, 1, 1)])
    assert 9 < (outsider.mu - weak.mu) / (favourite.mu - strong.mu) < 11


@pytest.mark.parametrize("count", [2, 3, 4, 5])
def test_better_place_is_never_worth_less(count: int) -> None:
    """Of equals, in every way to share places: also who shares the first one gets more than who comes behind."""
    for pattern in product(range(count), repeat=count):
        places = tuple(1 + sum(other < own for other in pattern) for own in pattern)
        got = changes(places)
        for one, other in permutations(range(count), 2):
            if places[one] < places[other]:
                assert got[one] > got[other], places
            if places[one] == places[other]:
                assert got[one] == got[other], places
        assert abs(sum(got)) <= count, "what is won is what is lost, but for rounding"


def test_draw_of_unequals_brings_them_nearer() -> None:
    strong, weak = Strength(30.0, 3.0), Strength(22.0, 3.0)
    down, up = changes((1, 1), (strong, weak))
    assert down < 0 < up


def test_order_of_the_seats_does_not_matter() -> None:
    strengths = (Strength(30, 2), Strength(25, 8), Strength(20, 5), Strength(26, 3))
    places = (2, 1, 4, 2)
    expected = dict(zip(strengths, changes(places, strengths), strict=True))
    for order in permutations(range(4)):
        got = changes(tuple(places[at] for at in order), tuple(strengths[at] for at in order))
        assert got == [expected[strengths[at]] for at in order]


def pairs(*places: int) -> list[int]:
    """What changes for the seats of two pairs, 0 with 2 and 1 with 3."""
    after = rated([Competitor(NEW, seat % 2, place) for seat, place in enumerate(places)])
    return [each.shown - NEW.shown for each in after]


def test_members_of_a_team_win_and_lose_together() -> None:
    won, lost, partner, other = pairs(1, 2, 1, 2)
    assert won == partner > 0 > lost == other
    assert pairs(1, 1, 1, 1) == [0, 0, 0, 0]


def test_leaver_of_a_pair_loses_whatever_the_pair_achieves() -> None:
    """The partner keeps the team's result, and the opponents' is that against the whole team."""
    whole = pairs(1, 2, 1, 2)
    left = pairs(4, 2, 1, 2)
    assert left[1:] == whole[1:]
    assert left[0] == pairs(2, 1, 2, 1)[0] < 0
    # Where the team has lost anyway, leaving it costs what losing costs.
    assert pairs(4, 1, 2, 1) == pairs(2, 1, 2, 1)
