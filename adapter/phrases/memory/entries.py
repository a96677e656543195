"""Entries of patient memory: one patient's known values, packed for storage, and their update."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from adapter.phrases.groups import PRIVATE, STAFF, Group, merge
from adapter.phrases.linkage import NAMES, Person, first_word, person
from adapter.types import Label, PatientFacts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from adapter.languages.field_words import FieldWords

ROLES = frozenset({"patient", "employer"}) | PRIVATE | STAFF
"""Roles whose values are remembered."""
PARTS = frozenset(
    "family given middle id phone fax email birthdate deathdate street address city county state"
    " zip country org url ip username".split()
)
"""Parts that are remembered."""
MOST_VALUES, MOST_GROUPS, MOST_NUMBERS = 64, 48, 64
"""Maximum numbers of values per person, people, and numbers of the patient; the newest stay."""
MOST_NAMES, MOST_DIGESTS = 8, 16
_DIGEST_BYTES = 6
_DAY_MS = 86_400_000
_OLDER_FIELDS = 7
"""Number of fields of an entry packed by a version that had no ranks."""
_WITHOUT_CONTINUED = 9
"""Number of fields of an entry packed by a version that had no continued numbers."""

Packed = tuple[str, str | None, tuple[tuple[str, str, str | None], ...]]
"""(role, sex, ((part, text, label), ...)) of one person or thing."""


@dataclass(frozen=True, slots=True)
class Entry:
    """The remembered values of one patient and the people around.

    ``names`` are the squeezed first words of family and given names, oldest first. ``digests`` are
    the digests of the patient facts already in the entry. ``seen`` is the time of the last facts in
    ms since the epoch, 0 if unknown. Among patients who share a number, the one who had it first
    has the lowest ``rank``. ``charted`` says whether a strong number of the patient is known.
    ``continued`` are numbers that another number replaced, whose identity the patient kept.
    """

    subject: str = field(repr=False)
    identity: str = field(repr=False)
    numbers: tuple[str, ...] = field(default=(), repr=False)
    groups: tuple[Packed, ...] = field(default=(), repr=False)
    names: Mapping[str, tuple[str, ...]] = field(default_factory=dict, repr=False)
    digests: tuple[str, ...] = field(default=(), repr=False)
    seen: int = 0
    rank: int = 0
    charted: bool = True
    continued: tuple[str, ...] = field(default=(), repr=False)

    def people(self) -> list[Group]:
        """Return the patient and all others, as groups of a message."""
        return _unpacked(self.groups)


@dataclass(frozen=True, slots=True)
class StaffFacts:
    """The facts in a message about staff, who are remembered for the messages of all patients.

    Numbers and words are MACs, as in `PatientFacts`. ``told`` are the people whom fields name; the
    words of a surname are among their strong numbers. ``numbers`` are those of the staff to whom
    fields refer, ``words`` those of texts that may be a surname. ``erased`` are numbers whose
    holders a tombstone erases.
    """

    told: tuple[PatientFacts, ...] = field(default=(), repr=False)
    numbers: tuple[str, ...] = field(default=(), repr=False)
    words: tuple[str, ...] = field(default=(), repr=False)
    erased: tuple[str, ...] = field(default=(), repr=False)


Facts = PatientFacts | StaffFacts
"""What a record says about one of its patients, or about staff."""


def erases(facts: Facts) -> bool:
    """Whether these are the facts of a tombstone."""
    return bool(facts.erased) if isinstance(facts, StaffFacts) else not facts.packed


class Change(NamedTuple):
    """A subject and its packed entry after an update, or None if the entry was removed."""

    subject: str
    after: bytes | None

    def __repr__(self) -> str:
        """Show no text."""
        return "Change()"


@dataclass(frozen=True, slots=True)
class Recollection:
    """The entries of a message's patients, and of their records that end, and people of the staff.

    ``patients`` are parallel to the message's patients, or empty without patient memory; ``ended``
    are by prior number. ``staff`` are those to whom fields refer, ``surnames`` others who have
    a surname that texts may mean.
    """

    patients: tuple[Entry | None, ...] = ()
    ended: Mapping[str, Entry] = field(default_factory=dict, repr=False)
    staff: tuple[Group, ...] = field(default=(), repr=False)
    surnames: tuple[Group, ...] = field(default=(), repr=False)

    def identities(self, own: Sequence[str]) -> list[str]:
        """Return each patient's identity; ``own`` are the identities from the message itself."""
        known = self.patients or (None,) * len(own)
        pairs = zip(own, known, strict=True)
        return [mine if entry is None else entry.identity for mine, entry in pairs]


NOTHING_RECALLED = Recollection()
"""The recollection without patient memory."""


def pack_facts(identity: str, groups: Iterable[Group]) -> bytes:
    """Pack the values of a patient and the people around for `PatientFacts.packed`."""
    kept = [_packed(group) for group in groups if group.role in ROLES]
    return _json([identity, [group for group in kept if group[2]]])


@lru_cache(maxsize=256)
def unpack_facts(packed: bytes) -> tuple[str, tuple[Packed, ...]]:
    """Return the (identity, people) that `pack_facts` packed; the identity is the message's own."""
    identity, groups = json.loads(packed)
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
    """Return an entry as bytes; `unpack` is the inverse."""
    return _json(
        [
            entry.subject, entry.identity, entry.numbers, entry.groups, dict(entry.names),
            entry.digests, entry.seen, entry.rank, entry.charted, entry.continued,
        ]
    )  # fmt: skip


@lru_cache(maxsize=1024)
def unpack(raw: bytes) -> Entry:
    """Return the entry that `pack` packed; memoised, as a patient's messages arrive together.

    Raises:
        ValueError: the bytes are not an entry.
    """
    try:
        fields = json.loads(raw)
        subject, identity, own, groups, names, digests, seen = fields[:_OLDER_FIELDS]
        return Entry(
            subject,
            identity,
            tuple(own),
            tuple(_tupled(groups)),
            {kind: tuple(words) for kind, words in names.items()},
            tuple(digests),
            seen,
            *fields[_OLDER_FIELDS:_WITHOUT_CONTINUED],
            *(tuple(numbers) for numbers in fields[_WITHOUT_CONTINUED:]),
        )
    except (TypeError, AttributeError):
        raise ValueError("not an entry") from None


def _tupled(groups: Any) -> Iterator[Packed]:
    for role, sex, values in groups:
        yield role, sex, tuple((part, text, label) for part, text, label in values)


def _json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def compared(
    groups: Iterable[Packed],
    words: FieldWords,
    names: Mapping[str, tuple[str, ...]] | None = None,
) -> Person:
    """Return the patient of packed groups as a `Person` for record linkage."""
    values = next((values for role, _, values in groups if role == "patient"), ())
    return person(((part, text) for part, text, _ in values), words, names)


def updated(
    entry: Entry, facts: PatientFacts, seen: int, ended: Sequence[Entry], words: FieldWords
) -> Entry | None:
    """Return the entry updated with the facts, or None if they add nothing within a day.

    ``ended`` are other entries of the same patient that end with these facts.
    """
    groups = unpack_facts(facts.packed)[1]
    digest = hashlib.blake2b(facts.packed, digest_size=_DIGEST_BYTES).hexdigest()
    numbers = (*facts.strong, *facts.weak, *facts.prior)
    if digest in entry.digests and not ended and set(numbers) <= set(entry.numbers):
        return replace(entry, seen=seen) if seen - entry.seen >= _DAY_MS else None
    people = _united(_unpacked(groups), [p for e in (entry, *ended) for p in e.people()], words)
    numbers = (*numbers, *entry.numbers, *(number for other in ended for number in other.numbers))
    return Entry(
        entry.subject,
        entry.identity,
        tuple(dict.fromkeys(numbers))[:MOST_NUMBERS],
        tuple(_packed(group) for group in people[:MOST_GROUPS]),
        _names(entry, ended, groups, words),
        (digest, *(d for d in entry.digests if d != digest))[:MOST_DIGESTS],
        max(seen, entry.seen),
        entry.rank,
        entry.charted or bool(facts.strong),
        entry.continued,
    )


def _united(new: Sequence[Group], known: Sequence[Group], words: FieldWords) -> list[Group]:
    """Merge the patient's groups into one, new values first; merge others as within a message."""
    patients = [group for group in (*new, *known) if group.role == "patient"]
    others = [group for group in (*new, *known) if group.role != "patient"]
    for other in patients[1:]:
        patients[0].absorb(other)
    return [*patients[:1], *merge(others, words)]


def _names(
    entry: Entry, ended: Sequence[Entry], groups: Any, words: FieldWords
) -> dict[str, tuple[str, ...]]:
    """Return the first words of names by kind, oldest first, those of ended records last."""
    known = {
        kind: (*entry.names.get(kind, ()), *(n for e in ended for n in e.names.get(kind, ())))
        for kind in NAMES
    }
    values = next((values for role, _, values in groups if role == "patient"), ())
    return names_with(known, values, words)


def names_with(
    known: Mapping[str, tuple[str, ...]],
    values: Sequence[tuple[str, str, object]],
    words: FieldWords,
) -> dict[str, tuple[str, ...]]:
    """Return known first words of names by kind, oldest first, with those of a record's values."""
    found = {}
    for kind in NAMES:
        own = next((text for part, text, _ in values if part == kind), "")
        names = (*known.get(kind, ()), first_word(own, words))
        found[kind] = tuple(dict.fromkeys(filter(None, names)))[:MOST_NAMES]
    return found
