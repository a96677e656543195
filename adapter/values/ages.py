"""Recognition of answers to questions for an age that state more than 89 years, in any unit."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from adapter.values.grammars import compile_forms

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import regex

OLDEST = 89
"""Highest age in years that may be released (45 CFR 164.514(b)(2)(i)(C))."""
LONGEST_LIFE = 1000
"""First number that is no age in years; below it, "999" for an unknown age counts as an age."""
LONGEST_ANSWER = 40
"""Maximum length in characters of a text that consists of an age only."""


@dataclass(frozen=True, slots=True)
class Ages:
    """Codes and patterns of questions for an age, units of ages, and patterns of answers over 89.

    ``units`` maps each unit to the number of units in ninety years.
    """

    codes: frozenset[str] = field(default=frozenset(), repr=False)
    questions: tuple[regex.Pattern[str], ...] = field(default=(), repr=False)
    units: Mapping[str, int] = field(default_factory=dict, repr=False)
    answers: tuple[regex.Pattern[str], ...] = field(default=(), repr=False)

    def tells(self, text: str, asked: Iterable[str], units: Iterable[str]) -> bool:
        """Whether a number is an age over 89 years, given the texts of its questions and units."""
        number = _number(text)
        return number is not None and self._is_old(number, units) and self.asks(asked)

    def says(self, text: str, asked: Iterable[str]) -> bool:
        """Whether a text consists of an age over 89 and answers a question for an age."""
        if len(text) > LONGEST_ANSWER or not any(form.fullmatch(text) for form in self.answers):
            return False
        return self.asks(asked)

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


_LONGEST = 1.45
"""Longest life as a multiple of ninety years."""


def _number(text: str) -> float | None:
    try:
        return float(text.strip().lstrip("<>=").replace(",", ""))
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
    )
