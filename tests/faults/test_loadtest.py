"""`manage.py loadtest` at a real little site: its players play without error, come back, and leave nothing behind."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from games.matches.services.timing import BOT_PAUSE_MS
from tests.browser.server import Site


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    site = Site(Path(tmp_path_factory.mktemp("loadtest")))
    try:
        site.prepare()
        site.start()
        yield site
        assert "Traceback" not in site.log.read_text(), site.log.read_text()
    finally:
        site.close()


def loadtest(site: Site, *arguments: str) -> dict[str, Any]:
    """Its figures, after a look at whether anything of it is left."""
    said = site.manage("loadtest", "--json", f"--address={site.address}", *arguments).stdout
    count = "from accounts.people.models import User; from games.matches.models import Match; "
    left = site.manage("shell", "-c", count + "print(User.objects.count(), Match.objects.count())").stdout
    assert left.split()[-2:] == ["0", "0"]
    figures: dict[str, Any] = json.loads(said.splitlines()[-1])
    return figures


def test_two_matches_are_played_while_lines_break(site: Site) -> None:
    """All who listen, and all who play, lose their lines once and come back; every move is shown all the same."""
    load = ("--matches=2", "--seconds=2", "--warm-up=1", "--think=0.1", "--idle=4", "--storm=6")
    figures = loadtest(site, *load)
    assert figures["errors"] == {}
    assert figures["moves"] > 0
    assert figures["came_back"] > 0
    assert figures["shown_ms"]["p50"] > 0
    assert figures["cpu_ms_per_move"]["sockets"] > 0
    assert figures["idle"]["sockets"] == 4
    assert figures["storm"]["sockets"] == 6
    assert figures["storm"]["not_served"] == figures["storm"]["behind"] == 0


def test_claims_are_made_in_real_time(site: Site) -> None:
    """A round opens three seconds after the start: until then there is nothing to claim."""
    figures = loadtest(site, "--game=blockyou", "--matches=2", "--think=0.2", "--seconds=3", "--warm-up=1")
    assert figures["errors"] == {}
    assert figures["moves"] > 0


def test_bots_play_beside_people(site: Site) -> None:
    """Two matches of bots alone, which are watched; of those that are there at the end nothing is left."""
    figures = loadtest(site, "--matches=1", "--think=0.2", "--seconds=4", "--warm-up=1", "--bots=2")
    assert figures["errors"] == {}
    assert figures["moves"] > 0
    bots = figures["bots"]
    assert bots["moves"] > 0
    assert (bots["fewest_matches"], bots["failed"]) == (2, 0)
    assert bots["p50_ms"] >= BOT_PAUSE_MS[0]
