"""Who blocked whom: not at one public table, whoever comes second; private tables are free to both."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.people.models import User
from accounts.people.services import block_person, mute_person, unblock_person
from games.matches import lobby_socket
from games.matches.callers import Caller
from games.matches.errors import NotTogether
from games.matches.models import Match
from games.matches.services import tables
from tests.matches.browsing import act, browser, notice_in, slugs_in, text_of
from tests.matches.conftest import START, frozen, sit_down
from tests.matches.wire import connected, do, session_of

pytestmark = pytest.mark.django_db


def join(match: Match, user: User, *, invited: bool = False) -> None:
    tables.join_table(slug=match.slug, caller=Caller(user, invited=invited), index=None, moment=START)


def test_neither_joins_the_other_at_a_public_table(alice: User, bob: User, carol: User) -> None:
    block_person(by=alice, whom=bob, moment=START)
    for host, guest in ((alice, bob), (bob, alice)):
        table = sit_down(host, seats=3, start=False)
        before = frozen(table)
        with pytest.raises(NotTogether):
            join(table, guest)
        with pytest.raises(NotTogether):
            join(table, guest, invited=True)
        assert frozen(table) == before
        join(table, carol)
    table = sit_down(carol, seats=3, start=False)
    join(table, bob)
    with pytest.raises(NotTogether):
        join(table, alice)


def test_the_sentence_is_the_same_for_both_and_names_nobody(alice: User, bob: User) -> None:
    block_person(by=alice, whom=bob, moment=START)
    sentences = set()
    for host, guest in ((alice, bob), (bob, alice)):
        table = sit_down(host, seats=2, start=False)
        answer = act(guest, table, "join")
        assert (answer.status_code, notice_in(answer)) == (403, "not-together")
        sentences.add(re.search(r'data-code="not-together">(.*?)</p>', text_of(answer))[1])  # type: ignore[index]
    (sentence,) = sentences
    assert "Alice" not in sentence
    assert "Bob" not in sentence


def test_private_tables_are_free_to_both(alice: User, bob: User) -> None:
    block_person(by=alice, whom=bob, moment=START)
    table = sit_down(alice, seats=2, public=False, start=False)
    join(table, bob, invited=True)
    assert table.seats.filter(user=bob).exists()


def test_muting_parts_nobody_and_a_block_taken_back_neither(alice: User, bob: User) -> None:
    mute_person(by=alice, whom=bob, moment=START)
    block_person(by=alice, whom=bob, moment=START)
    unblock_person(by=alice, whom=bob, moment=START)
    join(sit_down(alice, seats=2, start=False), bob)


def test_who_sits_there_already_stays_and_may_move_over(alice: User, bob: User) -> None:
    table = sit_down(alice, seats=3, start=False)
    join(table, bob)
    block_person(by=alice, whom=bob, moment=START)
    tables.join_table(slug=table.slug, caller=Caller(bob), index=2, moment=START)
    assert table.seats.get(index=2).user == bob


def test_lobby_offers_no_such_table(alice: User, bob: User, carol: User) -> None:
    block_person(by=alice, whom=bob, moment=START)
    with_alice = sit_down(alice, seats=3, start=False)
    with_carol = sit_down(carol, seats=3, start=False)
    assert set(slugs_in(browser(bob).get("/lobby/"))) == {with_carol.slug}
    for user in (carol, None):
        assert set(slugs_in(browser(user).get("/lobby/"))) == {with_alice.slug, with_carol.slug}
    assert with_alice.slug in slugs_in(browser(alice).get("/lobby/")), "one's own"


def test_lobby_costs_the_same_with_many_blocks(alice: User, make_person: Any) -> None:
    hosts = [make_person(f"host{number}") for number in range(6)]
    for host in hosts:
        sit_down(host, seats=2, start=False)

    def cost() -> int:
        with CaptureQueriesContext(connection) as queries:
            assert browser(alice).get("/lobby/").status_code == 200
        return len(queries)

    browser(alice).get("/lobby/")
    before = cost()
    for host in hosts[:4]:
        block_person(by=alice, whom=host, moment=START)
    assert cost() == before


@pytest.mark.django_db(transaction=True)
async def test_open_lobby_offers_no_such_table(
    alice: User, bob: User, carol: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Others of the same language look at a drawing of their own."""
    monkeypatch.setattr(lobby_socket, "LOBBY_REST_S", 0)
    await do(block_person, by=bob, whom=alice, moment=START)
    path = "/ws/lobby/?lang=en"
    async with connected(path, await do(session_of, bob)) as parted, connected(path) as guest:
        for socket in (parted, guest):
            await socket.hear()
            await socket.hear()
        with_alice = await do(sit_down, alice, seats=2, start=False)
        assert with_alice.slug in await guest.hear()
        with_carol = await do(sit_down, carol, seats=2, start=False)
        frame = await parted.hear()
        while with_carol.slug not in frame:
            frame = await parted.hear()
        assert with_alice.slug not in frame
