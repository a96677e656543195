"""Patient memory: values from earlier messages about patients, found by any of their numbers.

A message with few fields (an ORU whose PID has only a number) is tagged with the names, numbers,
relatives and staff of fuller messages before it. An entry belongs to one patient. Patients may
share a number: mother and newborn a visit, a family its plan, strangers a reissued chart number.
Birth date and names then decide which patient a message is about (`adapter.phrases.linkage`); a
number that too many patients share identifies nobody. Staff are apart from patients, in a memory
of their own (`adapter.phrases.memory.staff`).
"""

from __future__ import annotations

import hashlib
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from adapter.phrases.linkage import Person, certain, compatible, is_parent
from adapter.phrases.memory.entries import (
    MOST_NUMBERS,
    Change,
    Entry,
    StaffFacts,
    compared,
    pack,
    unpack,
    unpack_facts,
    updated,
)
from adapter.phrases.memory.index import MOST_HOLDERS, Index
from adapter.phrases.memory.staff import StaffMemory, is_staff

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from adapter.languages.field_words import FieldWords
    from adapter.phrases.memory.entries import Facts
    from adapter.types import PatientFacts

_NAME_BYTES = 16


class Memory(Index):
    """Packed entries of patients, and of staff; they depend only on the facts learned."""

    def __init__(self, words: FieldWords, entries: Iterable[bytes] = ()) -> None:
        """Start with packed entries; ``words`` are the field words that messages are read with."""
        super().__init__()
        self.words = words
        self.staff = StaffMemory()
        for raw in entries:
            self.put(unpack(raw).subject, raw)

    def put(self, subject: str, raw: bytes | None) -> None:
        """Set a subject's packed entry, or remove it if ``raw`` is None."""
        if is_staff(subject):
            self.staff.put(subject, raw)
        else:
            super().put(subject, raw)

    def about(self, known_facts: Iterable[Facts]) -> tuple[bytes, ...]:
        """Return every packed entry that could matter for these facts, those of patients first.

        For a number with too many holders, only enough of them are returned to show that.
        """
        found: dict[str, None] = {}
        staff: dict[str, None] = {}
        for facts in known_facts:
            if isinstance(facts, StaffFacts):
                staff |= dict.fromkeys(self.staff.asked(facts))
                continue
            for number in (*facts.strong, *facts.weak, *facts.prior):
                found |= dict.fromkeys(islice(self.all_holders(number), MOST_HOLDERS + 1))
            if facts.subject in self.entries:
                found |= dict.fromkeys(_names(facts))
        patients = (self.entries[subject] for subject in found if subject in self.entries)
        return (*patients, *(self.staff.entries[subject] for subject in staff))

    def recall(self, facts: PatientFacts) -> Entry | None:
        """Return the entry of the patient the facts are about, or None for a new patient.

        A new number that replaces a known one continues its patient. A new patient whose identity
        another patient already has gets an entry with only a new identity.
        """
        if not facts.packed:
            return None
        found = self._known(facts) or self._continued(facts)
        if found is None and facts.subject in self.entries:
            return self._new_entry(facts)
        return found

    def ended(self, facts: PatientFacts) -> dict[str, Entry]:
        """Return the patient's other records that end with these facts, by prior number."""
        known = self._known(facts)
        found = self._ended(facts, known.subject if known else "")
        kept = [number for number in facts.prior if known and number in known.continued]
        return dict.fromkeys(kept, known) | found if known else found

    def learn(self, facts: Facts, seen: int = 0) -> list[Change]:
        """Learn facts; return the changed entries in order."""
        if isinstance(facts, StaffFacts):
            return self.staff.learn(facts, seen, self.words)
        if not facts.packed:
            return self._erase(facts)
        known = self._known(facts) or self._continued(facts)
        ended = self._ended(facts, known.subject if known else "")
        others = {entry.subject: entry for entry in ended.values()}
        after = updated(
            known or self._new_entry(facts), facts, seen, tuple(others.values()), self.words
        )
        changes = []
        for other in others:
            changes.append(Change(other, None))
            self.put(other, None)
        if after is not None:
            changes.append(Change(after.subject, raw := pack(after)))
            self.put(after.subject, raw)
        return changes

    def learn_all(self, known_facts: Iterable[Facts]) -> None:
        """Learn facts, in order."""
        for facts in known_facts:
            self.learn(facts)

    def _known(self, facts: PatientFacts) -> Entry | None:
        """Return the entry the facts are about, or None: by the best number whose patient agrees.

        Weak (shared) numbers count if the facts have no strong number, or if the entry has none and
        its birth date and names are the same.
        """
        mine = compared(unpack_facts(facts.packed)[1], self.words)
        own = _names(facts)
        for number in facts.strong:
            if found := self._best((number,), mine, own, strong=True):
                return found
        found = self._best(facts.weak, mine, own, strong=False)
        if found and facts.strong and (found.charted or not certain(mine, self._person(found))):
            found = None
        return found or self._named(facts, mine)

    def _continued(self, facts: PatientFacts) -> Entry | None:
        """Return the entry whose number a new number replaces, or None if it is somebody else's.

        As under one number: birth date and names must not contradict.
        """
        ended = self._ended(facts, "") if facts.prior else {}
        mine = compared(unpack_facts(facts.packed)[1], self.words) if ended else Person()
        for entry in ended.values():
            if compatible(mine, self._person(entry), strong=True) is not None:
                own = [number for number in facts.prior if number in entry.numbers]
                numbers = dict.fromkeys((*own, *entry.continued))
                return replace(entry, continued=tuple(numbers)[:MOST_NUMBERS])
        return None

    def _named(self, facts: PatientFacts, mine: Person) -> Entry | None:
        """Return the entry under the facts' own subject if it agrees, else None."""
        raw = self.entries.get(facts.subject)
        entry = unpack(raw) if raw else None
        agrees = (
            entry and compatible(mine, self._person(entry), strong=bool(facts.strong)) is not None
        )
        return entry if agrees else None

    def _best(
        self, numbers: Sequence[str], mine: Person, own: Sequence[str], *, strong: bool
    ) -> Entry | None:
        """Return the entry that agrees best among the holders of these numbers, or None.

        Ties go to the entry with most of the numbers, then to one stored under the facts' identity
        (``own`` are its possible subjects), then for strong numbers to the latest holder, for weak
        numbers to the first.
        """
        found: list[tuple[int, int, bool, int, str, Entry]] = []
        shared = [holders for number in numbers if (holders := self.holders(number))]
        for subject in dict.fromkeys(subject for holders in shared for subject in holders):
            entry = unpack(self.entries[subject])
            score = compatible(mine, self._person(entry), strong=strong)
            if score is not None:
                held = sum(subject in holders for holders in shared)
                rank = entry.rank if strong else -entry.rank
                found.append((score, held, subject in own, rank, subject, entry))
        return max(found, key=lambda each: each[:5])[-1] if found else None

    def _new_entry(self, facts: PatientFacts) -> Entry:
        """Return an entry for a new patient, with a new identity if the facts' own is taken."""
        identity, groups = unpack_facts(facts.packed)
        names = _names(facts)
        subject = next((name for name in names if name not in self.entries), names[-1])
        if subject != facts.subject:
            mine = compared(groups, self.words)
            identity += "/" + "|".join(
                "".join(w[:1]) for w in (mine.family, mine.given, mine.births)
            )
        numbers = (*facts.strong, *facts.weak)
        others = {subject for number in numbers for subject in self.holders(number)}
        ranks = (unpack(self.entries[other]).rank for other in others)
        return Entry(subject, identity, rank=1 + max(ranks, default=-1), charted=False)

    def _ended(self, facts: PatientFacts, own: str) -> dict[str, Entry]:
        """Return the entry that agrees best by prior number; of equals, the latest holder.

        A merge may join two names or birth dates, but never a newborn's record and an adult's.
        """
        mine = compared(unpack_facts(facts.packed)[1], self.words) if facts.prior else Person()
        found = {}
        for number in facts.prior:
            others = [unpack(self.entries[s]) for s in self.holders(number) if s != own]
            others = [other for other in others if not is_parent(mine, self._person(other))]
            if others:
                found[number] = max(others, key=lambda other: self._likeness(mine, other))
        return found

    def _person(self, entry: Entry) -> Person:
        return compared(entry.groups, self.words, entry.names)

    def _likeness(self, mine: Person, entry: Entry) -> tuple[bool, int, int, str]:
        score = compatible(mine, self._person(entry), strong=True)
        return score is not None, score or 0, entry.rank, entry.subject

    def _erase(self, facts: PatientFacts) -> list[Change]:
        found = {s: None for number in facts.strong for s in self.all_holders(number)}
        changes = [Change(subject, None) for subject in found]
        for change in changes:
            self.put(change.subject, None)
        return changes


def _names(facts: PatientFacts) -> tuple[str, ...]:
    """Return the subjects under which the facts' identity may be stored, the facts' own first."""
    return (facts.subject, *_further(facts.subject)) if facts.subject else ()


def _further(subject: str) -> Iterator[str]:
    for number in range(1, MOST_HOLDERS):
        text = f"{subject}/{number}".encode()
        yield hashlib.blake2b(text, digest_size=_NAME_BYTES).hexdigest()
