"""Folds by document or by corpus, and scores of the whole chain of taggers on held-out texts."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from adapter.evaluate.annotations import as_mentions
from adapter.evaluate.levels import Level, events
from adapter.evaluate.scores import total
from adapter.resolve import resolve
from adapter.taggers.crf.arbitration import arbitrated
from adapter.taggers.crf.tagger import needed_alone
from adapter.train.recipe import By
from adapter.types import RECALLS, Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from adapter.evaluate.annotations import Pair
    from adapter.pipeline.language import Language
    from adapter.taggers.crf.tagger import CrfTagger
    from adapter.train.examples import Example, Reader
    from adapter.train.recipe import Learning

GRID = (0.5, 0.4, 0.3, 0.2, 0.15, 0.1, 0.07, 0.05, 0.035, 0.025, 0.015, 0.01)
"""Thresholds to try, in descending order."""


def fold_of(name: str, folds: int) -> int:
    """Return the fold of a document, by its id or the id of its group of similar documents.

    A copy ("ID#2") is in the fold of its original.
    """
    original = name.partition("#")[0]
    return int.from_bytes(hashlib.sha256(original.encode()).digest()[:4], "big") % folds


def split(
    examples: Sequence[Example], fold: int, folds: int, by: By = By.DOCUMENT
) -> tuple[list[Example], list[Example]]:
    """Return (training examples, held-out originals) of a fold; only scored corpora are held out.

    If a text is learned both with and without its header's phrases, the former is scored.
    """
    learn: list[Example] = []
    score: list[Example] = []
    scored = dict.fromkeys(example.plan.path for example in examples if example.plan.scored)
    places = {path: place % folds for place, path in enumerate(scored)}
    for example in examples:
        path = example.plan.path
        place = places.get(path) if by is By.FILE else fold_of(group_of(example), folds)
        if not example.plan.scored or place != fold:
            learn.append(example)
        elif "#" not in example.text.id and example.trusting == example.plan.headers:
            score.append(example)
    return learn, score


def group_of(example: Example) -> str:
    """Return the key of an example's fold: its corpus, its group of documents, or its id."""
    if example.plan.whole:
        return example.plan.path
    return str(example.text.meta.get("group") or example.text.id)


@dataclass(frozen=True, slots=True)
class Held:
    """A held-out text, and the spans found at each threshold."""

    example: Example
    found: Mapping[float, tuple[Span, ...]] = field(repr=False)

    def pair(self, threshold: float) -> Pair:
        """Return the pair to evaluate at a threshold."""
        return self.example.text, as_mentions(self.found[threshold])


def held_out(
    example: Example,
    reader: Reader,
    tagger: CrfTagger,
    language: Language,
    sure: int,
    *,
    thresholds: Sequence[float] = GRID,
) -> Held:
    """Run all taggers and resolution on a text at each threshold."""
    said = reader.found(example)
    document = reader.document(example)
    seen = tagger.read(document, said)
    text = example.text.text
    found = {}
    for threshold in thresholds:
        least = dict.fromkeys(tagger.chains, threshold)
        learned = tagger.spans(seen, least)
        options = replace(language.options, alone=needed_alone(least), doubted=tagger.doubted)
        spans, _ = resolve([text], [arbitrated(text, said, learned, sure)], options)
        found[threshold] = spans[0]
    return Held(example, found)


@dataclass(frozen=True, slots=True)
class OperatingPoint:
    """A threshold for a target recall, with the type-blind token scores on held-out texts."""

    target: float
    threshold: float
    recall: float
    precision: float


def operating_points(held: Sequence[Held], learning: Learning) -> list[OperatingPoint]:
    """Return for each target the greatest threshold that reaches it, else the smallest of all.

    A threshold reaches a target if its recall is below it by at most ``learning.slack``; none is
    greater than ``learning.greatest``.
    """
    points = [_measured(held, one) for one in GRID if one <= learning.greatest]
    chosen = []
    for target in RECALLS:
        least = target - learning.slack
        reached = next((point for point in points if point.recall >= least), points[-1])
        chosen.append(replace(reached, target=target))
    return chosen


def _measured(held: Iterable[Held], threshold: float) -> OperatingPoint:
    score = total(event for one in held for event in events(one.pair(threshold), Level.BLIND_TOKEN))
    return OperatingPoint(0.0, threshold, score.recall, score.precision)
