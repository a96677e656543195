"""What is known of one patient, packed to be kept, and what one message adds to it."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from adapter.phrases.groups import PRIVATE, STAFF, Group, merge
from adapter.phrases.linkage import NAMES, Person, first_word, person
from adapter.types import Label

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from adapter.types import PatientFacts

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
_DAY_MS = 86_400_000
_OLDER_FIELDS = 7
"""Fields of an entry that was packed before it had a rank."""

Packed = tuple[str, str | None, tuple[tuple[str, str, str | None], ...]]
"""(role, sex, ((part, text, label), ...)) of one person or thing."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What is known of one patient.

    ``names`` are the squeezed first family and given names, oldest first; ``digests`` those of
    patient facts it holds already; ``seen`` the time of the last, in ms since the epoch, 0 if
    untold. Of patients who share a number the one who had it first has the lowest ``rank``;
    ``charted`` is whether a number of the patient's alone is known.
    """

    subject: str
    identity: str = field(repr=False)
    numbers: tuple[str, ...] = ()
    groups: tuple[Packed, ...] = field(default=(), repr=False)
    names: Mapping[str, tuple[str, ...]] = field(default_factory=dict, repr=False)
    digests: tuple[str, ...] = ()
    seen: int = 0
    rank: int = 0
    charted: bool = True

    def people(self) -> list[Group]:
        """The patient and all others, as groups of a message."""
        return _unpacked(self.groups)


@dataclass(frozen=True, slots=True)
class Recollection:
    """What earlier messages told of a message's patients, and of their records that end.

    ``patients`` go with the message's subjects, none if nothing is remembered; ``ended`` are by
    prior number.
    """

    patients: tuple[Entry | None, ...] = ()
    ended: Mapping[str, Entry] = field(default_factory=dict, repr=False)

    def identities(self, own: Sequence[str]) -> list[str]:
        """What each patient is known by; ``own`` are the identities that the message gives."""
        known = self.patients or (None,) * len(own)
        pairs = zip(own, known, strict=True)
        return [mine if entry is None else entry.identity for mine, entry in pairs]


STRANGERS = Recollection()
"""Nobody is remembered."""


def taught(identity: str, groups: Iterable[Group]) -> bytes:
    """Pack what a message says of a patient and the people around, for a `PatientFacts`."""
    kept = [_packed(group) for group in groups if group.role in ROLES]
    return _json([identity, [group for group in kept if group[2]]])


@lru_cache(maxsize=256)
def told(taught: bytes) -> tuple[str, tuple[Packed, ...]]:
    """What `taught` packed: the identity a message gives by itself, and people."""
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
            entry.digests, entry.seen, entry.rank, entry.charted,
        ]
    )  # fmt: skip


@lru_cache(maxsize=1024)
def unpack(raw: bytes) -> Entry:
    """The entry that `pack` made bytes of; a memo, for a patient's messages come together.

    Raises:
        ValueError: it is none.
    """
    try:
        fields = json.loads(raw)
        subject, identity, numbers, groups, names, digests, seen = fields[:_OLDER_FIELDS]
        return Entry(
            subject,
            identity,
            tuple(numbers),
            tuple(_tupled(groups)),
            {kind: tuple(words) for kind, words in names.items()},
            tuple(digests),
            seen,
            *fields[_OLDER_FIELDS:],
        )
    except (TypeError, AttributeError):
        raise ValueError("not an entry") from None


def _tupled(groups: Any) -> Iterator[Packed]:
    for role, sex, values in groups:
        yield role, sex, tuple((part, text, label) for part, text, label in values)


def _json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def compared(
    groups: Iterable[Packed], names: Mapping[str, tuple[str, ...]] | None = None
) -> Person:
    """The patient of packed groups, as linkage compares."""
    values = next((values for role, _, values in groups if role == "patient"), ())
    return person(((part, text) for part, text, _ in values), names)


def learnt(entry: Entry, facts: PatientFacts, seen: int, ended: Sequence[Entry]) -> Entry | None:
    """The entry with the facts in it; None if it says nothing new within a day.

    ``ended`` are entries of the same patient that end with these facts.
    """
    groups = told(facts.taught)[1]
    digest = hashlib.blake2b(facts.taught, digest_size=_DIGEST_BYTES).hexdigest()
    numbers = (*facts.strong, *facts.weak, *facts.prior)
    if digest in entry.digests and not ended and set(numbers) <= set(entry.numbers):
        return replace(entry, seen=seen) if seen - entry.seen >= _DAY_MS else None
    people = _united(_unpacked(groups), [p for e in (entry, *ended) for p in e.people()])
    numbers = (*numbers, *entry.numbers, *(number for other in ended for number in other.numbers))
    return Entry(
        entry.subject,
        entry.identity,
        tuple(dict.fromkeys(numbers))[:MOST_NUMBERS],
        tuple(_packed(group) for group in people[:MOST_GROUPS]),
        _names(entry, ended, groups),
        (digest, *(d for d in entry.digests if d != digest))[:MOST_DIGESTS],
        max(seen, entry.seen),
        entry.rank,
        entry.charted or bool(facts.strong),
    )


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
    for kind in NAMES:
        names = [*entry.names.get(kind, ()), *(n for e in ended for n in e.names.get(kind, ()))]
        if name := first_word(_first(groups, kind)):
            names.append(name)
        found[kind] = tuple(dict.fromkeys(names))[:MOST_NAMES]
    return found


def _first(groups: Any, part: str) -> str:
    """A part of the first patient of packed groups."""
    values = next((values for role, _, values in groups if role == "patient"), ())
    return next((text for name, text, _ in values if name == part), "")
