"""What the rules of every game must keep, so that the house can play, store, replay and show it.

Hidden information has its own file, drawings and sentences too.
"""

from __future__ import annotations

import itertools
import json
import pickle
from collections.abc import Iterator
from contextlib import suppress
from random import Random
from typing import Any

import pytest

from games.contract.errors import BadDeal, BadOption, IllegalMove
from games.contract.players import counted
from games.contract.record import OUTSIDE_REASONS
from games.contract.registry import Game
from games.contract.replay import check_record
from games.contract.rules import GivesHints, SaysHints, TellsGifts
from games.contract.strict_json import TooLarge
from games.contract.values import OPEN, Event, Outcome
from tests.contract.sampled import Case, over_cases, over_games, played, some
from tests.sizes import size

pytestmark = pytest.mark.soak

POSITIONS = size("positions of a match, with all their moves", ci=12, soak=10_000)
BOTS = size("positions of a match, given to bots", ci=6, soak=12)
SPELLINGS = size("texts that are almost moves", ci=200, soak=600)

ANY_LAG = 10**6
"""Rules cap a lag: with this one, no claim that is listed can be too late."""

JUNK: tuple[Any, ...] = (None, True, -1, 5.0, 10**6, TooLarge("9" * 5000), "", "\ud800", [], [[]], {}, {"x": 1})


@over_games
def test_what_the_house_is_told_of_a_game_is_sound(game: Game) -> None:
    """Records tell the rules' reasons from those outside; pages offer the options with their defaults."""
    info = game.info
    assert info.slug == game.slug
    assert info.title
    assert 1 <= info.min_seats <= info.max_seats
    assert info.reasons
    assert not set(info.reasons) & set(OUTSIDE_REASONS)
    assert len({option.key for option in info.options}) == len(info.options)
    for option in info.options:
        assert option.default in option.values
        assert len(set(option.values)) == len(option.values)


@over_games
def test_options_not_given_have_their_defaults_and_unknown_ones_are_refused(game: Game) -> None:
    rules = game.rules
    for players in range(game.info.min_seats, game.info.max_seats + 1):
        complete = rules.complete_options({}, players)
        assert set(complete) <= {option.key for option in game.info.options}
        for key, value in complete.items():
            assert rules.complete_options({key: value}, players) == complete
        with pytest.raises(BadOption):
            rules.complete_options({"no such option": "x"}, players)
        for key, default in complete.items():
            # To Python 3.0 is 3.
            for value in (*JUNK, *([float(default)] if isinstance(default, int) else [])):
                with pytest.raises(BadOption):
                    rules.complete_options({key: value}, players)


@over_games
def test_forms_are_told_which_options_go_together(game: Game) -> None:
    """A choice of options is accepted exactly if each value may be chosen with so many players, beside the others."""
    rules, options = game.rules, game.info.options
    for players in range(game.info.min_seats, game.info.max_seats + 1):
        for values in itertools.product(*((None, *option.values) for option in options)):
            given = {option.key: value for option, value in zip(options, values, strict=True) if value is not None}
            chosen = {option.key: given.get(option.key, option.default) for option in options}
            goes_together = all(
                players in option.players.get(chosen[option.key], (players,))
                and all(chosen[other] in allowed for other, allowed in option.only_with.items())
                for option in options
                if option.key in given or not option.only_with
            )
            if goes_together:
                assert set(given.items()) <= set(rules.complete_options(given, players).items())
            else:
                with pytest.raises(BadOption):
                    rules.complete_options(given, players)


@over_cases
def test_every_seat_is_in_a_team(case: Case) -> None:
    """Teams are numbered in the order of their first seats, there are two at least, and they end up together."""
    teams = case.game.rules.teams(dict(case.options), case.players)
    assert len(teams) == case.players
    assert list(dict.fromkeys(teams)) == list(range(len(set(teams))))
    assert len(set(teams)) > 1 or case.players == 1
    outcome = case.game.rules.outcome(played(case).positions[-1][0])
    assert outcome is not None
    assert len(
        {(team, place, score) for team, place, score in zip(teams, outcome.places, outcome.scores, strict=True)}
    ) == len(set(teams))


@over_cases
def test_complete_options_stay_as_they_are(case: Case) -> None:
    """A match stores the complete ones, and its record gives them back to the rules."""
    options = dict(case.options)
    assert case.game.rules.complete_options(options, case.players) == options


@over_cases
def test_a_deal_is_plain_data_and_all_of_the_chance(case: Case) -> None:
    rules, options = case.game.rules, dict(case.options)
    names = ["Mimi"] * case.players
    deal = rules.deal(options, names, Random(7))
    again = rules.deal(options, names, Random(7))
    assert deal == again
    assert json.loads(strict(deal)) == deal
    assert rules.start(options, deal, case.players) == rules.start(options, json.loads(strict(deal)), case.players)


@over_cases
def test_a_broken_deal_is_refused_and_nothing_worse(case: Case) -> None:
    """Deals come from files: each part missing, or replaced by junk, is a `BadDeal` or does not matter."""
    rules, options, rng = case.game.rules, dict(case.options), case.rng
    deal = played(case).document["deal"]
    for key in deal:
        with pytest.raises(BadDeal):
            rules.start(options, {other: deal[other] for other in deal if other != key}, case.players)
    for broken in some(rng, broken_deals(deal, rng), 60):
        with suppress(BadDeal):
            rules.start(options, broken, case.players)
    assert rules.start(options, {**deal, "a key of another program": JUNK}, case.players) == played(case).record.start


def broken_deals(deal: dict[str, Any], rng: Random) -> Iterator[dict[str, Any]]:
    """Deals with one value replaced, whole or inside a list; lists shorter, longer, and with an item twice."""
    for key, value in deal.items():
        for junk in JUNK:
            yield {**deal, key: junk}
            if isinstance(value, list):
                at = rng.randrange(len(value))
                yield {**deal, key: [*value[:at], junk, *value[at + 1 :]]}
        if isinstance(value, list):
            yield {**deal, key: value[1:]}
            yield {**deal, key: [*value, value[0]]}
            yield {**deal, key: [*value[1:2], *value[1:]]}


@over_cases
def test_a_random_match_ends_and_its_record_checks_clean(case: Case) -> None:
    match = played(case)
    outcome = case.game.rules.outcome(match.positions[-1][0])
    assert outcome is not None
    checked = check_record(json.dumps(match.document).encode())
    assert checked == (len(match.record.moves), outcome)


@over_cases
def test_a_match_is_over_when_nobody_may_act_and_nothing_is_due(case: Case) -> None:
    """The house waits for a seat or for a time; a match with neither and no outcome would hang for ever."""
    rules = case.game.rules
    for position, _ in played(case).positions:
        seats, due = rules.to_move(position), rules.due(position)
        if rules.outcome(position) is None:
            assert seats or due is not None
        else:
            assert seats == ()
            assert due is None
        assert list(seats) == sorted(set(seats))
        assert set(seats) <= set(range(case.players))
        assert case.game.info.real_time or due is None


@over_cases
def test_the_outcome_has_a_place_and_a_score_for_every_seat(case: Case) -> None:
    rules = case.game.rules
    last, _ = played(case).positions[-1]
    outcome = rules.outcome(last)
    assert isinstance(outcome, Outcome)
    assert outcome.reason in case.game.info.reasons
    assert len(outcome.places) == len(outcome.scores) == case.players
    assert min(outcome.places) == 1
    assert max(outcome.places) <= case.players
    assert rules.scores(last) == outcome.scores
    for position, _ in played(case).positions:
        assert len(rules.scores(position)) == case.players


@over_cases
def test_moves_listed_are_those_of_the_seats_that_may_act(case: Case) -> None:
    rules = case.game.rules
    for position, _ in played(case).positions:
        acting = rules.to_move(position)
        for seat in range(case.players):
            moves = rules.legal_moves(position, seat)
            assert bool(moves) == (seat in acting)
            assert list(moves) == list(rules.legal_moves(position, seat))


@over_cases
def test_every_listed_move_has_one_text_and_is_read_back_from_it(case: Case) -> None:
    rules = case.game.rules
    for position, _ in some(case.rng, played(case).running(), POSITIONS):
        for seat in rules.to_move(position):
            texts = [rules.format_move(move) for move in rules.legal_moves(position, seat)]
            assert len(set(texts)) == len(texts)
            assert [rules.parse_move(text) for text in texts] == list(rules.legal_moves(position, seat))
            assert all(rules.view_move(position, seat, rules.parse_move(text), seat) == text for text in texts[:5])
            assert all(rules.view_move(position, seat, rules.parse_move(text), OPEN) == text for text in texts[:5])


@over_cases
def test_positions_are_stored_as_plain_data(case: Case) -> None:
    """What is loaded again is the same position, and plays on alike."""
    rules = case.game.rules
    for position, _ in played(case).positions:
        data = rules.dump(position)
        loaded = rules.load(json.loads(strict(data)))
        assert loaded == position
        assert rules.dump(loaded) == data
    for before in played(case).moves:
        loaded = rules.load(json.loads(strict(rules.dump(before.position))))
        move = rules.parse_move(before.text)
        assert rules.play(loaded, before.seat, move, at=before.at, lag=before.lag) == rules.play(
            before.position, before.seat, move, at=before.at, lag=before.lag
        )


@over_cases
def test_trace_lines_are_json(case: Case) -> None:
    rules = case.game.rules
    for position, _ in played(case).positions:
        line = rules.trace(position)
        assert json.loads(strict(line)) == line
        assert "ply" not in line


@over_cases
def test_every_listed_move_plays_and_leaves_the_position_alone(case: Case) -> None:
    rules, rng = case.game.rules, case.rng
    for position, now in some(rng, played(case).running(), POSITIONS):
        kept = strict(rules.dump(position))
        for seat in rules.to_move(position):
            for move in some(rng, rules.legal_moves(position, seat), 6):
                after, events = rules.play(position, seat, move, at=now, lag=ANY_LAG)
                # A claim in real time can fall by a hair and change nothing: then it is told why.
                assert after != position or (case.game.info.real_time and events)
                assert all(event.at <= now for event in events)
        assert strict(rules.dump(position)) == kept


@over_cases
def test_nothing_unlisted_plays(case: Case) -> None:
    """Tried: what was listed for other seats and in other positions, and texts with a character changed."""
    rules, rng = case.game.rules, case.rng
    seen = {before.text for before in played(case).moves}
    for position, _ in some(rng, played(case).running(), 20):
        for seat in rules.to_move(position):
            seen.update(map(rules.format_move, some(rng, rules.legal_moves(position, seat), 10)))
    pool = sorted(seen)
    for position, now in some(rng, played(case).running(), POSITIONS):
        for seat in rules.to_move(position):
            listed = set(map(rules.format_move, rules.legal_moves(position, seat)))
            tried = some(rng, pool, 30) + [mutated(rng, rng.choice(pool)) for _ in range(30)]
            for text in tried:
                if text in listed:
                    continue
                with pytest.raises(IllegalMove):
                    rules.play(position, seat, rules.parse_move(text), at=now, lag=ANY_LAG)


@over_cases
def test_a_text_that_is_read_is_spelled_exactly(case: Case) -> None:
    """One move, one text: neither blanks nor zeros, capitals or signs may be spelled another way."""
    rng = case.rng
    texts = [before.text for before in played(case).moves]
    tried = [mutated(rng, rng.choice(texts)) for _ in range(SPELLINGS)]
    tried += [form(text) for text in texts[:20] for form in (str.lower, str.upper, " {}".format, "{}\n".format)]
    tried += ["", "\ud800", "9" * 5000, "\0", *(f"{text}{'0' * 5000}" for text in texts[:3])]
    for text in tried:
        assert spelled_again(case, text) in (text, "malformed")


def spelled_again(case: Case, text: str) -> str:
    """The text of the move that is read from a text, or the code of the refusal."""
    try:
        return case.game.rules.format_move(case.game.rules.parse_move(text))
    except IllegalMove as error:
        return error.code


def mutated(rng: Random, text: str) -> str:
    """The text with a character removed, doubled, swapped with the next, or replaced."""
    at = rng.randrange(len(text))
    head, here, tail = text[:at], text[at], text[at + 1 :]
    other = rng.choice("0123456789-+,@/ .xXRTYaA\u0661\u00a0" + text)
    return rng.choice([head + tail, head + here * 2 + tail, head + tail[:1] + here + tail[1:], head + other + tail])


@over_cases
def test_who_may_not_act_is_refused(case: Case) -> None:
    rules = case.game.rules
    for before in some(case.rng, played(case).moves, 30):
        move = rules.parse_move(before.text)
        for seat in set(range(case.players)) - set(rules.to_move(before.position)):
            with pytest.raises(IllegalMove) as refused:
                rules.play(before.position, seat, move, at=before.at)
            # Where all play at once there are no turns, and the rules may say what keeps the seat from acting.
            assert refused.value.code == "not-your-turn" or case.game.info.real_time
            assert refused.value.code not in ("malformed", "over")
    last, now = played(case).positions[-1]
    for seat in range(case.players):
        with pytest.raises(IllegalMove) as refused:
            rules.play(last, seat, rules.parse_move(played(case).moves[0].text), at=now)
        assert refused.value.code == "over"


@over_cases
def test_time_gives_the_same_in_one_step_or_many(case: Case) -> None:
    """Nothing may depend on when somebody looks."""
    rules, rng = case.game.rules, case.rng
    for position, now in some(rng, played(case).positions, 25):
        until = now + round(rng.expovariate(1 / 20_000))
        at_once, events = rules.advance(position, until)
        looks = {until, *(rng.randint(now, until) for _ in range(6))}
        step = position
        while (due := rules.due(step)) is not None and due <= until:
            looks |= {look for look in (due - 1, due) if now <= look}
            step, _ = rules.advance(step, due)
        step, met = position, list[Event]()
        for look in sorted(looks):
            step, more = rules.advance(step, look)
            met.extend(more)
        assert step == at_once
        assert tuple(met) == events
        assert rules.advance(at_once, until) == (at_once, ())
        due = rules.due(at_once)
        assert due is None or due > until
        assert [event.at for event in events] == sorted(event.at for event in events)
        assert all(now <= event.at <= until for event in events)


@over_cases
def test_a_game_without_a_clock_of_its_own_does_not_move_by_time(case: Case) -> None:
    rules = case.game.rules
    for position, now in played(case).positions:
        if not case.game.info.real_time:
            assert rules.advance(position, now + 10**9) == (position, ())


@over_cases
def test_the_turn_key_changes_exactly_when_a_composed_move_can_no_longer_be_meant(case: Case) -> None:
    """By turns that is every move; in real time, while the key stays, the seat's moves are the same or it has acted."""
    rules = case.game.rules
    for seat in range(case.players):
        keys = [rules.turn_key(position, seat) for position, _ in played(case).positions]
        if case.game.info.real_time:
            assert_keys_stand_for_moves(case, seat, keys)
        else:
            assert len(set(keys)) == len(keys)
        runs = [key for at, key in enumerate(keys) if at == 0 or keys[at - 1] != key]
        assert len(set(runs)) == len(runs), "a key that came back would let an old move through"


def assert_keys_stand_for_moves(case: Case, seat: int, keys: list[str]) -> None:
    rules, moves_by_key = case.game.rules, dict[str, list[Any]]()
    for (position, _), key in zip(played(case).positions, keys, strict=True):
        moves = list(rules.legal_moves(position, seat))
        if moves:
            assert moves_by_key.setdefault(key, moves) == moves
    for before in played(case).moves:
        if before.seat != seat:
            after, _ = rules.play(
                before.position, before.seat, rules.parse_move(before.text), at=before.at, lag=before.lag
            )
            acted = rules.turn_key(after, seat) != rules.turn_key(before.position, seat)
            assert not acted or rules.legal_moves(after, seat) != rules.legal_moves(before.position, seat)


@over_cases
def test_bots_and_stand_ins_play_listed_moves_from_what_their_seat_may_know(case: Case) -> None:
    rules, bot, rng = case.game.rules, case.game.bot, case.rng
    assert bot.LEVELS
    for position, _ in some(rng, played(case).running(), BOTS):
        for seat in rules.to_move(position):
            view = rules.view(position, seat)
            listed = set(map(rules.format_move, rules.legal_moves(position, seat)))
            chosen = [bot.choose(view, level, rng) for level in bot.LEVELS] + [bot.stand_in(view, rng)]
            for text in chosen:
                assert text in listed or (text is None and case.game.info.real_time)


@over_cases
def test_views_go_to_processes_that_think(case: Case) -> None:
    """They are told to a bot's process as bytes, and are the same there."""
    for position, _ in some(case.rng, played(case).running(), BOTS):
        for seat in case.game.rules.to_move(position):
            view = case.game.rules.view(position, seat)
            assert pickle.loads(pickle.dumps(view)) == view


@over_cases
def test_bots_play_the_same_from_the_same_chance(case: Case) -> None:
    """A bot is pure: what it does depends on the view, the level and the chance that it is given."""
    rules, bot = case.game.rules, case.game.bot
    for position, _ in some(case.rng, played(case).running(), 4):
        view = rules.view(position, rules.to_move(position)[0])
        for level in bot.LEVELS:
            assert bot.choose(view, level, Random(3)) == bot.choose(view, level, Random(3))


@over_cases
def test_hints_are_listed_moves_with_reasons_that_are_said(case: Case) -> None:
    """Where the bot gives any. `None` is no answer in every position."""
    rules, bot, texts, rng = case.game.rules, case.game.bot, case.game.texts, case.rng
    if not isinstance(bot, GivesHints):
        return
    assert isinstance(texts, SaysHints)
    given = 0
    for position, _ in some(rng, played(case).running(), BOTS):
        for seat in rules.to_move(position):
            hint = bot.hint(rules.view(position, seat), rng, counted(2))
            if hint is not None:
                given += 1
                assert hint.move in set(map(rules.format_move, rules.legal_moves(position, seat)))
                assert hint.why
                assert all(texts.hint(code, params) for code, params in hint.why)
    assert given


def strict(data: Any) -> str:
    """As JSON text; fails for what JSON does not have."""
    return json.dumps(data, allow_nan=False, sort_keys=True)


@over_cases
def test_gifts_are_what_one_seat_gives_another(case: Case) -> None:
    """Where the rules tell them: event by event the same as all at once, and no seat is its own giver."""
    rules = case.game.rules
    if not isinstance(rules, TellsGifts):
        return
    events = played(case).events
    gifts = list(rules.gifts(events))
    assert gifts == [gift for event in events for gift in rules.gifts([event])]
    for giver, taker, count in gifts:
        assert giver != taker
        assert {giver, taker} <= set(range(case.players))
        assert count > 0
