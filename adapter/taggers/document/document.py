"""The document: a text folded and split once into tokens, sections and attributes."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from adapter.normalize.folding import fold
from adapter.taggers.document.tokens import Tokens, tokenize
from adapter.taggers.document.unwrapping import unwrapped

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from adapter.taggers.document.sections import Attribute, Section, SectionRules

NUMBER = "<number>"
"""Key of ``Document.index`` for the starts of all runs of digits. "<number/>", "<number->" etc. are
the keys of runs before that character, "<number+letter>" of runs before a letter, "<4 digits>" etc.
of runs with that many digits."""
CODE = "<code>"
"""Key of ``Document.index`` for the starts of words of letters followed by digits."""
CAPITAL = "<capital>"
"""Key of ``Document.index`` for the starts of words that begin with a capital; `beginning` returns
those for the starts of words with such a beginning."""
BEGINNINGS = (1, 2, 3)
"""Numbers of characters by which the words that begin with a capital are in ``Document.index``."""
LAST = "<last>"
"""Key of ``Document.index`` for the starts of the last `LAST_TOKENS` tokens."""
LAST_TOKENS = 3

_CODE = re.compile(r"(?<![^\W_])[A-Za-z]{1,8}(?:-[A-Za-z]{1,4})?-?\Z")
_LONGEST_CODE = 14
"""Maximum number of characters before the digits of a code."""


@dataclass(frozen=True, slots=True, eq=False)
class Document:
    """One text and its layout; all offsets are characters of ``text``.

    Compared by identity, so that results for a text can be looked up by its document.

    ``text`` is the text as sent, except that line breaks that only keep lines short are blanks (see
    `adapter.taggers.document.unwrapping`). ``folded`` has the same length (see
    `adapter.normalize.folding.fold`). ``index`` maps each folded token to the ascending start
    offsets of its occurrences, and `NUMBER`, `CODE`, `CAPITAL` and `LAST` to those of numbers,
    codes, capitalised words (also by their `beginning`) and the last tokens.
    """

    text: str = field(repr=False)
    folded: str = field(repr=False)
    language: str
    tokens: Tokens = field(repr=False)
    index: Mapping[str, list[int]] = field(repr=False)
    sections: tuple[Section, ...] = field(repr=False)
    attributes: tuple[Attribute, ...] = field(repr=False)

    def section_at(self, offset: int) -> str:
        """Return the name of the section at an offset; "" before the first known heading."""
        place = bisect_right(self.sections, offset, key=_start) - 1
        return self.sections[place].name if place >= 0 else ""


def _start(section: Section) -> int:
    return section.start


def beginning(characters: str) -> str:
    """Return the key of ``Document.index`` for words with a capital that begin so, folded."""
    return f"<{characters}...>"


def read(text: str, language: str, sections: SectionRules) -> Document:
    """Return a text as a document of the given language."""
    text = unwrapped(text, sections.goes_on)
    folded = fold(text)
    tokens = tokenize(text)
    return Document(
        text=text,
        folded=folded,
        language=language,
        tokens=tokens,
        index=_index(text, folded, tokens),
        sections=sections.sections(folded),
        attributes=sections.attributes(folded),
    )


def _index(text: str, folded: str, tokens: Tokens) -> dict[str, list[int]]:
    index: dict[str, list[int]] = {}
    numbers: list[int] = []
    capitals: list[int] = []
    for start, end, word in zip(tokens.starts, tokens.ends, tokens.words, strict=True):
        if word in index:
            index[word].append(start)
        else:
            index[word] = [start]
        first = text[start]
        if first.isdigit():
            numbers.append(start)
            index.setdefault(_before(folded[end : end + 1]), []).append(start)
            index.setdefault(_digits(word), []).append(start)
        elif first.isupper():
            capitals.append(start)
            for length in BEGINNINGS:
                index.setdefault(beginning(folded[start : start + length]), []).append(start)
    index[NUMBER] = numbers
    index[CAPITAL] = capitals
    index[CODE] = _codes(folded, numbers)
    index[LAST] = tokens.starts[-LAST_TOKENS:]
    return index


def _codes(text: str, numbers: Sequence[int]) -> list[int]:
    """Return the starts of letters before numbers that look like the letters of a code."""
    found: list[int] = []
    for end in numbers:
        before = text[end - 1 : end]
        if (before.isalpha() or before == "-") and text[end] in _DIGITS:
            match = _CODE.search(text, max(0, end - _LONGEST_CODE), end)
            if match is not None:
                found.append(match.start())
    return found


_DIGITS = frozenset("0123456789")
_LENGTHS = tuple(f"<{count} digits>" for count in range(40))


def _digits(number: str) -> str:
    """Return the index key of a folded number by its length, ignoring trailing non-digits."""
    count = len(number)
    if not number.isascii():
        count -= len(number.lstrip("0123456789"))
    return _LENGTHS[count] if count < len(_LENGTHS) else f"<{count} digits>"


def _before(following: str) -> str:
    return "<number+letter>" if following.isalpha() else f"<number{following}>"
