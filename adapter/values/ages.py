"""Numbers that are ages: a question asks for one, and nothing says days, weeks or months."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from adapter.values.grammars import compile_forms

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import regex

OLDEST = 89
"""Years up to which an age may be said (45 CFR 164.514(b)(2)(i)(C))."""


@dataclass(frozen=True, slots=True)
class Ages:
    """Codes and words of questions for an age, and units that are shorter than years."""

    codes: frozenset[str] = field(default=frozenset(), repr=False)
    questions: tuple[regex.Pattern[str], ...] = field(default=(), repr=False)
    shorter: frozenset[str] = field(default=frozenset(), repr=False)

    def tells(self, text: str, asked: Iterable[str], units: Iterable[str]) -> bool:
        """Whether a number is an age over 89 years, by what was asked and its units."""
        if not _is_old(text) or any(unit.strip().casefold() in self.shorter for unit in units):
            return False
        return any(
            question in self.codes or any(form.search(question) for form in self.questions)
            for question in asked
            if question
        )


def _is_old(text: str) -> bool:
    try:
        return OLDEST < float(text.strip().lstrip("<>=")) < 1000  # noqa: PLR2004 - no age
    except ValueError:
        return False


def compile_ages(table: Mapping[str, Any]) -> Ages:
    """Compile a file of format "ages".

    Raises:
        ValueError: a question that is no regular expression.
    """
    return Ages(
        frozenset(table.get("codes", "").split()),
        compile_forms(table.get("questions", ())),
        frozenset(table.get("shorter", "").split()),
    )
