"""Agreement of two readers: Cohen's kappa over all tokens, F1 of their spans.

F1 of two readers' spans is symmetric, and needs no count of spans that neither marked, which is not
defined (Hripcsak and Rothschild 2005).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from adapter.taggers.document.tokens import tokenize

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

Extent = tuple[int, int, int, str]
"""Number of the text, start, end, label."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """The agreement of two readers over the messages that both have read."""

    messages: int
    tokens: int
    kappa: float
    blind_kappa: float
    """Kappa of hidden or not, regardless of the label."""
    f1: float


def token_labels(texts: Sequence[str], spans: Iterable[Extent]) -> list[str]:
    """Return the label of every token of the texts, "" outside all spans."""
    found: list[str] = []
    by_text: dict[int, list[Extent]] = {}
    for span in spans:
        by_text.setdefault(span[0], []).append(span)
    for number, text in enumerate(texts):
        tokens = tokenize(text)
        for start, end in zip(tokens.starts, tokens.ends, strict=True):
            labels = [s[3] for s in by_text.get(number, ()) if s[1] < end and start < s[2]]
            found.append(labels[0] if labels else "")
    return found


def kappa(one: Sequence[str], other: Sequence[str]) -> float:
    """Return Cohen's kappa (1960); 1 if both use one and the same label throughout."""
    number = len(one)
    rows, columns = Counter(one), Counter(other)
    chance = sum(count * columns[label] for label, count in rows.items())
    if not number or chance == number * number:
        return 1.0
    same = sum(a == b for a, b in zip(one, other, strict=True))
    return (same * number - chance) / (number * number - chance)


def span_f1(one: Iterable[Extent], other: Iterable[Extent]) -> float:
    """Return F1 of identical spans; 1 if neither has any."""
    first, second = set(one), set(other)
    total = len(first) + len(second)
    return 2 * len(first & second) / total if total else 1.0


@dataclass(frozen=True, slots=True)
class Read:
    """The spans that one person marked in one message."""

    message: str
    reader: str
    texts: tuple[str, ...]
    spans: tuple[Extent, ...]

    def __repr__(self) -> str:
        return f"Read({self.message!r}, {len(self.texts)} texts, {len(self.spans)} spans)"


def between(reads: Iterable[Read]) -> Mapping[tuple[str, str], Agreement]:
    """Return the agreement of every two readers who have read the same messages."""
    by_message: dict[str, list[Read]] = {}
    for read in reads:
        by_message.setdefault(read.message, []).append(read)
    pairs: dict[tuple[str, str], list[tuple[Read, Read]]] = {}
    for group in by_message.values():
        for one, other in combinations(sorted(group, key=lambda r: r.reader), 2):
            pairs.setdefault((one.reader, other.reader), []).append((one, other))
    return {names: _agreement(group) for names, group in sorted(pairs.items())}


def _agreement(pairs: Sequence[tuple[Read, Read]]) -> Agreement:
    ones = [label for one, _ in pairs for label in token_labels(one.texts, one.spans)]
    others = [label for _, other in pairs for label in token_labels(other.texts, other.spans)]
    hidden = [["PHI" if label else "" for label in labels] for labels in (ones, others)]
    first = [(n, *span) for n, (one, _) in enumerate(pairs) for span in one.spans]
    second = [(n, *span) for n, (_, other) in enumerate(pairs) for span in other.spans]
    total = len(set(first)) + len(set(second))
    f1 = 2 * len(set(first) & set(second)) / total if total else 1.0
    return Agreement(len(pairs), len(ones), kappa(ones, others), kappa(*hidden), f1)
