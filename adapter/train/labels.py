"""Labels of tokens (IOB2) from mentions."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

from adapter.taggers.crf.weights import OUTSIDE

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from adapter.evaluate.corpora.readers import Mention
    from adapter.taggers.crf.tokens import SequenceTokens


def labelled(
    sequence: SequenceTokens,
    mentions: Iterable[Mention],
    name: Callable[[Mention], str | None],
    outside: Collection[str] = (),
) -> list[str]:
    """Return the label of each token: "B-X" or "I-X" if a mention touches the token, else "O".

    ``name`` returns a mention's label, None for a mention of another chain. The first of mentions
    that touch the same token wins. Words of ``outside`` that begin a mention, with their full
    stops, are excluded.
    """
    labels = [OUTSIDE] * len(sequence)
    for mention in sorted(mentions, key=lambda mention: (mention.start, -mention.end)):
        label = name(mention)
        if label is None:
            continue
        first = bisect_right(sequence.ends, mention.start)
        last = bisect_left(sequence.starts, mention.end)
        first = _begin(sequence, first, last, outside)
        if any(labels[place] != OUTSIDE for place in range(first, last)):
            continue
        for place in range(first, last):
            labels[place] = f"{'B' if place == first else 'I'}-{label}"
    return labels


def _begin(sequence: SequenceTokens, first: int, last: int, outside: Collection[str]) -> int:
    """Return the first token of a mention after the excluded words."""
    begin = first
    while begin < last and sequence.words[begin] in outside:
        begin += 1 + (sequence.forms[begin + 1 : begin + 2] == ["."])
    return begin if begin < last else first
