"""Triggers: words and phrases beside mentions that indicate their type (Szarvas 2006).

There are three selections:

- token: words up to three tokens before or after each token of a mention;
- phrase: words up to five tokens before or after a mention;
- trigram: one to three consecutive words, within four tokens before or after a mention.

A trigger must be frequent and be beside the type more often than elsewhere. Its information gain
must be at least a share of the entropy of whether a token or phrase is of the type.
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
    """Trigger -> the types that it indicates."""

LEAST_TIMES = 5
"""Fewest mentions or tokens of a type beside a trigger."""
LEAST_GAIN = 0.002
"""Least information gain, as a share of the type's entropy."""
MOST = 80
"""Most triggers of one type on one side."""


@dataclass(frozen=True, slots=True)
class Selection:
    """A way to select triggers: by token or by mention, greatest distance, and most words."""

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
    """The triggers of one selection: those before mentions, and those after."""

    selection: Selection
    before: Near = field(repr=False)
    behind: Near = field(repr=False)

    def nearness(self, words: Sequence[str]) -> Iterator[tuple[int, int, str, int]]:
        """Yield (token, 0 before or 1 after, type, nearness) for the triggers near each token.

        Nearness is the selection's reach minus the number of tokens between.
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
    """Yield runs of words before a token, with the number of tokens between."""
    low = max(0, first - plan.reach)
    for end in range(first, low, -1):
        for begin in range(end - 1, max(low, end - plan.words) - 1, -1):
            yield " ".join(words[begin:end]), first - end


def following(words: Sequence[str], end: int, plan: Selection) -> Iterator[tuple[str, int]]:
    """Yield runs of words from a token on, with the number of tokens between."""
    high = min(len(words), end + plan.reach)
    for begin in range(end, high):
        for last in range(begin + 1, min(high, begin + plan.words) + 1):
            yield " ".join(words[begin:last]), begin - end


def selected(texts: Iterable[tuple[Sequence[str], Sequence[str]]], plan: Selection) -> Triggers:
    """Select triggers from texts, given as folded words with their types."""
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
    return Triggers(plan, _informative(before, units), _informative(behind, units))


def _units(types: Sequence[str], *, by_token: bool) -> Iterator[tuple[int, int, str]]:
    """Yield (first, end, type) of each token, or of each mention and each token outside."""
    place = 0
    for kind, run in groupby(types):
        length = len(list(run))
        step = 1 if by_token or kind == OUTSIDE else length
        for first in range(place, place + length, step):
            yield first, first + step, kind
        place += length


def _informative(seen: Mapping[str, Counter[str]], units: Counter[str]) -> dict[str, list[str]]:
    """Map triggers to the types on which they give enough information."""
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
    """Return a trigger's information gain as a share of the type's entropy; 0 if negative evidence.

    Arguments are counts: all ``units``, those ``having`` the trigger, ``of_type``, and ``both``.
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
