"""Where a placement could score its row or its column, the player is asked which one counts."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.boards import Place, card, look, spot, wait_for_version
from tests.browser.conftest import Visit
from tests.browser.pages import ROW_OR_COLUMN
from tests.browser.people import PHONE, Visitor
from tests.browser.server import Site


@pytest.mark.parametrize(("answer", "line"), [("Row", "row"), ("Column", "col")])
def test_the_answer_decides_which_line_is_scored(visit: Visit, site: Site, answer: str, line: str) -> None:
    """The move says what was answered, and the other line stays."""
    page, asking = _page(visit("alice"), site)
    version = look(page).version
    card(page, asking.card).click()
    spot(page, asking.cell).click()
    expect(_choice(page)).to_be_in_viewport(ratio=1)
    _choice(page).get_by_role("button", name=answer).click()
    wait_for_version(page, version)
    assert site.ask("moves", slug=_slug(page))[-1].endswith(f"@{asking.cell}/{line}")
    name = {"row": "The row that is being scored", "col": "The column that is being scored"}[line]
    expect(page.get_by_role("img", name=name)).to_be_visible()


def test_back_asks_nothing_and_plays_nothing(visit: Visit, site: Site) -> None:
    """Thinking again costs nothing: by the button and by Escape the place is free again, with the focus on it."""
    page, asking = _page(visit("alice"), site)
    ply = look(page).ply
    card(page, asking.card).click()
    for key in ("Escape", "Enter"):  # out of the question, and on its last button
        spot(page, asking.cell).click()
        expect(_choice(page)).to_be_visible()
        if key == "Enter":
            _choice(page).get_by_role("button", name="Back").focus()
        page.keyboard.press(key)
        expect(_choice(page)).to_be_hidden()
        expect(spot(page, asking.cell)).to_be_focused()
    assert look(page).ply == ply


def test_the_question_stands_whole_on_a_phone(visit: Visit, site: Site) -> None:
    """Beside the place, and never beyond an edge."""
    page, asking = _page(visit("alice", **PHONE), site)
    card(page, asking.card).click()
    spot(page, asking.cell).click()
    expect(_choice(page)).to_be_in_viewport(ratio=1)


def _page(alice: Visitor, site: Site) -> tuple[Page, Place]:
    """Alice's page, and a place on it that could score either line."""
    for name in ("bob", "carol"):
        site.ask("add_person", username=name, display_name=name.capitalize())
    slug = site.ask("seat_record", players=["alice", "bob", "carol"], **ROW_OR_COLUMN)["slug"]
    page = alice.go(f"/matches/{slug}/")
    return page, next(place for place in look(page).places if len(place.lines) > 1)


def _choice(page: Page) -> Locator:
    return page.get_by_role("group", name="Which line counts?")


def _slug(page: Page) -> str:
    return page.url.rstrip("/").rpartition("/")[2]
