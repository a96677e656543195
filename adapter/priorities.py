"""Priorities of spans and vetoes: where several overlap the highest wins, unless a veto is higher.

A veto says that its extent is no mention, or no mention of its labels.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from adapter.types import Span, Veto

PHRASE = 100
"""Priority of a whole trusted phrase; trusted phrases yield to a veto above it."""
TRUSTED = 90
"""Lowest priority of spans from trusted phrases, which are searched for everywhere."""
CERTAIN = 60
"""Lowest priority of spans whose string is certain elsewhere too: rules, trusted phrases."""


def concerns(veto: Veto, span: Span) -> bool:
    """Whether a span has one of a veto's labels; a veto without labels concerns all."""
    return not veto.labels or span.label in veto.labels


def outranks(veto: Veto, span: Span) -> bool:
    """Whether a veto concerns a span and has the higher priority."""
    return span.priority < veto.priority and concerns(veto, span)


def covers(veto: Veto, span: Span) -> bool:
    """Whether a veto concerns a span, and the whole of it."""
    return veto.start <= span.start and span.end <= veto.end and concerns(veto, span)


class Cutting:
    """The vetoes of a text that cut off the edges of spans."""

    def __init__(self, vetoes: Iterable[Veto]) -> None:
        """Take all vetoes; those that do not cut are left out."""
        self._vetoes = [veto for veto in vetoes if veto.cuts]
        self._order = sorted(range(len(self._vetoes)), key=lambda at: self._vetoes[at].start)
        self._starts = [self._vetoes[at].start for at in self._order]
        self._longest = max((veto.end - veto.start for veto in self._vetoes), default=0)

    def __bool__(self) -> bool:
        """Whether there is any."""
        return bool(self._vetoes)

    def near(self, span: Span) -> list[Veto]:
        """Return the vetoes that may reach into a span, in the order in which they were given."""
        low = bisect_left(self._starts, span.start - self._longest)
        high = bisect_left(self._starts, span.end)
        return [self._vetoes[at] for at in sorted(self._order[low:high])]
