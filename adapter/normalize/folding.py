"""Folding of case, accents, dashes, digits and look-alike letters, without changing the length."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection

_SPECIAL = {
    "ß": "s",
    "æ": "a",
    "œ": "o",
    "ø": "o",
    "đ": "d",
    "ð": "d",
    "ł": "l",
    "þ": "t",
    "ı": "i",
    "ħ": "h",
    "ς": "σ",
    "‐": "-",
    "‑": "-",
    "‒": "-",
    "–": "-",
    "—": "-",
    "−": "-",
    "’": "'",
    "‘": "'",
    "ʼ": "'",
    "ʻ": "'",
    "`": "'",
    "´": "'",
    "＇": "'",
    "ʹ": "'",
    "′": "'",
    "\u00a0": " ",
    "\u2009": " ",
    "\u202f": " ",
    "\u3000": " ",
}


_LOOK_ALIKE = {
    **dict(zip("аеорсухіјѕһԁԛԝүӏ", "aeopcyxijshdqwyl", strict=True)),
    **dict(zip("АВЕКМНОРСТУХІЈЅԌԚԜҮ", "abekmhopctyxijsgqwy", strict=True)),
    **dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "abezhikmnoptyx", strict=True)),
    **dict(zip("αικνορυχϲϳ", "aikvopuxcj", strict=True)),
    **dict(zip("օոսցհ", "onugh", strict=True)),
    **dict(zip("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ", "abcdefghijklmnoprstuvwyz", strict=True)),
    **dict(zip("ɑɡɩᎪᏴᏟᎠᎬᎻᎫᏦᏞᎷᏢᏒᏚᎢᏙᎳᏃ", "agiabcdehjklmprstvwz", strict=True)),
}
"""Letters of other scripts that look like Latin letters (Unicode Technical Standard 39)."""
_HIRAGANA, _TO_KATAKANA = range(0x3041, 0x3097), 0x60
"""Hiragana, and the distance to Katakana's code points: a name may be written in either."""
_HANGUL = range(0xAC00, 0xD7A4)
"""Hangul syllables, which are not decomposed: only the first letter would remain."""


class _Table(dict[int, int]):
    """A translation table from one character to one character, filled on demand."""

    def __missing__(self, code: int) -> int:
        folded = _fold_character(chr(code))
        self[code] = folded
        return folded


def _fold_character(character: str) -> int:
    if character in _LOOK_ALIKE:
        return ord(_LOOK_ALIKE[character])
    if character.isdecimal():
        return ord(str(unicodedata.decimal(character)))
    if ord(character) in _HANGUL:
        return ord(character)
    if ord(character) in _HIRAGANA:
        character = chr(ord(character) + _TO_KATAKANA)
    lower = character.lower()[:1]
    if lower in _LOOK_ALIKE:
        return ord(_LOOK_ALIKE[lower])
    if lower in _SPECIAL:
        return ord(_SPECIAL[lower])
    base = unicodedata.normalize("NFKD", lower)[:1].lower()[:1]
    return ord(_LOOK_ALIKE.get(base) or _SPECIAL.get(base, base) or lower)


_TABLE = _Table()


def fold(text: str) -> str:
    """Return text lower-cased and without accents; ``len(fold(text)) == len(text)``.

    Letters of other scripts that look like Latin letters become Latin, whatever their context, and
    digits of other scripts become ASCII digits.

    Offsets in the folded text are therefore offsets in the text.
    """
    return text.lower() if text.isascii() else text.translate(_TABLE)


_UNSPACED = (
    range(0x3040, 0x3100),
    range(0x3400, 0x4DC0),
    range(0x4E00, 0xA000),
    _HANGUL,
    range(0x20000, 0x323B0),
)


def unspaced(word: str) -> bool:
    """Whether a word is Chinese, Japanese or Korean, where two characters can be a name."""
    return not word.isascii() and all(any(ord(c) in some for some in _UNSPACED) for c in word)


_NOISE = re.compile(r"[\W_]+")
_REMEMBERED = 64
"""Longest text, in characters, whose squeezed form is memoised."""


def squeeze(text: str) -> str:
    """Return only the letters and digits of the folded text: "(555) 010-9999" -> "5550109999"."""
    if text.isascii() and text.isalnum():
        return text.lower()
    return _squeezed(text) if len(text) <= _REMEMBERED else _NOISE.sub("", fold(text))


@lru_cache(maxsize=8192)
def _squeezed(text: str) -> str:
    """Memoise `squeeze` for short texts, because names and numbers recur."""
    return _NOISE.sub("", fold(text))


_FEW = 2_000_000
"""Maximum of keys times characters for which each key is searched for by itself."""
_HEAD = 8
_END = 4


def contained(keys: Collection[str], text: str) -> set[str]:
    """Return the keys that the text contains; linear in both for many keys and a long text.

    In that case the keys whose first and last four characters the text has are selected first. If
    they are many too, the text is read once for each length of their first (at most 8) characters.
    """
    if len(keys) * len(text) >= _FEW:
        ends = {text[at : at + _END] for at in range(len(text))}
        keys = [
            key for key in keys if len(key) < _END or (key[:_END] in ends and key[-_END:] in ends)
        ]
    if len(keys) * len(text) < _FEW:
        return {key for key in keys if key in text}
    heads: dict[int, set[str]] = {}
    for key in keys:
        heads.setdefault(min(len(key), _HEAD), set()).add(key[:_HEAD])
    met = {
        head
        for length, some in heads.items()
        for at in range(len(text) - length + 1)
        if (head := text[at : at + length]) in some
    }
    return {key for key in keys if key[:_HEAD] in met and key in text}
