"""The reading of a document for lexicon rules: words with shape, gap, line and classes.

Words join tokens that belong together ("Mc" + "Alister", "O" + "'" + "Brien"); numbers and marks
are words of their own. All columns are parallel.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Container

    from adapter.taggers.document.document import Document
    from adapter.taggers.english.vocabulary import Vocabulary

LOWER, CAPITAL, UPPER, INITIAL, NUMBER, MARK = range(6)
"""Shapes: abc, Abc, ABC, A, 12, one mark; those between LOWER and NUMBER begin with a capital."""
GLUED, BLANK, LINE, WIDE = range(4)
"""The gap before a word: none, a blank, a line feed, a tab or wide gap as in a table."""


def words(text: str) -> frozenset[str]:
    """Return the blank-separated words of a text as a set."""
    return frozenset(text.split())


@dataclass(slots=True, repr=False)
class Reading:
    """Parallel columns over the words of one document."""

    text: str
    starts: list[int]
    ends: list[int]
    words: list[str]
    shapes: list[int]
    gaps: list[int]
    cues: list[int]
    shouted: list[bool]
    """Whether each word's line is written in capitals."""
    capitals: list[int] = field(default_factory=list)
    """Indices of words that begin with a capital, including initials."""
    quiet: bool = False
    """Whether the document is written without capitals."""

    def __len__(self) -> int:
        return len(self.starts)


def look(document: Document, vocabulary: Vocabulary) -> Reading:
    """Return the reading of a document."""
    reading = Reading(document.text, [], [], [], [], [], [], [])
    _split(document, reading, vocabulary)
    cues = vocabulary.cues
    reading.cues = [cues.get(word, 0) for word in reading.words]
    reading.capitals = [at for at, shape in enumerate(reading.shapes) if LOWER < shape < NUMBER]
    _casing(reading)
    return reading


def _split(document: Document, reading: Reading, vocabulary: Vocabulary) -> None:
    glued, apostrophes = vocabulary.glued, vocabulary.apostrophes
    text, tokens = document.text, document.tokens
    starts, ends, words = reading.starts, reading.ends, reading.words
    shapes, gaps = reading.shapes, reading.gaps
    last = 0
    for start, end, word in zip(tokens.starts, tokens.ends, tokens.words, strict=True):
        gap = GLUED
        if start != last:
            gap = BLANK if text[last:start] == " " else _gap(text, last, start)
        last = end
        shape = _SMALL.get(text[start])
        if shape is None:
            shape = _shape(text, start, end)
        if gap == GLUED and words and (shape in (CAPITAL, UPPER)):
            if words[-1] in glued and shapes[-1] != LOWER and shape == CAPITAL:
                ends[-1] = end
                words[-1] += word
                continue
            if words[-1] == "'" and _elided(reading, apostrophes):
                for column in (starts, ends, words, shapes, gaps):
                    column.pop()
                ends[-1] = end
                words[-1] += word
                shapes[-1] = shape
                continue
        starts.append(start)
        ends.append(end)
        words.append(word)
        shapes.append(shape)
        gaps.append(gap if words else LINE)
    if gaps:
        gaps[0] = LINE


def _elided(reading: Reading, apostrophes: Container[str]) -> bool:
    return (
        len(reading) > 1
        and reading.gaps[-1] == GLUED
        and reading.shapes[-2] == INITIAL
        and reading.words[-2] in apostrophes
    )


def _gap(text: str, start: int, end: int) -> int:
    """Return the kind of a gap of white space other than one blank."""
    space = text[start:end]
    if "\n" in space:
        return LINE
    ends_sentence = start > 0 and text[start - 1] in ".?!:;,"
    return BLANK if space == "  " and ends_sentence else WIDE


def _shape(text: str, start: int, end: int) -> int:
    first = text[start]
    if first.isalpha():
        if not first.isupper():
            return LOWER
        if end - start == 1:
            return INITIAL
        return UPPER if text[start + 1].isupper() else CAPITAL
    return NUMBER if first.isdigit() else MARK


_SMALL = {
    character: _shape(character, 0, 1)
    for character in map(chr, range(128))
    if not character.isupper()
}
"""ASCII first character -> shape, for characters that decide the shape."""


def _casing(reading: Reading) -> None:
    shapes, gaps = reading.shapes, reading.gaps
    shouted: list[bool] = []
    count = len(shapes)
    first = 0
    inner = 0
    lower_total = 0
    while first < count:
        last = first + 1
        while last < count and gaps[last] != LINE:
            last += 1
        line = shapes[first:last]
        upper, lower, capital = line.count(UPPER), line.count(LOWER), line.count(CAPITAL)
        shouted += [upper > 0 and (lower + capital) * 4 <= upper] * (last - first)
        lower_total += lower
        inner += capital + upper
        first = last
    reading.shouted = shouted
    reading.quiet = lower_total > 20 and inner * 25 < lower_total  # noqa: PLR2004
