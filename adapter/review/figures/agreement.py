"""Agreement between two readers: Cohen's kappa over all tokens, and F1 of their spans.

F1 of two readers' spans is symmetric and does not need the number of spans that neither marked,
which is undefined (Hripcsak and Rothschild 2005).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from adapter.taggers.document.tokens import tokenize

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from adapter.taggers.document.tokens import Tokens

Extent = tuple[int, int, int, str]
"""Number of the text, start, end, label."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """The agreement between two readers over the messages that both have read."""

    messages: int
    tokens: int
    kappa: float
    blind_kappa: float
    """Kappa of the binary decision to hide a token, regardless of the label."""
    f1: float
    """F1 of identical spans; 1 if neither reader marked any."""


def _labels(tokens: Sequence[Tokens], spans: Iterable[Extent]) -> list[str]:
    """Return the label of every token of the texts, "" outside all spans."""
    found: list[str] = []
    by_text: dict[int, list[Extent]] = {}
    for span in spans:
        by_text.setdefault(span[0], []).append(span)
    for number, each in enumerate(tokens):
        own = by_text.get(number, ())
        for start, end in zip(each.starts, each.ends, strict=True):
            labels = [s[3] for s in own if s[1] < end and start < s[2]]
            found.append(labels[0] if labels else "")
    return found


def kappa(one: Sequence[str], other: Sequence[str]) -> float:
    """Return Cohen's kappa (1960); 1 if both use the same single label throughout."""
    return _kappa(Counter(zip(one, other, strict=True)))


def _kappa(pairs: Mapping[tuple[str, str], int]) -> float:
    """Return kappa of a contingency table: the number of tokens by the pair of their labels."""
    rows: Counter[str] = Counter()
    columns: Counter[str] = Counter()
    for (one, other), count in pairs.items():
        rows[one] += count
        columns[other] += count
    number = sum(pairs.values())
    chance = sum(count * columns[label] for label, count in rows.items())
    if not number or chance == number * number:
        return 1.0
    same = sum(count for (one, other), count in pairs.items() if one == other)
    return (same * number - chance) / (number * number - chance)


@dataclass(frozen=True, slots=True)
class Read:
    """The spans that one person marked in one message."""

    message: str
    reader: str
    texts: tuple[str, ...]
    spans: tuple[Extent, ...]

    def __repr__(self) -> str:
        return f"Read({self.message!r}, {len(self.texts)} texts, {len(self.spans)} spans)"


@dataclass(frozen=True, slots=True)
class Compared:
    """The comparison of two readers of one message, as counts.

    ``tokens`` are the numbers of tokens by the pair of their labels; ``marked`` is the sum of both
    readers' spans, ``same`` the number of identical ones.
    """

    readers: tuple[str, str]
    tokens: Mapping[tuple[str, str], int]
    marked: int
    same: int


def compared(reads: Iterable[Read]) -> Iterator[Compared]:
    """Yield the comparison of each pair of readers of one message."""
    ordered = sorted(reads, key=lambda read: read.reader)
    tokens = [tokenize(text) for text in ordered[0].texts] if ordered else []
    labels = {read.reader: _labels(tokens, read.spans) for read in ordered}
    for one, other in combinations(ordered, 2):
        pairs = Counter(zip(labels[one.reader], labels[other.reader], strict=True))
        first, second = set(one.spans), set(other.spans)
        both = len(first) + len(second), len(first & second)
        yield Compared((one.reader, other.reader), pairs, *both)


def between(reads: Iterable[Read]) -> Mapping[tuple[str, str], Agreement]:
    """Return the agreement of each pair of readers who have read the same messages."""
    by_message: dict[str, list[Read]] = {}
    for read in reads:
        by_message.setdefault(read.message, []).append(read)
    return pooled(each for group in by_message.values() for each in compared(group))


def pooled(messages: Iterable[Compared]) -> Mapping[tuple[str, str], Agreement]:
    """Return the agreement of each pair of readers over all messages that both have read."""
    by_pair: dict[tuple[str, str], list[Compared]] = {}
    for each in messages:
        by_pair.setdefault(each.readers, []).append(each)
    return {names: _agreement(group) for names, group in sorted(by_pair.items())}


def _agreement(group: Sequence[Compared]) -> Agreement:
    tokens: Counter[tuple[str, str]] = Counter()
    hidden: Counter[tuple[str, str]] = Counter()
    for each in group:
        tokens.update(each.tokens)
    for (one, other), count in tokens.items():
        hidden["PHI" if one else "", "PHI" if other else ""] += count
    marked = sum(each.marked for each in group)
    f1 = 2 * sum(each.same for each in group) / marked if marked else 1.0
    return Agreement(len(group), tokens.total(), _kappa(tokens), _kappa(hidden), f1)
