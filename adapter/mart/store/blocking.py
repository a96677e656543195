"""Removes from a batch all data about erased persons. Pure.

A number counts as erased as soon as any message links it to an erased one, so neither the order of
messages nor a new number brings an erased person back.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from adapter.mart.store.protocol import Outcome
from adapter.mart.versions import Parting

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from collections.abc import Set as AbstractSet

    from adapter.mart.store.protocol import Entry


def groups(entries: Iterable[Entry]) -> Iterator[tuple[str, ...]]:
    """Yield the groups of number keys that a batch links to one person."""
    for entry in entries:
        yield from entry.landed.numbers
        for merge in entry.landed.merges:
            yield merge.prior, merge.number


def mentioned(entries: Iterable[Entry]) -> set[str]:
    """Return every number key in a batch."""
    entries = tuple(entries)
    found = {number for group in groups(entries) for number in group}
    found.update(v.subject for e in entries for v in e.landed.versions if v.subject is not None)
    return found


def spread(numbers: AbstractSet[str], together: Sequence[tuple[str, ...]]) -> set[str]:
    """Return the numbers, with all those linked to any of them by the groups ``together``."""
    found = set(numbers)
    while more := {n for group in together if not found.isdisjoint(group) for n in group} - found:
        found |= more
    return found


def touches(entry: Entry, erased: AbstractSet[str]) -> bool:
    """Return whether any part of a message is about an erased person."""
    return not erased.isdisjoint(mentioned((entry,)))


def without(entry: Entry, erased: AbstractSet[str]) -> Entry:
    """Return a message without its rows about erased persons.

    Rows without a subject are removed too, because any text of the message may be about that
    person.
    """
    if not touches(entry, erased):
        return entry
    landed = entry.landed
    kept = replace(
        landed,
        versions=tuple(v for v in landed.versions if v.subject and v.subject not in erased),
        numbers=tuple(group for group in landed.numbers if erased.isdisjoint(group)),
        merges=tuple(m for m in landed.merges if erased.isdisjoint((m.prior, m.number))),
        partings=tuple(_parting(parting, erased) for parting in landed.partings),
    )
    return replace(entry, message=replace(entry.message, outcome=Outcome.ERASED), landed=kept)


def _parting(parting: Parting, erased: AbstractSet[str]) -> Parting:
    """Return a parting without erased numbers; it has no effect if one side becomes empty."""
    return Parting(
        tuple(number for number in parting.one if number not in erased),
        tuple(number for number in parting.others if number not in erased),
    )
