"""Learning by doing: the lessons of each game, walked to their end by somebody new."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from games.block_buster.blocks import FORMS, normalised
from games.block_buster.position import Place as Block
from games.blockyou.placement import Placement
from games.contract.lessons import Lesson, Scene, begin, try_move
from games.contract.registry import Game, get_game
from games.m.notation import format_cell
from games.m.position import Pass, Place, Take
from tests.browser.block_buster_boards import Fit, card, turn_to, window_point
from tests.browser.conftest import Visit
from tests.browser.people import PHONE


def play_m(page: Page, text: str) -> None:
    """By mouse: a tile and its place, a tile of the line, or a pass with or without an exchange."""
    match get_game("m").rules.parse_move(text):
        case Place(tile, cell, _line):
            page.locator(f'.m-card[data-tile="{tile}"]').first.click()
            page.locator(f'.m-fits[data-cell="{format_cell(cell)}"]').click()
        case Take(cell):
            page.locator(f'[data-move="take {format_cell(cell)}"]').click()
        case Pass(None):
            page.locator('[data-move="pass"]').click()
        case Pass(tile):
            page.locator(f'.m-card[data-tile="{tile}"]').first.click()
            page.locator(".m-exchange").click()


def play_block_buster(page: Page, text: str) -> None:
    """By mouse: a block, turned and laid; or the pass."""
    move = get_game("block_buster").rules.parse_move(text)
    if not isinstance(move, Block):
        page.locator(".bb-pass").click()
        return
    left, top = (min(cell[axis] for cell in move.cells) for axis in (0, 1))
    fit = Fit(move.block, FORMS[move.block].index(normalised(move.cells)), left, top, gap=0)
    if card(page, fit.block).get_attribute("aria-pressed") != "true":
        card(page, fit.block).click()
    turn_to(page, fit)
    page.mouse.move(*window_point(page, *fit.middle))
    page.mouse.click(*window_point(page, *fit.middle))


def play_blockyou(page: Page, text: str) -> None:
    """By keys: the card is turned, brought to its window from the middle, and claimed."""
    move = get_game("blockyou").rules.parse_move(text)
    if not isinstance(move, Placement):
        page.keyboard.press("n")
        return
    for _quarter in range(move.turn):
        page.keyboard.press("e")
    page.locator("#by-field").focus()
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowUp")  # shows it where it was last, at first in the middle
    for key, steps in (("ArrowUp", 6), ("ArrowLeft", 6), ("ArrowDown", move.row), ("ArrowRight", move.col)):
        for _step in range(steps):
            page.keyboard.press(key)
    page.keyboard.press("Enter")


WAYS: dict[str, tuple[Callable[[Page, str], None], str, str]] = {
    "m": (play_m, "pass", "this lesson asks for a tile"),
    "block_buster": (play_block_buster, "1 a1", "is small"),
    "blockyou": (play_blockyou, "0,0/0", "the colours do not match"),
}
"""By game: how its moves are made, one that the first lesson does not ask for, and what it is told."""


def wait_for_lesson(page: Page, game: Game, key: str) -> None:
    """Until its page is there with its scripts: what is pressed before them is nobody's."""
    expect(page.get_by_role("heading", name=game.lesson_texts.lesson(key).title, exact=True)).to_be_visible()
    page.wait_for_load_state()


@pytest.mark.parametrize("slug", WAYS)
def test_somebody_new_is_led_from_the_lobby_through_all_lessons_to_a_match(visit: Visit, slug: str) -> None:
    """Each lesson is done on the board, a wrong answer is explained, and the end offers to play against a bot."""
    game, (play, wrong, why) = get_game(slug), WAYS[slug]
    page = visit("alice", person={"confirm_moves": "never"}).go("/lobby/")
    page.locator(f'a[href="/lessons/{slug}/"]').click()
    page.get_by_role("link", name="Begin", exact=True).click()
    wait_for_lesson(page, game, next(iter(game.lessons)))
    play(page, wrong)
    expect(page.locator("#lesson-said")).to_contain_text(why)
    expect(page.locator("#heard")).to_contain_text(why)
    expect(page.locator("#move-form")).to_be_attached()
    for lesson in game.lessons.values():
        wait_for_lesson(page, game, lesson.key)
        for text, praise in solution(game, lesson):
            play(page, text)
            expect(page.locator("#lesson-said.good")).to_contain_text(praise)
        expect(page.locator("#lesson-next")).to_be_focused()
        page.locator("#lesson-next").click()
    expect(page).to_have_url(re.compile(r"/matches/[0-9a-f]+/$"))
    page.goto(f"/lessons/{slug}/")
    expect(page.locator(".chapters .done")).to_have_count(len(game.lessons))
    expect(page.get_by_text("you have done all the lessons")).to_be_visible()


def test_a_guest_learns_on_a_phone(visit: Visit) -> None:
    """By touch a move is confirmed as in a match; words, board and hand share the screen; it is remembered."""
    page = visit(**PHONE).go("/lessons/m/matching/")
    expect(page.locator(".m-board")).to_be_in_viewport(ratio=1)
    expect(page.locator(".m-card").first).to_be_in_viewport(ratio=1)
    page.locator('.m-card[data-tile="RC2"]').tap()
    page.locator('.m-fits[data-cell="1,1"]').tap()
    page.locator("#confirm-yes").tap()
    expect(page.locator("#lesson-said.good")).to_be_in_viewport()
    page.goto("/lessons/m/")
    expect(page.locator(".chapters .done")).to_have_text(re.compile("Matching"))


@pytest.mark.parametrize("lesson", get_game("blockyou").lessons)
@pytest.mark.parametrize("screen", [PHONE, {**PHONE, "viewport": {"width": 390, "height": 664}}], ids=["phone", "bars"])
def test_words_area_and_card_share_the_screen_of_a_phone(visit: Visit, screen: dict[str, Any], lesson: str) -> None:
    """Who would have to scroll to their card no longer sees where to look; also below the bars of a browser."""
    page = visit(**screen).go(f"/lessons/blockyou/{lesson}/")
    for part in ("#prompt", ".board > svg", ".by-table"):
        expect(page.locator(part)).to_be_in_viewport(ratio=1)


def solution(game: Game, lesson: Lesson) -> list[tuple[str, str]]:
    """Moves that do the lesson, and how the praise for each begins."""
    scene: Scene = begin(game.rules, lesson)
    found: list[tuple[str, str]] = []
    for words in game.lesson_texts.lesson(lesson.key).praise:
        for move in game.rules.legal_moves(scene.position, lesson.seat):
            text = game.rules.format_move(move)
            led_to = try_move(game.rules, lesson, scene, text)
            if isinstance(led_to, Scene):
                scene = led_to
                found.append((text, words))
                break
    return found
