"""Features from rules, lists in context and trusted phrases.

A token also gets the labels of the same word elsewhere in the text, so that phrases from fields,
headings and attributes reach every mention (Szarvas 2006, section 3.2). Mentions under headings are
known only after a first decoding: see `recalled`.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from functools import lru_cache
from typing import TYPE_CHECKING

from adapter.priorities import CERTAIN, TRUSTED
from adapter.types import Span, Veto

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from adapter.taggers.crf.tokens import SequenceTokens
    from adapter.taggers.document.headings import Extent

_SHORTEST = 3
"""Minimum number of letters in a word whose labels are given to its other occurrences."""


def rule_features(
    sequence: SequenceTokens, found: Iterable[Span | Veto], groups: Collection[str]
) -> list[list[str]]:
    """Return the features of each token; ``found`` have offsets in the tokens' text."""
    rows: list[list[str]] = [[] for _ in range(len(sequence))]
    remembered: dict[str, set[str]] = {}
    guessed: dict[str, set[str]] = {}
    for item in found:
        first = bisect_right(sequence.ends, item.start)
        last = bisect_left(sequence.starts, item.end)
        if isinstance(item, Veto):
            if "rules" in groups:
                for place in range(first, last):
                    rows[place].append(f"v={item.rule.partition('.')[0]}")
            continue
        trusted = item.priority >= TRUSTED
        if ("trusted" if trusted else "rules") not in groups:
            continue
        _add_span(rows, item, first, last, trusted=trusted)
        memory = remembered if item.priority >= CERTAIN else guessed
        for place in range(first, last):
            memory.setdefault(sequence.words[place], set()).add(item.label)
    if "memory" in groups:
        _remember(rows, sequence.words, remembered, "m")
        _remember(rows, sequence.words, guessed, "n")
        _lowered(rows, sequence)
    return rows


def _add_span(rows: list[list[str]], span: Span, first: int, last: int, *, trusted: bool) -> None:
    if trusted:
        begins, goes_on = _features("t", span.label, None)
    else:
        begins, goes_on = _features(f"r{span.priority // 10}", span.label, span.source)
    if first < last:
        rows[first] += begins
    for place in range(first + 1, last):
        rows[place] += goes_on


@lru_cache(maxsize=1024)
def _features(kind: str, label: str, source: str | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the features of a span's first token, and those of its other tokens."""
    begins, goes_on = ((f"{kind}={label}:{where}", f"rs={source}:{where}") for where in ("B", "I"))
    return (begins[:1], goes_on[:1]) if source is None else (begins, goes_on)


def _remember(
    rows: list[list[str]], words: Sequence[str], remembered: dict[str, set[str]], kind: str
) -> None:
    """Add to each occurrence of a word the labels found for the word anywhere in the text."""
    features = {
        word: [f"{kind}={label}" for label in sorted(labels)]
        for word, labels in remembered.items()
        if len(word) >= _SHORTEST and word.isalpha()
    }
    for place, word in enumerate(words):
        if word in features:
            rows[place] += features[word]


def _lowered(rows: list[list[str]], sequence: SequenceTokens) -> None:
    """Add a feature to capitalised words that the text also has in lower case."""
    lower = {form for form in sequence.forms if form.islower()}
    for place, form in enumerate(sequence.forms):
        if form[0].isupper() and len(form) >= _SHORTEST and form.lower() in lower:
            rows[place].append("low")


def recalled(sequence: SequenceTokens, confirmed: Iterable[Extent]) -> dict[int, list[str]]:
    """Return features, by token, for other occurrences of the words of ``confirmed`` mentions.

    The mentions' own tokens get none, because the heading already indicates their label.
    """
    labels: dict[str, set[str]] = {}
    own: set[int] = set()
    for start, end, label in confirmed:
        for place in range(bisect_right(sequence.ends, start), bisect_left(sequence.starts, end)):
            own.add(place)
            word = sequence.words[place]
            if len(word) >= _SHORTEST and word.isalpha():
                labels.setdefault(word, set()).add(label)
    features: dict[int, list[str]] = {}
    for place, word in enumerate(sequence.words):
        if word in labels and place not in own:
            for label in sorted(labels[word]):
                _recall(features, place, f"y={label}", len(sequence))
    return features


def _recall(features: dict[int, list[str]], place: int, feature: str, count: int) -> None:
    """Add a feature to a token and to its neighbours."""
    features.setdefault(place, []).append(feature)
    if place:
        features.setdefault(place - 1, []).append(f"+1{feature}")
    if place + 1 < count:
        features.setdefault(place + 1, []).append(f"-1{feature}")
