"""Functions, numbers and relations beside a person's name, or instead of one, in whole names.

``Reference.display`` and ``Annotation.authorString`` have "Ida Holm (mother)", "Scrub nurse: Ida",
"Night staff", "HOLM IDA DOB 1961-02-12". What such words say is no name: it stays, and no text is
searched for it. The numbers are read as in any text.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import regex

from adapter.normalize.folding import fold, squeeze

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from adapter.languages.field_words import FieldWords

_MARK = regex.compile(
    r"\s*[,;:/|()\[\]]+[\s,;:/|()\[\]]*|\s+[-–—]\s+"
    r"|\s+(?=#?\d)|(?<=(?<![^\s(\[])#?\d\S*)\s+"
)
"""Marks between parts, and the gap between a number and words."""
_NUMBER = regex.compile(r"#?\d\S*")
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
    words before a name, and words in lower case behind one; so are numbers, and labels beside them.
    One word before a comma is a family name unless only functions follow it.
    """
    pieces = list(_pieces(text))
    numbers = [_NUMBER.fullmatch(text, piece.start, piece.end) is not None for piece in pieces]
    labels = [_labels_number(text, pieces, numbers, n, words) for n in range(len(pieces))]
    each = [
        p for p, number, label in zip(pieces, numbers, labels, strict=True) if not (number or label)
    ]
    named = [piece for piece in each if not _names_function(text, piece, words)]
    if not named and (each or not pieces):
        return NOWHERE if pieces else (0, len(text))
    if not named or _are_functions(text, each, words, telling=len(named) < len(each)):
        return NOWHERE if named else (0, len(text))
    start, end = _led(text, named[0], words), _trailed(text, named[-1], words)
    following = pieces.index(named[-1]) + 1
    if following < len(pieces) and numbers[following]:
        end = _unlabelled(text, _led(text, named[-1], words), end, words)
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


def _labels_number(
    text: str, pieces: Sequence[_Piece], numbers: Sequence[bool], place: int, words: FieldWords
) -> bool:
    """Whether a part consists of labels, and a number stands beside it ("DOB: 3/9/55", "(F, 33)").

    A single letter may be an initial, unless it stands in brackets.
    """
    if numbers[place] or not any(numbers[max(0, place - 1) : place + 2]):
        return False
    piece = pieces[place]
    parts = [fold(part) for part in _LETTERS.findall(text[piece.start : piece.end])]
    bracketed = not _BRACKETS.isdisjoint(piece.before)
    if squeeze(text[piece.start : piece.end]) in words.labels and (len(parts) > 1 or bracketed):
        return True
    return all(
        (p in words.labels or p in words.months or p in words.rooms) and (len(p) > 1 or bracketed)
        for p in parts
    )


def _are_functions(
    text: str, pieces: Sequence[_Piece], words: FieldWords, *, telling: bool
) -> bool:
    """Whether parts name nobody together: "Provider, Historical, MD".

    One of them must be ``telling``, or a word before a comma that is no family name.
    """
    first = _LETTERS.findall(text[pieces[0].start : pieces[0].end])
    led = pieces[0].behind.startswith(",") and len(first) == 1
    if led and fold(first[0]) not in (words.functions | words.departments) - words.namesakes:
        return False
    return (telling or led) and all(
        _in_vocabulary([fold(p) for p in parts], words)
        or all(_is_degree(word, words) for word in found)
        for piece in pieces
        for found in (_WORD.findall(text[piece.start : piece.end]),)
        for parts in ([p for w in found for p in _LETTERS.findall(w)],)
    )


def _names_function(text: str, piece: _Piece, words: FieldWords) -> bool:
    """Whether a part names a function, and is no family name."""
    found = _WORD.findall(text[piece.start : piece.end])
    if len(found) == 1 and piece.behind.startswith(","):
        return False
    bracketed = not _BRACKETS.isdisjoint(piece.before)
    return _is_function(found, words, bracketed=bracketed, placed=True)


def _led(text: str, piece: _Piece, words: FieldWords) -> int:
    """Return where the name in a part begins, behind functions."""
    found = list(_WORD.finditer(text, piece.start, piece.end))
    each = [word[0] for word in found]
    first = next((n for n in range(len(each) - 1, 0, -1) if _is_function(each[:n], words)), 0)
    return found[first].start()


def _trailed(text: str, piece: _Piece, words: FieldWords) -> int:
    """Return where the name in a part ends, before functions in lower case."""
    found = list(_WORD.finditer(text, _led(text, piece, words), piece.end))
    each = [word[0] for word in found]
    small = next((n for n in range(1, len(each)) if _is_small(each[n:], words)), len(each))
    return found[small - 1].end()


def _unlabelled(text: str, start: int, end: int, words: FieldWords) -> int:
    """Return where a name ends before the labels of the number behind it."""
    found = list(_WORD.finditer(text, start, end))
    while len(found) > 1 and fold(found[-1][0].strip(".#")) in words.labels:
        found.pop()
    return found[-1].end()


def _is_small(found: Sequence[str], words: FieldWords) -> bool:
    return all(word.islower() for word in found) and _is_function(found, words)


def _is_function(
    found: Sequence[str], words: FieldWords, *, bracketed: bool = False, placed: bool = False
) -> bool:
    """Whether words name a function, or a department or staff of one if ``placed``.

    One that is also a family name counts only beside another, in brackets or in lower case.
    """
    each = [_POSSESSIVE.sub("", word) for word in found]
    titles = [word for word in each if placed and _is_degree(word, words)]
    parts = [fold(p) for word in each if word not in titles for p in _LETTERS.findall(word)]
    if not parts or any(char.isdigit() for word in each for char in word):
        return False
    if not _in_vocabulary(parts, words):
        return False
    places = words.departments - words.namesakes if placed else ()
    if any(p in words.functions or p in places for p in parts):
        return True
    weak = [word for word in each if fold(word) in words.namesakes]
    return bool(weak) and (bracketed or len(parts) > 1 or all(word.islower() for word in weak))


def _in_vocabulary(parts: Sequence[str], words: FieldWords) -> bool:
    """Whether folded words are those of functions and departments, and there are any."""
    return bool(parts) and all(
        p in words.functions
        or p in words.qualifiers
        or p in words.namesakes
        or (p in words.departments and p not in words.organisations)
        for p in parts
    )


def _is_degree(word: str, words: FieldWords) -> bool:
    """Whether a word is a degree in capitals ("RN", "PhD")."""
    bare = squeeze(word)
    return bare in words.titles.degrees and len(bare) > 1 and not word[1:].islower()
