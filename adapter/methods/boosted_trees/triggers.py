"""Words and phrases beside mentions that tell their type, in three selections (Szarvas 2006).

- token: words up to three tokens before or behind each token of a mention;
- phrase: words up to five tokens before or behind a mention;
- trigram: one to three words in a row, within four tokens before or behind a mention.

A trigger must be frequent, stand by the type more often than elsewhere, and give information on it:
by at least a share of the entropy of whether a token or phrase is of the type.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import groupby
from math import log2
from typing import TYPE_CHECKING

from adapter.methods.labelled_tokens import OUTSIDE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    Near = Mapping[str, Sequence[str]]
    """Trigger -> the types that it tells."""

LEAST_TIMES = 5
"""Mentions or tokens of a type that a trigger must stand by."""
LEAST_GAIN = 0.002
"""Least information gain, as a share of the type's entropy."""
MOST = 80
"""Most triggers of one type on one side."""


@dataclass(frozen=True, slots=True)
class Selection:
    """How triggers are chosen: by token or by mention, how far, and in how many words."""

    name: str
    by_token: bool
    reach: int
    words: int


SELECTIONS = (
    Selection("token", by_token=True, reach=3, words=1),
    Selection("phrase", by_token=False, reach=5, words=1),
    Selection("trigram", by_token=False, reach=4, words=3),
)


@dataclass(frozen=True, slots=True)
class Triggers:
    """The triggers of one selection that stand before, and those that stand behind."""

    selection: Selection
    before: Near = field(repr=False)
    behind: Near = field(repr=False)

    def nearness(self, words: Sequence[str]) -> Iterator[tuple[int, int, str, int]]:
        """Yield (token, 0 before or 1 behind, type, nearness) for the triggers near each token.

        Nearness is the selection's reach for a neighbour, less one for each token between.
        """
        plan = self.selection
        for place in range(len(words)):
            for trigger, away in preceding(words, place, plan):
                for kind in self.before.get(trigger, ()):
                    yield place, 0, kind, plan.reach - away
            for trigger, away in following(words, place + 1, plan):
                for kind in self.behind.get(trigger, ()):
                    yield place, 1, kind, plan.reach - away


def preceding(words: Sequence[str], first: int, plan: Selection) -> Iterator[tuple[str, int]]:
    """Yield the words, and words in a row, before a token, and how many tokens are between."""
    low = max(0, first - plan.reach)
    for end in range(first, low, -1):
        for begin in range(end - 1, max(low, end - plan.words) - 1, -1):
            yield " ".join(words[begin:end]), first - end


def following(words: Sequence[str], end: int, plan: Selection) -> Iterator[tuple[str, int]]:
    """Yield the words, and words in a row, from a token on, and how many tokens are between."""
    high = min(len(words), end + plan.reach)
    for begin in range(end, high):
        for last in range(begin + 1, min(high, begin + plan.words) + 1):
            yield " ".join(words[begin:last]), begin - end


def selected(texts: Iterable[tuple[Sequence[str], Sequence[str]]], plan: Selection) -> Triggers:
    """Choose triggers by the folded words of texts and the types of these."""
    units: Counter[str] = Counter()
    before: dict[str, Counter[str]] = {}
    behind: dict[str, Counter[str]] = {}
    for words, types in texts:
        for first, end, kind in _units(types, by_token=plan.by_token):
            units[kind] += 1
            for trigger in {trigger for trigger, _ in preceding(words, first, plan)}:
                before.setdefault(trigger, Counter())[kind] += 1
            for trigger in {trigger for trigger, _ in following(words, end, plan)}:
                behind.setdefault(trigger, Counter())[kind] += 1
    return Triggers(plan, _telling(before, units), _telling(behind, units))


def _units(types: Sequence[str], *, by_token: bool) -> Iterator[tuple[int, int, str]]:
    """Yield first, end and type of each token, or of each mention and each token outside."""
    place = 0
    for kind, run in groupby(types):
        length = len(list(run))
        step = 1 if by_token or kind == OUTSIDE else length
        for first in range(place, place + length, step):
            yield first, first + step, kind
        place += length


def _telling(seen: Mapping[str, Counter[str]], units: Counter[str]) -> dict[str, list[str]]:
    """Trigger -> the types that it tells enough of."""
    gains: dict[str, list[tuple[float, str]]] = {}
    for trigger, counts in seen.items():
        for kind, both in counts.items():
            if kind != OUTSIDE and both >= LEAST_TIMES:
                gain = _gain(both, counts.total(), units[kind], units.total())
                if gain >= LEAST_GAIN:
                    gains.setdefault(kind, []).append((-gain, trigger))
    found: dict[str, list[str]] = {}
    for kind in sorted(gains):
        for _, trigger in sorted(gains[kind])[:MOST]:
            found.setdefault(trigger, []).append(kind)
    return dict(sorted(found.items()))


def _gain(both: int, having: int, of_type: int, units: int) -> float:
    """Information gain of a trigger as a share of the type's entropy; 0 if it speaks against it.

    Counts: all ``units``, those ``having`` the trigger, those ``of_type``, and ``both``.
    """
    if both * units <= having * of_type or of_type == units:
        return 0.0
    share, without = having / units, units - having
    rest = (1 - share) * _entropy((of_type - both) / without) if without else 0.0
    whole = _entropy(of_type / units)
    return (whole - share * _entropy(both / having) - rest) / whole


def _entropy(share: float) -> float:
    if share <= 0 or share >= 1:
        return 0.0
    return -share * log2(share) - (1 - share) * log2(1 - share)
