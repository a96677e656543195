"""What remains of who was said to be one person, after messages that say otherwise.

A parting (HL7 v2.8.2, 3.3.37 and 3.3.43: A37, A43) counts for what was said before it, by the order
of messages, not of loading; what is said later counts again.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from adapter.mart.versions import EVERY

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from adapter.mart.versions import Parting


@dataclass(frozen=True, slots=True)
class Said:
    """What one message says: number keys of one person each, and partings."""

    groups: tuple[tuple[str, ...], ...] = ()
    partings: tuple[Parting, ...] = ()


@dataclass(slots=True)
class _Partings:
    """Those of later messages, by the numbers that part."""

    by_number: dict[str, list[Parting]] = field(default_factory=dict)

    def add(self, parting: Parting) -> None:
        for number in parting.one:
            self.by_number.setdefault(number, []).append(parting)

    def split(self, group: tuple[str, ...]) -> list[tuple[str, ...]]:
        """The parts of a group whose numbers are still one person's."""
        parts = [group]
        for parting in (p for number in group for p in self.by_number.get(number, ())):
            parts = [piece for part in parts for piece in _split(part, parting)]
        return parts


def _split(group: tuple[str, ...], parting: Parting) -> list[tuple[str, ...]]:
    one = tuple(number for number in group if number in parting.one)
    rest = tuple(number for number in group if number not in parting.one)
    parts = EVERY in parting.others or any(number in parting.others for number in rest)
    return [one, rest] if one and rest and parts else [group]


def together(said: Iterable[Said]) -> Iterator[tuple[str, ...]]:
    """Yield the groups of numbers that are one person's; ``said`` are messages, the latest first.

    A message's own partings are about what was said before it.
    """
    partings = _Partings()
    for each in said:
        for group in each.groups:
            yield from partings.split(group)
        for parting in each.partings:
            partings.add(parting)
