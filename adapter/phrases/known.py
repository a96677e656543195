"""What earlier messages of a patient taught: who is who, packed to be kept, and put together.

A message that says little (an ORU whose PID holds a number alone) is tagged with the names,
numbers, kin and staff that fuller ones gave before. An entry belongs to one patient and is found
by any of the patient's numbers. Of a number that comes back with another name and another birth
date nothing is recalled: it was given to somebody else.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from adapter.phrases.groups import PRIVATE, STAFF, Group, merge, squeeze
from adapter.phrases.names import PARTICLES, meaningful, pieces
from adapter.types import Label, Lesson

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

ROLES = frozenset({"patient", "employer"}) | PRIVATE | STAFF
"""Whose values are remembered."""
PARTS = frozenset(
    "family given middle id phone fax email birthdate deathdate street address city county state"
    " zip country org url ip username".split()
)
"""Which of their values."""
MOST_VALUES, MOST_GROUPS, MOST_NUMBERS = 64, 48, 64
"""Bounds of one entry: values of one person, people, numbers of the patient; the newest stay."""
MOST_NAMES, MOST_DIGESTS = 8, 16
_DIGEST_BYTES = 6
_BIRTH_DIGITS = 8
_NAMES = ("family", "given")

Packed = tuple[str, str | None, tuple[tuple[str, str, str | None], ...]]
"""(role, sex, ((part, text, label), ...)) of one person or thing."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What is known of one patient.

    ``names`` are the squeezed first family and given names, oldest first; ``digests`` those of
    lessons it holds already; ``seen`` the time of the last, in ms since the epoch, 0 if untold.
    """

    subject: str
    identity: str = field(repr=False)
    numbers: tuple[str, ...] = ()
    groups: tuple[Packed, ...] = field(default=(), repr=False)
    names: Mapping[str, tuple[str, ...]] = field(default_factory=dict, repr=False)
    digests: tuple[str, ...] = ()
    seen: int = 0

    def people(self) -> list[Group]:
        """The patient and all others, as groups of a message."""
        return _unpacked(self.groups)


class Change(NamedTuple):
    """An entry after a lesson, packed; None where there is none any more."""

    subject: str
    after: bytes | None


def taught(identity: str, groups: Iterable[Group]) -> bytes:
    """Pack what a message says of a patient and the people around, for a `Lesson`."""
    kept = [_packed(group) for group in groups if group.role in ROLES]
    return _json([identity, [group for group in kept if group[2]]])


@lru_cache(maxsize=256)
def _told(taught: bytes) -> tuple[str, tuple[Packed, ...]]:
    """What `taught` packed."""
    identity, groups = json.loads(taught)
    return identity, tuple(_tupled(groups))


def _packed(group: Group) -> Packed:
    values = tuple(
        (part, text, label.value if label else None)
        for part, text, label in group.values
        if part in PARTS and not (label is Label.IDNUM and group.role == "patient")
    )
    return group.role, group.sex, values[:MOST_VALUES]


def _unpacked(groups: Iterable[Packed]) -> list[Group]:
    return [
        Group(role, [(p, t, Label(name) if name else None) for p, t, name in values], sex=sex)
        for role, sex, values in groups
    ]


def pack(entry: Entry) -> bytes:
    """An entry as bytes."""
    return _json(
        [
            entry.subject, entry.identity, entry.numbers, entry.groups, dict(entry.names),
            entry.digests, entry.seen,
        ]
    )  # fmt: skip


@lru_cache(maxsize=1024)
def unpack(raw: bytes) -> Entry:
    """The entry that `pack` made bytes of; a memo, for a patient's messages come together.

    Raises:
        ValueError: it is none.
    """
    try:
        subject, identity, numbers, groups, names, digests, seen = json.loads(raw)
        return Entry(
            subject,
            identity,
            tuple(numbers),
            tuple(_tupled(groups)),
            {kind: tuple(words) for kind, words in names.items()},
            tuple(digests),
            seen,
        )
    except (TypeError, AttributeError):
        raise ValueError("not an entry") from None


def _tupled(groups: Any) -> Iterator[Packed]:
    for role, sex, values in groups:
        yield role, sex, tuple((part, text, label) for part, text, label in values)


def _json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


class Memory:
    """Entries by subject, found by number. Its order and content follow from what it was taught."""

    def __init__(self, entries: Iterable[bytes] = ()) -> None:
        """Begin with packed entries."""
        self.entries: dict[str, bytes] = {}
        self._numbers: dict[str, str] = {}
        for raw in entries:
            self.put(unpack(raw).subject, raw)

    def put(self, subject: str, raw: bytes | None) -> None:
        """Set or remove an entry."""
        before = self.entries.pop(subject, None)
        if before is not None:
            for number in unpack(before).numbers:
                if self._numbers.get(number) == subject:
                    del self._numbers[number]
        if raw is not None:
            self.entries[subject] = raw
            self._numbers.update(dict.fromkeys(unpack(raw).numbers, subject))

    def subject(self, lesson: Lesson) -> str | None:
        """Who a lesson is about, if it is known."""
        numbers = lesson.strong or lesson.weak
        found = next((self._numbers[n] for n in numbers if n in self._numbers), None)
        return found or (lesson.subject if lesson.subject in self.entries else None)

    def about(self, lessons: Iterable[Lesson]) -> tuple[bytes, ...]:
        """Every entry that could bear on these lessons, packed."""
        found: dict[str, None] = {}
        for lesson in lessons:
            numbers = (*lesson.strong, *lesson.weak, *lesson.prior)
            known = (self._numbers.get(number) for number in numbers)
            found |= {subject: None for subject in (*known, lesson.subject) if subject}
        return tuple(self.entries[subject] for subject in found if subject in self.entries)

    def recall(self, lesson: Lesson) -> Entry | None:
        """What is known of the patient a lesson is about; None of a stranger."""
        subject = self.subject(lesson)
        if subject is None or not lesson.taught:
            return None
        entry = unpack(self.entries[subject])
        return entry if _agrees(entry, _told(lesson.taught)[1]) else None

    def ended(self, lesson: Lesson) -> list[Entry]:
        """The other records of the patient, that end with this lesson."""
        own = self.subject(lesson)
        found = dict.fromkeys(self._numbers.get(number) for number in lesson.prior)
        return [unpack(self.entries[s]) for s in found if s is not None and s != own]

    def learn(self, lesson: Lesson, seen: int = 0) -> list[Change]:
        """Take a lesson in; returns what changed, in order."""
        if not lesson.taught:
            return self._erase(lesson)
        subject = self.subject(lesson) or lesson.subject
        before = self.entries.get(subject)
        changes = []
        ended = self.ended(lesson)
        after = _learnt(unpack(before) if before else None, lesson, subject, seen, ended)
        for entry in ended:
            changes.append(Change(entry.subject, None))
            self.put(entry.subject, None)
        if after is not None:
            changes.append(Change(subject, raw := pack(after)))
            self.put(subject, raw)
        return changes

    def learn_all(self, lessons: Iterable[Lesson]) -> None:
        """Take lessons in, in order."""
        for lesson in lessons:
            self.learn(lesson)

    def _erase(self, lesson: Lesson) -> list[Change]:
        found = dict.fromkeys(self._numbers.get(number) for number in lesson.strong)
        changes = [Change(s, None) for s in found if s is not None]
        for change in changes:
            self.put(change.subject, None)
        return changes


def _learnt(
    entry: Entry | None, lesson: Lesson, subject: str, seen: int, ended: Sequence[Entry]
) -> Entry | None:
    """The entry with the lesson in it; None if it says nothing new within a day."""
    identity, groups = _told(lesson.taught)
    digest = hashlib.blake2b(lesson.taught, digest_size=_DIGEST_BYTES).hexdigest()
    numbers = (*lesson.strong, *lesson.weak, *lesson.prior)
    if entry is not None and not _agrees(entry, groups):
        entry = None
    if entry is None:
        entry = Entry(subject, identity)
    elif digest in entry.digests and not ended and set(numbers) <= set(entry.numbers):
        return replace(entry, seen=seen) if seen - entry.seen >= _DAY_MS else None
    people = _united(_unpacked(groups), [p for e in (entry, *ended) for p in e.people()])
    numbers = (*numbers, *entry.numbers, *(number for other in ended for number in other.numbers))
    return Entry(
        subject,
        entry.identity,
        tuple(dict.fromkeys(numbers))[:MOST_NUMBERS],
        tuple(_packed(group) for group in people[:MOST_GROUPS]),
        _names(entry, ended, groups),
        (digest, *(d for d in entry.digests if d != digest))[:MOST_DIGESTS],
        max(seen, entry.seen),
    )


_DAY_MS = 86_400_000


def _united(new: Sequence[Group], known: Sequence[Group]) -> list[Group]:
    """The patient's groups as one, new values first; others merged as within a message."""
    patients = [group for group in (*new, *known) if group.role == "patient"]
    others = [group for group in (*new, *known) if group.role != "patient"]
    for other in patients[1:]:
        patients[0].absorb(other)
    return [*patients[:1], *merge(others)]


def _names(entry: Entry, ended: Sequence[Entry], groups: Any) -> dict[str, tuple[str, ...]]:
    """The first names so far, oldest first, those of ended records behind."""
    found = {}
    for kind in _NAMES:
        told = [*entry.names.get(kind, ()), *(n for e in ended for n in e.names.get(kind, ()))]
        if name := first_word(_first(groups, kind)):
            told.append(name)
        found[kind] = tuple(dict.fromkeys(told))[:MOST_NAMES]
    return found


def first_word(name: str) -> str:
    """The squeezed first word of a name, particles left out if there is more; "" of a filler."""
    name = meaningful(name)
    words = [squeeze(word) for word in pieces(name) or (name,)]
    return next((word for word in words if word not in PARTICLES), words[0])


def _first(groups: Any, part: str) -> str:
    """A part of the first patient of packed groups."""
    values = next((values for role, _, values in groups if role == "patient"), ())
    return next((text for name, text, _ in values if name == part), "")


def _agrees(entry: Entry, groups: Any) -> bool:
    """Whether a lesson may be of the same patient: birth date or names are not all others."""
    born = squeeze(_first(groups, "birthdate"))[:_BIRTH_DIGITS]
    known = squeeze(_first(entry.groups, "birthdate"))[:_BIRTH_DIGITS]
    if not born or not known or born == known:
        return True
    names = {kind: first_word(_first(groups, kind)) for kind in _NAMES}
    return any(not word or word in entry.names.get(kind, (word,)) for kind, word in names.items())
