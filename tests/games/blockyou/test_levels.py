"""The levels of BlockYou!'s bot, as docs/bots.md has them: how quick, how sure, and that the better one wins."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from pathlib import Path
from statistics import median

import pytest

from games.blockyou import bot
from games.contract.registry import get_game
from games.contract.tournament import Pairing, Series, play_numbered

MATCHES = 40
"""The first of the series in the document."""

BETTER = [(better, worse) for worse, better in pairwise(bot.LEVELS)]
DOCUMENT = Path(__file__).parents[3] / "docs" / "bots.md"
SECTION = DOCUMENT.read_text().partition("## BlockYou!")[2].partition("\n## ")[0]


@cache
def series(better: str, worse: str, players: int) -> Series:
    game = get_game("blockyou")
    pairing = Pairing(game.slug, game.package, better, worse, players, game.rules.complete_options({}, players), 1)
    return Series([play_numbered(pairing, number, lambda: 0.0) for number in range(MATCHES)])


@pytest.mark.parametrize("level", bot.LEVELS)
def test_levels_are_as_quick_and_as_sure_as_documented(level: str) -> None:
    """Alone, where nobody else is quicker. Of fewer matches than in the document, so only about."""
    row = re.search(rf"^\| {level} \| ([\d.]+) s \| ([\d.]+) % \|", SECTION, re.MULTILINE)
    assert row is not None
    pair = next(pair for pair in BETTER if level in pair)
    claims = series(*pair, 1).figures(level).claims
    right = [claim.after for claim in claims if claim.right]
    assert median(right) == pytest.approx(1000 * float(row[1]), rel=0.2)
    assert 1 - len(right) / len(claims) == pytest.approx(float(row[2]) / 100, abs=0.015)


@pytest.mark.parametrize("pair", BETTER)
@pytest.mark.parametrize("players", [1, 2])
def test_the_better_level_wins(pair: tuple[str, str], players: int) -> None:
    """The whole series, with all numbers of players, are in the document."""
    assert series(*pair, players).share >= 0.7


def test_what_a_level_is_stands_in_the_document() -> None:
    for level, searcher in bot.SEARCHERS.items():
        parts = (searcher.noticed, searcher.taken_for_safe, searcher.taken_for_fitting)
        cells = [f"{searcher.look_ms} ms", *(f"{100 * part:.4g} %" for part in parts)]
        assert f"| {level} | {' | '.join(cells)} |" in SECTION
