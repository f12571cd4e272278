"""Records: the document, all that is wrong with it (ply 0), and what is ignored."""

from __future__ import annotations

import json
from typing import Any

import pytest

from games.contract.replay import check_record
from games.contract.strict_json import MAX_BYTES, MAX_DEPTH
from tests.contract.documents import (
    HUGE,
    LARGEST,
    as_bytes,
    changed,
    m_record,
    refusal,
    running,
    toy_record,
    with_text,
    with_text_in_move,
)


def test_a_sound_record_gives_its_moves_and_the_outcome_of_the_rules() -> None:
    for record in (m_record(), toy_record()):
        plies, outcome = check_record(as_bytes(record))
        assert plies == len(record["moves"])
        assert outcome is not None
        assert outcome.as_json() == record["outcome"]
        assert check_record(as_bytes(running(record))) == (3, None)


def test_blanks_and_the_order_of_keys_do_not_matter() -> None:
    record = m_record()
    check_record(json.dumps(dict(reversed(record.items())), indent=8).encode())


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "not-json"),
        (b"not json", "not-json"),
        (b'{"format": "match-record/1",}', "not-json"),
        (b"{'format': 1}", "not-json"),
        (b'{"a": 01}', "not-json"),
        (b'{"a": +1}', "not-json"),
        (b'{"a": 1} {}', "not-json"),
        (b'{"a": "\n"}', "not-json"),
        (b'{"a": "unclosed', "not-json"),
        (b'{"a": "\xff"}', "not-utf-8"),
        (b'{"a": "\xed\xa0\x80"}', "not-utf-8"),
        ("{}".encode("utf-16"), "not-utf-8"),
        (b"\xef\xbb\xbf{}", "byte-order-mark"),
        (b'{"a": NaN}', "not-a-number"),
        (b'{"a": [Infinity]}', "not-a-number"),
        (b'{"a": {"b": -Infinity}}', "not-a-number"),
        (b'{"a": 1, "a": 1}', "duplicate-key"),
        (b'{"a": [{"b": {"c": 1, "d": 2, "\\u0063": 3}}]}', "duplicate-key"),
        (b"[]", "not-an-object"),
        (b"null", "not-an-object"),
        (b'"match-record/1"', "not-an-object"),
        (b"17", "not-an-object"),
        (HUGE.encode(), "not-an-object"),
        (b"[" * 100_000, "too-deep"),
        (b'{"a":' * 100_000, "too-deep"),
        (b"[" * 100_000 + b"]" * 100_000, "too-deep"),
        (b" " * (MAX_BYTES + 1), "file-too-large"),
    ],
    ids=lambda value: str(value[:24]),
)
def test_a_document_that_is_no_strict_json_is_refused_whole(data: bytes, code: str) -> None:
    assert refusal(data) == (0, code)


def test_duplicate_keys_are_refused_anywhere_also_where_nothing_else_is_read() -> None:
    for record in (m_record(), toy_record()):
        assert refusal(with_text(record, note='{"x": 1, "x": 1}')) == (0, "duplicate-key")
        assert refusal(as_bytes(record).replace(b'"seat": 0,', b'"seat": 0, "seat": 0,', 1)) == (0, "duplicate-key")
        assert refusal(as_bytes(record)[:-1] + b', "game": "m"}') == (0, "duplicate-key")


def test_nesting_is_read_up_to_its_bound_also_under_an_unknown_key() -> None:
    deep = (MAX_DEPTH - 1) * "["
    check_record(with_text(m_record(), note=deep + deep.replace("[", "]")))
    deep = MAX_DEPTH * "["
    assert refusal(with_text(m_record(), note=deep + deep.replace("[", "]"))) == (0, "too-deep")
    check_record(with_text(m_record(), note=json.dumps("[{" * 5000 + '"\\')))


def test_a_record_may_have_four_million_bytes_and_no_more() -> None:
    data = as_bytes(m_record())
    check_record(data + b" " * (4_000_000 - len(data)))
    assert refusal(data + b" " * (4_000_001 - len(data))) == (0, "file-too-large")


@pytest.mark.parametrize("number", [HUGE, f"-{HUGE}", f"{HUGE}.5", "1e999", "-1e999", f"1e{HUGE}", str(2**53)])
def test_a_number_too_large_is_nothing_under_an_unknown_key(number: str) -> None:
    record = m_record()
    check_record(with_text(record, note=number))
    check_record(with_text(record, note=f'[{{"x": {number}}}]'))
    check_record(as_bytes(record).replace(b'"deal": {', b'"deal": {"x": %s, ' % number.encode()))
    check_record(as_bytes(record).replace(b'"outcome": {', b'"outcome": {"x": %s, ' % number.encode()))
    check_record(as_bytes(record).replace(b'{"seat"', b'{"x": %s, "seat"' % number.encode(), 1))


@pytest.mark.parametrize("number", [HUGE, f"-{HUGE}", f"{HUGE}.5", "1e999", str(2**53), str(-(2**53))])
def test_a_number_too_large_is_a_wrong_type_where_it_stands(number: str) -> None:
    record = toy_record()
    for key in ("format", "game", "options", "players", "deal", "moves", "until", "outcome", "left", "shuffle"):
        assert refusal(with_text(record, **{key: number}))[0] == 0
    for key in ("seat", "move", "at", "lag"):
        assert refusal(with_text_in_move(record, 2, key, number)) == (2, "wrong-type")
    assert refusal(with_text(record, options=f'{{"rounds": {number}}}')) == (0, "option-type")
    assert refusal(with_text(record, deal=f'{{"cards": [{number}]}}')) == (0, "cards")
    assert refusal(with_text(m_record(), deal=f'{{"tiles": [{number}], "first": 0}}'))[0] == 0
    for part in ("places", "scores"):
        outcome = json.dumps({**record["outcome"], part: "@@"}).replace('"@@"', f"[1, 2, {number}]")
        assert refusal(with_text(record, outcome=outcome)) == (0, "wrong-type")


@pytest.mark.parametrize("key", ["format", "game", "options", "players", "deal", "moves", "outcome"])
def test_every_key_is_required_but_until(key: str) -> None:
    record = m_record()
    del record[key]
    assert refusal(record) == (0, "missing-key")


def test_until_is_required_in_real_time_alone() -> None:
    record = toy_record()
    del record["until"]
    assert refusal(record) == (0, "missing-key")
    assert "until" not in m_record()
    check_record(as_bytes({**m_record(), "until": LARGEST}))


@pytest.mark.parametrize("value", [None, 1, "match-record/2", "Match-Record/1", " match-record/1", ["match-record/1"]])
def test_another_format_is_refused(value: Any) -> None:
    assert refusal({**m_record(), "format": value}) == (0, "unknown-format")


@pytest.mark.parametrize("value", [None, 1, True, [], {}, ["m"], "", "M", "chess", "../m", "contract", "\ud800", "m\0"])
def test_another_game_is_refused(value: Any) -> None:
    assert refusal({**m_record(), "game": value})[0] == 0


def test_what_equals_the_default_may_be_left_out_of_the_options() -> None:
    record = m_record()
    check_record(as_bytes({**record, "options": {}}))
    check_record(as_bytes({**record, "options": {"start": "zigzag"}}))


@pytest.mark.parametrize(
    "options",
    [
        None,
        [],
        "zigzag",
        {"start": "Zigzag"},
        {"start": None},
        {"start": ["zigzag"]},
        {"start": {}},
        {"start": 0},
        {"Start": "zigzag"},
        {"start": "zigzag", "note": ""},
        {"": ""},
        {"\ud800": "\ud800"},
    ],
)
def test_unknown_keys_and_values_of_options_are_an_error(options: Any) -> None:
    assert refusal({**m_record(), "options": options})[0] == 0


@pytest.mark.parametrize("rounds", [3.0, True, "3", "2", 4, -3])
def test_an_option_that_is_a_number_is_a_json_integer(rounds: Any) -> None:
    """To Python 3.0 is 3, and true is 1."""
    check_record(as_bytes({**toy_record(), "options": {"rounds": 3}}))
    assert refusal({**toy_record(), "options": {"rounds": rounds}})[0] == 0


@pytest.mark.parametrize("players", [None, "Mimi", {}, ["Mimi", 1], ["Mimi", None], [["Mimi"], ["Tom"]]])
def test_players_are_a_list_of_texts(players: Any) -> None:
    assert refusal({**m_record(), "players": players}) == (0, "wrong-type")


@pytest.mark.parametrize("count", [0, 1, 7, 1000])
def test_the_number_of_players_is_one_that_the_game_has(count: int) -> None:
    assert refusal({**m_record(), "players": ["Mimi"] * count}) == (0, "player-count")


@pytest.mark.parametrize("name", ["", "\ud800", "\0", "<svg onload=x>", "\u202eabc", "a" * 10_000])
def test_any_text_is_a_name_also_an_empty_or_a_broken_one(name: str) -> None:
    check_record(as_bytes({**m_record(), "players": [name, name]}))


@pytest.mark.parametrize("deal", [None, [], "tiles", 0, {}, {"tiles": []}, {"tiles": None, "first": 0}])
def test_a_deal_that_is_none_is_refused(deal: Any) -> None:
    assert refusal({**m_record(), "deal": deal})[0] == 0


@pytest.mark.parametrize("moves", [None, {}, "", 0])
def test_moves_are_a_list(moves: Any) -> None:
    assert refusal({**m_record(), "moves": moves}) == (0, "wrong-type")


def test_a_match_may_have_no_moves_yet() -> None:
    assert check_record(as_bytes({**m_record(), "moves": [], "outcome": None})) == (0, None)
    assert check_record(as_bytes({**toy_record(), "moves": [], "until": 0, "outcome": None})) == (0, None)


def test_unknown_keys_are_ignored_but_in_options() -> None:
    for record in (m_record(), toy_record()):
        check_record(as_bytes({**record, "note": None, "Format": 7, "": [{}]}))
        check_record(as_bytes({**record, "deal": {**record["deal"], "seed": 1}}))
        check_record(as_bytes({**record, "outcome": {**record["outcome"], "winner": "Mimi"}}))
        check_record(as_bytes(changed(record, 1, note=[1.5, None])))


def test_a_lag_is_one_of_the_keys_that_are_ignored_where_a_game_knows_none() -> None:
    check_record(as_bytes(changed(m_record(), 1, lag="long")))
