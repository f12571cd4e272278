"""Company over the sockets: the same acts as by form, and everybody who looks hears of them at once."""

from __future__ import annotations

import pytest

from accounts.people.models import User
from games.contract.registry import get_game
from games.matches import asides
from games.matches.models import Match
from tests.matches.conftest import player_to_move, sit_down
from tests.matches.playing import other, play_some
from tests.matches.test_rematches import over
from tests.matches.wire import connected, do, notice_of, session_of, watching

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("time")]


async def test_request_agreement_and_refusal_over_the_socket(alice: User, bob: User) -> None:
    match = await do(sit_down, alice, bob, game=get_game("block_buster"))
    await do(play_some, match, 2)
    waiting = await do(player_to_move, match)
    mover = other(waiting, alice, bob)
    async with watching(match, mover) as mine, watching(match, waiting) as his, watching(match, None) as guest:
        assert 'id="takeback-withdraw"' in await mine.act("takeback", answer="ask", ply="2")
        assert 'id="takeback-agree"' in await his.hear()
        assert "takeback-asked" not in await guest.hear()
        early = await mine.act("takeback", answer="agree", ply="2")
        assert notice_of(early) == "no-takeback"
        assert "Taken back: " in await his.act("takeback", answer="agree", ply="2")
        for socket in (mine, guest):
            assert "Taken back: " in await socket.hear()
        assert notice_of(await his.act("takeback", answer="agree", ply="2")) == "no-takeback"
        assert notice_of(await guest.act("takeback", answer="agree", ply="1")) == "not-logged-in"
    await do(match.refresh_from_db)
    assert match.ply == 1


async def test_rematch_over_the_socket(alice: User, bob: User) -> None:
    match = await do(over, alice, bob)
    async with watching(match, alice) as mine, watching(match, bob) as his, watching(match, None) as guest:
        assert "You would play a rematch" in await mine.act("rematch", wanted="1")
        assert "would play a rematch" in await his.hear()
        assert "would play a rematch" not in await guest.hear()
        assert 'id="to-rematch"' in await his.act("rematch", wanted="1")
        for socket in (mine, guest):
            assert 'id="to-rematch"' in await socket.hear()
    assert await do(Match.objects.filter(rematch_of=match).count) == 1


async def test_invitation_comes_into_the_lobby_of_the_invited_and_goes_again(alice: User, bob: User) -> None:
    match = await do(sit_down, alice, seats=2, start=False, public=False)
    async with connected("/ws/lobby/?lang=en", await do(session_of, bob)) as lobby:
        for _half in range(2):
            assert match.slug not in await lobby.hear()
        async with watching(match, alice, stage="table") as host:
            assert 'id="invitations"' in await host.act("invite", name="bob")
            invited = await lobby.hear()
            assert f'id="accept-{match.slug}"' in invited
            assert "1 invitation for you" in invited
            async with watching(match, bob, stage="table") as his:
                assert 'id="seat-' not in await his.act("accept")
            assert "Bob" in await host.hear()
        # Seated now: the match is among their own.
        own = await lobby.hear()
        assert f'id="accept-{match.slug}"' not in own
        assert f'id="match-{match.slug}"' in own


async def test_declined_invitation_closes_the_page_of_a_private_table(alice: User, bob: User) -> None:
    match = await do(sit_down, alice, seats=2, start=False, public=False)
    async with watching(match, alice, stage="table") as host:
        await host.act("invite", name="bob")
        async with watching(match, bob, stage="table") as his:
            await his.say(act="decline")
            assert await his.close_code() == 4404
        assert "declined" in await host.hear()


async def test_invitation_that_was_accepted_at_the_table_is_counted_no_more(
    alice: User, bob: User, carol: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asides, "COUNT_REST_S", 0.01)
    match = await do(sit_down, alice, seats=3, start=False)
    async with watching(match, alice, stage="table") as host:
        await host.act("invite", name="bob")
        async with watching(match, bob, stage="table") as his:
            await host.act("invite", name="carol")
            await his.hear()
            assert "1 invitation for you" in await his.hear_beside()
            await his.act("accept")
            assert "hidden" in (await his.hear_beside()).split(">")[1]
