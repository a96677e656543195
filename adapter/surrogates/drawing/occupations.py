"""Occupations that surrogates have, in the language, gender and article of the original.

A line of ``rules/surrogates/<language>-occupation`` is an occupation, or its masculine and its
feminine form with a tab between them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from adapter.errors import RuleError
from adapter.normalize.folding import fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from adapter.languages import Words
    from adapter.languages.articles import Articles

SUFFIX = "-occupation"
"""End of the name of every such table, behind the code of its language."""
_GENDERS = False, True
"""Whether the form of each column is feminine."""
_ENDING = 3
"""Number of letters by which the gender of an occupation is told."""


@dataclass(frozen=True, slots=True, eq=False)
class Occupations:
    """The occupations of one language."""

    forms: Mapping[tuple[bool, bool], tuple[str, ...]] = field(repr=False)
    """(feminine, before a vowel's article) -> forms."""
    genders: Mapping[str, bool] = field(repr=False)
    """Last letters of words that only forms of one gender have -> whether feminine."""
    articles: Articles = field(repr=False)

    @classmethod
    def of(cls, table: str, lines: Iterable[str], articles: Articles) -> Occupations:
        """Compile the lines of a table.

        Raises:
            RuleError: a line is not one form or two, or all occupations take the same article
                although the language has two.
        """
        rows = [line.split("\t") for line in lines]
        if not all(len(row) <= len(_GENDERS) and all(row) for row in rows):
            raise RuleError(f"surrogates/{table}", "must have one form or two in each line")
        pairs = [(row[0], row[-1]) for row in rows]
        forms = {
            (feminine, vowel): tuple(
                pair[feminine] for pair in pairs if articles.before_vowel(pair[feminine]) is vowel
            )
            for feminine in _GENDERS
            for vowel in (False, True)
        }
        if any(not row for key, row in forms.items() if articles.vowels or not key[1]):
            raise RuleError(
                f"surrogates/{table}",
                "must have words that begin with a vowel and words that do not",
            )
        return cls(forms, _genders(pairs), articles)

    def like(self, text: str) -> tuple[str, ...]:
        """Return the occupations of the gender of a text that take the same article."""
        genders = (self.genders.get(fold(word)[-_ENDING:]) for word in text.split())
        feminine = next((gender for gender in genders if gender is not None), False)
        return self.forms[feminine, self.articles.before_vowel(text)]


def compile_occupations(
    lines: Mapping[str, tuple[str, ...]], words: Words
) -> dict[str, Occupations]:
    """Return the occupations of each language that has a table of them.

    Raises:
        RuleError: a table is incomplete.
    """
    tables = {code: f"{code}{SUFFIX}" for code in words.articles}
    return {
        code: Occupations.of(table, lines[table], words.articles[code])
        for code, table in tables.items()
        if lines.get(table)
    }


def _genders(pairs: Iterable[tuple[str, str]]) -> dict[str, bool]:
    """Return the gender of each ending that only the first words of one gender's forms have."""
    found: dict[str, set[bool]] = {}
    for pair in pairs:
        if pair[0] != pair[1]:
            for feminine, form in enumerate(pair):
                ending = fold(form.split()[0])[-_ENDING:]
                found.setdefault(ending, set()).add(bool(feminine))
    return {ending: genders.pop() for ending, genders in found.items() if len(genders) == 1}
