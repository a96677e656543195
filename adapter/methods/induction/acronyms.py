"""Acronyms beside their long forms: "Hospital Universitario La Paz (HULP)"."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from adapter.methods.induction.seeds import UPPER

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from adapter.methods.induction.candidates import Grammar
    from adapter.methods.induction.results import Term
    from adapter.methods.induction.words import TextWords

SHORTEST, LONGEST = 2, 8
"""Fewest and most letters of an acronym."""


def acronyms(texts: Sequence[TextWords], grammar: Grammar) -> dict[str, frozenset[str]]:
    """Return long forms, as items, by acronym; one of the two follows the other in brackets."""
    found: dict[str, set[str]] = {}
    for text in texts:
        for first, end, _ in grammar.extents(text):
            if end > first + 1 and text.forms[first][0].isupper():
                for acronym in _beside(text, first, end):
                    if _is_acronym_of(acronym, text.words[first:end]):
                        long_form = " ".join(text.words[first:end])
                        found.setdefault(acronym, set()).add(long_form)
    return {acronym: frozenset(names) for acronym, names in sorted(found.items())}


def _beside(text: TextWords, first: int, end: int) -> Iterable[str]:
    """Yield the acronym in brackets after an extent, or before an extent in brackets."""
    if text.forms[end] == "(" and text.forms[end + 2 : end + 3] == [")"]:
        yield from _acronym(text, end + 1)
    if first > 1 and text.forms[first - 1] == "(" and text.forms[end] == ")":
        yield from _acronym(text, first - 2)


def _acronym(text: TextWords, at: int) -> Iterable[str]:
    form = text.forms[at]
    if SHORTEST <= len(form) <= LONGEST and form.isalpha() and form.isupper():
        yield text.words[at]


def _is_acronym_of(acronym: str, words: Sequence[str]) -> bool:
    """Whether an acronym's letters are initials of the words in order, beginning with the first."""
    initials = [word[0] for word in words if word.isalpha()]
    if not initials or acronym[0] != initials[0]:
        return False
    place = 0
    for letter in acronym:
        while place < len(initials) and initials[place] != letter:
            place += 1
        if place == len(initials):
            return False
        place += 1
    return 2 * len(acronym) >= len([word for word in words if len(word) > SHORTEST])


def tied_terms(terms: Sequence[Term], tied: Mapping[str, frozenset[str]]) -> Iterator[Term]:
    """Yield acronyms whose long forms are terms of one class, as terms of that class."""
    known = {term.item: term for term in terms}
    for acronym, names in tied.items():
        forms = [known[name] for name in sorted(names) if name in known]
        if acronym not in known and len({form.name for form in forms}) == 1:
            best = max(forms, key=lambda form: form.score)
            yield replace(best, item=acronym, kind=UPPER, long_form=best.item)
