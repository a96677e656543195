"""Candidates for terms: capitalised names, phrases in lower case, numbers."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from adapter.methods.induction.numbers import numbers
from adapter.methods.induction.seeds import CAPITAL, LOWER, NUMBER, key_of
from adapter.methods.induction.words import BREAK

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from adapter.methods.induction.seeds import Seeds
    from adapter.methods.induction.words import Extent, TextWords, WordCounts

LONGEST = 9
"""Most words of a name."""
_DIGITS = 2
"""Most digits of a number within a name."""
_PHRASE = 3
"""Most words of a phrase in lower case, without connectives."""
_INNER_MARKS = frozenset("-'’·")
_LEAST_HEAD, _HEAD_SHARE = 3, 0.25
"""Fewest names that a head begins, and its least share of the word's occurrences in names."""
_ENDS = frozenset((BREAK, ".", ":", ";", "?", "!"))


@dataclass(frozen=True, slots=True)
class Grammar:
    """The grammar of names in a corpus.

    ``heads`` are ordinary words that begin names (Hospital, Servicio): a run of capitalised words
    is cut before them. ``kinds`` are the kinds of the classes with seeds.
    """

    kinds: frozenset[str]
    connectives: frozenset[str] = field(repr=False)
    heads: frozenset[str] = field(repr=False)
    counts: WordCounts = field(repr=False)

    @classmethod
    def of(cls, texts: Sequence[TextWords], seeds: Seeds, counts: WordCounts) -> Grammar:
        """Find connectives in the seeds, and heads in seeds and texts."""
        kinds = frozenset(seeds.kind(name) for name in seeds.classes)
        inner = seeds.inner_words(CAPITAL) | (seeds.inner_words(LOWER) & counts.function)
        bare = cls(kinds, inner, frozenset(), counts)
        starts: Counter[str] = Counter()
        inside: Counter[str] = Counter()
        for text in texts:
            runs = [text.words[first:end] for first, end in bare.runs(text)]
            starts.update({row[0] for row in runs if row[1:2] and row[1] in inner})
            inside.update({word for row in runs for word in row[1:]})
        found = {
            word
            for word, count in starts.items()
            if count >= _LEAST_HEAD and count >= _HEAD_SHARE * (count + inside[word])
        }
        heads = (found | first_words(seeds)) & counts.lowered
        return cls(kinds, inner, frozenset(heads), counts)

    def is_plain(self, item: str, kind: str) -> bool:
        """Whether a name is all ordinary words, or a phrase has a frequent word: only seeds may."""
        words, counts = item.split(" "), self.counts
        if kind == CAPITAL:
            ordinary = (counts.ordinary, counts.frequent, self.connectives, self.heads)
            return all(any(w in o for o in ordinary) or not w.isalpha() for w in words)
        rare = (word in self.connectives or word not in counts.frequent for word in words)
        return kind == LOWER and not all(rare)

    def extents(self, text: TextWords) -> Iterator[Extent]:
        """Yield the candidates of a text, of the kinds with seeds."""
        if CAPITAL in self.kinds:
            yield from self._names(text)
        if LOWER in self.kinds:
            yield from self._phrases(text)
        if NUMBER in self.kinds:
            yield from numbers(text)

    def runs(self, text: TextWords) -> Iterator[tuple[int, int]]:
        """Yield runs of capitalised words with connectives between them."""
        at, size = 0, len(text)
        while at < size:
            if not self._named(text, at):
                at += 1
                continue
            end = at + 1
            while step := self._step(text, end):
                end += step
            yield at, end
            at = end

    def _step(self, text: TextWords, at: int) -> int:
        """Return how many words at ``at`` continue a run: joining words and a name's word."""
        place, size = at, len(text)
        while place < size and place - at <= _PHRASE:
            form = text.forms[place]
            if self._named(text, place):
                return place + 1 - at
            joins = (
                text.words[place] in self.connectives
                or (form in _INNER_MARKS and text.glued[place] and text.glued[place + 1])
                or (form == "." and place == at and _initial(text, place - 1))
            )
            day = form.isdigit() and len(form) <= _DIGITS and place == at  # "12 de Octubre"
            if not joins and not day:
                return 0
            place += 1
        return 0

    def _named(self, text: TextWords, at: int) -> bool:
        """Whether the word at ``at`` may be part of a name: capitalised, no label like "Nº"."""
        form = text.forms[at]
        if not form[0].isupper() or text.words[at] in self.counts.labels:
            return False
        return len(form) > 1 or _initial(text, at)

    def _names(self, text: TextWords) -> Iterator[Extent]:
        for first, end in self.runs(text):
            begin = self._start(text, first, end)
            for at in range(begin + 1, end + 1):
                if at == end or self._cuts(text, begin, at):
                    last = _trimmed(text, begin, at)
                    if begin < last <= begin + LONGEST and not _is_in_capitals(text, begin, last):
                        yield begin, last, CAPITAL
                    begin = at

    def _cuts(self, text: TextWords, first: int, at: int) -> bool:
        """Whether a run is cut at ``at``: before a head, or before a word that ends names."""
        word, counts = text.words[at], self.counts
        if not _capital(text.forms[at]):
            return False
        generic = text.words[first] in self.heads or text.words[first] in counts.ordinary
        return word in self.heads or (word in counts.common and not generic)

    def _start(self, text: TextWords, first: int, end: int) -> int:
        """Return the start of a run, without a function word that begins its sentence."""
        opens = first > 0 and text.forms[first - 1] in _ENDS
        skips = opens and end > first + 1 and text.words[first] in self.counts.function
        return first + 1 if skips and _capital(text.forms[first + 1]) else first

    def _phrases(self, text: TextWords) -> Iterator[Extent]:
        """Yield the first one to three words of each run of lower-case content words."""
        for at in range(1, len(text) - 1):
            if not self._content(text, at) or self._content(text, at - 1):
                continue
            place, words = at, 0
            while words < _PHRASE and self._content(text, place):
                place, words = place + 1, words + 1
                yield at, place, LOWER
                if text.words[place] in self.connectives and self._content(text, place + 1):
                    place += 1

    def _content(self, text: TextWords, at: int) -> bool:
        form = text.forms[at]
        return (
            form.islower()
            and form.isalpha()
            and len(form) > 1
            and text.words[at] not in self.counts.function
        )


def first_words(seeds: Seeds) -> set[str]:
    """Return the folded first words of seeds of several words."""
    rows = [key_of(term).split() for terms in seeds.terms.values() for term in terms]
    return {row[0] for row in rows if len(row) > 1}


def _trimmed(text: TextWords, first: int, end: int) -> int:
    """Return the end of a name without final connectives, marks and numbers."""
    while end > first and not _capital(text.forms[end - 1]):
        end -= 1
    return end


def _initial(text: TextWords, at: int) -> bool:
    """Whether the word at ``at`` is an initial: "J. Soler"."""
    return len(text.forms[at]) == 1 and text.forms[at].isupper() and text.forms[at + 1] == "."


def _capital(form: str) -> bool:
    return form[0].isupper()


def _is_in_capitals(text: TextWords, first: int, end: int) -> bool:
    """Whether a candidate is a single word in capitals; acronyms follow their long forms."""
    return end == first + 1 and text.forms[first].isupper()
