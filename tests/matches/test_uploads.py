"""The desk at which records are checked: the tool's verdict, any of their positions, and nothing kept of what came."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client, override_settings

from accounts.people.models import User
from games.contract import registry
from games.contract.record import open_record
from games.contract.registry import all_games
from games.contract.replay import replay
from games.contract.seal import seal_deal
from games.contract.values import OPEN, Moment
from games.matches import inspection
from games.matches.inspection import BUDGET_S, TakesTooLong, inspect_record
from games.matches.views import records
from tests.contract.documents import as_bytes, m_record, running, toy_record
from tests.contract.sampled import TOY
from tests.matches.browsing import browser, text_of
from tests.matches.uploading import PAGE, REFUSED, bring, rows_of_the_house, said

pytestmark = pytest.mark.django_db

GOLDEN = Path(__file__).parent.parent / "records"


# The verdict


@pytest.mark.parametrize("folder", [game.slug for game in all_games()])
def test_the_page_says_what_the_tool_says(folder: str, capsys: pytest.CaptureFixture[str]) -> None:
    files = sorted(path for path in (GOLDEN / folder).glob("*.json") if path.name != "expected.json")
    with pytest.raises(SystemExit):
        call_command("record", "check", *map(str, files))
    verdicts = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    before = rows_of_the_house()
    for path, verdict in zip(files, verdicts, strict=True):
        answer = bring(path.read_bytes())
        assert answer.status_code == (200 if verdict["ok"] else 422), path.name
        if verdict["ok"]:
            plies = verdict["plies"]
            assert f"in order. {plies} move{'s were' if plies != 1 else ' was'} played again" in said(answer)
        else:
            assert said(answer).endswith(f": {verdict['error']}"), path.name
            place = "The document" if verdict["ply"] == 0 else f"Move {verdict['ply']}"
            assert said(answer).startswith(
                (f"The record is not in order. {place}: ", "The record is not in order. The result: ")
            )
    assert rows_of_the_house() == before


def test_a_result_that_is_not_the_one_played_is_told_of_the_result() -> None:
    record = m_record()
    record["outcome"]["scores"][0] += 1
    assert said(bring(as_bytes(record))).startswith(
        "The record is not in order. The result: The result is not the one that the moves lead to"
    )


@pytest.mark.parametrize(
    ("outcome", "end"),
    [
        (None, "It is not over."),
        ({"reason": "resigned"}, "Somebody resigned."),
        ({"reason": "timeout"}, "Somebody ran out of time, or stayed away."),
        ({"reason": "abandoned"}, "It was ended by agreement, without a result."),
        ({"reason": "voided"}, "A moderator has voided it."),
    ],
)
def test_how_a_match_ended_that_its_rules_did_not_end(outcome: Any, end: str) -> None:
    assert said(bring(as_bytes({**running(m_record()), "outcome": outcome}))).endswith(end)


def test_a_seal_is_shown_to_be_compared(alice: User) -> None:
    record = m_record()
    seal = {"sha256": seal_deal(record["deal"], "0" * 64), "nonce": "0" * 64}
    assert seal["sha256"] in text_of(bring(as_bytes({**record, "shuffle": seal})))
    broken = bring(as_bytes({**record, "shuffle": {**seal, "nonce": "1" * 64}}))
    assert broken.status_code == 422
    assert said(broken).startswith(f"{REFUSED} The document: The deal is not the one that was sealed")


# The positions


def test_every_position_is_the_one_of_the_replay() -> None:
    record = open_record(m_record())
    game = record.game
    for step in replay(record):
        page = text_of(bring(as_bytes(m_record()), step=str(step.ply)))
        entry = record.moves[step.ply - 1] if step.ply else {"seat": None, "move": None}
        moment = Moment(seat=entry["seat"], move=entry["move"], events=step.events)
        drawing = game.presenter.draw(game.rules.view(step.position, OPEN), moment, game.texts.say)
        assert drawing.board in page
        assert f"{step.ply} of {len(record.moves)}" in page


@pytest.mark.parametrize("asked", ["", "x", "-1", "99999", "9" * 30, "1.5", "٣"])
def test_a_position_that_is_not_there_is_the_last(asked: str) -> None:
    last = len(m_record()["moves"])
    for answer in (bring(as_bytes(m_record()), step=asked), bring(as_bytes(m_record()), ply=asked)):
        assert answer.status_code == 200
        assert f"{last} of {last}" in text_of(answer)


def test_a_record_in_real_time_ends_at_until() -> None:
    with mock.patch.dict(registry._added, {TOY.slug: TOY}):
        last = len(toy_record()["moves"]) + 1
        answer = bring(as_bytes(toy_record()))
        assert f"{last} of {last}" in text_of(answer)
        assert bring(as_bytes(toy_record()), step="2").status_code == 200


def test_without_scripts_the_page_brings_the_record_back() -> None:
    """Its buttons belong to the form, and the form has the record as text."""
    page = text_of(bring(as_bytes(m_record()), htmx=False))
    found = re.search(r'<textarea id="record-text"[^>]*>(.*?)</textarea>', page, re.S)
    assert found is not None
    text = html.unescape(found[1])
    assert json.loads(text) == m_record()
    assert 'id="step-back" type="submit" form="record-form" name="step"' in page
    again = text_of(browser().post(PAGE, {"text": text, "step": "3"}))
    assert f"3 of {len(m_record()['moves'])}" in again
    assert html.escape(text) in again


def test_a_record_too_long_for_that_is_asked_for_again() -> None:
    page = text_of(bring(as_bytes({**m_record(), "padding": "x" * 300_000}), htmx=False))
    assert "choose its file again" in page
    assert "x" * 1000 not in page


# What it may cost


class Ticks:
    """A timer that goes on by a tenth of the budget whenever it is asked."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += BUDGET_S / 10
        return self.now


def test_a_replay_ends_when_its_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(TakesTooLong) as late:
        inspect_record(as_bytes(m_record()), ply=None, timer=Ticks())
    assert late.value.plies in range(5, 15)
    monkeypatch.setattr(inspection, "BUDGET_S", -1)
    answer = bring(as_bytes(m_record()))
    assert answer.status_code == 422
    assert "its first 0 moves are in order" in said(answer)


def test_who_asks_too_often_is_told_to_wait(alice: User) -> None:
    with override_settings(ACCOUNT_RATE_LIMITS={"check_record": "2/m/ip"}):
        assert [bring(b"{}").status_code for _ in range(3)] == [422, 422, 429]
        refused = bring(b"{}", client=browser(alice), htmx=False)
        assert refused.status_code == 429
        assert "too often" in text_of(refused)
        assert browser().get(PAGE).status_code == 200


def test_long_checks_have_a_limit_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    with override_settings(ACCOUNT_RATE_LIMITS={"check_record_long": "2/m/ip"}):
        assert [bring(b"{}").status_code for _ in range(5)] == [422] * 5
        monkeypatch.setattr(records, "LONG_S", -1)
        assert [bring(b"{}").status_code for _ in range(3)] == [422, 422, 429]


# The page


def test_a_mistake_of_ours_is_told_and_logged(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(records, "inspect_record", mock.Mock(side_effect=ZeroDivisionError))
    answer = bring(as_bytes(m_record()))
    assert answer.status_code == 422
    assert "because of a mistake in the program" in said(answer)
    assert "ZeroDivisionError" in caplog.text


def test_the_form_comes_from_our_page() -> None:
    client = Client(enforce_csrf_checks=True)
    assert bring(as_bytes(m_record()), client=client, htmx=False).status_code == 403
    token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', text_of(client.get(PAGE)))
    assert token is not None
    filled = {"csrfmiddlewaretoken": token[1], "file": SimpleUploadedFile("a.json", as_bytes(m_record()))}
    assert client.post(PAGE, filled).status_code == 200
    # The token comes before the file, and so is read of a file too large as well.
    filled["file"] = SimpleUploadedFile("a.json", b" " * 5_000_000)
    assert client.post(PAGE, filled).status_code == 413


def test_the_page_is_kept_nowhere_and_led_to(alice: User) -> None:
    assert "no-store" in bring(as_bytes(m_record())).headers["Cache-Control"]
    assert f'href="{PAGE}"' in text_of(browser(alice).get("/history/"))
    assert browser().put(PAGE).status_code == 405
