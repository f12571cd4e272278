"""Block Buster by its text alone: names, live regions and keys, without a look at the board."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.by_text import OVER, Listener, has_focus, mover_of, names_of, sit_down
from tests.browser.conftest import Visit
from tests.browser.server import Site
from tests.sizes import SHORT, SOAKING, size

MOST_ACTS = size("moves that are heard, at most", ci=5 if SHORT else 8, soak=40)
FITS_TRIED = 8
LEAD = re.compile(r"(\w+) leads by (\d+)|acquired by (\w+)")
COLOURS = {"Alice": "blue", "Bob": "yellow"}


@pytest.mark.soak
def test_a_match_by_text_alone(visit: Visit, site: Site) -> None:
    """Each move with its cells, what was acquired and whose turn it is are said to all, once, up to the result.

    A slice ends after some moves; the result said is heard in M too.
    """
    pages = [visit("alice").page, visit("bob").page, visit().page]
    slug = site.ask("seat_match", players=["alice", "bob"], seed=3, game="block_buster")["slug"]
    table = sit_down(slug, pages)
    acts = 0
    while acts < MOST_ACTS and (mover := mover_of(table[:2], is_first=not acts)) is not None:
        _act(mover, table)
        acts += 1
    assert (acts < MOST_ACTS) == SOAKING, "in full the match ends"
    for listener in table:
        moves = [line for line in listener.news if re.search("places block|passes", line)]
        assert len(moves) == acts, listener.news
        assert not SOAKING or any("has acquired the point block" in line for line in listener.news)
    looker = table[2]
    turns = [line for line in looker.news if "turn of" in line]
    assert len(turns) == acts - SOAKING, looker.news
    looker.told_nothing_at_once()
    if not SOAKING:
        return
    expect(looker.region.get_by_text(OVER).last).to_be_attached()
    for player in table[:2]:
        player.told_at_once(OVER)
    assert names_of(pages[0].get_by_role("img", name=re.compile("acquired by|leads by"))), "the rings say who has them"


def _act(mover: Listener, table: list[Listener]) -> None:
    """Place the largest block that can be joined, where it leads by most; or pass. All must hear just that."""
    page = mover.page
    tray = page.get_by_role("group", name=re.compile("^Your blocks: ")).get_by_role("button")
    labels = names_of(tray)
    joining = [number for number, label in enumerate(labels) if "can be joined" in label]
    if joining:
        number = max(joining, key=lambda index: _squares(labels[index]))
        said = _place(mover, number, labels[number].split(",")[0])
    else:
        mover.tab_to(page.get_by_role("button", name="Pass, for good"))
        mover.press("Enter")
        said = "passes."
    for listener in table:
        listener.hear_once(said, by=mover)
    for listener in table:
        if listener is not mover:
            assert not listener.is_told(re.compile("fits|joins")), "what a player tries out is theirs"


def _place(mover: Listener, number: int, block: str) -> str:
    """Go to the tray, there to the block, then by N from fit to fit, listening to what each brings."""
    page = mover.page
    tray = page.get_by_role("group", name=re.compile("^Your blocks: ")).get_by_role("button")
    for _ in range(80):
        if any(has_focus(tray.nth(index)) for index in range(tray.count())):
            break
        mover.press("Tab")
    mover.step_to(tray.nth(number), "ArrowRight", most=30)
    mover.press("Enter")
    assert has_focus(page.get_by_role("application"))
    echo = mover.region.get_by_role("paragraph").last
    heard = []
    for _ in range(FITS_TRIED):
        mover.press("n")
        words = echo.inner_text()
        assert words.startswith(f"{block} at "), words
        if words in heard:
            break
        heard.append(words)
    best = max(heard, key=lambda words: _lead(words, COLOURS[mover.name]))
    for _ in range(len(heard) + 1):
        if echo.inner_text() == best:
            break
        mover.press("p")
    assert echo.inner_text() == best
    mover.press("Enter")
    return f"places block {best.split(',')[0]}."


def _squares(label: str) -> int:
    name = label.split(",")[0]
    return int(name[-1])


def _lead(words: str, colour: str) -> tuple[int, int]:
    """What a fit brings to the colour, as it is said: rings acquired, and leads in sum."""
    acquired = sum(found[2] == colour for found in LEAD.findall(words))
    return acquired, sum(int(found[1]) for found in LEAD.findall(words) if found[0] == colour)
