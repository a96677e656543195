"""Applies partings, which separate persons, to the groups of number keys in earlier messages.

A parting (HL7 v2.8.2, 3.3.37 and 3.3.43: A37, A43) applies to statements of earlier messages, in
the order of messages, not of loading; later statements may link the numbers again.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from adapter.mart.versions import EVERY

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from adapter.mart.versions import Parting


@dataclass(frozen=True, slots=True)
class IdentityStatement:
    """The identity statements of one message: groups of one person's number keys, and partings."""

    groups: tuple[tuple[str, ...], ...] = field(default=(), repr=False)
    partings: tuple[Parting, ...] = ()


@dataclass(slots=True)
class _Partings:
    """The partings of later messages, by number key."""

    by_number: dict[str, list[Parting]] = field(default_factory=dict, repr=False)

    def add(self, parting: Parting) -> None:
        for number in parting.one:
            self.by_number.setdefault(number, []).append(parting)

    def split(self, group: tuple[str, ...]) -> list[tuple[str, ...]]:
        """Return the parts into which the partings split a group."""
        parts = [group]
        for parting in (p for number in group for p in self.by_number.get(number, ())):
            parts = [piece for part in parts for piece in _split(part, parting)]
        return parts


def _split(group: tuple[str, ...], parting: Parting) -> list[tuple[str, ...]]:
    one = tuple(number for number in group if number in parting.one)
    rest = tuple(number for number in group if number not in parting.one)
    parts = EVERY in parting.others or any(number in parting.others for number in rest)
    return [one, rest] if one and rest and parts else [group]


def together(statements: Iterable[IdentityStatement]) -> Iterator[tuple[str, ...]]:
    """Yield groups of one person's number keys; ``statements`` are in order, the latest first.

    A message's partings do not apply to its own groups.
    """
    partings = _Partings()
    for each in statements:
        for group in each.groups:
            yield from partings.split(group)
        for parting in each.partings:
            partings.add(parting)
