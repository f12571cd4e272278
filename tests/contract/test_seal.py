"""Sealed deals: the seal is made as the format says it, and `record check` refuses any that is not the deal's."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest

from games.contract.record import RecordError, open_record, read_record
from games.contract.replay import check_record, trace_lines
from games.contract.seal import BadSeal, check_seal, seal_deal
from tests.contract.documents import HUGE, as_bytes, m_record, refusal, toy_record

NONCE = bytes(range(32)).hex()


def test_a_seal_known_by_heart() -> None:
    """Worked out by the shell's sha256sum, so that no code of ours is compared with itself."""
    known = "aa6ca56c2c18e5397753255e279aa3afbaff5d2ba48fd50838cb2b6f3aeba48f"
    assert seal_deal({"tiles": ["RT3", "é"], "first": 0}, NONCE) == known


def test_a_seal_passes_its_own_deal_alone() -> None:
    deal = {"tiles": ["RT3", "YC2"], "first": 0}
    seal = {"sha256": seal_deal(deal, NONCE), "nonce": NONCE}
    check_seal(deal, seal)
    check_seal(dict(reversed(deal.items())), seal)
    for other in ({**deal, "first": 1}, {**deal, "first": "0"}, {**deal, "x": 0}, {**deal, "tiles": ["YC2", "RT3"]}):
        with pytest.raises(BadSeal) as broken:
            check_seal(other, seal)
        assert broken.value.code == "broken-seal"


def sealed(record: dict[str, Any]) -> dict[str, Any]:
    """The record with the seal of its deal, made as the format says it."""
    nonce = bytes.fromhex(NONCE)
    text = json.dumps(record["deal"], sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    digest = hashlib.sha256(nonce + text.encode("ascii")).hexdigest()
    return {**record, "shuffle": {"sha256": digest, "nonce": nonce.hex()}}


def test_a_sealed_deal_is_checked() -> None:
    for record in (m_record(), toy_record()):
        good = sealed(record)
        check_record(as_bytes(good))
        seal = good["shuffle"]
        check_record(as_bytes({**good, "shuffle": {key: text.upper() for key, text in seal.items()}}))
        assert refusal({**good, "shuffle": {**seal, "nonce": "0" * 64}}) == (0, "broken-seal")
        assert refusal({**good, "shuffle": {**seal, "sha256": "0" * 64}}) == (0, "broken-seal")


def test_the_seal_is_over_the_whole_deal_as_it_stands() -> None:
    """Unknown keys, letters beyond ASCII, fractions and numbers of any length included."""
    record = m_record()
    record["deal"] = {"é\ud800": ["ü", 1.5, -0.0, 1e22, True, None, {}, []], "10": 1, "9": 2, **record["deal"]}
    assert seal_deal(record["deal"], NONCE) == sealed(record)["shuffle"]["sha256"]
    check_record(as_bytes(sealed(record)))
    data = as_bytes(record).replace(b'"deal": {', b'"deal": {"x": %s, ' % HUGE.encode())
    text = json.dumps({"x": "@@", **record["deal"]}, sort_keys=True, separators=(",", ":")).replace('"@@"', HUGE)
    digest = hashlib.sha256(bytes(32) + text.encode()).hexdigest()
    check_record(data[:-1] + b', "shuffle": {"nonce": "%s", "sha256": "%s"}}' % (b"0" * 64, digest.encode()))


@pytest.mark.parametrize(
    "seal",
    [
        None,
        [],
        "x",
        {},
        {"sha256": "0" * 64},
        {"nonce": "0" * 64},
        {"sha256": "0" * 63, "nonce": "0" * 64},
        {"sha256": "0" * 64, "nonce": "0" * 62},
        {"sha256": "0" * 64, "nonce": "0" * 62 + " 0"},
        {"sha256": "0" * 64, "nonce": "0" * 63 + "g"},
        {"sha256": "0" * 64, "nonce": "0" * 64 + "\n"},
        {"sha256": "0" * 64, "nonce": "\u0660" * 64},
        {"sha256": 0, "nonce": "0" * 64},
        {"sha256": "0" * 64, "nonce": None},
    ],
)
def test_a_seal_of_a_wrong_form_is_refused(seal: Any) -> None:
    assert refusal({**m_record(), "shuffle": seal})[0] == 0


def test_a_record_tells_its_seal() -> None:
    assert open_record(sealed(m_record())).seal == sealed(m_record())["shuffle"]["sha256"]
    assert open_record(m_record()).seal == ""


def test_a_trace_of_a_broken_seal_has_no_lines() -> None:
    """The document is wrong, however good its moves."""
    record = {**m_record(), "shuffle": {"sha256": "0" * 64, "nonce": NONCE}}
    with pytest.raises(RecordError, match="ply 0: broken-seal"):
        next(trace_lines(read_record(as_bytes(record))))


def test_a_broken_seal_is_told_before_a_wrong_move() -> None:
    record = {**m_record(), "shuffle": {"sha256": "0" * 64, "nonce": NONCE}}
    record["moves"][0]["move"] = "nonsense"
    assert refusal(record) == (0, "broken-seal")


@pytest.mark.parametrize("count", [0, 1, 3])
def test_numbers_too_large_are_sealed_as_they_are_spelled_whatever_stands_around_them(count: int) -> None:
    """Texts too that look like what the writer of JSON puts in their place."""
    record = m_record()
    record["deal"] |= {"NaN": '"NaN', "a": ["NaN", "\\", 'x\\"NaN\\"'], "z": ["@@"] * count}
    spelled = json.dumps(record["deal"], sort_keys=True, separators=(",", ":")).replace('"@@"', HUGE)
    digest = hashlib.sha256(bytes.fromhex(NONCE) + spelled.encode()).hexdigest()
    record["shuffle"] = {"sha256": digest, "nonce": NONCE}
    check_record(as_bytes(record).replace(b'"@@"', HUGE.encode()))
