"""Sealed deals in the house: the seal is seen from the start, the nonce by nobody before the end."""

from __future__ import annotations

import html
import json
import logging
from typing import Any

import pytest
from django.contrib.auth.models import Permission

from accounts.people.models import User
from games.contract.record import RecordError
from games.contract.replay import check_record
from games.contract.seal import seal_deal
from games.matches.callers import Caller
from games.matches.models import Match
from games.matches.services.play import cancel_match
from games.matches.services.results import void_match
from tests.matches.browsing import HTMX, browser, text_of
from tests.matches.conftest import START, Clock, sit_down
from tests.matches.playing import play_some, play_to_the_end

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _clock(time: Clock) -> None:
    """Nothing moves while a test looks."""


def record_of(match: Match) -> dict[str, Any]:
    """The record as it is downloaded."""
    record: dict[str, Any] = json.loads(browser().get(f"/matches/{match.slug}/record/").content)
    return record


def everything_served(match: Match, *people: User | None) -> str:
    """All that pages and programs get of the match, by whoever asks."""
    paths = ["", *(f"live/?version=0&stage={stage}" for stage in ("match", "table"))]
    paths += ["replay/", "replay/0/", "record/", "sheet.txt"]
    pages = [f"/matches/{match.slug}/{path}" for path in paths]
    pages += ["/", "/lobby/", "/history/", f"/admin/matches/match/{match.pk}/change/", "/admin/matches/match/"]
    answers = [browser(user).get(page, headers=headers) for user in people for page in pages for headers in ({}, HTMX)]
    return "".join(text_of(answer) + str(answer.headers) for answer in answers)


def test_a_deal_is_sealed_when_it_is_made(alice: User, bob: User) -> None:
    first, second = sit_down(alice, bob), sit_down(alice, bob)
    assert first.deal is not None
    assert first.deal_hash == seal_deal(first.deal, first.deal_nonce)
    assert len(bytes.fromhex(first.deal_nonce)) == 32
    assert first.deal_nonce != second.deal_nonce
    assert sit_down(alice, bob, start=False).deal_hash == "", "a table has no deal yet"


def test_the_nonce_is_nobodys_before_the_end(
    alice: User, bob: User, mallory: User, mod: User, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    mod.user_permissions.add(*Permission.objects.filter(content_type__app_label="matches"))
    match = sit_down(alice, bob)
    play_some(match, 2)
    served = everything_served(match, alice, bob, mallory, mod, None)
    assert match.deal_hash in served
    assert match.deal_nonce not in served
    assert match.deal_nonce not in f"{caplog.text} {match!r} {match}"
    found = browser(mod).get(f"/admin/matches/match/?deal_nonce__startswith={match.deal_nonce[0]}")
    assert found.status_code in (302, 400), "no list of the administration can be asked for it either"


def test_the_seal_is_seen_before_the_first_move_and_what_it_proves(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    for user in (alice, bob, None):
        page = html.unescape(text_of(browser(user).get(f"/matches/{match.slug}/")))
        assert page.count(match.deal_hash) == 1
        assert "proves that the deal was not changed" in page
        assert "does not prove how the deal was drawn" in page


def test_at_the_end_the_page_has_the_nonce_and_the_record_the_seal(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    play_to_the_end(match)
    assert match.deal_nonce in text_of(browser().get(f"/matches/{match.slug}/"))
    pushed = text_of(browser(alice).get(f"/matches/{match.slug}/live/?version=0&stage=match", headers=HTMX))
    assert match.deal_nonce in pushed, "also where the page stood open"
    assert 'id="deal"' not in pushed, "what was unfolded stays so: only what is in it is replaced"
    record = record_of(match)
    assert record["shuffle"] == {"sha256": match.deal_hash, "nonce": match.deal_nonce}
    check_record(json.dumps(record).encode())


def test_a_deal_that_was_changed_afterwards_breaks_its_seal(alice: User, bob: User) -> None:
    """The record has the seal as it was made, not one made to fit."""
    match = sit_down(alice, bob)
    void_match(slug=match.slug, moment=START)
    match.refresh_from_db()
    assert match.deal is not None
    Match.objects.filter(pk=match.pk).update(deal={**match.deal, "first": 1 - match.deal["first"]}, revision=99)
    with pytest.raises(RecordError, match="broken-seal"):
        check_record(json.dumps(record_of(match)).encode())


def test_a_match_called_off_keeps_its_nonce(alice: User, bob: User) -> None:
    """Its hands are shown to nobody, so neither is what would prove them."""
    match = sit_down(alice, bob)
    cancel_match(slug=match.slug, caller=Caller(alice), moment=START)
    assert match.deal_nonce not in everything_served(match, alice, bob, None)


def test_matches_from_before_deals_were_sealed_have_none(alice: User, bob: User) -> None:
    match = sit_down(alice, bob)
    Match.objects.filter(pk=match.pk).update(deal_hash="", deal_nonce="", revision=99)
    assert 'id="deal"' not in text_of(browser(alice).get(f"/matches/{match.slug}/"))
    void_match(slug=match.slug, moment=START)
    assert 'id="seal"' not in text_of(browser(alice).get(f"/matches/{match.slug}/"))
    assert "shuffle" not in record_of(match)
    assert "Nonce" not in text_of(browser().get(f"/matches/{match.slug}/sheet.txt"))
