"""Invitations by name: who can be invited by whom, what becomes of it, and who sees it."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.people.models import User
from accounts.people.services import block_person
from games.matches.callers import Caller
from games.matches.errors import (
    BadInput,
    CannotInvite,
    NobodyCalled,
    NotFound,
    NotHost,
    NotInvited,
    NotWaiting,
    Refused,
    TableFull,
    TooMany,
)
from games.matches.models import Invitation, Match
from games.matches.services import invitations, tables
from games.matches.services.acts import perform_act
from tests.matches.browsing import act, browser, notice_in, table_form, text_of
from tests.matches.conftest import START, Clock, player_to_move, sit_down
from tests.matches.playing import play_some

pytestmark = pytest.mark.django_db

OPEN, ACCEPTED, DECLINED = Invitation.State.OPEN, Invitation.State.ACCEPTED, Invitation.State.DECLINED


def table(host: User, seats: int = 2, **changed: Any) -> Match:
    return sit_down(host, seats=seats, start=False, **{"public": False, **changed})


def invite(match: Match, host: User | None, name: str, seconds: float = 1) -> None:
    moment = START + timedelta(seconds=seconds)
    perform_act(act="invite", slug=match.slug, caller=Caller(host), data={"name": name}, arrived=moment)
    match.refresh_from_db()


def answer(match: Match, user: User, said: str) -> str | None:
    led = perform_act(act=said, slug=match.slug, caller=Caller(user), data={}, arrived=START + timedelta(seconds=2))
    match.refresh_from_db()
    return led


def why_not(match: Match, host: User, name: str) -> str:
    with pytest.raises((CannotInvite, NobodyCalled)) as refused:
        invite(match, host, name)
    return str(refused.value.params["what"])


def states(match: Match) -> dict[str, str]:
    return dict(match.invitations.values_list("user__username", "state"))


# Whom


def test_person_is_found_by_login_name_or_display_name(alice: User, make_person: Callable[..., User]) -> None:
    make_person("dora", display_name="Dora the Great")
    make_person("eve", display_name="dora")
    for name in ("dora", "DORA", "Dora the Great", "  dora   the great "):
        match = table(alice)
        invite(match, alice, name)
        assert states(match) == {"dora": OPEN}, name


@pytest.mark.parametrize(
    "name", ["\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", "\U0001f468\u200d\U0001f469\u200d\U0001f467"]
)
def test_name_with_joiners_is_found(alice: User, make_person: Callable[..., User], name: str) -> None:
    """Words of Persian and families of emoji have them; Python does not count them as printable."""
    make_person("dora", display_name=name)
    match = table(alice)
    invite(match, alice, name)
    assert states(match) == {"dora": OPEN}


def test_name_that_several_have_or_nobody_is_refused(alice: User, make_person: Callable[..., User]) -> None:
    for username in ("one", "two"):
        make_person(username, display_name="Twin")
    make_person("gone", is_active=False)
    match = table(alice)
    assert why_not(match, alice, "Twin") == "several"
    assert why_not(match, alice, "Nobody") == "none"
    assert why_not(match, alice, "gone") == "none"
    for name in ("", "   ", "x" * 81, "a\0b", "a\u202eb"):
        with pytest.raises(BadInput):
            invite(match, alice, name)


def test_oneself_bots_and_who_sits_there_need_none(alice: User, bob: User) -> None:
    match = table(alice, seats=3)
    assert why_not(match, alice, "alice") == "self"
    assert why_not(match, alice, "Bot") == "bot"
    tables.join_table(slug=match.slug, caller=Caller(bob, invited=True), index=None, moment=START)
    assert why_not(match, alice, "bob") == "seated"


def test_only_the_host_of_a_table_that_waits_invites(alice: User, bob: User, carol: User) -> None:
    match = sit_down(alice, bob, seats=3, start=False)
    for user, error in ((bob, NotHost), (carol, NotHost), (None, Refused)):
        with pytest.raises(error):
            invite(match, user, "carol")
    with pytest.raises(NotWaiting):
        invite(sit_down(alice, bob), alice, "carol")
    with pytest.raises(TableFull):
        invite(sit_down(alice, bob, start=False), alice, "carol")


def test_who_may_not_sit_with_the_host_is_not_invited(alice: User, bob: User) -> None:
    block_person(by=bob, whom=alice, moment=START)
    assert why_not(table(alice), alice, "bob") == "apart"


def test_limits(alice: User, bob: User, make_person: Callable[..., User], monkeypatch: pytest.MonkeyPatch) -> None:
    match = table(alice)
    for number in range(invitations.MAX_OPEN):
        invite(match, alice, make_person(f"guest{number}").username)
    with pytest.raises(TooMany):
        invite(match, alice, "bob")
    perform_act(
        act="decline", slug=match.slug, caller=Caller(User.objects.get(username="guest0")), data={}, arrived=START
    )
    invite(match, alice, "bob")
    monkeypatch.setattr(invitations, "MAX_AN_HOUR", invitations.MAX_OPEN + 1)
    with pytest.raises(TooMany):
        invite(table(alice), alice, "bob")
    invite(table(alice), alice, "bob", seconds=3602)


# What becomes of it


def test_invited_person_sees_a_private_table_and_takes_a_seat_once(alice: User, bob: User, mallory: User) -> None:
    match = table(alice, seats=3)
    with pytest.raises(NotFound):
        answer(match, bob, "accept")
    invite(match, alice, "bob")
    assert answer(match, bob, "accept") == match.slug
    version = match.version
    assert answer(match, bob, "accept") == match.slug
    assert (match.version, states(match)) == (version, {"bob": ACCEPTED})
    assert list(match.seats.values_list("user__username", flat=True)) == ["alice", "bob", None]
    with pytest.raises(NotFound):
        answer(match, mallory, "accept")


def test_sitting_down_by_oneself_is_accepting(alice: User, bob: User) -> None:
    match = table(alice)
    invite(match, alice, "bob")
    tables.join_table(slug=match.slug, caller=Caller(bob), index=1, moment=START)
    assert states(match) == {"bob": ACCEPTED}


def test_table_by_turns_starts_when_the_last_accepts(alice: User, bob: User) -> None:
    match = table(alice, pace=Match.Pace.TURNS)
    invite(match, alice, "bob")
    answer(match, bob, "accept")
    assert match.status == Match.Status.RUNNING


def test_who_has_declined_is_not_asked_again_and_sees_no_private_table(alice: User, bob: User) -> None:
    match = table(alice)
    invite(match, alice, "bob")
    answer(match, bob, "decline")
    assert states(match) == {"bob": DECLINED}
    assert why_not(match, alice, "bob") == "declined"
    for said in ("accept", "decline"):
        with pytest.raises(NotFound):
            answer(match, bob, said)
    public = table(alice, public=True)
    invite(public, alice, "bob")
    answer(public, bob, "decline")
    answer(public, bob, "decline")
    with pytest.raises(NotInvited):
        answer(public, bob, "accept")
    tables.join_table(slug=public.slug, caller=Caller(bob), index=None, moment=START)  # a public table is open to all


def test_invited_twice_is_as_once(alice: User, bob: User) -> None:
    match = table(alice)
    invite(match, alice, "bob")
    version = match.version
    invite(match, alice, "Bob")
    assert (match.version, Invitation.objects.count()) == (version, 1)


def test_who_has_got_up_again_can_be_asked_once_more(alice: User, bob: User) -> None:
    match = table(alice)
    invite(match, alice, "bob")
    answer(match, bob, "accept")
    tables.leave_table(slug=match.slug, caller=Caller(bob), moment=START)
    with pytest.raises(NotInvited):
        answer(match, bob, "accept")
    invite(match, alice, "bob")
    assert states(match) == {"bob": OPEN}


def test_full_table_is_said(alice: User, bob: User, carol: User) -> None:
    match = table(alice)
    invite(match, alice, "bob")
    tables.join_table(slug=match.slug, caller=Caller(carol, invited=True), index=None, moment=START)
    with pytest.raises(TableFull):
        answer(match, bob, "accept")
    assert states(match) == {"bob": OPEN}


# Pages


def lobby_of(user: User) -> str:
    page = text_of(browser(user).get("/lobby/"))
    return page[page.index('id="lobby-own"') : page.index('id="lobby-public"')]


def test_invitation_stands_in_the_lobby_of_the_invited_until_answered(
    alice: User, bob: User, carol: User, time: Clock
) -> None:
    match = table(alice)
    sent = act(alice, match, "invite", {"name": "bob"})
    assert (sent.status_code, notice_in(sent)) == (200, None)
    assert f'id="accept-{match.slug}"' in lobby_of(bob)
    assert "invites you to M" in lobby_of(bob)
    assert match.slug not in lobby_of(carol)
    page = text_of(browser(bob).get(f"/matches/{match.slug}/"))
    assert 'id="invitation-accept"' in page
    host = text_of(browser(alice).get(f"/matches/{match.slug}/"))
    assert 'id="invitations"' in host
    assert "invited" in host
    accepted = act(bob, match, "accept")
    assert accepted["HX-Redirect"] == f"/matches/{match.slug}/"
    assert f'id="accept-{match.slug}"' not in lobby_of(bob)


def counter_of(user: User) -> str:
    found = re.search(r'<a id="your-turn".*?</a>', text_of(browser(user).get("/rules/m/")))
    assert found is not None
    return found[0]


def test_open_invitations_are_counted_in_the_head_of_every_page(alice: User, bob: User, time: Clock) -> None:
    tables_of_alice = [table(alice), table(alice)]
    for match in tables_of_alice:
        invite(match, alice, "bob")
    assert "2 invitations for you" in counter_of(bob)
    assert "Your turn" not in counter_of(bob)
    answer(tables_of_alice[0], bob, "decline")
    assert "1 invitation for you" in counter_of(bob)
    playing = sit_down(bob, alice)
    if player_to_move(playing) == alice:
        play_some(playing, 1)
    assert "Your turn in 1 match · 1 invitation for you" in counter_of(bob)
    tables.close_table(slug=tables_of_alice[1].slug, caller=Caller(alice), moment=START)
    assert "invitation" not in counter_of(bob)


def test_own_part_of_the_lobby_stands_above_the_games(alice: User, bob: User, time: Clock) -> None:
    invite(table(alice), alice, "bob")
    page = text_of(browser(bob).get("/lobby/"))
    assert page.index('id="invitations-title"') < page.index('class="games"')


def test_failed_invitation_of_a_new_table_says_why_and_not_that_it_will_be_sent(
    alice: User, bob: User, time: Clock
) -> None:
    block_person(by=bob, whom=alice, moment=START)
    refused = browser(alice).post("/tables/new/m/", table_form(invite="bob"))
    assert "will be invited" not in text_of(refused)
    assert "invite this person" in text_of(refused)
    assert 'name="invite" value="bob"' in text_of(refused)


def test_declined_invitation_is_told_to_the_host(alice: User, bob: User, time: Clock) -> None:
    match = table(alice)
    act(alice, match, "invite", {"name": "bob"})
    declined = act(bob, match, "decline")
    assert declined["HX-Redirect"] == "/lobby/", "the table is not for them any more"
    assert match.slug not in lobby_of(bob)
    assert "declined" in text_of(browser(alice).get(f"/matches/{match.slug}/"))


def test_answer_from_the_lobby_redraws_it_and_stays_there(alice: User, bob: User, carol: User, time: Clock) -> None:
    match, full = table(alice), table(alice, seats=2)
    for one in (match, full):
        act(alice, one, "invite", {"name": "bob"})
    headers = {"HX-Request": "true", "HX-Current-URL": "http://testserver/lobby/?page=1"}
    tables.join_table(slug=full.slug, caller=Caller(carol, invited=True), index=None, moment=START)
    client = browser(bob)
    for one, said, status, code in ((match, "decline", 200, None), (full, "accept", 409, "table-full")):
        response = client.post(f"/matches/{one.slug}/act/{said}/", headers=headers)
        assert (response.status_code, notice_in(response)) == (status, code)
        assert 'id="lobby-own"' in text_of(response)
        assert match.slug not in text_of(response)


def test_closed_table_leaves_no_invitation(alice: User, bob: User, time: Clock) -> None:
    match = table(alice)
    act(alice, match, "invite", {"name": "bob"})
    act(alice, match, "close")
    assert match.slug not in lobby_of(bob)


def test_lobby_asks_the_same_number_of_queries_for_many_invitations(alice: User, bob: User, time: Clock) -> None:
    client, counts = browser(bob), []
    for _ in range(2):
        for _ in range(4):
            act(alice, table(alice), "invite", {"name": "bob"})
        with CaptureQueriesContext(
            connection,
        ) as queries:
            client.get("/lobby/")
        counts.append(len(queries))
    assert counts[0] == counts[1]


@pytest.mark.parametrize("name", ["Nobody", "alice", "", "<b>x</b>", "Bot"])
def test_refusal_is_a_sentence(alice: User, time: Clock, name: str) -> None:
    refused = act(alice, table(alice), "invite", {"name": name})
    assert refused.status_code in (409, 422)
    assert notice_in(refused)
    assert "<b>x" not in text_of(refused)


# From a profile


def test_challenge_from_a_profile_opens_a_table_and_invites(alice: User, bob: User, time: Clock) -> None:
    profile = text_of(browser(alice).get("/people/bob/"))
    assert 'href="/tables/new/m/?invite=bob"' in profile
    for user in (bob, None):
        assert "?invite=" not in text_of(browser(user).get("/people/bob/"))
    client = browser(alice)
    form = text_of(client.get("/tables/new/m/?invite=bob"))
    assert "will be invited to this table" in form
    assert '<input type="hidden" name="invite" value="bob">' in form
    opened = client.post("/tables/new/m/", table_form(invite="bob", visibility="invited"))
    match = Match.objects.get()
    assert opened["Location"] == f"/matches/{match.slug}/"
    assert states(match) == {"bob": OPEN}


def test_challenge_that_is_refused_opens_no_table(alice: User, time: Clock) -> None:
    client = browser(alice)
    assert client.get("/tables/new/m/?invite=nobody").status_code == 422
    assert client.post("/tables/new/m/", table_form(invite="nobody")).status_code == 422
    assert client.post("/tables/new/m/", table_form(invite="alice")).status_code == 409
    assert not Match.objects.exists()


def test_guest_comes_back_to_the_challenge_after_logging_in(bob: User) -> None:
    assert browser().get("/tables/new/m/?invite=bob")["Location"].endswith("next=/tables/new/m/%3Finvite%3Dbob")
