"""Coreference: the person a mention refers to, in the part of a message about one patient."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.surrogates.names.persons import STAFF
from adapter.types import Label

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from adapter.surrogates.names.person import Person
    from adapter.surrogates.names.persons import Persons


class People:
    """The people named in the part of a message about one subject, and their surrogate names."""

    def __init__(self, persons: Persons, subject: str) -> None:
        self.persons = persons
        self._subject = subject
        self.subject = f"subject/{subject}"
        self.seen: dict[tuple[str, str], str] = {}
        self.doctors: set[str] = set()
        """Squeezed words of mentions of a doctor whom no field has, anywhere in this part."""
        self._near = {each: person for each in persons.near(subject) if (person := self.of(each))}
        self._found: dict[bool, Mapping[str, Person]] = {}
        self._meant: dict[tuple[bool, tuple[str, ...]], tuple[Person | None, bool]] = {}

    def of(self, entity: str | None) -> Person | None:
        """Return the person of an entity, or None."""
        return self.persons.of(entity, self._subject) if entity else None

    def named(self, entity: str | None, value: str) -> Person | None:
        """Return the person of a mention in a text by its entity and squeezed word.

        Of two patients with this name, it is the one whom this part is about.
        """
        found, own = self.of(entity), next(iter(self._near.values()), None)
        strange = found is not None and found.scope not in {self.subject, STAFF}
        if strange and own is not None and own.scope == self.subject and value in own.words:
            return own
        return found

    def all(self, entity: str | None) -> list[Person]:
        """Return the people of this part, the entity's own person first."""
        first = self.of(entity)
        others = [person for name, person in self._near.items() if name != entity]
        return [first, *others] if first else others

    def whose(self, label: Label, values: tuple[str, ...]) -> tuple[Person | None, bool]:
        """Return the person whom squeezed words match best, or None, and whether all words match.

        For a doctor, staff take precedence, otherwise patients and kin. People of the other group
        match only if a word is exactly one of their names.
        """
        place = label is Label.DOCTOR, values
        if place not in self._meant:
            self._meant[place] = self._whose(values, staff=place[0])
        return self._meant[place]

    def _whose(self, values: Sequence[str], *, staff: bool) -> tuple[Person | None, bool]:
        best, most, whole = None, 0, False
        for person in self._by_kind(self._may_mean(values), staff=staff):
            score, every = person.match(values)
            stranger = (person.scope == STAFF) != staff
            if score > most and not (stranger and self._only_alike(person, values)):
                best, most, whole = person, score, every
        if best is None and (len(values) == 1 or all(len(value) == 1 for value in values)):
            return self._initialled("".join(values), staff=staff), True
        return best, whole

    def _may_mean(self, values: Sequence[str]) -> list[Person]:
        """Return the people of this part, and people of other parts whom a word names."""
        others = {each: self.of(each) for each in self.persons.far(values)}
        far = (person for each, person in others.items() if person and each not in self._near)
        return [*self._near.values(), *far]

    @staticmethod
    def _by_kind(people: Iterable[Person], *, staff: bool) -> list[Person]:
        return sorted(people, key=lambda person: (person.scope == STAFF) != staff)

    @staticmethod
    def _only_alike(person: Person, values: Sequence[str]) -> bool:
        return not any(value in person.words for value in values)

    def _initialled(self, value: str, *, staff: bool) -> Person | None:
        ordered = self._by_kind(self._near.values(), staff=staff)
        return next((p for p in ordered if any(real == value for real, _ in p.initials())), None)

    def scope(self, label: Label) -> str:
        """Return the scope of a mention of an unknown person."""
        return STAFF if label is Label.DOCTOR else self.subject

    def bearer(self, label: Label, word: str) -> Person | None:
        """Return the person with a squeezed word as a name, or None; for a doctor, staff first."""
        staff = label is Label.DOCTOR
        if staff not in self._found:
            found: dict[str, Person] = {}
            for person in self._by_kind(self._near.values(), staff=staff):
                for name in person.words:
                    found.setdefault(name, person)
            self._found[staff] = found
        if word in self._found[staff]:
            return self._found[staff][word]
        others = filter(None, map(self.of, self.persons.far((word,))))
        return next((person for person in others if word in person.words), None)
