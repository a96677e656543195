"""Unambiguous headings: nearly all mentions under such a heading have one label.

Headings are chosen by the entropy of labels in the training texts (Szarvas 2006, section 3.2).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from math import log2
from typing import TYPE_CHECKING

from adapter.taggers.document.headings import under, values

if TYPE_CHECKING:
    from collections.abc import Iterable

    from adapter.taggers.document.document import Document
    from adapter.taggers.document.headings import Extent

MOST_ENTROPY = 0.1
"""Entropy in bits below which a heading is unambiguous."""
LEAST_MENTIONS = 5
LEAST_SHARE = 0.9
"""Least share of an unambiguous heading's occurrences that have a mention."""


@dataclass(slots=True)
class _Tally:
    occurrences: int = 0
    holding: int = 0
    labels: Counter[str] = field(default_factory=Counter)

    @property
    def unambiguous(self) -> bool:
        return (
            self.labels.total() >= LEAST_MENTIONS
            and self.holding >= LEAST_SHARE * self.occurrences
            and entropy(self.labels) < MOST_ENTROPY
        )


def entropy(counts: Counter[str]) -> float:
    """Return the Shannon entropy of labels, in bits."""
    whole = counts.total()
    return -sum(n / whole * log2(n / whole) for n in counts.values() if n)


def unambiguous(texts: Iterable[tuple[Document, Iterable[Extent]]]) -> dict[str, str]:
    """Return the unambiguous headings of annotated texts: heading -> label."""
    tallies: dict[str, _Tally] = {}
    for document, mentions in texts:
        extents = tuple(mentions)
        for value in values(document):
            tally = tallies.setdefault(value.name, _Tally())
            labels = [label for _, _, label in under(value, extents)]
            tally.occurrences += 1
            tally.holding += bool(labels)
            tally.labels.update(labels)
    return {
        name: tally.labels.most_common(1)[0][0]
        for name, tally in sorted(tallies.items())
        if tally.unambiguous
    }
