"""The cards of both decks, and how they turn."""

from hashlib import sha256

import pytest

from games.blockyou.cards import CARDS, DECKS, CardFace, turned
from tests.games.blockyou import slow


def written(deck: str) -> list[str]:
    return [f"{face.quarters}/{''.join(map(str, face.fingers))}" for face in DECKS[deck]]


@pytest.mark.parametrize(
    ("deck", "digest"),
    [
        ("standard", "1fca398b2e7fa475ffd6e880e695b10c5e08f4173f40846d770d2516dad6dfdd"),
        ("easy", "0e2590b979911a8634ad0b3e7e1acc7d018d84bc01903ffc76729702e033e3f2"),
    ],
)
def test_the_decks_are_the_written_ones(deck: str, digest: str) -> None:
    assert len(DECKS[deck]) == CARDS
    assert sha256(";".join(written(deck)).encode()).hexdigest() == digest


def test_cards_that_the_rules_spell_out() -> None:
    cards = written("standard")
    assert (cards[0], cards[1], cards[87]) == ("0222/02", "0423/04", "0121/34")


@pytest.mark.parametrize("deck", DECKS)
def test_each_card_has_one_white_quarter_and_two_fingers(deck: str) -> None:
    colours = {"standard": "12345", "easy": "1234"}[deck]
    for face in DECKS[deck]:
        assert face.quarters[0] == "0"
        assert set(face.quarters[1:]) <= set(colours)
        assert len(set(face.fingers)) == 2
        assert list(face.fingers) == sorted(face.fingers)


def test_a_card_turns_clockwise() -> None:
    """The top left quarter goes to the top right, and a finger from north to east.

    0 1      3 0
    3 2  ->  2 1
    """
    face = CardFace("0123", (0, 7))
    assert turned(face, 0) == face
    assert turned(face, 1) == CardFace("3012", (1, 2))
    assert turned(face, 2) == CardFace("2301", (3, 4))
    assert turned(face, 3) == CardFace("1230", (5, 6))


@pytest.mark.parametrize("deck", DECKS)
def test_turning_agrees_with_the_written_formula(deck: str) -> None:
    for card, face in enumerate(DECKS[deck]):
        for turn in range(4):
            quarters, fingers = slow.turn(*slow.face(deck, card), turn)
            assert turned(face, turn) == CardFace("".join(map(str, quarters)), tuple(sorted(fingers)))
