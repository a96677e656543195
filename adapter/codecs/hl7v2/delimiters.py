"""The delimiters a message declares in its first segment (HL7 v2, chapter 2.5.4)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from adapter.errors import DecodeError

ABSENT = "\uffff"
"""Replaces a delimiter that is not declared: a Unicode noncharacter, which no text contains."""

DECLARING = frozenset({"MSH", "FHS", "BHS"})
"""Header segments: the first field is the field separator, the second holds the others."""

HEADERS = DECLARING | {"BTS", "FTS"}
"""Segments that begin a message, or are lines of a batch."""

USUAL_COMPONENT = "^"
_MOST_UNDECLARED = 2
_LEAST, _MOST = 3, 6


@dataclass(frozen=True, slots=True)
class Delimiters:
    """The delimiters, one character each; ABSENT for those the sender does not declare."""

    field: str = "|"
    component: str = "^"
    repetition: str = "~"
    escape: str = "\\"
    subcomponent: str = "&"
    truncation: str = ABSENT


def read_delimiters(header: str) -> Delimiters:
    """Return the delimiters of a header segment; batch trailers declare none and use the defaults.

    MSH-2 has two to five characters; a doubled escape character (written so by software that
    escapes it for a programming language) counts once.

    Raises:
        DecodeError: "delimiters" if they are not two to five different punctuation marks.
    """
    field = header[3:4]
    if header[:3] not in DECLARING:
        return Delimiters(field=field or "|")
    others = header[4:].partition(field or "|")[0]
    if others[2:3] and others[2:3] == others[3:4]:
        others = others[:3] + others[4:]
    return _declared((field + others)[: _MOST + 1])


def check_declared(known: Delimiters, text: str) -> None:
    """Check a message whose component separator is not the default one.

    Raises:
        DecodeError: "delimiters" if the default separator is used but not declared: the declaration
            has lost it.
    """
    declared = (known.field, known.component, known.repetition, known.escape, known.subcomponent)
    if USUAL_COMPONENT not in declared and text.count(USUAL_COMPONENT) > _MOST_UNDECLARED:
        raise DecodeError("delimiters")


@lru_cache(maxsize=256)
def _declared(characters: str) -> Delimiters:
    _check(characters)
    return Delimiters(*characters.ljust(_MOST, ABSENT))


def _check(characters: str) -> None:
    distinct = len(set(characters)) == len(characters)
    punctuation = characters.isascii() and characters.isprintable()
    if not (_LEAST <= len(characters) <= _MOST and distinct and punctuation) or any(
        character.isalnum() or character == " " for character in characters
    ):
        raise DecodeError("delimiters")
