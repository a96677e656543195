"""The comparable form of text: case, accents, dashes and apostrophes folded, length kept."""

from __future__ import annotations

import unicodedata

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
    "\u00a0": " ",
    "\u2009": " ",
    "\u202f": " ",
    "\u3000": " ",
}


class _Table(dict[int, int]):
    """A translation table that fills itself: one character to one character."""

    def __missing__(self, code: int) -> int:
        folded = _fold_character(chr(code))
        self[code] = folded
        return folded


def _fold_character(character: str) -> int:
    lower = character.lower()[:1]
    if lower in _SPECIAL:
        return ord(_SPECIAL[lower])
    base = unicodedata.normalize("NFKD", lower)[:1]
    return ord(_SPECIAL.get(base, base).lower()[:1] or lower)


_TABLE = _Table()


def fold(text: str) -> str:
    """Return text lower-cased and without accents; ``len(fold(text)) == len(text)``.

    Offsets in the folded text are therefore offsets in the text.
    """
    return text.lower() if text.isascii() else text.translate(_TABLE)


_NOISE = {code: None for code in range(128) if not chr(code).isalnum()}


def squeeze(text: str) -> str:
    """Return only the letters and digits of the folded text: "(555) 010-9999" -> "5550109999"."""
    if text.isascii():
        return text.lower() if text.isalnum() else text.lower().translate(_NOISE)
    return "".join(c for c in fold(text) if c.isalnum())
