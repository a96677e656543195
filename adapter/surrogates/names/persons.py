"""Surrogate names of persons, word by word: within a scope, each word has one surrogate.

A patient and his or her kin share the patient's scope; staff share one scope in the whole domain,
so that a clinician has one name in all messages. The patient's names are keyed by the patient's
identity, not by their spelling, so that a corrected spelling keeps the person. All other names are
keyed by their spelling, and begin with the letter that replaces their initial: "J. Smith" in one
message and "Smith, John" in another agree, although neither message refers to the other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import regex

from adapter.errors import SurrogateError
from adapter.normalize.folding import squeeze
from adapter.surrogates.drawing.tables import FAMILY as FAMILIES
from adapter.surrogates.drawing.tables import GIVEN as GIVEN_NAMES
from adapter.surrogates.names.person import Person
from adapter.surrogates.numbers.identifiers import TRIES
from adapter.types import Label

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from adapter.languages.titles import Titles
    from adapter.surrogates.drawing.keys import Key
    from adapter.surrogates.drawing.tables import Tables
    from adapter.types import Entity, Extraction

FAMILY, GIVEN = "family", "given"
NAME_PARTS = {"family": FAMILY, "given": GIVEN, "middle": GIVEN, "full": FAMILY, "nickname": GIVEN}
"""Part of an entity that is a name -> its kind."""
STAFF = "staff"
"""The scope of the whole domain."""

WORD = regex.compile(r"\p{L}[\p{L}\p{M}]*(?:['’ʼ`´]\p{L}[\p{L}\p{M}]*)*|\p{N}+")
_NICKNAME = regex.compile(r"\{((?:given|middle)(?:#\d+)?):nickname\}")
_LETTERED_TRIES = 24
"""Draws among the names with the expected initial before all names may be drawn."""
PATIENT = "patient"
_MOST_BEARERS = 8
"""Most people with one name that are considered in a message of many patients."""
_MOST_STAFF = 64
"""Most staff of a message of many patients that a misspelt name in any part may refer to."""
_SUBJECT_LABELS = frozenset({Label.PATIENT, Label.USERNAME, Label.MEDICALRECORD, Label.OTHER})


class Persons:
    """The persons named by a message's fields, each created once per scope.

    Look-up tables are built once per message, so that the cost is linear in the number of patients.
    """

    def __init__(
        self, key: Key, tables: Tables, extraction: Extraction, real: frozenset[str]
    ) -> None:
        self._key, self._tables, self.real = key, tables, real
        self.titles = tables.words.titles
        patients = (e.identity for e in extraction.entities if e.role == PATIENT)
        self.first = extraction.subject or next(patients, "")
        self._names: dict[tuple[str, str, str], str] = {}
        self._made: dict[tuple[str, str], Person] = {}
        named = [entity for entity in extraction.entities if _is_person(entity)]
        self._entities = {entity.id: entity for entity in named}
        self._nicknames = _nicknames(extraction)
        staff = [entity.id for entity in named if _is_staff(entity)]
        self._staff = staff if len(staff) <= _MOST_STAFF else []
        self._about = _about(extraction, named)
        self._words = _by_word(named, self._nicknames, self.titles) if self._about else {}

    def of(self, entity: str, subject: str) -> Person | None:
        """Return an entity's person in the part about a subject; None if it is not a person."""
        found = self._entities.get(entity)
        if found is None:
            return None
        own = f"subject/{found.identity}" if found.role == PATIENT else f"subject/{subject}"
        place = entity, STAFF if _is_staff(found) else own
        if place not in self._made:
            self._made[place] = self._person(found, place[1])
        return self._made[place]

    def near(self, subject: str) -> list[str]:
        """Return the entities that the part about a subject may refer to, the patient first.

        With one patient these are all entities of the message, else the part's own people and, if
        few, all staff.
        """
        if not self._about:
            return sorted(self._entities, key=lambda each: self._entities[each].role != PATIENT)
        return list(dict.fromkeys((*self._about.get(subject, ()), *self._staff)))

    def far(self, values: Sequence[str]) -> Iterator[str]:
        """Yield the entities anywhere in the message with one of the squeezed words as a name."""
        for value in values:
            yield from self._words.get(value, ()) if value[1:] else ()

    def letter(self, scope: str, initial: str) -> str:
        """Return another letter, the surrogate initial of names with this initial."""
        letters = self._tables.initials.replace(initial, "")
        return self._key.choose(letters, "initial", scope, initial)

    def name(self, scope: str, kind: str, word: str) -> str:
        """Return the surrogate of one squeezed word of a name.

        Raises:
            SurrogateError: every candidate is a real value of the message.
        """
        place = scope, kind, word
        if place not in self._names:
            initial = self.letter(scope, word[:1])
            self._names[place] = self._drawn(kind, word, (scope, word), initial)
        return self._names[place]

    def is_given(self, word: str) -> bool:
        """Whether a squeezed word is a common given name."""
        return word in self._tables.known

    def sex_of(self, word: str) -> str:
        """Return "F" or "M" if only one sex has the name, else "" (the surrogate suits both).

        The recorded sex does not count: not every message of a person sends it, and the surrogate
        must be the same in all.
        """
        return self._tables.known.get(word, "")

    def _drawn(self, kind: str, word: str, values: tuple[str, ...], initial: str = "") -> str:
        """Return a name that is not real, not the word, and has another initial than the word.

        The name begins with ``initial``, if given and if a suitable name has it.
        """
        table = FAMILIES if kind == FAMILY else GIVEN_NAMES[self.sex_of(word)]
        names = self._tables.families if kind == FAMILY else self._tables.given[self.sex_of(word)]
        own = self._tables.lettered.get((table, initial), names)
        for attempt in range(TRIES):
            some = own if attempt < _LETTERED_TRIES else names
            name = self._key.choose(some, kind, *values, *((f"#{attempt}",) if attempt else ()))
            if name.lower() not in self.real and name[0].lower() != word[:1]:
                return name
        raise SurrogateError("no-candidate")

    def _person(self, entity: Entity, scope: str) -> Person:
        person = Person(scope)
        counts: dict[str, int] = {}
        for part, text in entity.parts:
            kind = NAME_PARTS.get(part)
            if kind is None:
                continue
            nth = counts[part] = counts.get(part, -1) + 1
            primary = entity.role == PATIENT and (kind == GIVEN or not nth)
            words = significant(text, self.titles)
            new = [self._of(entity, person, kind, word, primary=primary) for word in words]
            person.slots[f"{part}#{nth}" if nth else part] = new
            if len(new) > 1:
                long = [name for word, name in zip(words, new, strict=True) if word[1:]]
                person.words.setdefault(squeeze(text), "".join(long or new))
        for slot, text in self._nicknames.get(entity.id, ()):
            if names := person.slots.get(slot):
                person.nicknames.setdefault(text, names[0])
        return person

    def _of(self, entity: Entity, person: Person, kind: str, word: str, *, primary: bool) -> str:
        """Return the surrogate of a word of an entity's name, and store it in the person.

        The patient's first two words of a kind are keyed by their position; the first names of
        earlier messages keep their surrogates.
        """
        known = person.given if kind == GIVEN else person.family
        place = person.scope, kind, word
        earlier = dict(entity.earlier).get(kind, ())
        first = word in earlier or (primary and not known)
        if place not in self._names and (first or (primary and len(known) < 2)):  # noqa: PLR2004
            spelt = earlier[0] if first and earlier else word
            values = (person.scope, "primary", "0" if first else "1")
            self._names[place] = self._drawn(kind, spelt, values)
        name = self.name(person.scope, kind, word)
        if (word, name) not in known:
            known.append((word, name))
        person.words.setdefault(word, name)
        return name


def significant(text: str, titles: Titles) -> list[str]:
    """Return the squeezed words of a name, without particles unless there is nothing else."""
    if text.isalpha():
        return [squeeze(text)]
    words = [squeeze(found) for found in WORD.findall(text)]
    return [word for word in words if word not in titles.particles] or words


def _is_person(entity: Entity) -> bool:
    return any(part in NAME_PARTS for part, _ in entity.parts)


def _is_staff(entity: Entity) -> bool:
    return entity.label not in _SUBJECT_LABELS


def _nicknames(extraction: Extraction) -> dict[str, list[tuple[str, str]]]:
    """Map each entity to (slot of the given name, squeezed nickname) of its trusted phrases."""
    found: dict[str, list[tuple[str, str]]] = {}
    for phrase in extraction.phrases:
        if ":n" in phrase.form and (match := _NICKNAME.fullmatch(phrase.form)):
            found.setdefault(phrase.entity, []).append((match[1], squeeze(phrase.text)))
    return found


def _about(extraction: Extraction, named: Sequence[Entity]) -> dict[str, list[str]]:
    """Map each subject to the entities of its part, the patient first; {} for one subject."""
    if not extraction.subjects:
        return {}
    found: dict[str, dict[str, None]] = {}
    ids = {entity.id for entity in named}
    for entity in named:
        if entity.role == PATIENT:
            found.setdefault(entity.identity, {})[entity.id] = None
    patients = {entity.id for entity in named if entity.role == PATIENT}
    for path, owner in extraction.owners.items():
        subject = extraction.subjects.get(path)
        if subject is not None and owner in ids and owner not in patients:
            found.setdefault(subject, {})[owner] = None
    return {subject: list(entities) for subject, entities in found.items()}


def _by_word(
    named: Sequence[Entity], nicknames: Mapping[str, Sequence[tuple[str, str]]], titles: Titles
) -> dict[str, list[str]]:
    """Map each squeezed name or nickname to a few of the entities that have it."""
    found: dict[str, list[str]] = {}
    for entity in named:
        words = {text for _, text in nicknames.get(entity.id, ())}
        for part, text in entity.parts:
            if part in NAME_PARTS:
                words |= {squeeze(text), *significant(text, titles)}
        for word in words:
            bearers = found.setdefault(word, [])
            if len(bearers) < _MOST_BEARERS:
                bearers.append(entity.id)
    return found
