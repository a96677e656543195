"""Names of departments, rooms and beds, which every hospital has ("Radiology", "Room 4, Bed 2")."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import regex

from adapter.normalize.folding import fold

if TYPE_CHECKING:
    from adapter.languages.field_words import FieldWords

_TOKEN = regex.compile(
    r"(?P<word>[\p{L}\p{M}]{2,}(?:['’]s)?)|(?P<number>\d{1,3}\p{L}?|\p{L})\b|(?P<mark>[\s,;/&+()#-]+)"
)
_POSSESSIVE = regex.compile(r"['’]s$")


@lru_cache(maxsize=8192)
def is_generic_place(text: str, words: FieldWords) -> bool:
    """Whether a text names departments, rooms and beds alone, and at least one of them.

    A room or bed has a number or a single letter behind it.
    """
    telling, numbered, place = False, False, 0
    while place < len(text):
        token = _TOKEN.match(text, place)
        if token is None or (token["number"] and not numbered):
            return False
        place = token.end()
        telling |= bool(token["number"])
        if token["word"]:
            word = fold(_POSSESSIVE.sub("", token["word"]))
            numbered = word in words.rooms
            telling |= word in words.departments
            if not (numbered or word in words.departments or word in words.qualifiers):
                return False
    return telling
