"""The current state of the mart: each resource folded, with one Patient per person.

Persons are computed from links between numbers, and from merges, when the mart is read, so that the
order of loading does not matter.
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
    """Person ids by number key; a key without links is a person of its own."""

    of: dict[str, str] = field(repr=False)

    @classmethod
    def read(cls, store: Store) -> Persons:
        """Compute the persons of a store; message order matters only if there are partings."""
        if store.parts():
            return cls(persons_of(together(store.identity_statements()), ()))
        return cls(persons_of(store.numbers(), store.merges()))

    def __getitem__(self, number: str) -> str:
        return self.of.get(number) or person_id(frozenset((number,)))

    def rewrite(self, body: str) -> str:
        """Return a resource with its references to Patients rewritten to persons."""
        return _REFERENCE.sub(lambda m: f'"reference":"Patient/{self[m[1]]}"', body)


def current_resources(store: Store) -> Iterator[tuple[str | None, Current]]:
    """Yield (person id or None, resource), sorted by type and id; the Patients are last.

    Resources that were deleted, or were only ever changed but never stated, are left out.
    """
    persons = Persons.read(store)
    stored = store.types()
    types = [name for name in stored if name != PATIENT]
    moves = Moves.read(store.resources([ACCOUNT]) if ACCOUNT in stored else ())
    for versions in store.resources(types) if types else ():
        if (now := fold(versions)) is not None:
            yield _resolved(moves.applied(now, persons.__getitem__), persons)
    yield from _patients(store, persons)


def _patients(store: Store, persons: Persons) -> Iterator[tuple[str | None, Current]]:
    """Yield one Patient per person; the versions of a person's Patients are folded together."""
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
    return person, replace(now, body=persons.rewrite(now.body))


def state_digest(store: Store) -> str:
    """Return the SHA-256 digest of the mart's current content, independent of loading order."""
    digest = hashlib.sha256()
    for person, now in current_resources(store):
        fields = (now.resource_type, now.resource_id, person or "", now.body)
        digest.update("\x1f".join(fields).encode() + b"\n")
    return digest.hexdigest()
