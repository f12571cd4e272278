"""Whatever is brought to the desk for records, broken, huge or meant to harm, gets a sentence and leaves nothing."""

from __future__ import annotations

import json
import re
from random import Random
from typing import Any
from unittest import mock

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import override_settings

from games.contract import registry
from games.contract.strict_json import MAX_BYTES
from tests.contract.documents import HUGE, as_bytes, changed, m_record, toy_record, with_text
from tests.contract.sampled import TOY
from tests.matches.browsing import HTMX, browser, text_of
from tests.matches.uploading import PAGE, REFUSED, bring, rows_of_the_house, said

pytestmark = pytest.mark.django_db

FORM, PART = "multipart/form-data; boundary=x", b"--x\r\nContent-Disposition: form-data; name=file"

HOSTILE: dict[str, bytes] = {
    "empty": b"",
    "blanks": b" \n\t ",
    "zero": b"\0",
    "binary": bytes(range(256)) * 40,
    "gzip": b"\x1f\x8b\x08" + bytes(500),
    "not UTF-8": as_bytes(m_record()).replace(b"m", b"\xff", 1),
    "UTF-16": json.dumps(m_record()).encode("utf-16"),
    "byte order mark": b"\xef\xbb\xbf" + as_bytes(m_record()),
    "deep lists": b"[" * 2_000_000,
    "deep objects": b'{"a":' * 600_000 + b"1" + b"}" * 600_000,
    "deep deal": with_text(m_record(), deal="[" * 499 + "]" * 499),
    "a number": b"1",
    "null": b"null",
    "a huge number": HUGE.encode(),
    "huge numbers": with_text(m_record(), players=HUGE),
    "NaN": with_text(m_record(), until="NaN"),
    "duplicate key": b'{"format": "match-record/1", "format": "match-record/1"}',
    "open text": b'{"' + b'\\"' * 1_500_000,
    "page": b"<!doctype html><script>alert(1)</script>",
    "half a record": as_bytes(m_record())[:1000],
    "two records": as_bytes(m_record()) * 2,
    "unknown game": as_bytes({**m_record(), "game": "<img src=x onerror=alert(1)>\u202e\ud800"}),
    "game of a path": as_bytes({**m_record(), "game": "../../etc/passwd"}),
    "wrong game": as_bytes({**m_record(), "game": "block_buster"}),
    "100,000 players": as_bytes({**m_record(), "players": ["x"] * 100_000}),
    "10,000 moves": as_bytes({**m_record(), "moves": m_record()["moves"] * 200}),
    "moves of nothing": as_bytes({**m_record(), "moves": [{}] * 100_000}),
    "a long move": as_bytes(changed(m_record(), 1, move="9" * 1_000_000)),
    "a move of markup": as_bytes(changed(m_record(), 1, move="<script>alert(1)</script>\u202e")),
    "a move that is half a pair": as_bytes(changed(m_record(), 1, move="\ud800")),
    "an option of markup": as_bytes({**m_record(), "options": {"<script>": "<script>"}}),
    "a tile of markup": as_bytes({**m_record(), "deal": {"tiles": ["<script>"] * 60, "first": 0}}),
    "a million tiles": as_bytes({**m_record(), "deal": {"tiles": ["RT3"] * 500_000, "first": 0}}),
}


@pytest.mark.parametrize("kind", HOSTILE)
@pytest.mark.parametrize("way", ["file", "page"])
def test_hostile_files_get_a_sentence_and_leave_nothing(kind: str, way: str, caplog: pytest.LogCaptureFixture) -> None:
    before = rows_of_the_house()
    answer = bring(HOSTILE[kind], htmx=way == "file")
    assert answer.status_code == 422
    assert len(said(answer)) in range(20, 400)
    assert "mistake in the program" not in said(answer)
    assert not re.search("[\u202a-\u202e\ud800-\udfff]", said(answer))
    assert not re.search(r"<script>|<img", text_of(answer))
    assert caplog.messages == [], "what somebody brings fills no log"
    assert rows_of_the_house() == before


@pytest.mark.parametrize("size", [MAX_BYTES + 1, MAX_BYTES + 70_000, 3 * MAX_BYTES])
def test_too_large_a_file_is_told_so(size: int) -> None:
    for htmx in (True, False):
        answer = bring(as_bytes(m_record()) + b" " * (size - len(as_bytes(m_record()))), htmx=htmx)
        assert answer.status_code == 413
        assert said(answer) == f"{REFUSED} The document: The file is too large: a record has at most 4000000 bytes."


def test_the_largest_file_is_read() -> None:
    data = as_bytes(m_record())
    assert bring(data + b" " * (MAX_BYTES - len(data))).status_code == 200


class Endless:
    """The body of a form with a file that never ends, and how much of it was read."""

    def __init__(self) -> None:
        self.head = PART + b"; filename=a.json\r\n\r\n"
        self.read_bytes = 0

    def read(self, size: int) -> bytes:
        head, self.head = self.head[:size], self.head[size:]
        self.read_bytes += size
        return head + b"[" * (size - len(head))

    readline = read


def test_of_an_endless_file_no_more_is_read_than_shows_it() -> None:
    body = Endless()
    asked: dict[str, Any] = {"CONTENT_TYPE": FORM, "CONTENT_LENGTH": 10**12, "wsgi.input": body}
    answer = browser().request(PATH_INFO=PAGE, REQUEST_METHOD="POST", **asked)
    assert answer.status_code == 413
    assert body.read_bytes < MAX_BYTES + 300_000


def test_too_long_a_pasted_text_is_told_so_where_the_page_stays() -> None:
    for headers, sentence in ((HTMX, "more than can be read at once"), ({}, "bigger than anything")):
        answer = browser().post(PAGE, {"text": "x" * 300_000}, headers=headers)
        assert answer.status_code == 413
        assert sentence in text_of(answer)
        assert ("<html" in text_of(answer)) == (not headers)


def test_nothing_is_written_to_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: Any, **kwargs: Any) -> None:
        raise AssertionError("a file was made")

    for name in ("NamedTemporaryFile", "TemporaryFile", "SpooledTemporaryFile", "mkstemp", "mkdtemp"):
        monkeypatch.setattr(f"tempfile.{name}", refuse)
    data = as_bytes({**m_record(), "padding": "x" * 3_500_000})
    assert bring(data).status_code == 200


def test_names_from_a_record_are_shown_harmlessly() -> None:
    hostile = [
        ["<script>alert(1)</script>", "\u202eevil\ud800\n\0"],
        ["", "x" * 1_000_000],
        ["\u2069\u2069", "{{ a }}"],
    ]
    for names in hostile:
        for step in ("1", "999"):
            answer = bring(as_bytes({**m_record(), "players": names}), step=step)
            assert answer.status_code == 200
            page = text_of(answer)
            assert "<script>" not in page
            assert not re.search("[\u202a-\u202e\0]", page)
            assert "x" * 100 not in page
    assert "Seat 1" in text_of(bring(as_bytes({**m_record(), "players": ["", " "]})))


@pytest.mark.parametrize("make", [m_record, toy_record])
def test_files_changed_at_random_never_break_the_page(make: Any) -> None:
    rng, whole = Random(7), as_bytes(make())
    scraps = [b'"', b"{", b"]", b"\xff", b"\0", b"1e999", b"null", b"\\ud800", b"<b>", b"-1", b"99", b"true"]
    statuses = []
    with mock.patch.dict(registry._added, {TOY.slug: TOY}), override_settings(ACCOUNT_RATE_LIMITS={"check_record": ""}):
        for _ in range(60):
            at, length = rng.randrange(len(whole)), rng.choice([0, 1, 2, 10, 400])
            data = whole[:at] + rng.choice([*scraps, b"", whole[at : at + length] * 2]) + whole[at + length :]
            answer = bring(data, step=str(rng.randrange(40)))
            statuses.append(answer.status_code)
            assert said(answer)
    assert set(statuses) <= {200, 422}
    assert statuses.count(422) > 20


@pytest.mark.parametrize(
    ("content_type", "body"),
    [
        ("multipart/form-data", b"no boundary"),
        ("multipart/form-data; boundary=x", b"--x\r\nContent-Disposition: form-data; name=file; filename=a\r\n\r\n{"),
        (
            "multipart/form-data; boundary=x",
            b"--x\r\nContent-Disposition: form-data; name=file; filename=\r\n\r\n{}\r\n--x--",
        ),
        (
            "multipart/form-data; boundary=x",
            b"--x\r\nContent-Disposition: form-data; name=file; filename=a\r\n"
            b"Content-Transfer-Encoding: base64\r\n\r\n!!!\r\n--x--",
        ),
        ("application/json", b"{}"),
        ("text/plain", b"\xff"),
        ("application/x-www-form-urlencoded", b"text=%ff%00&step=%ed%a0%80"),
    ],
)
def test_forms_that_are_none_are_refused(content_type: str, body: bytes) -> None:
    assert browser().post(PAGE, body, content_type=content_type).status_code in {400, 422}


def test_only_the_first_file_counts_and_only_in_its_field() -> None:
    good, bad = (SimpleUploadedFile("a.json", data) for data in (as_bytes(m_record()), b"{}"))
    assert browser().post(PAGE, {"file": [good, bad]}).status_code == 200
    assert browser().post(PAGE, {"other": SimpleUploadedFile("a.json", as_bytes(m_record()))}).status_code == 422
