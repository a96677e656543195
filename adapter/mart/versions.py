"""The types of the mart and its keys: pure, standard library only, with reprs that show no text.

All ids are digests of text written by the adapter, i.e. of surrogates; no key of the adapter is
used.
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
    """A record of an output lane; ``value`` None is a tombstone, which erases a patient.

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
    """The operation of a version on the preceding versions of its resource."""

    REPLACE = "replace"  # the body is the resource
    MERGE = "merge"  # the body's elements replace those of the same name; others stay
    STATUS = "status"  # as MERGE if there is a preceding version, else nothing
    RESTORE = "restore"  # the body's elements get the values that they had before
    DELETE = "delete"  # the resource is deleted until it is sent again


@dataclass(frozen=True, slots=True)
class Version:
    """A resource, or a change of one, as stated by one message.

    ``subject`` is a number key of the person whom the resource is about, or None. ``body`` is a
    FHIR R4 resource as canonical JSON, with the mart's ids and references. ``index`` is its order
    within the message.
    """

    resource_type: str
    resource_id: str
    subject: str | None
    op: Op
    body: str = field(repr=False)
    index: int = 0


@dataclass(frozen=True, slots=True)
class Merge:
    """Two number keys of one person: ``prior`` now belongs to the person of ``number``.

    Adding ``days`` to the dates of resources under ``prior`` aligns them with the dates of
    ``number``; None if unknown or not needed.
    """

    prior: str = field(repr=False)
    number: str = field(repr=False)
    days: int | None = None


EVERY = "*"
"""Stands for all number keys."""


@dataclass(frozen=True, slots=True)
class Parting:
    """States that number keys ``one`` and ``others`` are of different persons; overrides links."""

    one: tuple[str, ...] = field(repr=False)
    others: tuple[str, ...] = field(default=(EVERY,), repr=False)


@dataclass(frozen=True, slots=True)
class Reject:
    """A place in a message that could not be mapped, and the code of the reason; has no text."""

    place: str
    code: str


@dataclass(frozen=True, slots=True)
class Landed:
    """The result of landing one message: versions, links between number keys, and rejects.

    Each item of ``numbers`` has number keys of one person. ``format`` is "hl7v2" or "fhir",
    ``kind`` is the message type ("ORU^R01") or the resource type ("Bundle").
    """

    versions: tuple[Version, ...] = ()
    numbers: tuple[tuple[str, ...], ...] = field(default=(), repr=False)
    merges: tuple[Merge, ...] = ()
    partings: tuple[Parting, ...] = ()
    rejects: tuple[Reject, ...] = ()
    keyless_results: int = 0
    format: str = ""
    kind: str = ""


def digest(text: str) -> str:
    """Return the 128-bit BLAKE2b digest of a text, as 32 hexadecimal digits."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def resource_id(resource_type: str, natural_key: str) -> str:
    """Return the id of the resource with a type and a natural key, which contains surrogates."""
    return digest(f"{resource_type}|{natural_key}")


@lru_cache(maxsize=65536)
def number_key(number: str) -> str:
    """Return the key of a patient's number; it does not depend on spelling or message format.

    It is "" if the number has no letter or digit.
    """
    bare = squeeze(number)
    return digest(f"number|{bare}") if bare else ""


@lru_cache(maxsize=65536)
def patient_key(logical_id: str) -> str:
    """Return the key of a FHIR Patient's logical id, distinct from number keys; "" if it is empty.

    The argument may be a reference ("Patient/7", an absolute URL, ".../_history/1"), whose id is
    used.
    """
    bare = squeeze(_id_of(logical_id))
    return digest(f"Patient|{bare}") if bare else ""


def _id_of(reference: str) -> str:
    path = reference.partition("/_history/")[0].rstrip("/")
    return path.rpartition("/")[2].rpartition(":")[2]


def named_by(text: str) -> tuple[str, ...]:
    """Return the keys of the persons that a record's key, a number or a reference, may identify."""
    bare = _id_of(text)
    return tuple(key for key in (number_key(bare), patient_key(bare)) if key)


def person_id(numbers: frozenset[str]) -> str:
    """Return the id of the person with these number keys: the digest of the smallest key."""
    return digest(f"person|{min(numbers)}")


def canonical(resource: Mapping[str, object]) -> str:
    """Return a resource as canonical JSON: members sorted, no spaces, no escaped letters.

    Raises:
        ValueError: a number is NaN or infinite (RFC 8259, section 6).
    """
    return _ENCODER.encode(resource)
