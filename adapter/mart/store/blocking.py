"""What a batch may still bring of persons who have been erased: nothing. Pure.

A number is of an erased person as soon as anything says that it and an erased one are one person's,
so that neither the order of messages nor a new number brings a person back.
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
    """What a batch says are numbers of one person."""
    for entry in entries:
        yield from entry.landed.numbers
        for merge in entry.landed.merges:
            yield merge.prior, merge.number


def mentioned(entries: Iterable[Entry]) -> set[str]:
    """Every number key of a batch."""
    entries = tuple(entries)
    found = {number for group in groups(entries) for number in group}
    found.update(v.subject for e in entries for v in e.landed.versions if v.subject is not None)
    return found


def spread(numbers: AbstractSet[str], together: Sequence[tuple[str, ...]]) -> set[str]:
    """The numbers, and all that are one person's with any of them."""
    found = set(numbers)
    while more := {n for group in together if not found.isdisjoint(group) for n in group} - found:
        found |= more
    return found


def touches(entry: Entry, erased: AbstractSet[str]) -> bool:
    """Whether a message is, at least in part, of an erased person."""
    return not erased.isdisjoint(mentioned((entry,)))


def without(entry: Entry, erased: AbstractSet[str]) -> Entry:
    """A message without what it says of erased persons.

    What it says of nobody goes too: a message about an erased person may have text about them
    anywhere.
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
    """A parting without erased numbers; one that has none left on a side says nothing."""
    return Parting(
        tuple(number for number in parting.one if number not in erased),
        tuple(number for number in parting.others if number not in erased),
    )
