"""Mentions as labels of tokens, and the tokens of a text as training sequences (IOB2)."""

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
    """Return the label of each token: "B-X" and "I-X" for tokens a mention touches, "O" for others.

    ``name`` gives a mention's label, None for those of another chain. Where mentions touch the
    same token the first one has it. Words of ``outside`` at a mention's begin, with their full
    stops, are no part of it.
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
    """The first token of a mention behind words that are no part of it."""
    begin = first
    while begin < last and sequence.words[begin] in outside:
        begin += 1 + (sequence.forms[begin + 1 : begin + 2] == ["."])
    return begin if begin < last else first
