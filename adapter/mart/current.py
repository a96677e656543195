"""The mart as it is now: each resource folded, each person one Patient.

Persons are made of the numbers that messages say are one's, and of merges, when they are read, so
that it does not matter when a merge was loaded.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import defaultdict
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from adapter.mart.folding import Current, Moves, fold, persons_of, together
from adapter.mart.folding.moves import ACCOUNT
from adapter.mart.versions import canonical, person_id

if TYPE_CHECKING:
    from collections.abc import Iterator

    from adapter.mart.store.protocol import Store

PATIENT = "Patient"
_REFERENCE = re.compile(r'"reference":"Patient/([0-9a-f]{32})"')


@dataclass(frozen=True, slots=True)
class Persons:
    """Person ids by number key; a key that is joined to no other is a person of its own."""

    of: dict[str, str] = field(repr=False)

    @classmethod
    def read(cls, store: Store) -> Persons:
        """Read a store's; where messages part numbers, the order of all that is said counts."""
        if store.parts():
            return cls(persons_of(together(store.said()), ()))
        return cls(persons_of(store.numbers(), store.merges()))

    def __getitem__(self, number: str) -> str:
        return self.of.get(number) or person_id(frozenset((number,)))

    def within(self, body: str) -> str:
        """A resource whose references to patients name persons."""
        return _REFERENCE.sub(lambda m: f'"reference":"Patient/{self[m[1]]}"', body)


def current_resources(store: Store) -> Iterator[tuple[str | None, Current]]:
    """The id of the person, if any, and the resource, by type and id; persons' Patients last.

    Resources that were deleted, or of which nothing but a change was ever told, are left out.
    """
    persons = Persons.read(store)
    there = store.types()
    types = [name for name in there if name != PATIENT]
    moves = Moves.read(store.resources([ACCOUNT]) if ACCOUNT in there else ())
    for versions in store.resources(types) if types else ():
        if (now := fold(versions)) is not None:
            yield _resolved(moves.applied(now, persons.__getitem__), persons)
    yield from _patients(store, persons)


def _patients(store: Store, persons: Persons) -> Iterator[tuple[str | None, Current]]:
    """One Patient for each person; of several, the versions are taken together in their order."""
    ids: dict[str, set[str]] = defaultdict(set)
    for resource_id, subject in store.subjects(PATIENT):
        ids[persons[subject or resource_id]].add(resource_id)
    several = {own for some in ids.values() if len(some) > 1 for own in some}
    for versions in store.resources([PATIENT]):
        if versions[0].resource_id not in several and (now := fold(versions)) is not None:
            yield _patient(now, persons)
    for _, some in sorted((person, some) for person, some in ids.items() if len(some) > 1):
        if (now := fold(store.together(PATIENT, sorted(some)))) is not None:
            yield _patient(now, persons)


def _patient(now: Current, persons: Persons) -> tuple[str | None, Current]:
    person = persons[now.subject or now.resource_id]
    body = canonical({**json.loads(now.body), "id": person})
    return _resolved(replace(now, resource_id=person, body=body), persons)


def _resolved(now: Current, persons: Persons) -> tuple[str | None, Current]:
    person = None if now.subject is None else persons[now.subject]
    return person, replace(now, body=persons.within(now.body))


def state_digest(store: Store) -> str:
    """The digest of the mart's current content, whatever the order in which it was loaded."""
    digest = hashlib.sha256()
    for person, now in current_resources(store):
        told = (now.resource_type, now.resource_id, person or "", now.body)
        digest.update("\x1f".join(told).encode() + b"\n")
    return digest.hexdigest()
