"""Reading of numbers in words, or with letters for digits, as digits, with a map to the text.

"nine zero eight one seven" is read as "90817", and so is "9O8l7", as scanners and typists write it.

The number words are data (``rules/lexicons/<language>-numeral``), as are the words that join them
(``joints`` of ``rules/languages/<language>.toml``). A word below ten means its digit, a ten and the
digit after it mean two digits ("ninety-eight", "noventa y ocho").
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING

from adapter.normalize.canonical import Canonical, canonical, changed
from adapter.normalize.folding import fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from adapter.normalize.canonical import Change

FEWEST = 3
"""Minimum number of consecutive number words that are read as one number."""
_BETWEEN = r"(?:[ \t\n]?[-,./][ \t]?|[ \t\n]{1,2})"
_WORD = re.compile(r"[^\W_]+")
_ALIKE = str.maketrans("OoIl", "0011")
_MAY_BE_ALIKE = re.compile(r"[0-9][OoIl]|[OoIl][0-9]")
_ALIKE_RUN = re.compile(r"(?<![^\W_])(?=[OoIl]*[0-9])[0-9]*[OoIl][0-9OoIl]*(?![^\W_])")
"""Digits with letters among them that look like digits."""
_TEN, _HUNDRED = 10, 100
_REMEMBERED = 64
"""Longest text, in characters, whose forms are memoised."""


@dataclass(frozen=True, slots=True, eq=False)
class Numerals:
    """The number words of some languages, folded; compared by identity."""

    values: Mapping[str, int] = field(default_factory=dict, repr=False)
    _run: re.Pattern[str] | None = field(default=None, repr=False)
    _word: re.Pattern[str] | None = field(default=None, repr=False)

    @classmethod
    def of(cls, tables: Iterable[Mapping[str, int]], joints: Iterable[str]) -> Numerals:
        """Compile the values of each language's words; for a repeated word the first value counts.

        ``joints`` are folded words that may stand between two number words, such as "and".
        """
        values: dict[str, int] = {}
        for word, value in chain.from_iterable(table.items() for table in tables):
            values.setdefault(word, value)
        if not values:
            return cls()
        words = "|".join(sorted(map(re.escape, values), key=len, reverse=True))
        word = rf"(?:{words})(?![^\W_])"
        joint = "|".join(sorted(map(re.escape, joints))) or "(?!)"
        between = rf"{_BETWEEN}(?:(?:{joint}) )?"
        run = rf"(?<![^\W_]){word}(?:{between}{word}){{{FEWEST - 1},}}"
        return cls(values, re.compile(run), re.compile(words))

    def read(self, text: str, before: Canonical | None = None) -> Canonical | None:
        """Return a text with number words and letters for digits as digits, or None without any.

        ``before`` is the canonical form whose text it is, or None if the text is as sent.
        """
        changes: list[Change] = []
        if self._run is not None:
            folded = fold(text)
            if self._may_count(folded):
                changes += self._changes(folded)
        if _MAY_BE_ALIKE.search(text) is not None:
            changes = sorted((*changes, *_alike(text)))
        return changed(text, changes, before, counted=True)

    def _may_count(self, folded: str) -> bool:
        """Whether enough number words follow one another, with at most one other word between two.

        This test costs a fraction of the search for numbers, which few texts contain.
        """
        counted, values, others = 0, self.values, 0
        for word in _WORD.findall(folded):
            if word in values:
                counted, others = counted + 1, 0
                if counted == FEWEST:
                    return True
            else:
                others += 1
                if others > 1:
                    counted = 0
        return False

    def _changes(self, folded: str) -> Iterator[Change]:
        assert self._run is not None
        assert self._word is not None
        for run in self._run.finditer(folded):
            values = [self.values[word] for word in self._word.findall(run[0])]
            yield run.start(), run.end(), "".join(_digits(values))


def _digits(values: Sequence[int]) -> Iterator[str]:
    """Yield the digits of consecutive number words; a ten is added to the digit after it."""
    ten = 0
    for value in values:
        if ten and 0 < value < _TEN:
            yield str(ten + value)
            ten = 0
            continue
        if ten:
            yield str(ten)
        ten = value if value > _TEN and value % _TEN == 0 and value < _HUNDRED else 0
        if not ten:
            yield str(value)
    if ten:
        yield str(ten)


def _alike(text: str) -> Iterator[Change]:
    """Yield numbers that are written with letters that look like digits."""
    for run in _ALIKE_RUN.finditer(text):
        yield run.start(), run.end(), run[0].translate(_ALIKE)


def readings(text: str, numerals: Numerals) -> tuple[Canonical, ...]:
    """Return the forms in which a text is read besides the text as sent.

    They are the canonical form, and the form with all numbers as digits, each if it differs.
    """
    return _memoised(text, numerals) if len(text) <= _REMEMBERED else _readings(text, numerals)


def _readings(text: str, numerals: Numerals) -> tuple[Canonical, ...]:
    shown = canonical(text)
    counted = numerals.read(text if shown is None else shown.text, shown)
    return tuple(form for form in (shown, counted) if form is not None)


_memoised = lru_cache(maxsize=16384)(_readings)
"""Memoise the forms of short texts, because codes and short answers recur."""
