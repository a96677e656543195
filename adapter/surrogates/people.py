"""Surrogate names of persons, part by part: one value, one surrogate, within its scope.

Scopes: a patient and his or her kin share the patient's; staff share the domain's, so that one
clinician bears one name in all messages. The patient's first family and given name are keyed by
the patient's identity, not by their spelling, so that a correction keeps the person.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import regex

from adapter.errors import SurrogateError
from adapter.surrogates.identifiers import TRIES
from adapter.surrogates.styles import squeezed
from adapter.surrogates.titles import PARTICLES
from adapter.types import Label

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from adapter.surrogates.keys import Key
    from adapter.surrogates.tables import Tables
    from adapter.types import Entity, Extraction

FAMILY, GIVEN = "family", "given"
NAME_PARTS = {"family": FAMILY, "given": GIVEN, "middle": GIVEN, "full": FAMILY, "nickname": GIVEN}
"""Parts of an entity that are names, and their kind."""
STAFF = "staff"
"""The scope of the whole domain."""

WORD = regex.compile(r"\p{L}[\p{L}\p{M}]*(?:['’ʼ`´]\p{L}[\p{L}\p{M}]*)*|\p{N}+")
PATIENT = "patient"
_SUBJECT_LABELS = frozenset({Label.PATIENT, Label.USERNAME, Label.MEDICALRECORD, Label.OTHER})


@dataclass(slots=True)
class Person:
    """One entity's names: ``words`` real -> surrogate, ``slots`` "family#1" -> surrogates."""

    scope: str = field(repr=False)
    words: dict[str, str] = field(default_factory=dict, repr=False)
    slots: dict[str, list[str]] = field(default_factory=dict, repr=False)
    given: list[tuple[str, str]] = field(default_factory=list, repr=False)
    """(real, surrogate) of given and middle names in order."""
    family: list[tuple[str, str]] = field(default_factory=list, repr=False)


class People:
    """Who is named in one message, and what they and others are called instead."""

    def __init__(
        self, key: Key, tables: Tables, extraction: Extraction, real: frozenset[str]
    ) -> None:
        self._key, self._tables, self.real = key, tables, real
        self._names: dict[tuple[str, str, str], str] = {}
        self.seen: dict[tuple[str, str], str] = {}
        patients = [e for e in extraction.entities if e.role == PATIENT]
        first = patients[0].identity if patients else ""
        self.subject = f"subject/{extraction.subject or first}"
        ordered = (*patients, *(e for e in extraction.entities if e.role != PATIENT))
        self.persons = {e.id: self._person(e) for e in ordered if _is_person(e)}
        self._found: dict[bool, Mapping[str, Person]] = {}

    def scope(self, label: Label) -> str:
        """The scope of a mention of nobody known."""
        return STAFF if label is Label.DOCTOR else self.subject

    def known(self, label: Label) -> Mapping[str, Person]:
        """Real words of names -> whose they are; staff first for a doctor, patients else."""
        staff = label is Label.DOCTOR
        if staff not in self._found:
            found: dict[str, Person] = {}
            for person in sorted(self.persons.values(), key=lambda p: (p.scope == STAFF) != staff):
                for word in person.words:
                    found.setdefault(word, person)
            self._found[staff] = found
        return self._found[staff]

    def name(self, scope: str, kind: str, word: str, recorded: str | None = None) -> str:
        """The surrogate of one squeezed word of a name.

        Raises:
            SurrogateError: every candidate is a real value of the message.
        """
        place = scope, kind, word
        if place not in self._names:
            sex = self.sex_of(word, recorded) if kind == GIVEN else ""
            self._names[place] = self._drawn(kind, word, sex, (scope, word))
        return self._names[place]

    def is_given(self, word: str) -> bool:
        """Whether a squeezed word is a common given name."""
        return word in self._tables.known

    def sex_of(self, word: str, recorded: str | None = None) -> str:
        """Return "F", "M" or "": by the name if only one sex bears it, else as recorded.

        The name comes first because not every message of a patient sends the sex.
        """
        sex = (recorded or "")[:1].upper()
        return self._tables.known.get(word) or (sex if sex in "FM" else "")

    def _drawn(self, kind: str, word: str, sex: str, values: tuple[str, ...]) -> str:
        """A name that is neither real nor the word, nor begins as it does."""
        table = self._tables.given[sex] if kind == GIVEN else self._tables.families
        for attempt in range(TRIES):
            name = self._key.choose(table, kind, *values, *((str(attempt),) if attempt else ()))
            if name.lower() not in self.real and name[0].lower() != word[:1]:
                return name
        raise SurrogateError("no-candidate")

    def _person(self, entity: Entity) -> Person:
        own = f"subject/{entity.identity}" if entity.role == PATIENT else self.subject
        person = Person(STAFF if entity.label not in _SUBJECT_LABELS else own)
        counts: dict[str, int] = {}
        for part, text in entity.parts:
            kind = NAME_PARTS.get(part)
            if kind is None:
                continue
            nth = counts[part] = counts.get(part, -1) + 1
            primary = entity.role == PATIENT and (kind == GIVEN or not nth)
            slot = [
                self._of(entity, person, kind, word, primary=primary) for word in significant(text)
            ]
            person.slots[f"{part}#{nth}" if nth else part] = slot
            if len(slot) > 1:
                person.words.setdefault(squeezed(text), "".join(slot))
        return person

    def _of(self, entity: Entity, person: Person, kind: str, word: str, *, primary: bool) -> str:
        """The surrogate of a word of an entity's name, remembered.

        The patient's first two words of a kind are keyed by their place; what earlier messages
        gave as first stays who it was then.
        """
        known = person.given if kind == GIVEN else person.family
        place = person.scope, kind, word
        earlier = dict(entity.earlier).get(kind, ())
        first = word in earlier or (primary and not known)
        if place not in self._names and (first or (primary and len(known) < 2)):  # noqa: PLR2004
            spelt = earlier[0] if first and earlier else word
            sex = self.sex_of(spelt, entity.sex) if kind == GIVEN else ""
            values = (person.scope, "primary", "0" if first else "1")
            self._names[place] = self._drawn(kind, spelt, sex, values)
        name = self.name(person.scope, kind, word, entity.sex)
        if (word, name) not in known:
            known.append((word, name))
        person.words.setdefault(word, name)
        return name


def significant(text: str) -> list[str]:
    """The squeezed words of a name, particles left out if there is anything else."""
    if text.isalpha():
        return [squeezed(text)]
    words = [squeezed(found) for found in WORD.findall(text)]
    return [word for word in words if word not in PARTICLES] or words


def _is_person(entity: Entity) -> bool:
    return any(part in NAME_PARTS for part, _ in entity.parts)


def handle(person: Person, run: str) -> str | None:
    """A run of lower-case letters of a user name that names the person, said of the surrogate.

    "jsmith", "smithj", "johnsmith", "smith", also cut short ("kbaptis"); None if it names another.
    """
    if run in person.words:
        return person.words[run].lower()
    for given, new_given in person.given:
        for family, new_family in person.family:
            if new := _joined(run, (given, new_given.lower()), (family, new_family.lower())):
                return new
    return None


def _joined(run: str, given: tuple[str, str], family: tuple[str, str]) -> str | None:
    shortest = 5
    pairs: Iterable[tuple[str, str]] = (
        (given[0] + family[0], given[1] + family[1]),
        (family[0] + given[0], family[1] + given[1]),
        (given[0][:1] + family[0], given[1][:1] + family[1]),
        (family[0] + given[0][:1], family[1] + given[1][:1]),
    )
    for real, new in pairs:
        if run == real:
            return new
        if len(run) >= shortest and real.startswith(run):
            return new[: len(run)]
    if len(run) >= shortest and run[-1] == given[0][:1] and family[0].startswith(run[:-1]):
        return family[1][: len(run) - 1] + given[1][:1]
    return None
