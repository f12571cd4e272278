"""Games in real time: a claim that waits is its own seat's affair, and shows to nobody else in any way."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.auth.models import Permission
from django.test import TestCase

from accounts.people.models import User
from games.matches import snapshots
from games.matches.callers import Caller
from games.matches.errors import KeyReused, MoveRefused, StaleTurn, TooLateToCancel
from games.matches.events import Change
from games.matches.models import Match
from games.matches.services import play, sitting
from games.matches.services.due import next_due
from games.matches.snapshots import snapshot
from tests.matches.auctions import at, auction, bid, bid_form, look, position_of, seat_of
from tests.matches.browsing import HTMX, browser, notice_in, text_of, without_tokens
from tests.matches.conftest import Clock
from tests.matches.wire import do, notice_of, version_of, watching
from tests.toy.rules import COUNT, HOLD, PAUSE, WINDOWS

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("toy", "time")]

CLOSES = COUNT + WINDOWS["long"] + HOLD


@pytest.fixture
def moderator(mod: User) -> User:
    """Staff with every right that the administration of matches knows."""
    mod.user_permissions.set(Permission.objects.filter(content_type__app_label="matches"))
    return mod


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[Change]:
    """All that is announced."""
    changes: list[Change] = []
    monkeypatch.setattr(sitting, "announce", changes.append)
    return changes


# What is stored


def test_claim_raises_the_own_version_of_its_seat_and_nothing_that_others_see(alice: User, bob: User) -> None:
    match = auction(alice, bob)
    before = Match.objects.get(pk=match.pk)
    bid(match, alice, 1500)
    assert match.version == before.version
    assert match.touched_at == before.touched_at
    assert match.to_move == before.to_move == [], "whose turn it is would tell who has claimed"
    assert match.revision > before.revision
    own = dict(match.seats.values_list("user__username", "own_version"))
    assert own == {"alice": 1, "bob": 0}


def test_claim_is_announced_to_its_own_pages_alone(alice: User, bob: User, told: list[Change]) -> None:
    match = auction(alice, bob)
    told.clear()
    with_announcements(lambda: bid(match, alice, 1500))
    (change,) = told
    assert change.alone == (alice.pk,)
    assert not change.in_lobby


def with_announcements(act: Callable[[], None]) -> None:
    """Do it as in a transaction of its own, after which it is announced."""
    with TestCase.captureOnCommitCallbacks(execute=True):
        act()


def test_turn_of_events_is_announced_to_everybody(alice: User, bob: User, told: list[Change]) -> None:
    match = auction(alice, bob)
    bid(match, alice, 1500)
    version = match.version
    told.clear()
    with_announcements(lambda: look(match, CLOSES))
    assert [change.alone for change in told] == [None]
    assert match.version == version + 1
    assert position_of(match).won[seat_of(match, alice)]


def test_round_closes_soon_after_the_last_claim_and_the_keeper_is_told(alice: User, bob: User) -> None:
    """When the match must be looked at next follows from the claims, though nobody sees it."""
    match = auction(alice, bob)
    assert next_due() == at(CLOSES)
    bid(match, alice, 1500)
    assert next_due() == at(CLOSES)
    bid(match, bob, 1700)
    assert next_due() == at(1700 + HOLD)
    look(match, 1700 + HOLD - 1)
    assert len(position_of(match).turned_up) == 0
    look(match, 1700 + HOLD)
    assert len(position_of(match).turned_up) == 1
    assert next_due() == at(1700 + HOLD + PAUSE)


def test_what_is_due_before_a_claim_happens_before_it(alice: User, bob: User) -> None:
    """No keeper has looked: the claim finds the round closed all the same, and is one for a round that has passed."""
    match = auction(alice, bob)
    with pytest.raises(StaleTurn):
        bid(match, alice, CLOSES)
    assert len(position_of(match).turned_up) == 1
    assert match.moves.count() == 0


def test_repeated_claim_counts_once(alice: User, bob: User) -> None:
    match = auction(alice, bob)
    first = bid_form(match, alice, key="the-same")
    for ms in (1500, 1600):
        bid(match, alice, ms, form=first)
    assert [move.at for move in match.moves.all()] == [1500]
    with pytest.raises(KeyReused):
        bid(match, alice, 1700, form={**first, "move": "bid 1"})
    with pytest.raises(MoveRefused):
        bid(match, alice, 1700, form={**first, "key": "another"})


def test_whether_it_can_be_called_off_tells_nothing_of_claims(alice: User, bob: User) -> None:
    """Until a round opens anybody may, and then nobody, whoever has claimed."""
    for claims in (False, True):
        match = auction(alice, bob)
        if claims:
            bid(match, alice, 1500)
        with pytest.raises(TooLateToCancel):
            play.cancel_match(slug=match.slug, caller=Caller(bob), moment=at(1600))
    match = auction(alice, bob, opened=False)
    play.cancel_match(slug=match.slug, caller=Caller(bob), moment=at(COUNT - 1))


# What is served


def pages_for(match: Match, user: User | None) -> dict[str, str]:
    """All that somebody gets to see of the match by request."""
    base = f"/matches/{match.slug}"
    paths = [
        f"{base}/",
        f"{base}/live/?version=1&stage=match",
        f"{base}/live/?version={match.version}&own=0&stage=match",
        f"{base}/replay/",
        f"{base}/replay/1/",
        f"{base}/record/",
        "/lobby/",
        "/history/",
        "/people/alice/",
    ]
    if user is not None and user.is_staff:
        paths += ["/admin/", "/admin/matches/match/", "/admin/matches/move/", "/admin/matches/seat/"]
        paths += [f"/admin/matches/match/{match.pk}/{page}/" for page in ("change", "history")]
        paths += [f"/admin/matches/match/?q={match.slug}", f"/admin/matches/move/?q={match.slug}"]
    client = browser(user)
    answers = {path: client.get(path) for path in paths}
    shown = {path: f"{answer.status_code} {without_tokens(answer)}" for path, answer in answers.items()}
    for name, form in (("move", {"move": "nonsense", "turn_key": "0"}), ("join", {"seat": "0"})):
        answer = client.post(f"{base}/act/{name}/", {**form, "stage": "match"}, headers=HTMX)
        version = answer.headers["X-Match-Version"], answer.headers["X-Match-Own-Version"]
        shown[name] = f"{answer.status_code} {version} {without_tokens(answer)}"
    return shown


def test_waiting_claim_shows_in_no_byte_that_others_get(
    alice: User, bob: User, carol: User, mallory: User, moderator: User, time: Clock
) -> None:
    """Pages, polls, refusals, lists and the administration are the same before the claim and after."""
    match = auction(alice, bob, carol)
    time.moment = at(1500)
    others = (bob, carol, mallory, moderator, None)
    before = {str(user): pages_for(match, user) for user in others}
    own = pages_for(match, alice)
    bid(match, alice, 1500)
    for user in others:
        assert pages_for(match, user) == before[str(user)], user
    after = pages_for(match, alice)
    differing = {path for path in own if own[path] != after[path]}
    assert f"/matches/{match.slug}/" in differing, "its own seat sees it: the comparison has teeth"
    assert differing.isdisjoint({"/lobby/", "/history/", "/people/alice/"})


def test_poll_of_others_finds_nothing_new_while_a_claim_waits(alice: User, bob: User, mallory: User) -> None:
    match = auction(alice, bob)
    bid(match, alice, 1500)
    poll = f"/matches/{match.slug}/live/?version={match.version}&own=0&stage=match"
    assert [browser(user).get(poll).status_code for user in (bob, mallory, None)] == [204, 204, 204]
    own = browser(alice).get(poll)
    assert own.status_code == 200
    assert own.headers["X-Match-Own-Version"] == "1"
    assert browser(alice).get(poll.replace("own=0", "own=1")).status_code == 204


def test_kept_snapshot_of_one_version_brings_each_claim_to_its_own_seat(alice: User, bob: User) -> None:
    """The version has not changed with the claim: whoever looks again must not get what was kept from before."""
    match = auction(alice, bob)
    page = f"/matches/{match.slug}/"
    assert "bid the" not in text_of(browser(alice).get(page))
    bid(match, alice, 1500)
    assert snapshot(slug=match.slug, caller=Caller(alice)).stamp_for(alice) == snapshots.Stamp(match.version, 1)
    assert "Alice\u2069 bid the" in text_of(browser(alice).get(page))
    assert "bid the" not in text_of(browser(bob).get(page))


def test_verdict_for_one_seat_stays_its_own_when_the_round_has_closed(alice: User, bob: User, mallory: User) -> None:
    """What was for one seat alone is not told to others later, while the match runs; what is for all, is."""
    match = auction(alice, bob)
    bid(match, alice, 1500)
    bid(match, bob, 1600)
    look(match, 1600 + HOLD)
    page = f"/matches/{match.slug}/"
    seen = {str(user): text_of(browser(user).get(page)) for user in (alice, bob, mallory, None)}
    assert all(" won the " in text for text in seen.values())
    assert "Alice\u2069 bid the" in seen["alice"]
    assert "Bob\u2069 bid the" not in seen["alice"]
    assert "Bob\u2069 bid the" in seen["bob"]
    assert not [user for user in ("mallory", "None") if "bid the" in seen[user]]


def test_administration_lists_no_claims_until_the_match_is_over(alice: User, bob: User, moderator: User) -> None:
    match = auction(alice, bob)
    bid(match, alice, 1500)
    move = match.moves.get()
    client = browser(moderator)
    pages = [f"/admin/matches/match/{match.pk}/change/", "/admin/matches/move/"]
    assert not [path for path in pages if "bid ??" in text_of(client.get(path))]
    assert client.get(f"/admin/matches/move/{move.pk}/change/").status_code == 302, "as one that does not exist"
    play.resign(slug=match.slug, caller=Caller(bob), moment=at(1600))
    assert all("bid ??" in text_of(client.get(path)) for path in pages)


def test_refused_claim_tells_its_reason_and_changes_nothing(alice: User, bob: User, time: Clock) -> None:
    """A second bid in a round, by form: 422 with the board as it stands, and no row."""
    match = auction(alice, bob)
    bid(match, alice, 1500)
    time.moment = at(1600)
    before = Match.objects.values().get(pk=match.pk)
    form = {**bid_form(match, alice, card=0), "key": "again", "stage": "match"}
    answer = browser(alice).post(f"/matches/{match.slug}/act/move/", form, headers=HTMX)
    assert (answer.status_code, notice_in(answer)) == (422, "move-refused")
    assert Match.objects.values().get(pk=match.pk) == before
    assert match.moves.count() == 1


# What is pushed


@pytest.mark.django_db(transaction=True)
async def test_claim_is_pushed_to_its_own_tabs_and_to_nobody_else(
    alice: User, bob: User, mallory: User, time: Clock
) -> None:
    match = await do(auction, alice, bob)
    time.moment = at(1500)
    async with (
        watching(match, alice) as own,
        watching(match, alice) as own_other_tab,
        watching(match, bob) as opposite,
        watching(match, mallory) as spectator,
    ):
        form = await do(bid_form, match, alice)
        frames = [await own.act("move", **form), await own_other_tab.hear()]
        for frame in frames:
            assert notice_of(frame) is None
            assert version_of(frame) == match.version
            assert 'data-own="1"' in frame
            assert "bid the" in frame
        assert await opposite.hears_nothing()
        assert await spectator.hears_nothing()
        assert notice_of(await own.act("move", **{**form, "key": "again"})) == "move-refused"
        assert await opposite.hears_nothing()
        await do(look, match, CLOSES)
        closed = [await page.hear() for page in (own, own_other_tab, opposite, spectator)]
    assert {version_of(frame) for frame in closed} == {match.version}
    assert all(" won the " in frame for frame in closed)
    assert ["bid the" in frame for frame in closed] == [True, True, False, False]


@pytest.mark.django_db(transaction=True)
async def test_claim_by_form_reaches_the_own_sockets(alice: User, bob: User, time: Clock) -> None:
    """Two tabs of one person may come in by two doors."""
    match = await do(auction, alice, bob)
    time.moment = at(1500)
    async with watching(match, alice) as own, watching(match, bob) as opposite:
        await do(bid, match, alice, 1500)
        assert 'data-own="1"' in await own.hear()
        assert await opposite.hears_nothing()
