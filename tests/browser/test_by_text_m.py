"""M by its text alone: names, live regions and keys, without a look at the table."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.by_text import OVER, Listener, has_focus, mover_of, names_of, sit_down
from tests.browser.conftest import Visit
from tests.browser.server import Site
from tests.sizes import SHORT

SHORTLY_BEFORE_THE_END = {"file": "tests/records/m/valid-2p-zigzag-greedy-scored.json", "ply": 66}
MOST_ACTS = 60
WON = re.compile(r"^(\d) chips?")


def test_by_text_alone_to_the_end_of_a_scoring_round(visit: Visit, site: Site) -> None:
    """Every move, the chips it won and whose turn it is are said to both players and to who looks on, each once.

    From the start; in a short run from shortly before the scoring round.
    """
    pages = [visit("alice").page, visit("bob").page, visit().page]
    until = "ply:8" if SHORT else "ply:0"
    slug = site.ask("seat_match", players=["alice", "bob"], seed=3, until=until)["slug"]
    table = sit_down(slug, pages)
    acts = _play(table, until="The scoring round is over.")
    assert {"place", "take"} <= set(acts)
    _assert_heard_everywhere(table, acts)


def test_by_text_alone_to_the_result(visit: Visit, site: Site) -> None:
    """The last acts of a match, and how it ended: to the players at once."""
    pages = [visit("alice").page, visit("bob").page, visit().page]
    slug = site.ask("seat_record", players=["alice", "bob"], **SHORTLY_BEFORE_THE_END)["slug"]
    table = sit_down(slug, pages)
    _play(table, until=None)
    for player in table[:2]:
        player.told_at_once(OVER)
    expect(table[2].region.get_by_text(OVER).last).to_be_attached()
    table[2].told_nothing_at_once()


def _play(table: list[Listener], *, until: str | None) -> list[str]:
    """The two players act in turn, each by what is said to them, until that is said or the match is over."""
    acts: list[str] = []
    while len(acts) < MOST_ACTS:
        mover = mover_of(table[:2], is_first=not acts)
        if mover is None:
            return acts
        acts.append(_act(mover, table))
        heard = [line for line in table[2].news if until is not None and until in line]
        if heard:
            return acts
    raise AssertionError(f"it does not come to an end: {acts}")


def _act(mover: Listener, table: list[Listener]) -> str:
    """Place where it earns most, take, or pass; then everybody must have heard just that."""
    page = mover.page
    takes = page.get_by_role("button", name=re.compile("^Take .* at "))
    fitting = page.get_by_role("group", name="Your tiles").get_by_role("button", name=re.compile("fits [1-9]"))
    chips = 0
    if takes.count():
        act = "take"
        mover.tab_to(takes.first)
        cell = names_of(takes)[0].rpartition(" at ")[2]
        mover.press("Enter")
        said = f"takes the tile at {cell}."
    elif fitting.count():
        act = "place"
        chips, said = _place(mover)
    else:
        act = "pass"
        mover.tab_to(page.get_by_role("button", name=re.compile("^Pass(,| for)")).first)
        mover.press("Enter")
        said = "passes."
    for listener in table:
        line = listener.hear_once(said, by=mover)
        assert (f"takes {chips} chip" in line) == bool(chips), line
    return act


def _place(mover: Listener) -> tuple[int, str]:
    """Choose the tile and the place that earn most, as their names say; what will be said of it."""
    page = mover.page
    hand = page.get_by_role("group", name="Your tiles").get_by_role("button")
    best: tuple[int, int, int, str] | None = None
    for number in range(hand.count()):
        if not re.search("fits [1-9]", names_of(hand)[number]):
            continue
        _choose(mover, number)
        for name in names_of(page.get_by_role("button", name=re.compile("^Place .* at .*: "))):
            earned = WON.match(name.rpartition(": ")[2])
            worth = ("scores" in name, int(earned[1]) if earned else 0, -number, name)
            best = max(best or worth, worth)
        mover.press("Escape")
    assert best is not None
    _scores, chips, negative, name = best
    _choose(mover, -negative)
    mover.step_to(page.get_by_role("button", name=name, exact=True), "n")
    mover.press("Enter")
    asked = page.get_by_role("group", name="Which line counts?")
    if asked.count():
        assert has_focus(asked.get_by_role("button", name="Row"))
        mover.press("Enter")
    tile, _, cell = name.removeprefix("Place ").partition(":")[0].rpartition(" at ")
    return chips, f"places {tile} at {cell}."


def _choose(mover: Listener, number: int) -> None:
    """Go to the hand, there to the tile, and choose it: the focus is then on the first of its places."""
    hand = mover.page.get_by_role("group", name="Your tiles").get_by_role("button")
    for _ in range(80):
        if any(has_focus(hand.nth(index)) for index in range(hand.count())):
            break
        mover.press("Tab")
    mover.step_to(hand.nth(number), "ArrowRight", most=8)
    mover.press("Enter")


def _assert_heard_everywhere(table: list[Listener], acts: list[str]) -> None:
    """Who looks on has heard each act, and whose turn it then was; nobody was told at once who had not to act."""
    looker = table[2]
    moves = [line for line in looker.news if re.search("places|takes the tile|passes", line)]
    assert len(moves) == len(acts), looker.news
    turns = [line for line in looker.news if re.search("turn of|takes a tile of the line", line)]
    assert len(turns) == len(acts), looker.news
    looker.told_nothing_at_once()
