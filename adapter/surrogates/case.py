"""Transfer of a text's letter case and layout to its surrogate."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from adapter.normalize.folding import fold

if TYPE_CHECKING:
    from collections.abc import Iterable

_DIGIT = re.compile(r"[0-9]")
_UMLAUTS = str.maketrans(
    {
        "ä": "ae",
        "ö": "oe",
        "ü": "ue",
        "Ä": "Ae",
        "Ö": "Oe",
        "Ü": "Ue",
        "ß": "ss",
        "œ": "oe",
    }
)


def like(word: str, original: str) -> str:
    """Return word in the original's letter case if that is ALL CAPS or lower case, else unchanged.

    A single capital says nothing about the case of a word.
    """
    if original.islower():
        return word.lower()
    if original.isupper() and len(original) > 1:
        return word.upper()
    return word


def phrase_like(words: str, original: str) -> str:
    """Return ordinary words in the case of the original; an initial capital is kept too."""
    if original.isupper() and len(original) > 1:
        return words.upper()
    return words[:1].upper() + words[1:] if original[:1].isupper() else words


def unaccented(word: str) -> str:
    """Return a word in ASCII, for texts that have no accents; German umlauts become two letters."""
    if word.isascii():
        return word
    spelled = word.translate(_UMLAUTS)
    return "".join(
        plain.upper() if own.isupper() else plain
        for own, plain in zip(spelled, fold(spelled), strict=True)
    )


def fill_digits(layout: str, digits: Iterable[str]) -> str:
    """Replace the ASCII digits of a layout in order; there must be enough digits."""
    supply = iter(digits)
    return _DIGIT.sub(lambda _: next(supply), layout)
