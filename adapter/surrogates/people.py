"""Surrogate names of persons, part by part: one value, one surrogate, within its scope.

Scopes: a patient and his or her kin share the patient's; staff share the domain's, so that one
clinician bears one name in all messages. The patient's names are keyed by the patient's identity,
not by their spelling, so that a correction keeps the person. All other names are keyed by their
spelling, and begin with the letter that their initial becomes: "J. Smith" of one message and
"Smith, John" of another agree, though neither tells of the other.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import regex
from rapidfuzz.distance import OSA

from adapter.errors import SurrogateError
from adapter.surrogates.identifiers import TRIES
from adapter.surrogates.styles import squeezed
from adapter.surrogates.tables import FAMILY as FAMILIES
from adapter.surrogates.tables import GIVEN as GIVEN_NAMES
from adapter.surrogates.titles import PARTICLES
from adapter.types import Label

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from adapter.surrogates.keys import Key
    from adapter.surrogates.tables import Tables
    from adapter.types import Entity, Extraction

FAMILY, GIVEN = "family", "given"
NAME_PARTS = {"family": FAMILY, "given": GIVEN, "middle": GIVEN, "full": FAMILY, "nickname": GIVEN}
"""Parts of an entity that are names, and their kind."""
STAFF = "staff"
"""The scope of the whole domain."""

WORD = regex.compile(r"\p{L}[\p{L}\p{M}]*(?:['’ʼ`´]\p{L}[\p{L}\p{M}]*)*|\p{N}+")
_NICKNAME = regex.compile(r"\{(given(?:#\d+)?):nickname\}")
_SHORTEST_ALIKE = 4
"""Letters of the shortest name that may be misspelt."""
_INITIAL, _ALIKE, _EXACT = 1, 2, 4
_LETTERED_TRIES = 24
"""Draws among the names of one letter, before all are drawn from."""
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
    nicknames: dict[str, str] = field(default_factory=dict, repr=False)
    """Squeezed nickname -> surrogate of the given name it is of."""

    def initials(self) -> Iterator[tuple[str, str]]:
        """(real, surrogate) initials of the person, as they are usually written, best first."""
        given, family = self.given, self.family
        for names in (
            (*given[:1], *family[:1]), (*given[:2], *family[:1]), (*family[:1], *given[:1]),
            (*family[:1], *given[:2]), (*given, *family), given, (*given[:1], *family), family,
        ):  # fmt: skip
            if len(names) > 1:
                yield "".join(real[0] for real, _ in names), "".join(new[0] for _, new in names)

    def word(self, value: str) -> str | None:
        """The surrogate of a squeezed name or nickname of the person."""
        return self.words.get(value) or self.nicknames.get(value)

    def nearest(self, value: str, *, wide: bool = False) -> str | None:
        """The surrogate of the name that a squeezed word misspells, if one is near enough.

        One letter may differ of five, two of eight; where ``wide``, one of three.
        """
        best, least = None, len(value)
        for word in sorted(self.words):
            length = max(len(value), len(word))
            most = len(value) // 3 if wide else (length > 4) + (length > 7)  # noqa: PLR2004
            apart = length - min(len(value), len(word))
            if length - apart < _SHORTEST_ALIKE or not apart <= most > 0:
                continue
            distance = OSA.distance(value, word, score_cutoff=most)
            if 0 < distance <= most and distance < least:
                best, least = self.words[word], distance
        return best

    def told(self, values: Sequence[str]) -> tuple[int, bool]:
        """How much says that squeezed words name the person, and whether all of them may."""
        marks = [self._mark(value) for value in values]
        named = max(marks, default=0) > _INITIAL
        return (sum(marks) if named else 0), 0 not in marks

    def _mark(self, value: str) -> int:
        if len(value) == 1:
            names = (*self.given, *self.family)
            return _INITIAL if any(real[0] == value for real, _ in names) else 0
        if value in self.words:
            return _EXACT
        return _ALIKE if value in self.nicknames or self.nearest(value) else 0


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
        for phrase in extraction.phrases:
            if ":n" in phrase.form and (found := _NICKNAME.fullmatch(phrase.form)):
                self._nicknamed(phrase.entity, found[1], phrase.text)
        self._found: dict[bool, Mapping[str, Person]] = {}
        self._meant: dict[tuple[bool, tuple[str, ...]], tuple[Person | None, bool]] = {}

    def _nicknamed(self, entity: str, slot: str, text: str) -> None:
        person = self.persons.get(entity)
        if person and person.slots.get(slot):
            person.nicknames.setdefault(squeezed(text), person.slots[slot][0])

    def whose(self, label: Label, values: tuple[str, ...]) -> tuple[Person | None, bool]:
        """The person of the fields whom squeezed words name best, and whether all of them do.

        Staff go first for a doctor, patients and kin else; others must be named by a whole word.
        """
        place = label is Label.DOCTOR, values
        if place not in self._meant:
            self._meant[place] = self._whose(values, staff=place[0])
        return self._meant[place]

    def _whose(self, values: Sequence[str], *, staff: bool) -> tuple[Person | None, bool]:
        best, most, whole = None, 0, False
        for person in self._by_kind(staff=staff):
            told, every = person.told(values)
            stranger = (person.scope == STAFF) != staff
            if told > most and not (stranger and self._only_alike(person, values)):
                best, most, whole = person, told, every
        if best is None and (len(values) == 1 or all(len(value) == 1 for value in values)):
            return self._initialled("".join(values), staff=staff), True
        return best, whole

    def _by_kind(self, *, staff: bool) -> list[Person]:
        return sorted(self.persons.values(), key=lambda person: (person.scope == STAFF) != staff)

    @staticmethod
    def _only_alike(person: Person, values: Sequence[str]) -> bool:
        return not any(value in person.words for value in values)

    def _initialled(self, value: str, *, staff: bool) -> Person | None:
        ordered = self._by_kind(staff=staff)
        return next((p for p in ordered if any(real == value for real, _ in p.initials())), None)

    def letter(self, scope: str, initial: str) -> str:
        """The letter, another one, that names of nobody's fields beginning so begin with."""
        letters = self._tables.initials.replace(initial, "")
        return self._key.choose(letters, "initial", scope, initial)

    def scope(self, label: Label) -> str:
        """The scope of a mention of nobody known."""
        return STAFF if label is Label.DOCTOR else self.subject

    def known(self, label: Label) -> Mapping[str, Person]:
        """Real words of names -> whose they are; staff first for a doctor, patients else."""
        staff = label is Label.DOCTOR
        if staff not in self._found:
            found: dict[str, Person] = {}
            for person in self._by_kind(staff=staff):
                for word in person.words:
                    found.setdefault(word, person)
            self._found[staff] = found
        return self._found[staff]

    def name(self, scope: str, kind: str, word: str) -> str:
        """The surrogate of one squeezed word of a name.

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
        """Return "F" or "M" if only one sex bears the name, else "": its surrogate suits both.

        The recorded sex does not count: not every message of a person sends it, and the surrogate
        must be the same in all.
        """
        return self._tables.known.get(word, "")

    def _drawn(self, kind: str, word: str, values: tuple[str, ...], initial: str = "") -> str:
        """A name that is neither real nor the word, nor begins as it does.

        It begins with ``initial``, if one is given and any such name will do.
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
                long = [new for word, new in zip(significant(text), slot, strict=True) if word[1:]]
                person.words.setdefault(squeezed(text), "".join(long or slot))
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
            values = (person.scope, "primary", "0" if first else "1")
            self._names[place] = self._drawn(kind, spelt, values)
        name = self.name(person.scope, kind, word)
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
