"""A move at a match as this process knows it: stored by one statement if nothing has changed, and else not at all."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from random import Random
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.db import DataError, OperationalError, connection
from django.test.utils import CaptureQueriesContext

from accounts.people.models import User
from accounts.people.sanctioning import Kind, impose_sanction
from accounts.people.sanctions import FOR_GOOD
from games.contract.registry import get_game
from games.matches import wakeup
from games.matches.callers import Caller, Known, person_now
from games.matches.errors import KeyReused
from games.matches.models import LogEntry, Match, Move, Outage, Presence, Seat
from games.matches.services import outages, play
from games.matches.services.due import settle_due
from games.matches.services.sitting import NotAsKnown, locked_match
from games.matches.snapshots import kept_snapshot, snapshot
from tests.conftest import PASSWORD
from tests.matches.conftest import START, Clock, frozen, legal_texts, move_form, player_to_move, sit_down
from tests.matches.wire import do, notice_of, session_of, watching

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgres]


@pytest.fixture(autouse=True)
def _clock(time: Clock) -> None:
    """What is due comes only when a test says so."""


def known_caller(user: User) -> Caller:
    """As a socket finds its person when it is opened."""
    session_key = session_of(user)
    found = person_now(User(pk=user.pk), session_key)
    assert found is not None
    assert found.mark_known is not None
    return Caller(found, known=Known(session_key, found.pk, found.mark_known))


def looked_at(match: Match) -> None:
    """Somebody looks at it in this process, which keeps it from then on."""
    match.refresh_from_db()
    snapshot(slug=match.slug, caller=Caller(None, invited=True))


def play_as_known(match: Match, caller: Caller, form: dict[str, str], **more: Any) -> None:
    given = {"text": form["move"], "turn_key": form["turn_key"], "key": form["key"], "arrived": START, **more}
    play.play_move(slug=match.slug, caller=caller, **given)


def test_one_statement_stores_the_move_and_this_process_has_it_at_hand(alice: User, bob: User) -> None:
    outages.beat()
    match = sit_down(alice, bob)
    looked_at(match)
    caller, form = known_caller(player_to_move(match)), move_form(match)
    play_as_known(match, caller, form)  # what is asked now and then has been asked
    caller, form = known_caller(player_to_move(match)), move_form(match)
    with CaptureQueriesContext(connection) as asked:
        play_as_known(match, caller, form)
    assert len(asked) == 1, [query["sql"] for query in asked]
    match.refresh_from_db()
    kept = kept_snapshot(match.slug)
    assert kept is not None
    assert (match.ply, kept.match.revision, kept.moves[-1].pk) == (2, match.revision, match.moves.latest("pk").pk)


@pytest.mark.parametrize("slug", ["m", "block_buster"])
def test_both_ways_store_the_same(alice: User, bob: User, slug: str) -> None:
    """A whole match without a lock where that is possible, and the same one under the lock, leave equal rows."""
    stored: list[tuple[Any, list[Any]]] = []
    for is_known in (True, False):
        match = sit_down(alice, bob, game=get_game(slug), options={})
        if stored:
            _deal_as(match, stored[0][0])
        begun = Match.objects.filter(pk=match.pk).values("deal", "position").get()
        callers = {user.pk: known_caller(user) for user in (alice, bob)}
        ways = _play_out(match, callers, Random(7), is_known=is_known)
        assert ways[0] > (10 if is_known else -1)
        assert ways[1] > 0, "at least the end takes the lock"
        stored.append((begun, _rows_of(match)))
    assert stored[0][1] == stored[1][1]


def _deal_as(match: Match, begun: Any) -> None:
    Match.objects.filter(pk=match.pk).update(**begun)
    position = match.game.rules.load(begun["position"])
    Match.objects.filter(pk=match.pk).update(to_move=list(match.game.rules.to_move(position)))


def _play_out(match: Match, callers: dict[int, Caller], rng: Random, *, is_known: bool) -> tuple[int, int]:
    """How many moves were stored without the lock, and how many under it."""
    unlocked = locked = 0
    looked_at(match)
    while match.status == Match.Status.RUNNING:
        caller = callers[player_to_move(match).pk]
        form = move_form(match, move=rng.choice(legal_texts(match)))
        arrived = START + timedelta(seconds=match.ply)
        try:
            if not is_known:
                raise NotAsKnown
            play_as_known(match, caller, form, arrived=arrived)
            unlocked += 1
        except NotAsKnown:
            play_as_known(match, Caller(caller.user), form, arrived=arrived)
            locked += 1
        match.refresh_from_db()
    return unlocked, locked


def _rows_of(match: Match) -> list[Any]:
    apart = {"id", "match_id", "slug", "invite", "created_at", "epoch", "started_at", "deal_hash", "deal_nonce"}

    def plain(row: Any) -> dict[str, Any]:
        return {name: value for name, value in row.items() if name not in apart}

    match.refresh_from_db()
    found: list[Any] = [plain({field.attname: getattr(match, field.attname) for field in Match._meta.concrete_fields})]
    for model, order in ((Seat, "index"), (Move, "ply"), (LogEntry, "pk")):
        found += map(plain, model._default_manager.filter(match=match).order_by(order).values())
    return found


def log_out(user: User) -> None:
    Session.objects.all().delete()


def bar(user: User) -> None:
    impose_sanction(user=user, kind=Kind.BAN, reason="spam", moment=START, until=FOR_GOOD)


def new_password(user: User) -> None:
    user.set_password(f"{PASSWORD} again")
    user.save()


def switch_off(user: User) -> None:
    User.objects.filter(pk=user.pk).update(is_active=False)


def run_out(user: User) -> None:
    Session.objects.update(expire_date=START - timedelta(days=400))


@pytest.mark.parametrize("change", [log_out, bar, new_password, switch_off, run_out])
def test_nothing_is_stored_for_a_person_who_has_changed(alice: User, bob: User, change: Callable[[User], None]) -> None:
    match = sit_down(alice, bob)
    looked_at(match)
    user, form = player_to_move(match), move_form(match)
    caller, before = known_caller(user), frozen(match)
    change(user)
    with pytest.raises(NotAsKnown):
        play_as_known(match, caller, form)
    assert frozen(match) == before


def test_nothing_is_stored_where_the_match_has_changed(alice: User, bob: User) -> None:
    """By another process: this one has not heard of it yet."""
    match = sit_down(alice, bob)
    looked_at(match)
    caller, form = known_caller(player_to_move(match)), move_form(match)
    kept = kept_snapshot(match.slug)
    Match.objects.filter(pk=match.pk).update(revision=match.revision + 1)
    with pytest.raises(NotAsKnown):
        play_as_known(match, caller, form)
    assert not match.moves.exists()
    assert kept_snapshot(match.slug) is kept, "what was tried is forgotten"


def test_move_that_came_before_an_outage_is_counted_under_the_lock(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    looked_at(match)
    caller, form = known_caller(player_to_move(match)), move_form(match)
    Outage.objects.create(began_at=START + timedelta(seconds=5), ended_at=START + timedelta(seconds=50))
    with pytest.raises(NotAsKnown):
        play_as_known(match, caller, form, arrived=START + timedelta(seconds=4))
    play_as_known(match, caller, form, arrived=START + timedelta(seconds=51))
    assert match.moves.count() == 1


def test_refusal_is_left_to_the_lock(alice: User, bob: User) -> None:
    """What this process knows may be old: it must not tell anybody that their move is illegal."""
    match = sit_down(alice, bob)
    looked_at(match)
    caller, form = known_caller(player_to_move(match)), move_form(match)
    for wrong in ({"move": "nonsense"}, {"turn_key": "99"}):
        with pytest.raises(NotAsKnown):
            play_as_known(match, caller, {**form, **wrong})


def test_key_that_was_used_is_an_error_of_the_one_statement_too(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    form = {**move_form(match), "key": "once"}
    user = player_to_move(match)
    seat = match.seats.get(user=user).index
    Move.objects.create(match=match, ply=900, seat=seat, text="pass", public_text="pass", at=0, key="once", undone=True)
    looked_at(match)
    before = frozen(match)
    with pytest.raises(KeyReused):
        play_as_known(match, known_caller(user), form)
    assert frozen(match) == before


def test_text_that_is_too_long_is_refused_and_not_cut(alice: User, bob: User, monkeypatch: pytest.MonkeyPatch) -> None:
    match = sit_down(alice, bob)
    looked_at(match)
    caller, form = known_caller(player_to_move(match)), move_form(match)
    before = frozen(match)
    monkeypatch.setattr(type(match.game.rules), "format_move", lambda self, move: "x" * 200)
    with pytest.raises(DataError):
        play_as_known(match, caller, form)
    assert frozen(match) == before


def test_who_is_only_known_is_not_let_in_under_the_lock(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    with pytest.raises(NotAsKnown), locked_match(slug=match.slug, caller=known_caller(alice)):
        pass


def test_stored_move_stands_though_no_keeper_can_be_told(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """A word that gets lost is one that the keepers' own looks make up for: the player must not hear of a failure."""
    match = sit_down(alice, bots=1)
    while player_to_move_or_none(match) is None:
        settle_due(moment=START + timedelta(seconds=30))
    looked_at(match)
    form = move_form(match)

    def broken() -> None:
        raise OperationalError("the queue is full")

    monkeypatch.setattr(wakeup, "SOON", timedelta(hours=1))
    monkeypatch.setattr(wakeup, "_notify", broken)
    play_as_known(match, known_caller(alice), form, arrived=START + timedelta(seconds=31))
    assert match.moves.latest("ply").text == form["move"]


def player_to_move_or_none(match: Match) -> User | None:
    match.refresh_from_db()
    return match.seats.get(index=match.to_move[0]).user


async def test_who_is_logged_out_hears_so_before_any_other_refusal(alice: User, bob: User) -> None:
    """Whatever is wrong with the move: it is not answered with the match."""
    match = await do(sit_down, alice, bob)
    form = await do(move_form, match)
    async with watching(match, await do(player_to_move, match)) as socket:
        await do(log_out, alice)
        frame = await socket.act("move", **{**form, "move": "x" * 200})
    assert notice_of(frame) == "not-logged-in"


def test_match_by_turns_asks_for_vacations_under_the_lock(alice: User, bob: User) -> None:
    match = sit_down(alice, bob, pace=Match.Pace.TURNS)
    if match.status != Match.Status.RUNNING:
        pytest.fail("it has not begun")
    looked_at(match)
    with pytest.raises(NotAsKnown):
        play_as_known(match, known_caller(player_to_move(match)), move_form(match))
    assert not match.moves.exists()
    assert not Presence.objects.filter(match=match).exists()
