"""`record simulate`: random legal matches of every game, whose records check clean."""

from __future__ import annotations

import io
import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.core.management import call_command

from games.contract.registry import Game, get_game
from games.contract.replay import check_record
from games.contract.simulate import STYLES, simulate_match
from tests.contract.sampled import TOY, Case, over_cases
from tests.toy.rules import HOLD, Auction, AuctionRules


def simulate(*arguments: object) -> str:
    """What the tool prints."""
    out = io.StringIO()
    call_command("record", "simulate", *map(str, arguments), stdout=out)
    return out.getvalue()


@over_cases
@pytest.mark.parametrize("style", STYLES)
def test_records_of_every_game_check_clean(case: Case, style: str) -> None:
    arguments = [f"--option={key}={value}" for key, value in case.options]
    lines = simulate(case.game.slug, "--players", case.players, "--seed=1", "--style", style, *arguments).splitlines()
    assert len(lines) == 1
    record = json.loads(lines[0])
    plies, outcome = check_record(lines[0].encode())
    assert plies == len(record["moves"])
    assert outcome is not None
    assert record["options"] == dict(case.options)
    assert len(record["players"]) == case.players


@pytest.mark.parametrize("start", ["zigzag", "arch"])
@pytest.mark.parametrize("players", range(2, 7))
def test_records_of_m_are_written_to_a_folder_and_check_clean(tmp_path: Path, players: int, start: str) -> None:
    folder = tmp_path / "new" / "folder"
    simulate("m", "--players", players, "--option", f"start={start}", "--count", 3, "--seed", 9, "--out", folder)
    files = sorted(folder.iterdir())
    assert len({path.read_bytes() for path in files}) == 3
    out = io.StringIO()
    call_command("record", "check", *map(str, files), stdout=out)
    assert [json.loads(line)["ok"] for line in out.getvalue().splitlines()] == [True] * 3


def test_runs_into_the_same_folder_keep_their_files(tmp_path: Path) -> None:
    for players in (2, 3):
        for start in ("zigzag", "arch"):
            for style in STYLES:
                simulate("m", "--players", players, "--option", f"start={start}", "--style", style, "--out", tmp_path)
    assert len(list(tmp_path.iterdir())) == 8


def test_a_seed_gives_the_same_matches_and_none_other_ones() -> None:
    seeded = [simulate("m", "--players", 2, "--seed", 5, "--count", 2) for _ in range(2)]
    assert seeded[0] == seeded[1]
    assert len(set(seeded[0].splitlines())) == 2
    assert simulate("m", "--players", 2) != simulate("m", "--players", 2)


def test_a_record_a_line_without_a_folder() -> None:
    lines = simulate("toy", "--players", 2, "--count", 4, "--option", "rounds=2").splitlines()
    assert len(lines) == 4
    for line in lines:
        assert json.loads(line)["options"]["rounds"] == 2
        check_record(line.encode())


def test_a_game_in_real_time_is_played_at_random_times_by_several_seats_with_all_kinds_of_lag() -> None:
    records: list[dict[str, Any]] = [simulate_match(TOY, players=3, options={}, rng=Random(seed)) for seed in range(40)]
    moves = [entry for record in records for entry in record["moves"]]
    lags = [entry.get("lag", 0) for entry in moves]
    assert min(lags) == 0
    assert max(lags) > HOLD
    assert {entry["seat"] for entry in moves} == {0, 1, 2}
    together = [
        1
        for record in records
        for first, second in zip(record["moves"], record["moves"][1:], strict=False)
        if first["at"] == second["at"]
    ]
    assert together, "claims within the same millisecond are where games in real time go wrong"
    assert any(len(record["moves"]) < 9 for record in records), "seats must also let a round go by"


def test_a_match_that_moves_alone_do_not_end_is_left_to_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.contract.simulate.MOST_MOVES", 2)
    record: dict[str, Any] = simulate_match(TOY, players=3, options={}, rng=Random(1))
    assert len(record["moves"]) == 2
    assert check_record(json.dumps(record).encode()).outcome is not None
    by_turns: dict[str, Any] = simulate_match(get_game("m"), players=2, options={}, rng=Random(1))
    assert len(by_turns["moves"]) == 2
    assert by_turns["outcome"] is None
    assert check_record(json.dumps(by_turns).encode()) == (2, None)


def test_rules_may_say_how_a_random_player_plays() -> None:
    """A game in which most of the listed moves are mistakes would otherwise be played by mistakes alone."""

    class Cautious(AuctionRules):
        def random_move(self, position: Auction, seat: int, rng: Random) -> int:
            return position.hands[seat][0]

    game = Game("toy", "tests.toy")
    game.__dict__["rules"] = Cautious()
    record: dict[str, Any] = simulate_match(game, players=4, options={}, rng=Random(3))
    lowest = [min(record["deal"]["cards"][at : at + 4]) for at in range(3, 19, 4)]
    first = {entry["seat"]: entry["move"] for entry in reversed(record["moves"])}
    assert first
    assert all(move == f"bid {lowest[seat]}" for seat, move in first.items())
