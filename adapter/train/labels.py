"""Mentions as labels of units, and the units of a text as training sequences (IOB2)."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

from adapter.taggers.chains import OUTSIDE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from adapter.evaluate.corpora import Mention
    from adapter.taggers.units import Units


def labelled(
    sequence: Units, mentions: Iterable[Mention], name: Callable[[Mention], str | None]
) -> list[str]:
    """Return the label of each unit: "B-X" and "I-X" for units a mention touches, "O" for others.

    ``name`` gives a mention's label, None for those of another chain. Where mentions touch the
    same unit the first one has it.
    """
    labels = [OUTSIDE] * len(sequence)
    for mention in sorted(mentions, key=lambda mention: (mention.start, -mention.end)):
        label = name(mention)
        if label is None:
            continue
        first = bisect_right(sequence.ends, mention.start)
        last = bisect_left(sequence.starts, mention.end)
        if any(labels[place] != OUTSIDE for place in range(first, last)):
            continue
        for place in range(first, last):
            labels[place] = f"{'B' if place == first else 'I'}-{label}"
    return labels
