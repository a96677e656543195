"""Headings: words before colons, and the types of tokens after them.

The heading of a colon is the longest run of up to four words before it that is before colons in
enough training texts. Its part reaches to the next heading, or to the end of the line. A heading is
trusted if the mentions after it are of one type, by the entropy of types (Szarvas 2006).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from adapter.taggers.crf.tokens import BREAK
from adapter.train.headings import LEAST_MENTIONS, LEAST_SHARE, MOST_ENTROPY, entropy

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

COLON = ":"
WORDS = 4
"""Most words of a heading."""
LEAST_TEXTS = 5
"""Fewest texts that contain a heading."""
NONE = ""


@dataclass(frozen=True, slots=True)
class Part:
    """The tokens after a heading's colon, from ``first`` up to but not ``end``."""

    name: str = field(repr=False)
    first: int
    end: int


@dataclass(frozen=True, slots=True)
class Headings:
    """Known headings: ``shares`` of types among the tokens after each; type of each ``trusted``."""

    shares: Mapping[str, Mapping[str, float]] = field(repr=False)
    trusted: Mapping[str, str] = field(repr=False)

    def parts(self, words: Sequence[str]) -> list[Part]:
        """Return the parts of a text after known headings, in order."""
        return list(_parts(words, self.shares))


def _parts(words: Sequence[str], known: Mapping[str, object]) -> Iterator[Part]:
    begun: tuple[str, int] | None = None
    for place, word in enumerate(words):
        if begun and word in BREAK:
            yield Part(*begun, place)
            begun = None
        if word != COLON:
            continue
        name = next((name for name, _ in _before(words, place) if name in known), NONE)
        if name:
            if begun:
                yield Part(*begun, max(begun[1], place - name.count(" ") - 1))
            begun = name, place + 1
    if begun:
        yield Part(*begun, len(words))


def _before(words: Sequence[str], colon: int) -> list[tuple[str, int]]:
    """Return (words before a colon in its line, their start), the longest run first."""
    found: list[tuple[str, int]] = []
    for first in range(colon - 1, max(-1, colon - 1 - WORDS), -1):
        if words[first] in BREAK or not words[first][0].isalnum():
            break
        found.append((" ".join(words[first:colon]), first))
    return found[::-1]


def learned(texts: Sequence[tuple[Sequence[str], Sequence[str]]]) -> Headings:
    """Learn headings from texts, given as folded words with their IOB2 labels."""
    names = Counter(name for words, _ in texts for name in _names(words))
    known = {name: count for name, count in names.items() if count >= LEAST_TEXTS}
    tokens: dict[str, Counter[str]] = {}
    mentions: dict[str, Counter[str]] = {}
    holding: Counter[str] = Counter()
    occurrences: Counter[str] = Counter()
    for words, labels in texts:
        for part in _parts(words, known):
            inside = labels[part.first : part.end]
            begun = [label[2:] for label in inside if label.startswith("B-")]
            tokens.setdefault(part.name, Counter()).update(label[2:] for label in inside)
            mentions.setdefault(part.name, Counter()).update(begun)
            holding[part.name] += bool(begun)
            occurrences[part.name] += 1
    shares = {name: _shares(tokens[name]) for name in sorted(tokens)}
    trusted = {
        name: counts.most_common(1)[0][0]
        for name, counts in sorted(mentions.items())
        if counts.total() >= LEAST_MENTIONS
        and holding[name] >= LEAST_SHARE * occurrences[name]
        and entropy(counts) < MOST_ENTROPY
    }
    return Headings(shares, trusted)


def _names(words: Sequence[str]) -> set[str]:
    colons = (place for place, word in enumerate(words) if word == COLON)
    return {name for colon in colons for name, _ in _before(words, colon)}


def _shares(counts: Counter[str]) -> dict[str, float]:
    """Return the share of each type among tokens, rounded to thousandths."""
    whole = counts.total() or 1
    return {kind: round(counts[kind] / whole, 3) for kind in sorted(counts) if kind}


def places(parts: Iterable[Part], tokens: int) -> list[Part | None]:
    """Return the part that each token is in, or None."""
    found: list[Part | None] = [None] * tokens
    for part in parts:
        found[part.first : part.end] = [part] * (part.end - part.first)
    return found
