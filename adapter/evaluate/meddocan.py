"""The official scores of MEDDOCAN, as its published evaluation script defines them.

Source: Marimon et al. 2019, "Automatic de-identification of medical texts in Spanish: the
MEDDOCAN track", IberLEF, and the script published with it. Both sub-tracks use the corpus's own
labels, including those outside the product's scheme (sex, kin); a repeated mention counts once.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from adapter.evaluate.annotations import Mention
from adapter.evaluate.scores import Score

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from adapter.evaluate.annotations import Annotated, Pair

Extent = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Official:
    """Micro scores of sub-track 1 (ner) and sub-track 2 (strict, merged)."""

    ner: Score
    strict: Score
    merged: Score


def with_source_labels(document: Annotated) -> Annotated:
    """Return the document with source labels as types, extra mentions included."""
    every = sorted((*document.mentions, *document.extra), key=lambda m: (m.start, m.end))
    own = tuple(Mention(m.start, m.end, m.source_label, m.source_label) for m in every)
    return replace(document, mentions=own, extra=(), unlabelled=frozenset())


def official(pairs: Sequence[Pair]) -> Official:
    """Return MEDDOCAN's scores of pairs whose types, on both sides, are source labels."""
    scores = [Official(_ner(pair), _strict(pair), _merged(pair)) for pair in pairs]
    return Official(
        sum((score.ner for score in scores), Score()),
        sum((score.strict for score in scores), Score()),
        sum((score.merged for score in scores), Score()),
    )


def _ner(pair: Pair) -> Score:
    gold, predicted = ({(m.type, m.start, m.end) for m in side} for side in _sides(pair))
    return Score(len(gold & predicted), len(predicted - gold), len(gold - predicted))


def _strict(pair: Pair) -> Score:
    gold, predicted = (_extents(side) for side in _sides(pair))
    return Score(len(gold & predicted), len(predicted - gold), len(gold - predicted))


def _merged(pair: Pair) -> Score:
    """Return the score by extent, where extents may match as given or after `joined`.

    An extent inside a matched extent is neither spurious nor missed.
    """
    text = pair[0].text
    gold, predicted = (_extents(side) for side in _sides(pair))
    right = (gold & predicted) | (set(joined(gold, text)) & set(joined(predicted, text)))
    return Score(
        len(right),
        sum(not _inside(extent, right) for extent in predicted - gold),
        sum(not _inside(extent, right) for extent in gold - predicted),
    )


def joined(extents: Iterable[Extent], text: str) -> list[Extent]:
    """Join adjacent extents that have only non-alphanumeric characters between them."""
    found: list[Extent] = []
    for start, end in sorted(extents):
        if found and not any(map(str.isalnum, text[found[-1][1] : start])):
            found[-1] = (found[-1][0], end)
        else:
            found.append((start, end))
    return found


def _inside(extent: Extent, others: set[Extent]) -> bool:
    return any(start <= extent[0] and extent[1] <= end for start, end in others)


def _sides(pair: Pair) -> tuple[Sequence[Mention], Sequence[Mention]]:
    return pair[0].mentions, pair[1]


def _extents(mentions: Sequence[Mention]) -> set[Extent]:
    return {(mention.start, mention.end) for mention in mentions}
