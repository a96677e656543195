"""Gold and predicted label of every word and number; a span labels all tokens it touches.

Tokens are those of `adapter.taggers.document.tokens` without punctuation: a full stop identifies
nobody, and sources differ in whether gold includes the full stop after a name.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from adapter.evaluate.unlabelled import is_unlabelled
from adapter.taggers.document.tokens import tokenize

if TYPE_CHECKING:
    from collections.abc import Iterable

    from adapter.evaluate.annotations import Mention, Pair
    from adapter.taggers.document.tokens import Tokens


@dataclass(frozen=True, slots=True)
class TokenLabels:
    """Parallel columns, "" for a token outside every span; ``scores`` are of the best span.

    Predictions of kinds the source does not annotate are left out outside gold mentions.
    """

    gold: list[str] = field(repr=False)
    predicted: list[str] = field(repr=False)
    scores: list[float] = field(repr=False)

    def __len__(self) -> int:
        return len(self.gold)


def label_tokens(pair: Pair) -> TokenLabels:
    """Return the labels of a text's words and numbers; the first span on a token wins."""
    document, predicted = pair
    tokens = tokenize(document.text)
    gold, found = [""] * len(tokens), [""] * len(tokens)
    scores = [0.0] * len(tokens)
    for mention, number in _touched(tokens, document.mentions):
        gold[number] = gold[number] or mention.type
    forgiven = {mention for mention in predicted if is_unlabelled(document, mention)}
    for mention, number in _touched(tokens, predicted):
        if gold[number] or mention not in forgiven:
            found[number] = found[number] or mention.type
            scores[number] = max(scores[number], mention.score)
    words = [number for number, word in enumerate(tokens.words) if word[0].isalnum()]
    return TokenLabels(
        [gold[number] for number in words],
        [found[number] for number in words],
        [scores[number] for number in words],
    )


def _touched(tokens: Tokens, mentions: Iterable[Mention]) -> Iterable[tuple[Mention, int]]:
    for mention in mentions:
        first = bisect_right(tokens.ends, mention.start)
        last = bisect_left(tokens.starts, mention.end)
        for number in range(first, last):
            yield mention, number
