"""The memory of staff, which the messages of all patients share, found by number or surname.

A text may name staff whom no field of its message names: a field only refers to the Practitioner,
or a consultant of another ward has written. So the people whom any message names as staff are known
under their numbers and the words of their surname (`adapter.phrases.memory.staff_facts`).
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from adapter.phrases.groups import Group
from adapter.phrases.memory.entries import Change, Entry, pack, unpack, updated
from adapter.phrases.memory.index import MOST_HOLDERS, Index

if TYPE_CHECKING:
    from collections.abc import Iterator

    from adapter.languages.field_words import FieldWords
    from adapter.phrases.memory.entries import StaffFacts

STAFF_SUBJECT = "staff:"
"""Beginning of the names of entries about staff, which tells them from those of patients."""


def is_staff(subject: str) -> bool:
    """Whether an entry with this name is about a member of staff."""
    return subject.startswith(STAFF_SUBJECT)


class StaffMemory(Index):
    """Packed entries of staff, one for each full name."""

    def asked(self, facts: StaffFacts) -> Iterator[str]:
        """Yield the subjects of every entry that could matter for these facts.

        For a number with too many holders, only enough of them are returned to show that.
        """
        for number in (*facts.numbers, *facts.words):
            yield from islice(self.all_holders(number), MOST_HOLDERS + 1)
        yield from (each.subject for each in facts.told if each.subject in self.entries)

    def learn(self, facts: StaffFacts, seen: int, words: FieldWords) -> list[Change]:
        """Learn facts; return the changed entries in order."""
        erased = {s: None for number in facts.erased for s in self.all_holders(number)}
        changes = [self._changed(subject, None) for subject in erased]
        for told in facts.told:
            raw = self.entries.get(told.subject)
            known = unpack(raw) if raw else Entry(told.subject, "")
            after = updated(known, told, seen, (), words)
            if after is not None:
                changes.append(self._changed(told.subject, pack(after)))
        return changes

    def _changed(self, subject: str, raw: bytes | None) -> Change:
        self.put(subject, raw)
        return Change(subject, raw)

    def recall(self, facts: StaffFacts) -> tuple[tuple[Group, ...], tuple[Group, ...]]:
        """Return the people whom a number identifies, and others with a surname of the texts.

        Of several people with one surname only that counts.
        """
        whole = {s: None for number in facts.numbers for s in self.holders(number)}
        others: list[Group] = []
        for word in facts.words:
            holders = list(islice(self.all_holders(word), MOST_HOLDERS + 1))
            people = [g for s in holders if s not in whole for g in self._people(s)]
            others += people if len(holders) == 1 else map(_surname, people)
        return tuple(group for subject in whole for group in self._people(subject)), tuple(others)

    def _people(self, subject: str) -> list[Group]:
        return unpack(self.entries[subject]).people()


def _surname(group: Group) -> Group:
    return Group(group.role, [value for value in group.values if value[0] == "family"])
