"""Mails to those whose turn it is and who are away: when they go, to whom, what is in them, and that each goes once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from smtplib import SMTPServerDisconnected
from typing import Any

import pytest
from django.core import mail
from django.core.mail import EmailMessage
from django.test.utils import CaptureQueriesContext

from accounts.people.models import User
from games.contract.registry import get_game
from games.matches import attendants, mails, postman
from games.matches.callers import Caller
from games.matches.models import Match, Reminder, TurnNotice
from games.matches.postman import Postman
from games.matches.services import reminders
from games.matches.services.acts import perform_act
from games.matches.services.clocks import DAY, TimeLimit
from games.matches.services.play import agree_to_end, resign
from games.matches.services.reminders import (
    MOST_TRIES,
    TAKEN_FOR,
    TRY_AGAIN_AFTER,
    _take,
    gather_turns,
    note_visit,
    send_reminders,
)
from games.matches.services.vacations import begin_vacation, end_vacation
from tests.matches.browsing import browser
from tests.matches.conftest import START, Clock, move_form, player_to_move, sit_down
from tests.matches.crowds import at_once
from tests.matches.playing import other, play_form
from tests.matches.timekeeping import by_turns, move_at

pytestmark = pytest.mark.django_db

MS = timedelta(milliseconds=1)
MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)
DUE = timedelta(minutes=15)

PLAIN_MARKS = re.compile("[\u2068\u2069]")


@pytest.fixture(autouse=True)
def _no_pool(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attendants, "close_old_connections", lambda: None)


def go_round(moment: datetime) -> list[EmailMessage]:
    """The postman goes round at that moment: what was sent by that."""
    before = len(mail.outbox)
    gather_turns(moment=moment)
    send_reminders(moment=moment)
    return mail.outbox[before:]


def go_round_all(*moments: datetime) -> list[int]:
    """How many mails went at each of these moments."""
    return [len(go_round(moment)) for moment in moments]


def turns(*people: User, **table: Any) -> tuple[Match, User]:
    """A match by turns that has begun, and the player to move."""
    match = by_turns(*people, **table)
    return match, player_to_move(match)


def turn_of(user: User, opponent: User, *, moment: datetime = START, **table: Any) -> Match:
    """The same, where it is that person's turn, whom the deal lets begin."""
    while player_to_move(match := by_turns(user, opponent, moment=moment, **table)) != user:
        match.delete()
    return match


def text_in(letter: EmailMessage) -> str:
    return PLAIN_MARKS.sub("", str(letter.body))


# When


def test_a_mail_goes_after_fifteen_minutes_and_once(alice: User, bob: User) -> None:
    _, waited_for = turns(alice, bob)
    assert go_round_all(START + DUE - MS, START + DUE, START + DUE, START + 5 * HOUR) == [0, 1, 0, 0]
    assert mail.outbox[0].to == [waited_for.email]


def test_it_counts_from_the_last_move(alice: User, bob: User) -> None:
    match, first = turns(alice, bob)
    move_at(match, 600_000)
    moved = START + timedelta(minutes=10)
    assert go_round_all(START + DUE, moved + DUE - MS, moved + DUE) == [0, 0, 1]
    assert mail.outbox[0].to == [other(first, alice, bob).email]


def test_who_was_at_a_page_has_fifteen_minutes_from_then(alice: User, bob: User) -> None:
    _, user = turns(alice, bob)
    seen = START + timedelta(minutes=14)
    note_visit(user=user, moment=seen)
    assert go_round_all(START + DUE, seen + DUE - MS) == [0, 0]
    again = seen + DUE - MS
    note_visit(user=user, moment=again)
    assert go_round_all(seen + DUE, again + DUE - MS, again + DUE) == [0, 0, 1]


def test_matches_are_collected_and_mails_are_an_hour_apart(alice: User, bob: User) -> None:
    """The mail tells of all that waits, also of what has waited shorter; what comes after waits for the next."""
    first, *others = [turn_of(alice, bob, moment=START + number * MINUTE) for number in (0, 5, 14)]
    (letter,) = go_round(START + DUE)
    assert all(match.slug in text_in(letter) for match in (first, *others))
    assert "3 matches" in letter.subject
    late = turn_of(alice, bob, moment=START + 20 * MINUTE)
    an_hour_later = START + DUE + HOUR
    assert go_round_all(START + HOUR, an_hour_later - MS) == [0, 0]
    (letter,) = go_round(an_hour_later)
    assert late.slug in text_in(letter)
    assert go_round_all(an_hour_later + HOUR, an_hour_later + 3 * HOUR) == [0, 0], "all is told"


def test_once_more_when_a_fifth_of_the_time_is_left(alice: User, bob: User) -> None:
    match, user = turns(alice, bob, clock=TimeLimit(DAY))
    (first,) = go_round(START + DUE)
    little = START + timedelta(hours=24) * 4 / 5
    assert go_round_all(START + 2 * HOUR, little - MS) == [0, 0]
    (second,) = go_round(little)
    assert "running out" in second.subject
    assert "running out" not in first.subject
    assert "Time left: 4 hours 48 minutes." in text_in(second)
    assert go_round_all(little + HOUR, little + 2 * HOUR, little + 4 * HOUR) == [0, 0, 0]
    assert match.slug in text_in(second)
    assert second.to == [user.email]


def test_that_little_is_left_need_not_wait_an_hour_for_the_other_mail(alice: User, bob: User) -> None:
    turn_of(alice, bob, clock=TimeLimit(DAY))
    go_round(START + DUE)
    little = START + timedelta(hours=24) * 4 / 5
    turn_of(alice, bob, moment=little - DUE - 10 * MINUTE)
    assert go_round_all(little - 10 * MINUTE, little) == [1, 1]
    assert go_round_all(little + HOUR, little + 3 * HOUR) == [0, 0]


def test_who_is_at_a_page_is_not_warned_either(alice: User, bob: User) -> None:
    _, user = turns(alice, bob, clock=TimeLimit(DAY))
    little = START + timedelta(hours=24) * 4 / 5
    note_visit(user=user, moment=START)
    go_round(START + DUE)
    note_visit(user=user, moment=little)
    assert go_round_all(little, little + DUE) == [0, 1]


def test_without_a_clock_there_is_no_second_mail(alice: User, bob: User) -> None:
    sit_down(alice, bob, pace=Match.Pace.TURNS)
    assert go_round_all(START + DUE, *(START + timedelta(days=days) for days in (1, 5, 13))) == [1, 0, 0, 0]


def test_next_turn_is_another(alice: User, bob: User) -> None:
    match, _ = turns(alice, bob)
    go_round(START + DUE)
    move_at(match, 3_600_000)
    move_at(match, 3_700_000)
    moved = START + timedelta(milliseconds=3_700_000)
    assert go_round_all(moved + DUE - MS, moved + DUE) == [0, 1]


def test_turn_that_was_taken_back_is_told_of_again_and_not_every_hour(alice: User, bob: User) -> None:
    """The number of its ply may have been higher before."""
    match = turn_of(alice, bob)
    Match.objects.filter(pk=match.pk).update(ply=4)
    assert go_round_all(START + DUE) == [1]
    back = START + 2 * HOUR
    Match.objects.filter(pk=match.pk).update(ply=2, touched_at=back)
    assert go_round_all(back + DUE, *(back + number * HOUR for number in range(1, 8))) == [1, *[0] * 7]


def test_move_in_the_place_of_one_that_was_taken_back_begins_another_turn(alice: User, bob: User) -> None:
    """Its ply has the number of the turn that was written about."""
    match = by_turns(alice, bob, game=get_game("block_buster"))
    mover = player_to_move(match)
    waiting = other(mover, alice, bob)
    move_at(match, 1000)
    assert go_round_all(START + HOUR) == [1]
    for who, answer in ((mover, "ask"), (waiting, "agree")):
        form = {"answer": answer, "ply": "1"}
        perform_act(act="takeback", slug=match.slug, caller=Caller(who), data=form, arrived=START + 2 * HOUR)
    play_form(match, mover, move_form(match, key="again"), seconds=7260)
    assert go_round_all(START + 4 * HOUR, START + 6 * HOUR) == [1, 0]
    assert mail.outbox[-1].to == [waiting.email]


def test_what_another_keeper_told_meanwhile_stays_told(alice: User, bob: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two gather the same turn; the slower one comes when the mail has gone."""
    turns(alice, bob)
    create = type(TurnNotice.objects).bulk_create

    def slowly(*args: Any, **kwargs: Any) -> Any:
        monkeypatch.setattr(type(TurnNotice.objects), "bulk_create", create)
        assert go_round_all(START + DUE) == [1]
        return create(*args, **kwargs)

    monkeypatch.setattr(type(TurnNotice.objects), "bulk_create", slowly)
    assert gather_turns(moment=START + DUE) == 1
    assert go_round_all(START + DUE + HOUR, START + 5 * HOUR) == [0, 0]


# Who gets none


def test_ended_match_is_not_written_about(alice: User, bob: User) -> None:
    match, user = turns(alice, bob)
    gather_turns(moment=START + DUE)
    resign(slug=match.slug, caller=Caller(user), moment=START + DUE)
    assert send_reminders(moment=START + DUE) == 0
    assert go_round_all(START + HOUR, START + timedelta(days=2)) == [0, 0]


def test_who_wants_none_gets_none_and_who_wants_them_again_does(alice: User, bob: User) -> None:
    match, user = turns(alice, bob)
    User.objects.filter(pk=user.pk).update(mail_turns=False)
    assert go_round_all(START + DUE, START + HOUR) == [0, 0]
    User.objects.filter(pk=user.pk).update(mail_turns=True)
    for ms in (7_200_000, 7_300_000):
        move_at(match, ms)
    assert go_round_all(START + timedelta(milliseconds=7_300_000) + DUE) == [1]


@pytest.mark.parametrize("how", [{"email": ""}, {"is_active": False}])
def test_who_has_no_address_or_no_account_gets_none(alice: User, bob: User, how: dict[str, Any]) -> None:
    _, user = turns(alice, bob)
    User.objects.filter(pk=user.pk).update(**how)
    assert go_round_all(START + DUE) == [0]


def test_turns_of_accounts_that_are_gone_keep_nobody_else_from_their_mail(
    alice: User, bob: User, carol: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reminders, "AT_ONCE", 2)
    for _ in range(3):
        turn_of(alice, bob)
    alice.delete()
    turn_of(bob, carol, moment=START + MINUTE)
    assert go_round_all(START + HOUR) == [1]
    assert mail.outbox[0].to == [bob.email]


@pytest.mark.usefixtures("toy")
def test_games_in_real_time_send_none(alice: User, bob: User) -> None:
    sit_down(alice, bob, game=get_game("toy"))
    assert go_round_all(START + DUE, START + HOUR) == [0, 0]
    assert not Reminder.objects.exists()


def test_who_has_left_or_looks_on_gets_none(alice: User, bob: User, carol: User, mallory: User) -> None:
    match = by_turns(alice, bob, carol)
    leaver = player_to_move(match)
    resign(slug=match.slug, caller=Caller(leaver), moment=START)
    match.refresh_from_db()
    (letter,) = go_round(START + DUE)
    assert letter.to == [player_to_move(match).email]
    assert leaver.email not in letter.to


def test_who_is_on_vacation_is_left_alone_till_they_are_back(alice: User, bob: User) -> None:
    _, user = turns(alice, bob)
    begin_vacation(user=user, moment=START + MINUTE)
    assert go_round_all(START + DUE, START + 5 * HOUR) == [0, 0]
    back = START + 6 * HOUR
    end_vacation(user=user, moment=back)
    note_visit(user=user, moment=back)
    assert go_round_all(back + DUE - MS) == [0]
    assert sum(go_round_all(*(back + DUE + number * 15 * MINUTE for number in range(5)))) == 1


def test_talk_about_the_end_defers_it_a_little_and_loses_nothing(alice: User, bob: User) -> None:
    match, user = turns(alice, bob)
    waiting = other(user, alice, bob)
    agree_to_end(slug=match.slug, caller=Caller(waiting), agreed=True, moment=START + 10 * MINUTE)
    assert sum(go_round_all(START + DUE, START + DUE + 10 * MINUTE)) == 1


# What is in it


def test_mail_says_what_waits_and_nothing_that_is_hidden(alice: User, bob: User) -> None:
    match, user = turns(alice, bob)
    opponent = other(user, alice, bob)
    (letter,) = go_round(START + DUE)
    text = text_in(letter)
    assert letter.subject == "Tesela: it is your turn in 1 match"
    assert f"Hello {user.display_name}," in text
    assert f"M, with {opponent.display_name}\nWaiting for 15 minutes. Time left: 2 days 23 hours.\n" in text
    assert f"https://tesela.example/matches/{match.slug}/\n" in text
    position = match.game.rules.load(match.position or {})
    assert not any(tile in text for hand in position.hands for tile in hand)
    assert opponent.email not in letter.message().as_string()
    assert letter.content_subtype == "plain"


def test_mail_is_in_the_reader_s_language(
    alice: User, bob: User, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The one that they have chosen; another is not offered any more, and is none."""
    spoken: list[str | None] = []

    def heard(turns: Any, *, warning: bool) -> str:
        from django.utils.translation import get_language

        spoken.append(get_language())
        return "subject"

    monkeypatch.setattr(mails, "_subject", heard)
    settings.LANGUAGES = [("en", "English"), ("es", "Spanish")]
    for number, language in enumerate(("es", "tlh", "")):
        moment = START + timedelta(days=number)
        match = by_turns(alice, bob, moment=moment)
        user = player_to_move(match)
        User.objects.filter(pk=user.pk).update(language=language)
        note_visit(user=user, moment=moment)
        go_round(moment + DUE)
        resign(slug=match.slug, caller=Caller(user), moment=moment + DUE)
    assert spoken == ["es", "en", "en"]


def test_hostile_name_changes_no_header_and_no_line(alice: User, bob: User) -> None:
    User.objects.update(display_name="<b>Bcc: x@y.example & co</b>")
    turns(alice, bob)
    (letter,) = go_round(START + DUE)
    assert "<b>Bcc: x@y.example & co</b>" in text_in(letter), "as it is: there is no markup in plain text"
    assert set(letter.message().keys()) >= {"List-Unsubscribe", "List-Unsubscribe-Post"}
    assert letter.message()["Bcc"] is None


# Stopping them


def stop_address(letter: EmailMessage) -> str:
    found = re.fullmatch(r"<https://tesela\.example(/account/mails/stop/[^>]+/)>", letter.message()["List-Unsubscribe"])
    assert found is not None
    assert f"https://tesela.example{found[1]}" in text_in(letter)
    return found[1]


def test_one_click_of_a_mail_program_stops_them(alice: User, bob: User) -> None:
    """By RFC 8058: a POST without log-in, cookie, token or Referer, answered without a redirect; once or twice."""
    _, user = turns(alice, bob)
    (letter,) = go_round(START + DUE)
    assert letter.message()["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    client = browser(enforce_csrf_checks=True)
    for _ in range(2):
        response = client.post(stop_address(letter), {"List-Unsubscribe": "One-Click"})
        assert response.status_code == 200
    user.refresh_from_db()
    assert not user.mail_turns
    assert User.objects.filter(mail_turns=True).count() == 1, "nobody else's"


def test_a_look_at_the_link_shows_a_button_and_changes_nothing(alice: User, bob: User) -> None:
    """Programs that look at all links in a mail stop nothing."""
    _, user = turns(alice, bob)
    (letter,) = go_round(START + DUE)
    client = browser()
    for method in (client.get, client.head, client.options):
        method(stop_address(letter))
    user.refresh_from_db()
    assert user.mail_turns
    assert 'id="stop-mails"' in client.get(stop_address(letter)).content.decode()


def test_token_of_ones_own_making_stops_nothing(alice: User, bob: User) -> None:
    from django.core import signing

    for token in ("x", signing.dumps(alice.pk), f"{alice.pk}:abc:def", "a" * 2000):
        for method in (browser().get, browser().post):
            response = method(f"/account/mails/stop/{token}/")
            assert response.status_code == 404
            assert "damaged" in response.content.decode()
    assert User.objects.filter(mail_turns=True).count() == 2


def test_settings_have_the_switch(alice: User) -> None:
    client = browser(alice)
    page = client.get("/account/settings/").content.decode()
    assert re.search(r'name="mail_turns"[^>]*checked', page)
    form = {"display_name": "Alice", "confirm_moves": "auto", "language": "en"}
    client.post("/account/settings/", form)
    alice.refresh_from_db()
    assert not alice.mail_turns
    client.post("/account/settings/", {**form, "mail_turns": "on"})
    alice.refresh_from_db()
    assert alice.mail_turns


# Who is at a page


def test_pages_say_that_somebody_is_there(alice: User, time: Clock) -> None:
    client = browser(alice)
    assert client.get("/your-turn/").status_code == 200
    assert not Reminder.objects.exists(), "a page that lies open says nothing of anybody"
    client.get("/your-turn/?here=1", headers={"Accept-Language": "en"})
    reminder = Reminder.objects.get(user=alice)
    assert reminder.seen_at == START
    time.tick(minutes=1)
    client.get("/your-turn/?here=1")
    assert Reminder.objects.get(user=alice).seen_at == START + MINUTE
    assert browser().get("/your-turn/?here=1").status_code == 204


# Several keepers, and mail servers that fail


@pytest.mark.django_db(transaction=True)
def test_several_keepers_send_one_mail(alice: User, bob: User, carol: User) -> None:
    for pair in ((alice, bob), (bob, carol), (carol, alice)):
        by_turns(*pair)
    people = {player_to_move(match).email for match in Match.objects.all()}
    at_once([lambda: go_round(START + DUE)] * 6)
    assert sorted(letter.to[0] for letter in mail.outbox) == sorted(people)


def test_what_a_keeper_has_begun_is_not_begun_by_another_unless_it_has_died(alice: User, bob: User) -> None:
    turns(alice, bob)
    moment = START + DUE
    gather_turns(moment=moment)
    assert _take(Reminder.objects.get().pk, moment) is not None
    assert go_round_all(moment, moment + TAKEN_FOR - MS, moment + TAKEN_FOR) == [0, 0, 1]


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The addresses that the mail server does not take, and how often it was tried."""
    tried: list[str] = []

    def refuse(self: EmailMessage, fail_silently: bool = False) -> int:
        tried.append(self.to[0])
        raise SMTPServerDisconnected("away")

    with monkeypatch.context() as patch:
        patch.setattr(EmailMessage, "send", refuse)
        yield tried


def test_mail_that_did_not_go_is_tried_again_and_given_up(alice: User, bob: User, broken: list[str]) -> None:
    turns(alice, bob)
    moment = START + DUE
    go_round(moment)
    go_round(moment + TRY_AGAIN_AFTER - MS)
    assert len(broken) == 1
    for number in range(100):
        go_round(moment + number * TRY_AGAIN_AFTER)
    assert len(broken) == MOST_TRIES
    assert Reminder.objects.get(user__email=broken[0]).mailed_at is None


def test_mail_that_failed_once_goes_later_and_counts_from_then(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    turns(alice, bob)
    with monkeypatch.context() as patch:
        patch.setattr(EmailMessage, "send", lambda *args, **kwargs: 1 / 0)
        assert go_round_all(START + DUE) == [0]
    later = START + DUE + TRY_AGAIN_AFTER
    assert go_round_all(later - MS, later, later + HOUR) == [0, 1, 0]
    assert Reminder.objects.exclude(mailed_at=None).get().mailed_at == later


def test_one_address_that_fails_keeps_nobody_else_from_their_mail(
    alice: User, bob: User, carol: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    matches = [by_turns(alice, bob), by_turns(bob, carol)]
    people = {player_to_move(match) for match in matches}
    send, bad = EmailMessage.send, min(people, key=lambda user: user.pk)

    def some(self: EmailMessage, fail_silently: bool = False) -> int:
        if self.to == [bad.email]:
            raise OSError("no such mailbox")
        return send(self, fail_silently)

    monkeypatch.setattr(EmailMessage, "send", some)
    assert {letter.to[0] for letter in go_round(START + DUE)} == {user.email for user in people - {bad}}


def test_postman_outlives_a_failure(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.setattr(postman, "gather_turns", lambda moment: 1 / 0)
    Postman()._look()
    assert "could not go round" in caplog.text


def test_postman_s_round_sends(alice: User, bob: User, time: Clock) -> None:
    turns(alice, bob)
    time.tick(minutes=15)
    Postman()._look()
    assert len(mail.outbox) == 1


def test_round_without_anything_to_do_costs_two_queries(
    alice: User, bob: User, django_assert_num_queries: CaptureQueriesContext
) -> None:
    for _ in range(3):
        by_turns(alice, bob)
    go_round(START + DUE)
    with django_assert_num_queries(2):  # type: ignore[operator]
        go_round(START + DUE + MINUTE)
