"""The region that says a match aloud: each thing once, what was missed in short, and at once only what cannot wait."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.boards import look, play_one, wait_for_version
from tests.browser.by_text import Listener
from tests.browser.conftest import Visit
from tests.browser.server import Site

NEW_NEWS = """([ply, lines, turn]) => {
    const news = document.getElementById("news");
    news.dataset.ply = ply;
    news.querySelector("ol").replaceChildren(...lines.map(([key, words]) => {
        const item = document.createElement("li");
        item.dataset.key = key;
        item.textContent = words;
        return item;
    }));
    news.querySelector("p").textContent = turn;
    document.dispatchEvent(new CustomEvent("tesela:drawn"));
}"""
"""As if a push had brought these."""


def _match(visit: Visit, site: Site) -> tuple[Page, Page]:
    alice, bob = visit("alice"), visit("bob")
    slug = site.ask("seat_match", players=["alice", "bob"], seed=3, until="turn", seat=0)["slug"]
    return alice.go(f"/matches/{slug}/"), bob.go(f"/matches/{slug}/")


def test_a_state_that_is_pushed_again_is_not_said_again(visit: Visit, site: Site) -> None:
    """A poll, a second push of the same, a swap of what has the focus: nothing is read twice."""
    mine, his = _match(visit, site)
    bob = Listener(his, "Bob")
    assert bob.listen() == [], "what a page shows when it comes is not read out by itself"
    play_one(mine, look(mine))
    fresh = bob.wait_to_hear("places")
    assert sum("places" in line for line in fresh) == 1
    his.evaluate("() => document.dispatchEvent(new CustomEvent('tesela:drawn'))")
    his.evaluate(
        "async () => await htmx.ajax('GET', `${location.pathname}live/`, { swap: 'none', values: { stage: 'match' } })"
    )
    bob.let_it_speak()
    assert bob.listen() == []


def test_after_a_reconnect_only_what_was_missed_is_said(visit: Visit, site: Site) -> None:
    """Bob's line is gone while Alice moves: when it is back he hears that move, once, and that it is his turn."""
    mine, his = _match(visit, site)
    bob = Listener(his, "Bob")
    before = look(his).version
    his.context.set_offline(True)
    his.evaluate("() => document.dispatchEvent(new CustomEvent('tesela:offline'))")
    play_one(mine, look(mine))
    his.context.set_offline(False)
    wait_for_version(his, before)
    fresh = bob.wait_to_hear("places")
    assert sum("places" in line for line in fresh) == 1


def test_much_that_was_missed_is_told_in_short(visit: Visit, site: Site) -> None:
    mine, _his = _match(visit, site)
    alice = Listener(mine, "Alice")
    ply = look(mine).ply

    def push(count: int, turn: str) -> list[str]:
        nonlocal ply
        ply += count
        lines: list[Any] = [[str(number), f"Move {number}."] for number in range(ply - 8, ply + 1)]
        mine.evaluate(NEW_NEWS, [str(ply), lines, turn])
        alice.let_it_speak()
        return alice.listen()

    said = push(40, "Your turn: place.")
    assert said == [
        "Moves made meanwhile: 40. The last of them:",
        *(f"Move {number}." for number in range(ply - 2, ply + 1)),
    ]
    alice.told_at_once("Your turn: place.")
    assert push(2, "Your turn: place.") == [f"Move {ply - 1}.", f"Move {ply}."]
    assert push(0, "Your turn: place.") == []


def test_a_move_taken_back_is_not_heard_as_news(visit: Visit, site: Site) -> None:
    """It leaves the list: nothing follows on it until another move is made, which is said even with its number."""
    mine, _his = _match(visit, site)
    alice = Listener(mine, "Alice")

    def push(*lines: str) -> list[str]:
        mine.evaluate(NEW_NEWS, [str(len(lines)), [[str(n), words] for n, words in enumerate(lines)], "Wait."])
        alice.let_it_speak()
        return alice.listen()

    push("One.", "Two.", "Three.")
    assert "Three." not in push("One.", "Two.")
    assert "Another." in push("One.", "Two.", "Another.")


def test_who_sees_the_match_begin_hears_whose_turn_it_is(visit: Visit, site: Site) -> None:
    """The table gives way to the board without a new page."""
    visit("alice")
    looker = visit().page
    slug = site.ask("open_table", host="alice", seats=2, pace="turns")
    looker.goto(f"/matches/{slug}/")
    listener = Listener(looker, "")
    page = visit("bob").go(f"/matches/{slug}/")
    page.get_by_role("button", name="Sit down").first.click()
    expect(page.locator(".m-board")).to_be_visible()
    listener.wait_to_hear("turn of")
