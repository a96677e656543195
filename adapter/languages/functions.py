"""Functions and relations beside a person's name, or instead of one, in a field for whole names.

``Reference.display`` and ``Annotation.authorString`` have "Ida Holm (mother)", "Scrub nurse: Ida",
"Night staff". What such words say is no name: it stays, and no text is searched for it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import regex

from adapter.normalize.folding import fold

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from adapter.languages.field_words import FieldWords

_MARK = regex.compile(r"\s*[,;:/|()\[\]]+[\s,;:/|()\[\]]*|\s+[-–—]\s+")
_WORD = regex.compile(r"\S+")
_LETTERS = regex.compile(r"[\p{L}\p{M}]+")
_POSSESSIVE = regex.compile(r"['’]s$")
_BRACKETS = frozenset("([")
NOWHERE = (0, 0)
"""The extent of the name in a text without one."""


class _Piece(NamedTuple):
    """A part of a text between marks: its extent, and the marks around it."""

    start: int
    end: int
    before: str
    behind: str


@lru_cache(maxsize=8192)
def name_extent(text: str, words: FieldWords) -> tuple[int, int]:
    """Return the extent of the name in a text; (0, 0) if it has functions alone.

    Functions are cut off at the ends: parts in brackets, behind a comma, or beside a dash or colon,
    words before a name, and words in lower case behind one. One word before a comma is a family
    name.
    """
    pieces = list(_pieces(text))
    named = [piece for piece in pieces if not _names_function(text, piece, words)]
    if not named:
        return NOWHERE if pieces else (0, len(text))
    start, end = named[0].start, named[-1].end
    if len(named) == 1:
        start, end = _inner(text, start, end, words)
    whole = start == pieces[0].start and end == pieces[-1].end
    return (0, len(text)) if whole else (start, end)


def _pieces(text: str) -> Iterator[_Piece]:
    start, before = 0, ""
    for mark in _MARK.finditer(text):
        if text[start : mark.start()].strip():
            yield _Piece(start, mark.start(), before, mark[0].strip())
        start, before = mark.end(), mark[0].strip()
    if text[start:].strip():
        lead = len(text) - len(text[start:].lstrip())
        yield _Piece(lead, len(text.rstrip()), before, "")


def _names_function(text: str, piece: _Piece, words: FieldWords) -> bool:
    """Whether a part names a function, and is no family name."""
    found = _WORD.findall(text[piece.start : piece.end])
    if len(found) == 1 and piece.behind.startswith(","):
        return False
    return _is_function(found, words, bracketed=not _BRACKETS.isdisjoint(piece.before))


def _inner(text: str, start: int, end: int, words: FieldWords) -> tuple[int, int]:
    """Return the extent of a name without functions before it and behind it."""
    found = [(start + word.start(), start + word.end()) for word in _WORD.finditer(text[start:end])]
    each = [text[one:other] for one, other in found]
    first = next((n for n in range(len(each) - 1, 0, -1) if _is_function(each[:n], words)), 0)
    small = next((n for n in range(first + 1, len(each)) if _is_small(each[n:], words)), len(each))
    return found[first][0], found[small - 1][1]


def _is_small(found: Sequence[str], words: FieldWords) -> bool:
    return all(word.islower() for word in found) and _is_function(found, words)


def _is_function(found: Sequence[str], words: FieldWords, *, bracketed: bool = False) -> bool:
    """Whether words name a function.

    One that is also a family name counts only beside another, in brackets or in lower case.
    """
    each = [_POSSESSIVE.sub("", word) for word in found]
    parts = [fold(part) for word in each for part in _LETTERS.findall(word)]
    if not parts or any(char.isdigit() for word in each for char in word):
        return False
    if not all(
        p in words.functions or p in words.qualifiers or p in words.namesakes for p in parts
    ):
        return False
    if not words.functions.isdisjoint(parts):
        return True
    weak = [word for word, part in zip(each, parts, strict=False) if part in words.namesakes]
    return bool(weak) and (bracketed or len(parts) > 1 or all(word.islower() for word in weak))
