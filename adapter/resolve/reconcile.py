"""Reconciliation: one type for one string throughout a message, and spans where it was missed.

Lee 2017, section 2.6: types that are certain by context win, then the most frequent type. Words of
people's names vote too, since a name is seldom written the same way twice.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from typing import TYPE_CHECKING

import regex

from adapter.normalize.folding import fold
from adapter.priorities import CERTAIN, TRUSTED
from adapter.resolve.correct import relabelled
from adapter.resolve.occurrences import Strings
from adapter.resolve.unite import NAMES, end_of, unite, without_vetoed
from adapter.types import Label, Span

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping, Sequence

    from adapter.languages.context import Context
    from adapter.types import Veto

SPREAD = 45
"""Priority of a span found because the same string was certain elsewhere."""

PLACES = frozenset({Label.HOSPITAL, Label.ORGANIZATION, Label.CITY, Label.STREET})
_NUMBERS = frozenset(label for label in Label if label.category in ("ID", "CONTACT"))
_RETYPED = NAMES | PLACES | {Label.LOCATION_OTHER, Label.STATE, Label.COUNTRY} | _NUMBERS
PEOPLE = frozenset({Label.PATIENT, Label.DOCTOR})
_CERTAIN_WEIGHT = 2.0
"""Weight of a name whose bearer a field or a title tells; another weighs its score, at most 1."""
WORD = regex.compile(r"[^\W\d_]+(?:['’ʼ-][^\W\d_]+)*")
"""A word, parts joined by apostrophes and hyphens included."""


def reconcile(
    texts: Sequence[str],
    spans: Sequence[Sequence[Span]],
    vetoes: Sequence[Sequence[Veto]],
    ordinary: Container[str],
    context: Context,
) -> list[list[Span]]:
    """Return the spans with one type for one string, and spans where certain strings were missed.

    ``ordinary``: folded words that are no evidence of a name by themselves.
    """
    votes = _votes(texts, spans)
    retyped = [
        [_retype(text, span, votes) for span in row] for text, row in zip(texts, spans, strict=True)
    ]
    weights = _weights(texts, retyped)
    retyped = [
        [_as_other_names(text, span, weights) for span in row]
        for text, row in zip(texts, retyped, strict=True)
    ]
    known = _certain(texts, retyped, ordinary)
    if not known:
        return retyped
    strings = Strings(known)
    return [
        _spread(text, row, (vetoed, context), known, strings)
        for text, row, vetoed in zip(texts, retyped, vetoes, strict=True)
    ]


def _votes(
    texts: Sequence[str], spans: Sequence[Sequence[Span]]
) -> dict[str, Counter[tuple[bool, Label]]]:
    """Return how often each folded string has each (certain, label)."""
    votes: dict[str, Counter[tuple[bool, Label]]] = {}
    for text, row in zip(texts, spans, strict=True):
        for span in row:
            if span.label in _RETYPED:
                string = fold(text[span.start : span.end])
                votes.setdefault(string, Counter())[span.priority >= CERTAIN, span.label] += 1
    return votes


def _retype(text: str, span: Span, votes: Mapping[str, Counter[tuple[bool, Label]]]) -> Span:
    """Return the span with its string's certain label elsewhere, else the most frequent (twice)."""
    if span.priority >= CERTAIN or span.label not in _RETYPED:
        return span
    counter = votes[fold(text[span.start : span.end])]
    if len(counter) == 1:
        return span
    (certain, label), count = max(
        counter.items(), key=lambda item: (item[0][0], item[1], item[0][1])
    )
    return relabelled(span, label) if certain or count > 1 else span


def _weights(
    texts: Sequence[str], spans: Sequence[Sequence[Span]]
) -> dict[str, defaultdict[Label, float]]:
    """Return how much speaks for each label of people, by folded word of their names."""
    weights: dict[str, defaultdict[Label, float]] = defaultdict(lambda: defaultdict(float))
    for text, row in zip(texts, spans, strict=True):
        for span in row:
            if span.label in PEOPLE:
                weight = _CERTAIN_WEIGHT if _is_told(span) else span.score
                for word in _words(text, span):
                    weights[word][span.label] += weight
    return weights


def _as_other_names(text: str, span: Span, weights: Mapping[str, Mapping[Label, float]]) -> Span:
    """Return a name with the other label of people, if more speaks for that in each of its words.

    Names of the message's fields and those with a title or role keep theirs.
    """
    words = set() if span.label not in PEOPLE or _is_told(span) else _words(text, span)
    if not words:
        return span
    (other,) = PEOPLE - {span.label}
    agreed = all(weights[word][other] > weights[word][span.label] for word in words)
    return relabelled(span, other) if agreed else span


def _is_told(span: Span) -> bool:
    """Whether a field of the message or a title says who a name's bearer is."""
    return span.sure or span.priority >= TRUSTED


def _words(text: str, span: Span) -> set[str]:
    """Return the folded words of a span that are long enough to be a name."""
    found = WORD.findall(fold(text[span.start : span.end]))
    words = {word.removesuffix("'s") for word in found}
    return {word for word in words if len(word) >= _TELLING_LETTERS}


def _certain(
    texts: Sequence[str], spans: Sequence[Sequence[Span]], ordinary: Container[str]
) -> dict[str, Label]:
    """Return strings, as written, that rules are certain of and that are searched for elsewhere."""
    known: dict[str, tuple[int, Label]] = {}
    for text, row in zip(texts, spans, strict=True):
        for span in row:
            if CERTAIN <= span.priority < TRUSTED:
                for string in _strings(text[span.start : span.end], span.label, ordinary):
                    best = known.get(string)
                    if best is None or span.priority > best[0]:
                        known[string] = (span.priority, span.label)
    return {string: label for string, (_, label) in known.items()}


def _strings(text: str, label: Label, ordinary: Container[str]) -> Iterator[str]:
    if label in NAMES:
        words = WORD.findall(text)
        yield from (w for w in words if telling(w, ordinary))
        if len(words) > 1:
            yield text
    elif label in PLACES:
        words = WORD.findall(text)
        if len(words) > 1 or (words and telling(words[0], ordinary)):
            yield text
    elif label in _NUMBERS and sum(map(str.isdigit, text)) >= _TELLING_DIGITS:
        yield text


_TELLING_LETTERS = 3
_TELLING_DIGITS = 5


def telling(word: str, ordinary: Container[str]) -> bool:
    """Whether a word is evidence of a name by itself."""
    return len(word) >= _TELLING_LETTERS and word[0].isupper() and fold(word) not in ordinary


def _spread(
    text: str,
    spans: list[Span],
    beside: tuple[Sequence[Veto], Context],
    known: Mapping[str, Label],
    strings: Strings,
) -> list[Span]:
    """Return the spans together with the uncovered occurrences of known strings."""
    missed = [
        Span(start, end, known[string], "resolve.spread", 1.0, SPREAD)
        for start, end, string in strings.within(text)
        if not covered(spans, start, end)
    ]
    if not missed:
        return spans
    vetoes, context = beside
    return unite(text, [*spans, *without_vetoed(missed, vetoes, Counter())], context)


def covered(spans: Sequence[Span], start: int, end: int) -> bool:
    """Whether one of the spans, which are disjoint and sorted, overlaps an extent."""
    at = bisect_right(spans, start, key=end_of)
    return at < len(spans) and spans[at].start < end
