"""Accounts for every offset of an input: released or held, once, in order, unaltered.

The checker reads as a ``read_committed`` consumer and does not rely on the adapter's own reports:
it identifies a message by its number, a held one by the original in its envelope.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from tests.chaos.load import CANARIES, number_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

Place = tuple[int, int]
"""Partition and offset of an input record."""


class Record(Protocol):
    """The part of a record that the checker reads."""

    partition: int
    offset: int
    key: bytes | None
    value: bytes | None
    headers: Sequence[tuple[str, bytes]]


class Deposited(NamedTuple):
    """An escrow record, opened."""

    place: Place
    original: bytes | None
    digest: str
    """SHA-256 of the released bytes, in hexadecimal."""


Memory = dict[tuple[int, str], bytes]
"""Partition and name of each entry of the patient memory that its topic keeps -> the entry, opened.
"""


class Topics(NamedTuple):
    """All records that one run has read and written; what is sealed or JSON is opened."""

    source: Sequence[Record]
    released: Sequence[Record]
    held: Sequence[tuple[Place, bytes | None]]
    """The place of each envelope, and the value of the original."""
    audit: Sequence[Place]
    others: Sequence[Record] = ()
    """The records of quarantine, audit, state and escrow as they are stored, to be searched."""
    escrow: Sequence[Deposited] | None = None
    """None for a run without escrow."""
    memory: Memory | None = None
    """None for a run without patient memory."""


@dataclass(frozen=True, slots=True)
class Findings:
    """Places of input records with a fault, by kind of fault."""

    lost: tuple[Place, ...] = ()
    """Neither released nor held."""
    doubled: tuple[Place, ...] = ()
    """Released or held more than once, or both."""
    disordered: tuple[Place, ...] = ()
    """Released after a later record of the same key."""
    misaudited: tuple[Place, ...] = ()
    """Not in the audit exactly once."""
    misdeposited: tuple[Place, ...] = ()
    """Released and not in the escrow exactly once, with the bytes sent; or there and not released.
    """
    altered: tuple[Place, ...] = ()
    """Released or held with other bytes than in an undisturbed run, or than sent."""
    misremembered: tuple[tuple[int, str], ...] = ()
    """Entries of the patient memory that an undisturbed run keeps otherwise, or not at all."""
    unknown: tuple[Place, ...] = ()
    """Places of output records that no input record explains."""
    leaking: tuple[Place, ...] = field(default=())
    """Places of written records of any topic that contain a patient's data."""

    @property
    def sound(self) -> bool:
        """Whether there is no fault."""
        return not any(getattr(self, each.name) for each in fields(self))

    def counts(self) -> dict[str, int]:
        """Return the number of places of each finding."""
        return {each.name: len(getattr(self, each.name)) for each in fields(self)}


def account(
    seen: Topics, reference: Sequence[Record] | None = None, memory: Memory | None = None
) -> Findings:
    """Compare the output with the input.

    Args:
        seen: what the run has read and written.
        reference: what an undisturbed run over the same input released; None to leave it out.
        memory: what that run remembers of patients at its end; None to leave it out.
    """
    at = {number_of(r.value or b""): (r.partition, r.offset) for r in seen.source}
    released = [(at.get(number_of(r.value or b"")), r) for r in seen.released]
    known = [(place, record) for place, record in released if place is not None]
    times = Counter(place for place, _ in known) + Counter(place for place, _ in seen.held)
    audited = Counter(seen.audit)
    places = Counter((r.partition, r.offset) for r in seen.source)
    return Findings(
        lost=tuple(place for place in places if not times[place]),
        doubled=tuple(place for place, count in times.items() if count > 1),
        disordered=tuple(_disordered(known)),
        misaudited=tuple(p for p in audited | places if audited[p] != places[p]),
        misdeposited=tuple(_misdeposited(seen, known)),
        altered=(*_altered(known, reference), *_resealed(seen)),
        misremembered=tuple(_misremembered(seen.memory or {}, memory)),
        unknown=tuple((r.partition, r.offset) for place, r in released if place is None),
        leaking=tuple((r.partition, r.offset) for r in (*seen.released, *seen.others) if _leaks(r)),
    )


def _misdeposited(seen: Topics, released: Iterable[tuple[Place, Record]]) -> Iterable[Place]:
    if seen.escrow is None:
        return
    sent = {(r.partition, r.offset): r.value for r in seen.source}
    wanted = {
        Deposited(place, sent[place], hashlib.sha256(record.value or b"").hexdigest())
        for place, record in released
    }
    found = Counter(seen.escrow)
    yield from (d.place for d in wanted | set(found) if found[d] != (d in wanted))


def _misremembered(found: Memory, wanted: Memory | None) -> Iterable[tuple[int, str]]:
    if wanted is not None:
        yield from (name for name in found.keys() | wanted if found.get(name) != wanted.get(name))


def _disordered(released: Iterable[tuple[Place, Record]]) -> Iterable[Place]:
    last: dict[tuple[int, bytes | None], Place] = {}
    for place, record in released:
        stream = (place[0], record.key)
        if place < last.get(stream, place):
            yield place
        last[stream] = max(place, last.get(stream, place))


def _altered(
    released: Iterable[tuple[Place, Record]], reference: Sequence[Record] | None
) -> Iterable[Place]:
    if reference is None:
        return
    wanted: Mapping[int | None, Any] = {number_of(r.value or b""): _shown(r) for r in reference}
    for place, record in released:
        if wanted.get(number_of(record.value or b"")) != _shown(record):
            yield place


def _shown(record: Record) -> tuple[Any, ...]:
    return record.key, record.value, tuple(map(tuple, record.headers))


def _resealed(seen: Topics) -> Iterable[Place]:
    sent = {(r.partition, r.offset): r.value for r in seen.source}
    return (place for place, value in seen.held if sent.get(place) != value)


def _leaks(record: Record) -> bool:
    texts = [record.key or b"", record.value or b""]
    texts += [b"%s %s" % (name.encode(), value) for name, value in record.headers]
    return any(CANARIES.search(text) for text in texts)


def showing(files: Iterable[Path]) -> list[str]:
    """Return the lines of files that contain a patient's data, as ``name:number``."""
    return [place for file in files for place in _showing(file)]


def _showing(file: Path) -> Iterable[str]:
    with file.open("rb") as lines:
        for number, line in enumerate(lines, start=1):
            if CANARIES.search(line):
                yield f"{file.name}:{number}"
