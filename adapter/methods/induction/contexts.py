"""The contexts of an extent, and all candidates of a corpus with their contexts."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from adapter.methods.induction.parting import parted
from adapter.methods.induction.seeds import CAPITAL, UPPER
from adapter.methods.induction.words import BREAK

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from adapter.methods.induction.candidates import Grammar
    from adapter.methods.induction.words import Extent, TextWords

SLOT = "_"
"""Placeholder of the term in a context."""
REST = "*"
"""Placeholder of the rest of a term whose first word is the context."""
CAPITAL_WORD, NUMBER_WORD = "<capital>", "<number>"
WIDTH = 3
"""Most words of a context on one side."""
FORMS = 9
"""Number of contexts of an occurrence."""
NONE = -1


@dataclass(frozen=True, slots=True)
class Occurrences:
    """The occurrences of candidates, in parallel rows; terms and contexts are numbers.

    ``terms``: int32 (rows,); ``texts``: int32 (rows,); ``contexts``: int32 (rows, `FORMS`), with
    `NONE` for a missing context. ``names`` and ``kinds`` are those of terms, ``patterns`` those of
    contexts.
    """

    names: tuple[str, ...] = field(repr=False)
    kinds: tuple[str, ...] = field(repr=False)
    patterns: tuple[str, ...] = field(repr=False)
    terms: NDArray[np.int32] = field(repr=False)
    texts: NDArray[np.int32] = field(repr=False)
    contexts: NDArray[np.int32] = field(repr=False)

    def with_contexts(self, kept: NDArray[np.intp]) -> Occurrences:
        """Return the same occurrences with only the contexts ``kept``."""
        numbers = np.full(len(self.patterns) + 1, NONE, np.int32)
        numbers[kept] = np.arange(len(kept), dtype=np.int32)
        patterns = tuple(self.patterns[at] for at in kept)
        return replace(self, patterns=patterns, contexts=numbers[self.contexts])

    def terms_with_kinds(self) -> Iterator[tuple[str, str]]:
        """Yield each term's item and kind."""
        return zip(self.names, self.kinds, strict=True)


def occurrences(
    texts: Sequence[TextWords], grammar: Grammar, seeds: Mapping[str, str]
) -> Occurrences:
    """Return all candidates and seeds (item -> kind) of texts, with their contexts."""
    names: dict[str, int] = {}
    kinds: list[str] = []
    patterns: dict[str, int] = {}
    rows: list[tuple[int, int]] = []
    contexts: list[list[int]] = []
    known = Phrases.of(seeds)
    for number, (text, extents) in enumerate(zip(texts, parted(texts, grammar), strict=True)):
        seen = tuple(_seen(text, grammar))
        for first, end, kind in sorted({*extents, *known.extents(text)}):
            name = " ".join(text.words[first:end])
            if name not in names:
                names[name] = len(names)
                kinds.append(seeds.get(name, kind))
            rows.append((names[name], number))
            found = _contexts(text, seen, first, end, grammar)
            contexts.append([patterns.setdefault(p, len(patterns)) if p else NONE for p in found])
    columns = np.array(rows, np.int32).reshape(-1, 2)
    return Occurrences(
        tuple(names),
        tuple(kinds),
        tuple(patterns),
        columns[:, 0],
        columns[:, 1],
        np.array(contexts, np.int32).reshape(-1, FORMS),
    )


@dataclass(frozen=True, slots=True)
class Phrases:
    """Items for look-up by their first word; the longest item counts."""

    kinds: Mapping[str, str] = field(repr=False)
    lengths: Mapping[str, tuple[int, ...]] = field(repr=False)

    @classmethod
    def of(cls, kinds: Mapping[str, str]) -> Phrases:
        """Index items (item -> kind)."""
        lengths: dict[str, set[int]] = {}
        for item in kinds:
            words = item.split(" ")
            lengths.setdefault(words[0], set()).add(len(words))
        ordered = {word: tuple(sorted(sizes, reverse=True)) for word, sizes in lengths.items()}
        return cls(kinds, ordered)

    def extents(self, text: TextWords) -> Iterator[Extent]:
        """Yield the occurrences of items in a text, with their kinds."""
        for first, end, item in self.found(text.words, text.forms):
            yield first, end, self.kinds[item]

    def found(self, words: Sequence[str], forms: Sequence[str]) -> Iterator[tuple[int, int, str]]:
        """Yield (first word, end, item) from left to right, for items in the case of their kind."""
        at = 0
        while at < len(words):
            item, end = self._longest(words, forms[at], at)
            if item:
                yield at, end, item
            at = end

    def _longest(self, words: Sequence[str], form: str, at: int) -> tuple[str, int]:
        """Return the longest item at a word and its end, or "" and the next word."""
        for length in self.lengths.get(words[at], ()):
            item = " ".join(words[at : at + length])
            if at + length <= len(words) and item in self.kinds and _fits(self.kinds[item], form):
                return item, at + length
        return "", at + 1


def _fits(kind: str, form: str) -> bool:
    """Whether a form may begin a term of a kind: capitalised for names, capitals for acronyms."""
    if kind == CAPITAL:
        return form[0].isupper()
    return kind != UPPER or form.isupper()


def _seen(text: TextWords, grammar: Grammar) -> Iterable[str]:
    """Yield the words of a text for contexts, with placeholders for names and numbers."""
    counts = grammar.counts
    for place, (form, word) in enumerate(zip(text.forms, text.words, strict=True)):
        if form[0].isdigit():
            yield NUMBER_WORD
        elif form[0].isupper() and word not in counts.ordinary:
            labels = word in counts.labels and text.words[place + 1] in ".:"
            yield word if labels else CAPITAL_WORD
        else:
            yield word


def _contexts(
    text: TextWords, seen: Sequence[str], first: int, end: int, grammar: Grammar
) -> list[str]:
    """Return the `FORMS` contexts of an extent; "" for missing ones."""
    left = [" ".join(seen[max(0, first - width) : first]) for width in range(1, WIDTH + 1)]
    right = [" ".join(seen[end : end + width]) for width in (1, 2)]
    head = text.words[first]
    begins = end > first + 1 and (head in grammar.heads or head in grammar.counts.ordinary)
    return [
        *(f"{words} {SLOT}" if words else "" for words in left),
        *(f"{SLOT} {words}" if words else "" for words in right),
        f"{left[0]} {SLOT} {right[0]}",
        f"{left[1]} {SLOT} {right[0]}",
        f"{left[0]} {SLOT} {right[1]}",
        f"{head} {REST}" if begins else "",
    ]


def is_bare(pattern: str) -> bool:
    """Whether a context consists only of line breaks beside the term."""
    return set(pattern.split(" ")) <= {SLOT, BREAK}
