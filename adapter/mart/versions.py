"""The nouns of the mart and its keys: pure, standard library only, with reprs that show no text.

All ids are digests of what the adapter wrote, which are surrogates; no key of the adapter is used.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from hashlib import blake2b
from typing import TYPE_CHECKING

from adapter.normalize.folding import squeeze

if TYPE_CHECKING:
    from collections.abc import Mapping

_ENCODER = json.JSONEncoder(
    ensure_ascii=False, check_circular=False, allow_nan=False, separators=(",", ":"), sort_keys=True
)
BACKFILL = "backfill:"
"""Prefix of the topic of a lane without offsets of the live output (folders, archives, replays).

Versions of such lanes are older than all versions of live lanes.
"""


@dataclass(frozen=True, slots=True)
class Released:
    """One record of the output lane; ``value`` None is a tombstone, which erases a patient.

    ``message_id`` is the header ``deid-id``; ``offset`` is a position in the output lane.
    """

    value: bytes | None = field(repr=False)
    message_id: str
    topic: str
    partition: int
    offset: int
    key: bytes | None = field(default=None, repr=False)
    headers: tuple[tuple[str, bytes], ...] = field(default=(), repr=False)


class Op(StrEnum):
    """What a version does to the versions of its resource before it."""

    REPLACE = "replace"  # the body is the resource
    MERGE = "merge"  # the body's elements replace those of the same name, others stay
    STATUS = "status"  # as MERGE, if there is a version before; else nothing
    RESTORE = "restore"  # the body's elements take the values of the version before
    DELETE = "delete"  # the resource is gone until it is sent again


@dataclass(frozen=True, slots=True)
class Version:
    """What one message says of one resource.

    ``subject`` is a number key of the person it is about, None if about nobody. ``body`` is a FHIR
    R4 resource as canonical JSON, in which ids and references are the mart's. ``index`` is the
    order within the message.
    """

    resource_type: str
    resource_id: str
    subject: str | None
    op: Op
    body: str = field(repr=False)
    index: int = 0


@dataclass(frozen=True, slots=True)
class Merge:
    """Two number keys of one person: from now on ``prior`` is ``number``'s.

    ``days`` added to the dates of what bears ``prior`` put them on the time line of ``number``;
    None where that is not known or not needed.
    """

    prior: str
    number: str
    days: int | None = None


EVERY = "*"
"""In place of a number key: all of them."""


@dataclass(frozen=True, slots=True)
class Parting:
    """Number keys ``one`` are of another person than ``others``, whatever was said before."""

    one: tuple[str, ...]
    others: tuple[str, ...] = (EVERY,)


@dataclass(frozen=True, slots=True)
class Reject:
    """A place of a message that could not be mapped, and the code of the reason; never its text."""

    place: str
    code: str


@dataclass(frozen=True, slots=True)
class Landed:
    """All that one message brings: versions, who is one person, and what could not be mapped.

    Each of ``numbers`` are number keys that the message says are one person. ``format`` is
    "hl7v2" or "fhir", ``kind`` is the message type ("ORU^R01") or the resource type ("Bundle").
    """

    versions: tuple[Version, ...] = ()
    numbers: tuple[tuple[str, ...], ...] = ()
    merges: tuple[Merge, ...] = ()
    partings: tuple[Parting, ...] = ()
    rejects: tuple[Reject, ...] = ()
    keyless_results: int = 0
    format: str = ""
    kind: str = ""


def digest(text: str) -> str:
    """The BLAKE2b digest of a text, 128 bits as 32 hexadecimal digits."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def resource_id(resource_type: str, natural_key: str) -> str:
    """The id of the resource of a type with a natural key, which is made of surrogates."""
    return digest(f"{resource_type}|{natural_key}")


@lru_cache(maxsize=65536)
def number_key(number: str) -> str:
    """The key of a patient's number, equal however the number is written and in which format.

    It is "" where the number has no letter or digit.
    """
    bare = squeeze(number)
    return digest(f"number|{bare}") if bare else ""


@lru_cache(maxsize=65536)
def patient_key(logical_id: str) -> str:
    """The key of a FHIR Patient's logical id, which is no number of another kind; "" for none.

    Of a reference ("Patient/7", an absolute URL, ".../_history/1") the id counts.
    """
    bare = squeeze(_id_of(logical_id))
    return digest(f"Patient|{bare}") if bare else ""


def _id_of(reference: str) -> str:
    path = reference.partition("/_history/")[0].rstrip("/")
    return path.rpartition("/")[2].rpartition(":")[2]


def named_by(text: str) -> tuple[str, ...]:
    """The keys of whom a text may name that is a number or a reference: a record's key."""
    bare = _id_of(text)
    return tuple(key for key in (number_key(bare), patient_key(bare)) if key)


def person_id(numbers: frozenset[str]) -> str:
    """The id of the person whose number keys these are: the digest of the least."""
    return digest(f"person|{min(numbers)}")


def canonical(resource: Mapping[str, object]) -> str:
    """A resource as canonical JSON: members sorted, no spaces, no escaped letters.

    Raises:
        ValueError: a number in it is none (RFC 8259, section 6).
    """
    return _ENCODER.encode(resource)
