"""A line that is hidden while pages are open: gone from those that read its room, and no word of it to others."""

from __future__ import annotations

from typing import Any

import pytest

from accounts.people.models import User
from games.matches.models import Match
from games.matches.services.chat import hide_line
from tests.matches.chatting import listening, say
from tests.matches.conftest import Clock, sit_down
from tests.matches.wire import do

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def match(alice: User, bob: User, time: Clock) -> Match:
    return sit_down(alice, bob)


async def test_hidden_line_is_taken_from_open_pages_of_its_room(
    match: Match, alice: User, bob: User, mallory: User, time: Any
) -> None:
    await do(say, match, bob, "you fool")
    async with (
        listening(match, alice, heard="players:1") as player,
        listening(match, mallory, heard="spectators:0") as watcher,
    ):
        await do(hide_line, match=match, room="players", number=1, hidden=True)
        assert await player.hear() == '<div data-chat-news data-gone="said-players-1"></div>'
        assert await watcher.hears_nothing()
