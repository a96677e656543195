"""Verifies audit records: finds those changed, removed, repeated, moved or never signed.

The records themselves do not show that the last ones of a chain, or a whole chain, were removed:
for that, heads noted elsewhere (``expected``) must be found again.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

from adapter.sealing.chain import Head, is_record, read_link

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from adapter.sealing.chain import Link


@dataclass(frozen=True, slots=True)
class Place:
    """The place of a record: an ordered stream (file, partition), and the position in it."""

    stream: str
    at: int

    def __str__(self) -> str:
        """Return "STREAM:POSITION"."""
        return f"{self.stream}:{self.at}"


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem of the audit records, and its place."""

    place: Place | None
    what: str

    def __str__(self) -> str:
        """Return "PLACE: PROBLEM", or the problem alone without a place."""
        return f"{self.place}: {self.what}" if self.place else self.what


@dataclass(slots=True)
class _Run:
    """Consecutive records of one chain in one stream."""

    first: Link
    last: Link
    begins: Place
    ends: Place
    doubted: bool = False
    """Whether the last record was changed, so that its hash is unknown."""

    def continues(self, link: Link) -> bool:
        return link.head.number == self.last.head.number + 1

    def fits(self, link: Link) -> bool:
        return self.doubted or link.before == self.last.head.sha256


@dataclass(frozen=True, slots=True)
class ChainReport:
    """A chain as found; times are milliseconds since the epoch."""

    name: str
    first: int
    head: Head
    began_ms: int
    ended_ms: int


@dataclass(slots=True)
class Verifier:
    """Verifies records added stream by stream, each stream in order; call `finish` at the end.

    ``publics`` are public keys by id; ``expected`` are previously noted heads by chain name.
    ``pruned`` allows that retention has deleted the oldest records.
    """

    publics: Mapping[str, bytes]
    expected: Mapping[str, Head] = field(default_factory=dict)
    pruned: bool = False
    records: int = 0
    before_chains: int = 0
    """Number of records before the first chained one of their stream, written without a key."""
    problems: list[Problem] = field(default_factory=list)
    _runs: dict[str, list[_Run]] = field(default_factory=dict)
    _chained: set[str] = field(default_factory=set)
    _met: set[str] = field(default_factory=set)
    _unknown: set[str] = field(default_factory=set)

    def add(self, place: Place, record: bytes) -> None:
        """Add the next record of a stream."""
        self.records += 1
        link = read_link(record)
        if link is None:
            self._take_unchained(place, record)
            return
        self._chained.add(place.stream)
        sound = self._is_sound(place, link)
        self._check_expected(place, link)
        runs = self._runs.setdefault(link.chain, [])
        run = next((r for r in reversed(runs) if r.ends.stream == place.stream), None)
        if run is None or not run.continues(link):
            runs.append(_Run(link, link, place, place, doubted=not sound))
            return
        if sound and not run.fits(link):
            self._add_problem(place, "does not follow the record before it")
        run.last, run.ends, run.doubted = link, place, not sound

    def _take_unchained(self, place: Place, record: bytes) -> None:
        if not is_record(record):
            self._add_problem(place, "is not an audit record")
        elif place.stream in self._chained:
            self._add_problem(place, "belongs to no chain: changed, or not written by the adapter")
        else:
            self.before_chains += 1

    def _is_sound(self, place: Place, link: Link) -> bool:
        public = self.publics.get(link.key_id)
        if public is None:
            if link.key_id not in self._unknown:
                self._add_problem(
                    place, "and possibly others are signed with a key that is not given"
                )
            self._unknown.add(link.key_id)
        elif not link.is_signed_by(public):
            self._add_problem(place, "was changed: its signature is wrong")
            return False
        return True

    def _check_expected(self, place: Place, link: Link) -> None:
        expected = self.expected.get(link.chain)
        if expected is not None and expected.number == link.head.number:
            self._met.add(link.chain)
            if expected != link.head:
                self._add_problem(place, "is not the record that the expected head names")

    def _add_problem(self, place: Place | None, what: str) -> None:
        self.problems.append(Problem(place, what))

    def finish(self) -> Sequence[ChainReport]:
        """Join the runs, and return the chains by name; `problems` is complete afterwards."""
        chains = [self._finished(name, self._runs[name]) for name in sorted(self._runs)]
        for name in sorted(self.expected.keys() - self._met):
            self._add_problem(
                None, f"chain {name} does not reach record {self.expected[name].number}"
            )
        return chains

    def _finished(self, name: str, runs: Sequence[_Run]) -> ChainReport:
        ordered = sorted(runs, key=lambda run: run.first.head.number)
        self._check_beginning(ordered[0])
        positions = {id(run): at for at, run in enumerate(runs)}
        for before, after in pairwise(ordered):
            late = positions[id(after)] < positions[id(before)]
            same = before.ends.stream == after.begins.stream
            for what in _between(before, after, out_of_order=late and same):
                self._add_problem(after.begins, what)
        last = max(runs, key=lambda run: run.last.head.number).last
        first = ordered[0].first
        return ChainReport(name, first.head.number, last.head, first.time_ms, last.time_ms)

    def _check_beginning(self, run: _Run) -> None:
        missing = run.first.head.number - 1
        if missing and not self.pruned:
            self._add_problem(run.begins, _missing(missing))
        elif not missing and run.first.before and not run.doubted:
            self._add_problem(run.begins, "is not the first record of its chain")


def _missing(count: int) -> str:
    """Return the problem of a chain that lacks records before one."""
    if count == 1:
        return "1 record of its chain is missing before it"
    return f"{count} records of its chain are missing before it"


def _between(before: _Run, after: _Run, *, out_of_order: bool) -> Iterator[str]:
    missing = after.first.head.number - before.last.head.number - 1
    if missing < 0:
        yield f"record {after.first.head.number} of its chain appears twice"
    elif missing:
        yield _missing(missing)
    elif not before.fits(after.first):
        yield "does not follow the record before it"
    if out_of_order:
        yield "is out of order"
