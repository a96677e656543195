"""Compares the results of two rulesets for the same messages, as counts without text and places.

Mentions are matched by their extent. One that overlaps none of the other ruleset's is gained or
lost; two that overlap may differ in type, in extent, or in their replacement.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from adapter.types import Handling, Span

GAINED, LOST, TYPES, EXTENTS, WRITTEN, HANDLINGS, HOLDS_GAINED, HOLDS_LOST = (
    "gained",
    "lost",
    "types",
    "extents",
    "written",
    "handlings",
    "holds_gained",
    "holds_lost",
)
KINDS = (GAINED, LOST, TYPES, EXTENTS, WRITTEN, HANDLINGS, HOLDS_GAINED, HOLDS_LOST)

Change = tuple[str, ...]
"""One of `KINDS` and its labels: ("gained", "PATIENT", "crf"), ("types", "DATE", "AGE")."""


@dataclass(frozen=True, slots=True)
class View:
    """A ruleset's result for a record, by message and path; ``spans`` is None if none was read."""

    hold: str = ""
    """"STAGE/CODE" of a hold, "" for a release."""
    spans: Mapping[tuple[int, str], Sequence[Span]] | None = field(default=None, repr=False)
    handlings: Mapping[tuple[int, str], Handling] = field(default_factory=dict, repr=False)
    written: Mapping[tuple[int, str, int, int], str | None] = field(
        default_factory=dict, repr=False
    )
    """Replacement (None: removed) by message, path, start and end."""
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Compared:
    """The changes of one record with their counts, and the seconds that each ruleset took."""

    changes: tuple[tuple[Change, int], ...]
    current: float
    shadow: float


def compare(current: View, shadow: View) -> Compared:
    """Return how the shadow ruleset's result differs from the current one's."""
    changes = Counter(_changes(current, shadow))
    return Compared(tuple(sorted(changes.items())), current.seconds, shadow.seconds)


def _changes(current: View, shadow: View) -> Iterator[Change]:
    if current.hold != shadow.hold:
        if shadow.hold:
            yield HOLDS_GAINED, shadow.hold
        if current.hold:
            yield HOLDS_LOST, current.hold
    for place in current.handlings.keys() & shadow.handlings.keys():
        before, after = current.handlings[place], shadow.handlings[place]
        if before is not after:
            yield HANDLINGS, str(before), str(after)
    if current.spans is None or shadow.spans is None:
        return
    for place in current.spans.keys() | shadow.spans.keys():
        mine, others = current.spans.get(place, ()), shadow.spans.get(place, ())
        yield from _between(mine, others)
        same = {(s.start, s.end, s.label) for s in mine} & {
            (s.start, s.end, s.label) for s in others
        }
        for start, end, label in same:
            at = (*place, start, end)
            if current.written.get(at) != shadow.written.get(at):
                yield WRITTEN, str(label)


def _between(current: Sequence[Span], shadow: Sequence[Span]) -> Iterator[Change]:
    for span in current:
        match = _match(span, shadow)
        if match is None:
            yield LOST, str(span.label), span.source
        elif match.label is not span.label:
            yield TYPES, str(span.label), str(match.label)
        elif (match.start, match.end) != (span.start, span.end):
            yield EXTENTS, str(span.label)
    for span in shadow:
        if _match(span, current) is None:
            yield GAINED, str(span.label), span.source


def _match(span: Span, others: Iterable[Span]) -> Span | None:
    """Return the span that overlaps another most, or None if none overlaps it."""
    shared = [(min(span.end, o.end) - max(span.start, o.start), o) for o in others]
    most, best = max(shared, key=lambda item: item[0], default=(0, None))
    return best if most > 0 else None


@dataclass(slots=True)
class Comparison:
    """The totals over many records."""

    records: int = 0
    different: int = 0
    dropped: int = 0
    """Records sampled but not compared, because the queue was full."""
    failed: int = 0
    """Records not compared, because a worker died or took too long."""
    changes: Counter[Change] = field(default_factory=Counter)
    current: float = 0.0
    shadow: float = 0.0

    def add(self, compared: Compared) -> None:
        """Add the changes of one record."""
        self.records += 1
        self.different += bool(compared.changes)
        self.changes.update(dict(compared.changes))
        self.current += compared.current
        self.shadow += compared.shadow

    def total(self, kind: str) -> int:
        """Return the number of changes of a kind."""
        return sum(count for change, count in self.changes.items() if change[0] == kind)

    def as_dict(self) -> dict[str, Any]:
        """Return the comparison as a JSON-serializable dict."""
        found: dict[str, dict[str, int]] = {kind: {} for kind in KINDS}
        for (kind, *what), count in sorted(self.changes.items()):
            found[kind]["/".join(what)] = count
        return {
            "records": self.records,
            "different": self.different,
            "dropped": self.dropped,
            "failed": self.failed,
            **found,
            "seconds": {"current": round(self.current, 3), "shadow": round(self.shadow, 3)},
            "speed_ratio": round(self.current / self.shadow, 3) if self.shadow else None,
        }
