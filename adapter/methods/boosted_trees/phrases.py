"""Phrases found in one place of a text, and their occurrences elsewhere (Szarvas 2006).

Mentions after trusted headings, and their acronyms, are trusted phrases. Finally each occurrence of
a found phrase takes the type of the longest phrase at its place.
"""

from __future__ import annotations

from collections import Counter
from itertools import groupby
from typing import TYPE_CHECKING

from adapter.methods.labelled_tokens import OUTSIDE
from adapter.taggers.crf.tokens import BREAK

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from adapter.methods.boosted_trees.headings import Part

    Phrases = Mapping[tuple[str, ...], str]
    """Forms of consecutive tokens -> type."""

LEAST_LETTERS, LEAST_DIGITS = 3, 4
"""Fewest letters, or fewest digits, of a phrase; shorter ones occur everywhere."""
LEAST_WORDS = 3
"""Fewest capitalised words of an acronym."""


def runs(types: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """Yield (first, end, type) of runs of tokens of one type."""
    place = 0
    for kind, run in groupby(types):
        length = len(list(run))
        if kind != OUTSIDE:
            yield place, place + length, kind
        place += length


def trusted(
    forms: Sequence[str], types: Sequence[str], parts: Sequence[Part], headings: Mapping[str, str]
) -> Phrases:
    """Return the mentions of a trusted heading's type after it, and their acronyms."""
    kinds = {(part.first, part.end): headings.get(part.name) for part in parts}
    found: dict[tuple[str, ...], str] = {}
    for first, end, kind in runs(types):
        behind = any(a <= first and end <= b and kind == of for (a, b), of in kinds.items())
        phrase = tuple(forms[first:end])
        if behind and _is_long_enough(phrase):
            found[phrase] = kind
            if acronym := _acronym(phrase):
                found.setdefault((acronym,), kind)
    return found


def predicted(forms: Sequence[str], types: Sequence[str]) -> Phrases:
    """Return all found phrases, each with its most frequent type."""
    seen: dict[tuple[str, ...], Counter[str]] = {}
    for first, end, kind in runs(types):
        phrase = tuple(forms[first:end])
        if _is_long_enough(phrase):
            seen.setdefault(phrase, Counter())[kind] += 1
    return {phrase: counts.most_common(1)[0][0] for phrase, counts in seen.items()}


def occurrences(forms: Sequence[str], phrases: Phrases) -> Iterator[tuple[int, int, str]]:
    """Yield (first, end, type) of all occurrences of phrases, the longest at each place."""
    lengths: dict[str, set[int]] = {}
    for phrase in phrases:
        lengths.setdefault(phrase[0], set()).add(len(phrase))
    place = 0
    while place < len(forms):
        tried = (forms[place : place + n] for n in lengths.get(forms[place], ()))
        phrase = max((p for p in map(tuple, tried) if p in phrases), key=len, default=())
        if phrase:
            yield place, place + len(phrase), phrases[phrase]
        place += len(phrase) or 1


def standardised(forms: Sequence[str], types: Sequence[str]) -> list[str]:
    """Give each occurrence of a found phrase its type, unless inside a longer mention."""
    found = list(types)
    extents = [range(first, end) for first, end, _ in runs(types)]
    length_at = {place: len(extent) for extent in extents for place in extent}
    for first, end, kind in occurrences(forms, predicted(forms, types)):
        if all(length_at.get(place, 0) <= end - first for place in range(first, end)):
            found[first:end] = [kind] * (end - first)
    return found


def _is_long_enough(phrase: Sequence[str]) -> bool:
    letters = sum(each.isalpha() for form in phrase if form not in BREAK for each in form)
    digits = sum(each.isdigit() for form in phrase for each in form)
    return letters >= LEAST_LETTERS or digits >= LEAST_DIGITS


def _acronym(phrase: Sequence[str]) -> str:
    """Return the initial capitals of words ("HGCR"); "" for fewer than three."""
    initials = [form[0] for form in phrase if form[0].isupper()]
    return "".join(initials) if len(initials) >= LEAST_WORDS else ""
