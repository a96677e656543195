"""How a text is written: letter case and layout, to write its surrogate the same way."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_DIGIT = re.compile(r"[0-9]")


def like(word: str, original: str) -> str:
    """Word in the letter case of the original: ALL CAPS and lower case are kept, else as it is.

    A single capital says nothing of the case of a word.
    """
    if original.islower():
        return word.lower()
    if original.isupper() and len(original) > 1:
        return word.upper()
    return word


def phrase_like(words: str, original: str) -> str:
    """Words of ordinary text in the case of the original; a first capital is kept too."""
    if original.isupper() and len(original) > 1:
        return words.upper()
    return words[:1].upper() + words[1:] if original[:1].isupper() else words


def fill_digits(layout: str, digits: Iterable[str]) -> str:
    """Layout with its ASCII digits replaced, in order; there must be enough digits."""
    supply = iter(digits)
    return _DIGIT.sub(lambda _: next(supply), layout)
