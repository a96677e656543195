"""Numbers and texts that are ages over 89: a question asks for one, in whatever unit."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from adapter.values.grammars import compile_forms

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import regex

OLDEST = 89
"""Years up to which an age may be said (45 CFR 164.514(b)(2)(i)(C))."""
LONGEST_LIFE = 1000
"""Years that no age is, however a sender marks that it is not known ("999" still may be one)."""
LONGEST_ANSWER = 40
"""Characters of a text that is an age and nothing else."""


@dataclass(frozen=True, slots=True)
class Ages:
    """Codes and words of questions for an age, units, and texts that are an age over 89.

    ``units`` say of each unit how many of it are ninety years.
    """

    codes: frozenset[str] = field(default=frozenset(), repr=False)
    questions: tuple[regex.Pattern[str], ...] = field(default=(), repr=False)
    units: Mapping[str, int] = field(default_factory=dict, repr=False)
    answers: tuple[regex.Pattern[str], ...] = field(default=(), repr=False)

    def tells(self, text: str, asked: Iterable[str], units: Iterable[str]) -> bool:
        """Whether a number is an age over 89 years, by what was asked and its units."""
        number = _number(text)
        return number is not None and self._is_old(number, units) and self.asks(asked)

    def says(self, text: str, asked: Iterable[str]) -> bool:
        """Whether a text is an age and nothing else, over 89, and the answer to a question."""
        if len(text) > LONGEST_ANSWER or not any(form.fullmatch(text) for form in self.answers):
            return False
        return self.asks(asked)

    def asks(self, asked: Iterable[str]) -> bool:
        """Whether one of these is a question for an age."""
        return any(
            question in self.codes or any(form.search(question) for form in self.questions)
            for question in asked
            if question
        )

    def _is_old(self, number: float, units: Iterable[str]) -> bool:
        """In the unit that is named; where none is, in any that makes the number an age."""
        named = [self.units[u] for unit in units if (u := unit.strip().casefold()) in self.units]
        if named:
            return number >= min(named)
        if OLDEST < number < LONGEST_LIFE:
            return True
        sizes = {size for size in self.units.values() if size >= LONGEST_LIFE}
        return any(size <= number < size * _LONGEST for size in sizes)


_LONGEST = 1.45
"""The longest life, in ninety years."""


def _number(text: str) -> float | None:
    try:
        return float(text.strip().lstrip("<>=").replace(",", ""))
    except ValueError:
        return None


def compile_ages(table: Mapping[str, Any]) -> Ages:
    """Compile a file of format "ages".

    Raises:
        ValueError: a question or answer that is no regular expression, a unit without a number.
    """
    return Ages(
        frozenset(table.get("codes", "").split()),
        compile_forms(table.get("questions", ())),
        {u: int(size) for size, names in table.get("units", {}).items() for u in names.split()},
        compile_forms(table.get("answers", ())),
    )
