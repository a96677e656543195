"""Recognition of answers to questions for an age that state more than 89 years, in any unit."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import regex

from adapter.values.grammars import compile_forms

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

OLDEST = 89
"""Highest age in years that may be released (45 CFR 164.514(b)(2)(i)(C))."""
LONGEST_LIFE = 1000
"""First number that is no age in years; below it, "999" for an unknown age counts as an age."""
LONGEST_ANSWER = 40
"""Maximum length in characters of a text that consists of an age only."""
_MEASURED = regex.compile(
    r"(?<![\p{L}\d.,])(?P<number>\d{1,3}(?:[.,]\d{3})+|\d+(?:[.,]\d{1,2})?)[\s-]{0,2}(?P<unit>\p{L}+)"
)
_NOT_DECIMAL = regex.compile(r"[^0-9\P{Nd}]")


@dataclass(frozen=True, slots=True)
class Ages:
    """Codes and patterns of questions for an age, units of ages, and patterns of answers over 89.

    ``units`` maps each unit to the number of units in ninety years. ``mentions`` are patterns of
    ages over 89 within a longer text, for places that hold an age. ``births`` are patterns of
    questions for a date of birth, and ``born`` of the dates that answer them.
    """

    codes: frozenset[str] = field(default=frozenset(), repr=False)
    questions: tuple[regex.Pattern[str], ...] = field(default=(), repr=False)
    units: Mapping[str, int] = field(default_factory=dict, repr=False)
    answers: tuple[regex.Pattern[str], ...] = field(default=(), repr=False)
    mentions: tuple[regex.Pattern[str], ...] = field(default=(), repr=False)
    births: tuple[regex.Pattern[str], ...] = field(default=(), repr=False)
    born: tuple[regex.Pattern[str], ...] = field(default=(), repr=False)

    def is_over(self, text: str, units: Iterable[str]) -> bool:
        """Whether a number, where an age is expected, exceeds 89 years, given texts of its unit."""
        number = _number(text)
        return number is not None and self._is_old(number, units)

    def is_old(self, text: str, units: Sequence[str]) -> bool:
        """Whether a text consists of an age over 89, given texts of a number's unit."""
        if any(units) and (number := _number(text)) is not None:
            return self._is_old(number, units)
        return self.is_answer(text)

    def is_number(self, text: str) -> bool:
        """Whether a text is a number without a unit of its own."""
        return _number(text) is not None

    def is_answer(self, text: str) -> bool:
        """Whether a text consists of an age over 89, with a unit of its own or in years."""
        if len(text) > LONGEST_ANSWER:
            return False
        plain = _in_ascii(text)
        return any(form.fullmatch(plain) for form in self.answers)

    def found(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield the extents of ages over 89 in a text of a place that holds an age."""
        plain = _in_ascii(text)
        for form in self.mentions:
            yield from (found.span() for found in form.finditer(plain))
        for found in _MEASURED.finditer(plain):
            size = self.units.get(found["unit"].casefold())
            number = _number(found["number"].replace(".", "", found["number"].count(".") - 1))
            if size is not None and number is not None and number >= size:
                yield found.span("number")

    def asks_birth(self, asked: Iterable[str]) -> bool:
        """Whether one of these texts is a question for a date or year of birth."""
        return any(form.search(question) for question in asked if question for form in self.births)

    def is_date(self, text: str) -> bool:
        """Whether a text is a date or year that may answer a question for a birth."""
        return any(form.fullmatch(text) for form in self.born)

    def asks(self, asked: Iterable[str]) -> bool:
        """Whether one of these texts is a question for an age."""
        return any(
            question in self.codes or any(form.search(question) for form in self.questions)
            for question in asked
            if question
        )

    def _is_old(self, number: float, units: Iterable[str]) -> bool:
        """Whether a number exceeds 89 years in a given unit, or in any unit if none is known."""
        named = [self.units[u] for unit in units if (u := unit.strip().casefold()) in self.units]
        if named:
            return number >= min(named)
        if OLDEST < number < LONGEST_LIFE:
            return True
        sizes = {size for size in self.units.values() if size >= LONGEST_LIFE}
        return any(size <= number < size * _LONGEST for size in sizes)


def _in_ascii(text: str) -> str:
    """Return a text with its decimal digits of any script in ASCII, at the same offsets."""
    return _NOT_DECIMAL.sub(lambda found: str(unicodedata.decimal(found[0])), text)


_LONGEST = 1.45
"""Longest life as a multiple of ninety years."""


def _number(text: str) -> float | None:
    try:
        return float(_in_ascii(text).strip().lstrip("<>=~").replace(",", ""))
    except ValueError:
        return None


def compile_ages(table: Mapping[str, Any]) -> Ages:
    """Compile a file of format "ages".

    Raises:
        ValueError: a question or answer is not a regular expression, or a size is not an integer.
    """
    return Ages(
        frozenset(table.get("codes", "").split()),
        compile_forms(table.get("questions", ())),
        {u: int(size) for size, names in table.get("units", {}).items() for u in names.split()},
        compile_forms(table.get("answers", ())),
        compile_forms(table.get("mentions", ())),
        compile_forms(table.get("births", ())),
        compile_forms(table.get("born", ())),
    )
