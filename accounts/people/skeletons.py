"""What a name comes to at a glance: names that look alike have one skeleton in common. Pure.

After Unicode's technical standard 39, with a table of our own: of the letters that look like those of a to z (Greek,
Cyrillic, Armenian, Coptic, Cherokee, Lisu, Canadian syllabics, small capitals, phonetic ones, letters in frames), and
of the few that kana share with other signs. What is stored was made of this table, so a change of it needs a migration.
"""

from __future__ import annotations

import re
import unicodedata

SKELETON_LENGTH = 120

# Each letter with those that are taken for it, in the form in which they were typed: capitals look like capitals.
_ALIKE = """
a ɑαаΑАᴀΛλΔ∆ɅʌɐɒꓮꓯꓥᎪⲀⲁⲖⲗⲆⲇᗩᗅᗋ
b ΒВвᏏЬЪьъƄʙᴃɓƁƀɃꓐꓭᏴⲂⲃᗷᗸ
c ϲсᴄСϹⲥƈƇɕȼȻꓚᏟᑕᑢ
d ԁɗđĐðÐᴅɖƊƉᴆꓓꓷᎠᏧᗪᗞᑯ
e еҽєεΕЕЄɛᴇƎǝəƏɘɚɜⱻꓰꓱᎬᏋⲈⲉᗴ
f ƒϜғҒꜰꓝᖴ
g ɡցɢԌɠƓʛǥǤᏀᏳꓖ
h һհΗНнҺћħĦʜɦꓧᎻᏂⲎⲏᕼ
j јϳЈɈᴊʝʄɟꓙᎫᒍᒎ
k κкΚКқĸᴋƙƘꓗꓘᏦⲔⲕᛕ
l iıɩɪιіӏΙІӀǀ1|¦łŁ∣ⅼӀו׀ا١۱ʟᴌɫɬɭƚȽɨƗᵻꓡꓲᎥᏆᏞⲒⲓᒪᓰ
m мΜМᴍɱƜꟺꓟᎷⲘⲙᗰᘻ
n ոռΝηпПɴƞᴎɲɳƝŋŊꓠᏁⲚⲛᑎ
o 0οσоօОΟՕøØ०০੦٠۰○〇ᴏɵƟꓳᎾⲞⲟ
p ρрΡРþÞᴘƥƤꓑᏢⲢⲣᑭᑬ
q ԛգզʠꞯɊɋ
r гᴦɾʀЯяʁᴙᴚɼɽɌɍꭆꓣꓤᎡᏒᖇ
s ѕЅꜱʂՏƽʃƩꓢᏚᏕᔕᔑ
t тΤТτŧŦᴛʈƭƬƫƮꓔᎢⲦⲧ
u υսʋᴜՍцЦʉɄƱʊꓴᏌᑌ
v νѵᴠѴꓦᏙᐯ
w ɯѡԝաᴡԜшШщЩωΩⱳꓪᎳᏔⲰⲱᗯ
x хχΧХ×ꓫⲬⲭ᙭
y уүУΥҮγʏўЎƴƳɎɏʎꓬᎩᎽⲨⲩ
z ᴢΖʐʑƶƵȥꓜᏃⲌⲍᘔ
ae æÆӕӔᴁ
oe œŒɶ
ロ 口囗
ー 一―—━─
カ 力
エ 工
ト 卜
ニ 二
ハ 八
タ 夕
ヘ へ
リ り
"""
_LINES = (line.split() for line in _ALIKE.split("\n") if line)
_AS = {ord(letter): alike for alike, letters in _LINES for letter in letters}
# Letters in frames that Unicode does not hold to be letters: negative circles and squares, and those of flags.
_FRAMED = {first + nth: chr(ord("A") + nth) for first in (0x1F150, 0x1F170, 0x1F1E6) for nth in range(26)}
_FRAMED[0x1F18A] = "P"
# Marks upon these are dropped: in other scripts they are letters of their own, as the vowels of India.
_MARKED_FOR_LOOKS = re.compile(r"[a-zͰ-ԯ]")


def skeletons(name: str) -> frozenset[str]:
    """The skeletons of a name: as it stands, and in small letters, which look different in Greek and Cyrillic."""
    return frozenset((skeleton(name), skeleton(unicodedata.normalize("NFKC", name).casefold())))


def skeleton(name: str) -> str:
    """The name without what a glance does not tell: never empty, at most `SKELETON_LENGTH` long."""
    plain = _without_frames(name)
    letters: list[str] = []
    for character in unicodedata.normalize("NFD", plain):
        kind = unicodedata.category(character)
        if kind in ("Mn", "Me"):
            if not letters or _MARKED_FOR_LOOKS.match(letters[-1]) or _chooses_a_variant(character):
                continue
        elif kind[0] in "ZCP" and ord(character) not in _AS:
            continue
        # Twice: a capital may look like another letter than its small one, and that one like a third.
        seen = character.translate(_AS).casefold().translate(_AS)
        letters.extend(seen)
    bare = unicodedata.normalize("NFC", "".join(letters)).replace("rn", "m").replace("vv", "w")
    # Of a name of punctuation alone nothing is left: then it is what it is.
    return (bare or plain.casefold())[:SKELETON_LENGTH]


def _without_frames(name: str) -> str:
    return unicodedata.normalize("NFKC", name).translate(_FRAMED)


def _chooses_a_variant(mark: str) -> bool:
    return 0xFE00 <= ord(mark) <= 0xFE0F or ord(mark) == 0x20E3


# Reserved words

_KEPT = """
admin administrator administrador administradora mod mods moderator moderators moderador moderadora staff support
soporte system sistema tesela root help ayuda bot bots formerplayer antiguojugador jugadoranterior exjugador
"""
# Chinese puts no blanks between words, so these are looked for anywhere.
_KEPT_ANYWHERE = """
管理員 管理员 管理者 版主 站長 站长 客服 官方 系統 系统 支援 幫助 帮助 機器人 机器人 前玩家 前棋手 已離開
"""
_KEPT_SKELETONS = frozenset(skeleton(word) for word in _KEPT.split())
_KEPT_RUN = re.compile(f"(?:{'|'.join(sorted(_KEPT_SKELETONS, key=len, reverse=True))})+")
_KEPT_ANYWHERE_SKELETONS = tuple(skeleton(word) for word in _KEPT_ANYWHERE.split())
# Digits and signs that are written for letters.
_WRITTEN_FOR = str.maketrans({"3": "e", "4": "a", "5": "s", "7": "t", "8": "b", "@": "a", "$": "s", "€": "e", "!": "i"})
_BETWEEN_WORDS = re.compile(r"[\W_]+")
_INNER_CAPITAL = re.compile(r"(?<=[a-z])(?=[A-Z])")


def is_reserved(name: str) -> bool:
    """Whether the name, or a word of it, is one by which the house speaks, or looks like it."""
    plain = _without_frames(name)
    whole = skeleton(plain)
    if any(word in whole for word in _KEPT_ANYWHERE_SKELETONS):
        return True
    for spelled in (plain, plain.translate(_WRITTEN_FOR)):
        # "a d m i n" is one word, too.
        words = [skeleton(spelled), *_words(spelled), *(word.strip("0123456789") for word in _words(spelled))]
        if any(_KEPT_RUN.fullmatch(skeleton(word)) for word in words if word):
            return True
    return False


def _words(text: str) -> list[str]:
    # Marks belong to the letters before them.
    marks = ("Mn", "Cf")
    letters = "".join(each for each in unicodedata.normalize("NFD", text) if unicodedata.category(each) not in marks)
    words = _BETWEEN_WORDS.split(letters)
    return [*words, *(part for word in words for part in _INNER_CAPITAL.split(word))]
