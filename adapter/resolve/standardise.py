"""Standardisation: each occurrence of a predicted phrase gets its label (Szarvas 2006, 3.3).

The longest matching phrase counts. Unlike reconciliation this uses all likely spans, not only
certain ones, and a longer phrase replaces shorter spans within it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from adapter.normalize.folding import fold
from adapter.priorities import TRUSTED
from adapter.resolve.correct import relabelled
from adapter.resolve.occurrences import Strings
from adapter.resolve.reconcile import PLACES, SPREAD, WORD, covered, telling
from adapter.resolve.unite import NAMES, end_of, start_of, strength, without_vetoed
from adapter.types import Label, Span

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from adapter.resolve.occurrences import Occurrence
    from adapter.types import Veto

    Phrases = Sequence[tuple[str, Label, bool]]
    """(string, label, whether the label is its only most frequent one), longest string first."""

_STANDARD = NAMES | PLACES | {Label.LOCATION_OTHER, Label.STATE, Label.COUNTRY}
LIKELY = 0.5
"""Score from which a span counts as predicted."""


def standardise(
    texts: Sequence[str],
    spans: Sequence[Sequence[Span]],
    vetoes: Sequence[Sequence[Veto]],
    ordinary: Container[str],
) -> list[list[Span]]:
    """Return the spans with all occurrences of their phrases protected, the longest match first.

    Phrases are spans of several words, and single words that are not ``ordinary`` (folded).
    """
    phrases = _phrases(texts, spans, ordinary)
    strings = Strings(string for string, _, _ in phrases)
    return [
        _standard(text, list(row), vetoed, phrases, strings)
        for text, row, vetoed in zip(texts, spans, vetoes, strict=True)
    ]


def _phrases(
    texts: Sequence[str], spans: Sequence[Sequence[Span]], ordinary: Container[str]
) -> Phrases:
    votes: dict[str, Counter[Label]] = {}
    forms: dict[str, str] = {}
    for text, row in zip(texts, spans, strict=True):
        for span in row:
            string = text[span.start : span.end]
            words = WORD.findall(string)
            if span.label not in _STANDARD or span.score < LIKELY or not words:
                continue
            if len(words) > 1 or telling(string, ordinary):
                folded = fold(string)
                votes.setdefault(folded, Counter())[span.label] += 1
                forms.setdefault(folded, string)
    longest = sorted(votes, key=lambda folded: (-len(folded), folded))
    return [(forms[folded], *_elected(votes[folded])) for folded in longest]


def _elected(votes: Counter[Label]) -> tuple[Label, bool]:
    """Return the most frequent label, and whether no other label is as frequent."""
    (label, most), *others = sorted(votes.items(), key=lambda item: (-item[1], item[0]))
    return label, not others or others[0][1] < most


def _standard(
    text: str, row: list[Span], vetoed: Sequence[Veto], phrases: Phrases, strings: Strings
) -> list[Span]:
    row, taken = list(row), list[Span]()
    found: dict[str, list[Occurrence]] = {}
    for occurrence in strings.within(text):
        found.setdefault(occurrence.string, []).append(occurrence)
    for string, label, agreed in phrases:
        for start, end, _ in found.get(string, ()):
            match = Span(start, end, label, "resolve.standard", 1.0, SPREAD)
            if not covered(taken, match.start, match.end):
                insort(taken, match, key=start_of)
                _take_in(row, match, vetoed, agreed=agreed)
    return row


def _take_in(row: list[Span], match: Span, vetoed: Sequence[Veto], *, agreed: bool) -> None:
    """Replace the spans within the match by one span of its extent and label, if all are inside."""
    first = bisect_right(row, match.start, key=end_of)
    last = bisect_left(row, match.end, key=start_of)
    rivals = row[first:last]
    if not rivals:
        row[first:last] = without_vetoed([match], vetoed, Counter())
        return
    inside = all(match.start <= span.start and span.end <= match.end for span in rivals)
    if not inside or not agreed or any(span.priority >= TRUSTED for span in rivals):
        return
    winner = relabelled(max(rivals, key=strength), match.label)
    if (winner.start, winner.end) != (match.start, match.end):
        winner = replace(winner, start=match.start, end=match.end, form=None)
    row[first:last] = [winner]
