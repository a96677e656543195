"""A corpus's own labels in place of ours, for models that learn those."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from adapter.evaluate.annotations import Mention
from adapter.evaluate.meddocan import with_source_labels
from adapter.types import LEARNED_SOURCE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from adapter.evaluate.annotations import Pair
    from adapter.train.crossval import Held
    from adapter.train.model import TrainingRun
    from adapter.types import Span


def source_labels(training_run: TrainingRun) -> dict[str, str]:
    """Return our label -> the corpus's most frequent label for it, for spans of rules."""
    if training_run.recipe.labels == "type":
        return {}
    counts: dict[str, Counter[str]] = {}
    for example in training_run.examples:
        for mention in example.text.mentions:
            counts.setdefault(mention.type, Counter())[mention.source_label] += 1
    return {label: min(of, key=lambda n: (-of[n], n)) for label, of in sorted(counts.items())}


def own_label(span: Span, names: Mapping[str, str]) -> str:
    """Return the corpus's label of a span: the learned one, or by ``names`` (`source_labels`)."""
    learned = span.source.removeprefix(f"{LEARNED_SOURCE}:")
    return learned if learned != span.source else names.get(span.label, str(span.label))


def with_own_labels(held: Held, threshold: float, names: Mapping[str, str]) -> Pair:
    """Return the pair to evaluate at a threshold, both sides with the corpus's labels."""
    found = (
        Mention(span.start, span.end, own_label(span, names), span.source, span.score)
        for span in held.found[threshold]
    )
    return with_source_labels(held.example.text), tuple(found)
