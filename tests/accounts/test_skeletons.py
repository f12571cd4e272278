"""Which names look alike, and which words are the house's own."""

from __future__ import annotations

import pytest

from accounts.people.skeletons import SKELETON_LENGTH, is_reserved, skeletons


@pytest.mark.parametrize(
    "alike",
    [
        "alice",
        "ALICE",
        "Аlісе",  # Cyrillic А, і, с, е
        "Αlice",  # Greek Α
        "ａｌｉｃｅ",
        "a1ice",
        "aIice",
        "Alicé",
        "a.l_i-c e",
        "Al\u200dice",
        "𝓐lice",
        "ⓐⓛⓘⓒⓔ",
        "«Alice»",
        "Alıce",
    ],
)
def test_what_looks_like_alice_has_a_skeleton_of_hers(alike: str) -> None:
    assert skeletons(alike) & skeletons("Alice")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Bob", "B0b"),
        ("Bob", "Воb"),  # Cyrillic В, о
        ("Nina", "Νina"),  # Greek Ν
        ("vera", "νera"),  # Greek ν
        ("Mark", "rnark"),
        ("wanda", "vvanda"),
        ("Jens", "Ј\u0435ns"),
        ("ロボ", "口ボ"),
        ("ΝΙΚΗ", "νίκη"),
        ("ИВАН", "иван"),
    ],
)
def test_these_look_alike(one: str, other: str) -> None:
    assert skeletons(one) & skeletons(other)


LATIN = {
    "Lisu": ("ABCDEFGHIJKLMNOPRSTUVWXYZ", "ꓮꓐꓚꓓꓰꓝꓖꓧꓲꓙꓗꓡꓟꓠꓳꓑꓣꓢꓔꓴꓦꓪꓫꓬꓜ"),
    "Cherokee": ("ABCDEGHIJKLMNOPRSTUVWYZ", "ᎪᏴᏟᎠᎬᏀᎻᏆᎫᏦᏞᎷᏁᎾᏢᎡᏚᎢᏌᏙᎳᎩᏃ"),
    "Cherokee, small": ("ADMINS", "ꭺꭰꮇꮖꮑꮪ"),
    "Coptic": ("ABCEHIKMNOPTWXYZ", "ⲀⲂⲤⲈⲎⲒⲔⲘⲚⲞⲢⲦⲰⲬⲨⲌ"),
    "Coptic, small": ("ABCEHIKMNOPTWXYZ", "ⲁⲃⲥⲉⲏⲓⲕⲙⲛⲟⲣⲧⲱⲭⲩⲍ"),
    "Greek": ("ABEZHIKMNOPTYX", "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ"),
    "Cyrillic": ("ABCEHIJKMOPSTXY", "АВСЕНІЈКМОРЅТХУ"),
    "small capitals": ("ABCDEFGHIJKLMNOPQRSTUVWYZ", "ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡʏᴢ"),
    "phonetic": ("ABCDEGHIJLMNOPQRSTUYZ", "ɐɓɕɖəɠɦɨʝɭɱɲɵƥʠɽʃʈʉʎʑ"),
    "Canadian syllabics": ("ABCDEFHJLMNPRSUVWXZ", "ᗩᗷᑕᗪᗴᖴᕼᒍᒪᗰᑎᑭᖇᔕᑌᐯᗯ᙭ᘔ"),
    **{
        kind: ("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "".join(chr(first + nth) for nth in range(26)))
        for kind, first in {
            "full width": 0xFF21,
            "parenthesized": 0x1F110,
            "circled": 0x24B6,
            "squared": 0x1F130,
            "negative circled": 0x1F150,
            "negative squared": 0x1F170,
            "of flags": 0x1F1E6,
        }.items()
    },
}
"""Letters of each kind below those that they look like."""


@pytest.mark.parametrize("kind", LATIN)
def test_whole_alphabets_look_like_latin(kind: str) -> None:
    latin, others = LATIN[kind]
    for letter, alike in zip(latin, others, strict=True):
        assert skeletons(f"{alike}x") & skeletons(f"{letter}x"), f"{alike} {letter}"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Alice", "Alicia"),
        ("Player2", "Player3"),
        ("小明", "小王"),
        ("李明", "李朋"),
        ("かな", "がな"),
        ("민준", "민수"),
        ("किरण", "करण"),
        ("Иван", "Игорь"),
        ("محمد", "محمود"),
        ("שלום", "שלמה"),
        ("!!!", "???"),
        ("♥", "♦"),
    ],
)
def test_these_do_not(one: str, other: str) -> None:
    assert not skeletons(one) & skeletons(other)


def test_no_skeleton_is_empty_or_longer_than_its_column() -> None:
    for name in ("...", "ﷺ" * 40, "\u0301", "♥", "x" * 40):
        assert all(0 < len(each) <= SKELETON_LENGTH for each in skeletons(name)), name


@pytest.mark.parametrize(
    "name",
    [
        "admin",
        "Administrator",
        "Tesela",
        "tesela support",
        "Tesela-Support",
        "TeselaSupport",
        "tesela.support",
        "T.e.s.e.l.a",
        "аdmin",  # Cyrillic а
        "ꓮꓓꓟꓲꓠ",
        "ᎪᎠᎷᏆᏁ",
        "ꮪystem",
        "ΛDMIN",
        "Ⲁdmin",
        "ᴀᴅᴍɪɴ",
        "ᗩᗪᗰIᑎ",
        "🅰🅳🅼🅸🅽",
        "🅰️dmin",
        "🅐🅓🅜🅘🅝 Bob",
        "🇦🇩🇲🇮🇳",
        "ｍｏｄ",
        "m0derat0r",
        "4dm1n",
        "@dmin",
        "$upport",
        "Adm\u0131n",
        "Admín",
        "admin123",
        "the Moderator",
        "Bot 2",
        "System!",
        "Former Player",
        "administrador",
        "Moderadora",
        "soporte de Tesela",
        "ayuda",
        "exjugador",
        "管理員",
        "小明管理員",
        "客服 01",
        "前玩家",
    ],
)
def test_words_of_the_house_are_kept(name: str) -> None:
    assert is_reserved(name)


@pytest.mark.parametrize(
    "name",
    [
        "Alice",
        "Modesto",
        "Botond",
        "Rooter",
        "Helper",
        "Admira",
        "小明",
        "陳大文",
        "José",
        "Systema Tica",
        "Abbot",
        "Staffan",
        "Ana 🇪🇸",
        "Λάμπρος",
        "Иван",
    ],
)
def test_other_names_are_free(name: str) -> None:
    assert not is_reserved(name)
