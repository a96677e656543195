"""Mentions from the posteriors of labels: runs of tokens on the best path, as spans."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import regex

from adapter.taggers.crf.tokens import BREAK
from adapter.types import Label, Span

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping, Sequence

    from adapter.taggers.crf.inference import Scored
    from adapter.taggers.crf.tokens import SequenceTokens


_EDGES = BREAK | frozenset("-\u2013\u2014/,;:")
"""Forms with which no mention begins or ends: line breaks, dashes and other separators."""
_MARKS = regex.compile(r"[\p{P}\p{Sm}\p{Sc}\p{Sk}\s]+|<br>|<p>")
"""A form that says nothing. Other symbols may be letters: circled, or of braille."""


@dataclass(frozen=True, slots=True)
class Seen:
    """The tokens of a text, the first token of each segment, and the scores of each chain."""

    tokens: SequenceTokens = field(repr=False)
    firsts: list[int] = field(repr=False)
    chains: list[Scored] = field(repr=False)


class Run(NamedTuple):
    """The first and last token of a mention, its label, and the highest probability among them."""

    first: int
    last: int
    label: str
    score: float


@dataclass(frozen=True, slots=True)
class Scheme:
    """The conversion of a model's mentions to spans.

    ``source`` and ``priority`` are those of the spans. ``labels`` map the model's own labels to
    ours where they differ, and to None where our scheme has no such label; with ``whole`` such
    mentions are returned as OTHER. ``joining`` are lower-case words that join two mentions; no
    mention ends with one.
    """

    source: str
    priority: int
    labels: Mapping[str, Label | None] = field(default_factory=dict)
    joining: frozenset[str] = frozenset()
    whole: bool = False

    def spans(self, seen: Seen, thresholds: Mapping[str, float]) -> list[Span]:
        """Return the mentions at the given thresholds, by chain."""
        return [
            self._span(run, seen.tokens)
            for scored in seen.chains
            for run in self.runs(scored, seen, thresholds[scored.chain.name])
            if self.whole or self.labels.get(run.label, Label.OTHER) is not None
        ]

    def runs(self, scored: Scored, seen: Seen, threshold: float) -> Iterator[Run]:
        """Yield the runs of tokens that form one mention; marks alone form none."""
        forms = seen.tokens.forms
        for run in _runs(scored, seen, threshold):
            trimmed = _trimmed(run, forms, self.joining)
            if not all(map(_MARKS.fullmatch, forms[trimmed.first : trimmed.last + 1])):
                yield trimmed

    def _span(self, run: Run, sequence: SequenceTokens) -> Span:
        known = run.label in self.labels
        ours = self.labels[run.label] if known else Label(run.label)
        source = f"{self.source}:{run.label}" if known else self.source
        start, end = sequence.starts[run.first], sequence.ends[run.last]
        score = round(run.score, 4)
        return Span(start, end, ours or Label.OTHER, source, score, self.priority)


def _runs(scored: Scored, seen: Seen, threshold: float) -> list[Run]:
    """Return the runs of tokens that have the labels of one mention."""
    inside = 1.0 - scored.posteriors[:, 0]
    columns = scored.labels(threshold, seen.firsts)
    places = columns.nonzero()[0]
    rows = places.tolist(), columns[places].tolist(), inside[places].tolist()
    runs: list[Run] = []
    for place, column, sure in zip(*rows, strict=True):
        mark, _, label = scored.chain.labels[column].partition("-")
        if runs and runs[-1].last == place - 1 and runs[-1].label == label and mark == "I":
            first, _, _, score = runs[-1]
            runs[-1] = Run(first, place, label, max(score, sure))
        else:
            runs.append(Run(place, place, label, sure))
    return runs


def _trimmed(run: Run, forms: Sequence[str], joining: Container[str]) -> Run:
    """Return the run without line breaks and separators at its edges and without a final "and"."""
    first, last, label, score = run
    while first <= last and forms[first] in _EDGES:
        first += 1
    while last >= first and (forms[last] in _EDGES or forms[last].lower() in joining):
        last -= 1
    return Run(first, last, label, score)
