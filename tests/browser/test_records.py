"""Records in the browser: brought as a file or as text, stepped through by click and key, with and without scripts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.people import DESKTOP, PHONE
from tests.browser.server import ROOT, Site

M = ROOT / "tests/records/m/valid-3p-zigzag-says-col-scored.json"
BLOCK_BUSTER = ROOT / "tests/records/block_buster/valid-pairs-greedy.json"
REFUSED = ROOT / "tests/records/block_buster/invalid-cell-occupied.json"


def plies(record: Path) -> int:
    return len(json.loads(record.read_bytes())["moves"])


def bring(page: Page, record: Path) -> None:
    page.locator("#record-file").set_input_files(record)
    page.locator("#record-check").click()


def is_shown(page: Page, ply: int, last: int) -> None:
    expect(page.locator(".stepper .number")).to_have_text(f"{ply} of {last}")


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
@pytest.mark.parametrize(("screen", "record"), [(DESKTOP, M), (PHONE, BLOCK_BUSTER)], ids=["desktop", "phone"])
def test_a_record_is_brought_and_stepped_through(
    visit: Visit, screen: dict[str, Any], scripts: bool, record: Path
) -> None:
    page, last = visit(**screen, java_script_enabled=scripts).go("/records/"), plies(record)
    bring(page, record)
    expect(page.locator("#record-result .notice")).to_contain_text("The record is in order.")
    is_shown(page, last, last)
    expect(page.locator(".board svg")).to_be_visible()
    page.locator("#step-back").click()
    is_shown(page, last - 1, last)
    page.locator("#record-ply").fill("5")
    page.locator("#record-show").click()
    is_shown(page, 5, last)
    page.locator("#step-first").click()
    is_shown(page, 0, last)
    expect(page.locator("#step-back")).to_be_disabled()
    if scripts:  # only they can measure
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def test_keys_step_and_leave_fields_alone(visit: Visit) -> None:
    page, last = visit().go("/records/"), plies(M)
    bring(page, M)
    is_shown(page, last, last)
    page.locator("h1").click()
    for key, ply in (("ArrowLeft", last - 1), ("Home", 0), ("ArrowRight", 1), ("End", last)):
        page.keyboard.press(key)
        is_shown(page, ply, last)
    page.locator("#record-ply").focus()
    page.keyboard.press("Home")
    is_shown(page, last, last)
    # A button keeps the focus from step to step.
    page.locator("#step-back").focus()
    page.keyboard.press("Enter")
    is_shown(page, last - 1, last)
    expect(page.locator("#step-back")).to_be_focused()


def test_pasted_text_of_any_length(visit: Visit) -> None:
    """Longer than a form may be: it travels as a file."""
    page, last = visit().go("/records/"), plies(M)
    page.locator("summary", has_text="Or paste it").click()
    page.locator("#record-text").fill(json.dumps({**json.loads(M.read_bytes()), "padding": "x" * 500_000}))
    page.locator("#record-check").click()
    is_shown(page, last, last)
    page.locator("#step-first").click()
    is_shown(page, 0, last)


def test_what_is_wrong_is_said_and_gone_with_the_next(visit: Visit, tmp_path: Path) -> None:
    visitor = visit()
    visitor.excuse("422")
    page = visitor.go("/records/")
    page.locator("#record-check").click()
    expect(page.locator("#record-result .notice")).to_contain_text("Please choose a record’s file")
    bring(page, REFUSED)
    expect(page.locator("#record-result .notice")).to_contain_text("Move ")
    large = tmp_path / "large.json"
    large.write_bytes(b" " * 4_000_001)
    page.locator("#record-file").set_input_files(large)
    page.locator("#record-check").click()
    assert page.locator("#record-file").evaluate("field => field.validationMessage").startswith("The file is too large")
    bring(page, M)
    expect(page.locator("#record-result .notice")).to_contain_text("The record is in order.")


def test_the_seal_is_copied_and_its_fold_stays_open_when_the_match_ends(visit: Visit, site: Site) -> None:
    alice = visit("alice", permissions=["clipboard-read", "clipboard-write"])
    site.ask("add_person", username="bob", display_name="Bob")
    slug = site.ask("seat_match", players=["alice", "bob"], seed=1, until="turn", seat=0)["slug"]
    page = alice.go(f"/matches/{slug}/")
    page.locator("#deal summary").click()
    seal = page.locator("#seal-hash").input_value()
    assert len(seal) == 64
    page.locator("#seal-hash-copy").click()
    expect(page.locator("#seal-hash-copy")).to_have_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == seal
    expect(page.locator("#seal-nonce")).to_have_count(0)
    alice.excuse("dialog: Resign and leave")
    page.locator("#leave-menu").click()
    page.locator("#leave-resign").click()
    expect(page.locator("#seal-nonce")).to_be_visible()
    assert len(page.locator("#seal-nonce").input_value()) == 64
