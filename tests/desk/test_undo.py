"""Taking acts back: everything is as if it had never been, ratings included; twice is as once."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from random import Random
from typing import Any

import pytest
from django.test import Client

from accounts.desk.acts import ModerationAct, What
from accounts.desk.errors import AlreadyUndone, CanNotBeUndone, DeskRefused, OwnMatch, Protected
from accounts.desk.models import Report
from accounts.desk.services import chat, matches, people
from accounts.desk.services.reports import decide_report
from accounts.desk.services.undoing import undo_act
from accounts.people.models import FormerName, Notice, User
from games.matches.callers import Caller
from games.matches.ledger import Rating, RatingBook, RatingChange
from games.matches.models import Match, Seat, SoloBest
from games.matches.services.play import resign
from games.matches.services.recompute import deviation, recompute
from tests.matches.alone import ended
from tests.matches.browsing import browser, text_of
from tests.matches.conftest import START, Clock, sit_down
from tests.matches.crowds import at_once
from tests.matches.ledgers import assert_books_balance, end, play_rated, rated_table

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _clock(time: Clock) -> None:
    """Nothing moves while a test looks."""


@pytest.fixture
def void(moderator: User) -> Callable[[Match], ModerationAct]:
    def do(match: Match) -> ModerationAct:
        match.refresh_from_db()
        return matches.void_match(who=moderator, match=match, why="Agreed upon.", moment=START)

    return do


@pytest.fixture
def undo(moderator: User) -> Callable[[ModerationAct], ModerationAct]:
    return lambda act: undo_act(who=moderator, act=act, why="A mistake.", moment=START)


Act = Callable[[Match], ModerationAct]
Undo = Callable[[ModerationAct], ModerationAct]


def ledger() -> list[dict[str, Any]]:
    """What it says, but for the edition and the rows' own numbers."""
    lines = RatingChange.objects.in_force().order_by("finish_number", "seat").values()
    return [{key: value for key, value in line.items() if key not in ("id", "edition")} for line in lines]


def ratings() -> list[Any]:
    columns = ("user_id", "mu", "sigma", "shown", "matches", "last_number")
    return list(Rating.objects.order_by("user_id").values_list(*columns))


def histories() -> list[dict[str, Any]]:
    columns = ("match", "index", "finished_at", "game_slug", "mode", "result", "rated", "public", "exit", "left_order")
    return list(Seat.objects.order_by("match", "index").values(*columns))


def results() -> list[Any]:
    columns = ("slug", "status", "reason", "standing", "outcome", "finish_number", "finished_at")
    return list(Match.objects.order_by("pk").values(*columns))


def everything() -> Any:
    return ledger(), ratings(), histories(), results()


def some_matches(people: list[User], count: int, rng: Random) -> list[Match]:
    played = []
    for number in range(count):
        sitters = rng.sample(people, rng.randint(2, len(people)))
        marks = [rng.randrange(len(sitters)) for _ in sitters]
        played.append(play_rated(*sitters, places=[1 + sum(o < m for o in marks) for m in marks], hours=number))
    return played


# Voiding


def test_restored_match_counts_as_if_it_had_never_been_voided(
    alice: User, bob: User, carol: User, mallory: User, void: Act, undo: Undo
) -> None:
    """Any of several, in any order, with the bookkeeper coming by between them or not."""
    rng = Random(6)
    played = some_matches([alice, bob, carol, mallory], 8, rng)
    before = everything()
    for round_ in range(6):
        acts = [void(match) for match in rng.sample(played, rng.randint(1, 4))]
        if round_ % 3:
            recompute(game="m")
            assert_books_balance()
        rng.shuffle(acts)
        for act in acts:
            undo(act)
            if round_ == 5:
                recompute(game="m")
                assert deviation(game="m") < 1e-9
        recompute(game="m")
        assert everything() == before
        assert deviation(game="m") < 1e-9
        assert_books_balance()


def test_match_is_voided_restored_voided_and_restored(alice: User, bob: User, void: Act, undo: Undo) -> None:
    first, second = (
        play_rated(alice, bob, places=places, hours=hours) for hours, places in enumerate([(1, 2), (2, 1)])
    )
    before = everything()
    act = void(first)
    recompute(game="m")
    undo(act)
    again = void(first)
    recompute(game="m")
    without = everything()
    undo(again)
    recompute(game="m")
    assert everything() == before
    assert without != before
    for done in (act, again):
        with pytest.raises(AlreadyUndone):
            undo(done)
    assert everything() == before
    assert second.finish_number == 2


def test_whose_only_rated_match_is_restored_has_the_rating_back(alice: User, bob: User, void: Act, undo: Undo) -> None:
    match = play_rated(alice, bob, places=(1, 2))
    before = everything()
    act = void(match)
    recompute(game="m")
    assert {row[4] for row in ratings()} == {0}
    undo(act)
    recompute(game="m")
    assert everything() == before


def test_what_ends_meanwhile_is_counted_behind_it(alice: User, bob: User, carol: User, void: Act, undo: Undo) -> None:
    """Between the voiding, the undoing and each recompute others end, which have seen wrong ratings."""
    played = [play_rated(alice, bob, places=(1, 2), hours=hours) for hours in range(3)]
    act = void(played[1])
    play_rated(alice, carol, places=(2, 1), hours=4)
    recompute(game="m")
    play_rated(bob, carol, places=(1, 2), hours=5)
    undo(act)
    play_rated(alice, bob, carol, places=(3, 1, 2), hours=6)
    recompute(game="m")
    assert_books_balance()
    assert deviation(game="m") < 1e-9
    assert Match.objects.filter(standing__isnull=False).count() == RatingBook.objects.get().last_number == 6


def test_restoring_while_a_recompute_is_under_way_makes_it_begin_anew(
    alice: User, bob: User, void: Act, undo: Undo, monkeypatch: pytest.MonkeyPatch
) -> None:
    from games.matches.services import recompute as module

    played = [play_rated(alice, bob, places=(1, 2), hours=hours) for hours in range(4)]
    before = everything()
    act = void(played[1])
    monkeypatch.setattr(module, "MATCHES_A_STEP", 1)
    prepare = module._Work.prepare
    restored: list[ModerationAct] = []

    def prepare_and_be_overtaken(work: Any, upto: int) -> None:
        prepare(work, upto)
        if not restored:
            restored.append(undo(act))

    monkeypatch.setattr(module._Work, "prepare", prepare_and_be_overtaken)
    assert recompute(game="m")
    assert restored
    assert everything() == before


def test_history_and_pages_have_the_result_again(alice: User, bob: User, void: Act, undo: Undo) -> None:
    match = play_rated(alice, bob, places=(1, 2))
    act = void(match)
    assert "voided by a moderator" in text_of(browser(alice).get("/history/"))
    undo(act)
    page = text_of(browser(alice).get("/history/"))
    assert "voided by a moderator" not in page
    codes = list(Notice.objects.filter(user=bob).order_by("pk").values_list("code", flat=True))
    assert codes == ["match-voided", "match-restored"]


def test_best_time_alone_comes_back(alice: User, void: Act, undo: Undo) -> None:
    """Also before an equal one that came later, and took its place meanwhile."""
    first = ended(alice, 50_000)
    ended(alice, 50_000, minutes=1)
    ended(alice, 60_000, minutes=2)
    kept = SoloBest.objects.values().get()
    act = void(first)
    assert SoloBest.objects.get().match_id != first.pk
    undo(act)
    assert SoloBest.objects.values().get() == kept


def test_running_match_that_was_voided_or_ended_stays_so(
    alice: User, bob: User, carol: User, moderator: User, void: Act, undo: Undo, desk: Client
) -> None:
    running, other = sit_down(alice, bob), sit_down(alice, carol)
    for act in (void(running), matches.end_match(who=moderator, match=other, why="x", moment=START)):
        with pytest.raises(CanNotBeUndone):
            undo(act)
        page = text_of(desk.get(f"/admin/desk/moderationact/{act.pk}/change/"))
        assert f"/undo/{act.pk}/" not in page
    assert ModerationAct.objects.count() == 2


@pytest.mark.django_db(transaction=True)
@pytest.mark.postgres
def test_many_undo_the_same_at_once_while_others_void_and_matches_end(
    alice: User, bob: User, carol: User, moderator: User, colleague: User
) -> None:
    played = [play_rated(alice, bob, places=(1, 2), hours=hours) for hours in range(6)]
    acts = [matches.void_match(who=moderator, match=match, why="x", moment=START) for match in played[:3]]
    recompute(game="m")
    running = [rated_table(alice, carol, hours=7 + number) for number in range(4)]

    def quietly(job: Callable[[], object]) -> bool:
        try:
            job()
        except DeskRefused:
            return False
        return True

    jobs: list[Callable[[], object]] = []
    for act in acts:
        jobs += [partial(undo_act, who=who, act=act, why="x", moment=START) for who in (moderator, colleague) * 2]
    jobs += [
        partial(matches.void_match, who=colleague, match=match, why="x", moment=START) for match in played[3:5] * 2
    ]
    jobs += [partial(end, match, (1, 2), 9) for match in running]
    jobs += [partial(recompute, game="m") for _ in range(3)]
    done = at_once([partial(quietly, job) for job in jobs])
    assert sum(done[:12]) == 3, "each was undone once"
    assert sum(done[12:16]) == 2
    while recompute(game="m"):
        pass
    assert_books_balance()
    assert deviation(game="m") < 1e-9


# The others


def test_sanctions_are_lifted_and_seats_stay_lost(
    alice: User, bob: User, quarrel: Match, moderator: User, undo: Undo
) -> None:
    ban = people.sanction_person(who=moderator, what=What.BAN, whom=bob, why="x", moment=START)
    mute = people.sanction_person(who=moderator, what=What.MUTE, whom=bob, why="x", moment=START)
    resign(slug=quarrel.slug, caller=Caller(bob), moment=START)
    undo(ban)
    bob.refresh_from_db()
    assert not bob.is_barred(START + timedelta(seconds=1))
    assert bob.is_muted(START + timedelta(seconds=1)), "the other one stands"
    undo(mute)
    bob.refresh_from_db()
    assert not bob.is_muted(START + timedelta(seconds=1))
    quarrel.refresh_from_db()
    assert quarrel.status == Match.Status.OVER
    said = list(Notice.objects.filter(user=bob, code="lifted").order_by("pk").values_list("params", flat=True))
    assert said == [{"kind": kind, "reason": "A mistake."} for kind in ("ban", "mute")]


def unread(user: User) -> list[str]:
    return list(Notice.objects.filter(user=user, read_at=None).order_by("pk").values_list("code", flat=True))


def test_what_was_undone_is_not_read_as_if_it_held(
    alice: User,
    bob: User,
    quarrel: Match,
    moderator: User,
    undo: Undo,
    void: Act,
    django_capture_on_commit_callbacks: Any,
) -> None:
    """On the pages stands what holds, also if nobody has read the other one; another act's notice stays."""
    by = partial(dict[str, Any], who=moderator, why="x")
    minutes = (START - timedelta(minutes=left) for left in range(100, 0, -1))
    people.warn_person(whom=bob, **by(moment=next(minutes)))
    person = [people.warn_person(whom=bob, **by(moment=next(minutes)))]
    for what in (What.MUTE, What.SUSPEND, What.BAN):
        person.append(people.sanction_person(what=what, whom=bob, **by(moment=next(minutes))))
    person.append(people.rename_person(whom=bob, name="Player 1", **by(moment=next(minutes))))
    person.append(chat.hide_line(match=quarrel, room="players", number=2, **by(moment=next(minutes))))
    with django_capture_on_commit_callbacks(execute=True):
        for act in reversed(person):
            undo(act)
    assert unread(bob) == ["warned", "line-restored", "renamed", "lifted", "lifted", "lifted", "lifted"]
    bob.refresh_from_db()
    assert bob.unread_notices == 7
    match = play_rated(alice, bob, places=(1, 2))
    undo(void(match))
    assert unread(alice) == ["match-restored"]
    assert unread(bob)[7:] == ["match-restored"]


@pytest.mark.parametrize("upheld", [True, False])
def test_reporter_hears_that_the_report_is_open_again(
    alice: User, bob: User, moderator: User, undo: Undo, desk: Client, upheld: bool
) -> None:
    report = Report.objects.create(by=alice, about=bob, place="profile", reason="name", created_at=START)
    act = decide_report(who=moderator, report=report, upheld=upheld, why="x", moment=START)
    assert "told that it is open again" in text_of(desk.get(f"/admin/desk/report/undo/{act.pk}/"))
    undo(act)
    assert unread(alice) == ["report-reopened"]
    assert Notice.objects.get(code="report-reopened").params == {"report": report.pk}
    assert not Notice.objects.filter(user=bob).exists()


def test_sanction_that_is_over_is_undone_without_a_word(bob: User, moderator: User) -> None:
    act = people.sanction_person(
        who=moderator, what=What.MUTE, whom=bob, why="x", moment=START, until=START + timedelta(hours=1)
    )
    undo_act(who=moderator, act=act, why="x", moment=START + timedelta(hours=2))
    assert not Notice.objects.filter(code="lifted").exists()


def test_name_comes_back_unless_something_has_happened_to_it(
    alice: User, bob: User, moderator: User, undo: Undo
) -> None:
    def rename(name: str) -> ModerationAct:
        return people.rename_person(who=moderator, whom=bob, name=name, why="x", moment=START)

    undo(rename("Player 1"))
    bob.refresh_from_db()
    assert bob.display_name == "Bob"
    first, second = rename("Player 2"), rename("Player 3")
    with pytest.raises(CanNotBeUndone):
        undo(first)
    User.objects.filter(pk=alice.pk).update(display_name="Player 2")
    with pytest.raises(DeskRefused):
        undo(second)
    FormerName.objects.all().delete()
    with pytest.raises(CanNotBeUndone):
        undo(second)
    bob.refresh_from_db()
    assert bob.display_name == "Player 3"


def test_hidden_line_is_read_again(alice: User, bob: User, quarrel: Match, moderator: User, undo: Undo) -> None:
    act = chat.hide_line(who=moderator, match=quarrel, room="players", number=2, why="x", moment=START)
    undo(act)
    assert "you fool" in text_of(browser(alice).get(f"/matches/{quarrel.slug}/"))
    assert Notice.objects.filter(user=bob, code="line-restored").count() == 1
    with pytest.raises(AlreadyUndone):
        undo(act)


def test_removed_table_waits_again_with_its_people(alice: User, bob: User, moderator: User, undo: Undo) -> None:
    table = sit_down(alice, bob, seats=3, start=False)
    act = matches.remove_table(who=moderator, match=table, why="x", moment=START)
    undo(act)
    table.refresh_from_db()
    assert (table.status, table.finished_at) == (Match.Status.TABLE, None)
    assert table.due_at is not None
    assert table.seats.filter(user__isnull=False).count() == 2
    assert table.slug in text_of(browser(bob).get("/lobby/"))


def test_decision_is_taken_back_unless_the_same_was_reported_anew(
    alice: User, bob: User, moderator: User, undo: Undo
) -> None:
    def report() -> Report:
        return Report.objects.create(by=alice, about=bob, place="profile", reason="abuse", created_at=START)

    def decide(of: Report) -> ModerationAct:
        return decide_report(who=moderator, report=of, upheld=False, why="x", moment=START)

    first = report()
    undo(decide(first))
    first.refresh_from_db()
    assert (first.state, first.decided_by, first.answer) == ("open", None, "")
    act = decide(first)
    report()
    with pytest.raises(CanNotBeUndone):
        undo(act)
    first.refresh_from_db()
    assert first.state == "dismissed"


def test_undoing_needs_what_the_act_needs(
    alice: User, bob: User, moderator: User, colleague: User, root: User, mallory: User
) -> None:
    upon_mod = people.warn_person(who=root, whom=moderator, why="x", moment=START)
    mine = sit_down(moderator, alice)
    resign(slug=mine.slug, caller=Caller(alice), moment=START)
    at_mine = matches.void_match(who=colleague, match=mine, why="x", moment=START)
    for act, error in ((upon_mod, Protected), (at_mine, OwnMatch)):
        with pytest.raises(error):
            undo_act(who=moderator, act=act, why="x", moment=START)
    moderator.groups.clear()
    ban = people.sanction_person(who=root, what=What.BAN, whom=bob, why="x", moment=START)
    path = f"/admin/desk/report/undo/{ban.pk}/"
    for who, status in ((User.objects.get(pk=moderator.pk), 403), (mallory, 302), (None, 302)):
        assert browser(who).post(path, {"why": "x"}).status_code == status
    assert browser(colleague).post(path, {"why": ""}).status_code == 422
    assert browser(colleague).get(path).status_code == 200
    assert not ModerationAct.objects.filter(undoes=ban).exists()
    assert browser(colleague).post(path, {"why": "x"}).status_code == 302
    assert browser(colleague).post(path, {"why": "x"}).status_code == 409
    assert ModerationAct.objects.filter(undoes=ban).count() == 1


def test_what_has_been_undone_is_not_undone_once_more(bob: User, moderator: User, undo: Undo) -> None:
    act = people.warn_person(who=moderator, whom=bob, why="x", moment=START)
    undoing = undo(act)
    with pytest.raises(CanNotBeUndone):
        undo(undoing)
