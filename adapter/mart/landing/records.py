"""Lands a released record of any format, with the merges of patient numbers in its headers."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

from adapter.codecs.hl7v2.framing import detect, split_hl7v2
from adapter.errors import DecodeError
from adapter.mart.landing.fhir import land_resource
from adapter.mart.landing.hl7v2 import land_message
from adapter.mart.versions import Landed, Merge, Reject, number_key, patient_key

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from adapter.mart.landing.hl7v2.tables import Tables
    from adapter.mart.versions import Released

MERGES = "deid-merges"
RECORD = "record"
"""The place of a reject that applies to the whole record."""
_MESSAGE = b"MSH"


def land(record: Released, maps: Tables) -> Landed:
    """Land a record; a message that cannot be read becomes a reject, not an exception.

    A tombstone lands as nothing: the loader handles its erasure.

    Raises:
        ValueError: the merges in its headers cannot be read, so its person is unknown.
    """
    if record.value is None:
        return Landed()
    landed = _combined([_landed(value, key, maps) for value, key in _values(record)])
    return replace(landed, merges=(*landed.merges, *merges_of(record.headers)))


def merges_of(headers: Sequence[tuple[str, bytes]]) -> Iterator[Merge]:
    """Yield the merges in the headers; a value may be a patient number or a Patient's logical id.

    Raises:
        ValueError: a header cannot be read.
    """
    for prior, number, days in (
        each for name, raw in headers if name == MERGES for each in _read(raw)
    ):
        for key in (number_key, patient_key):
            one, other = key(prior), key(number)
            if one and other and one != other:
                yield Merge(one, other, days)


def _read(raw: bytes) -> list[tuple[str, str, int | None]]:
    try:
        return [(each["prior"], each["number"], each.get("days")) for each in json.loads(raw)]
    except (KeyError, TypeError, AttributeError):
        raise ValueError("not merges") from None


def _values(record: Released) -> Iterator[tuple[bytes, str]]:
    """Yield the messages of a record, each with a key for resources without a number.

    HL7 v2 XML is not split; it is rejected because it is not JSON.
    """
    value = record.value or b""
    if detect(value) != "hl7v2" or value.lstrip().startswith(b"<"):
        yield value, record.message_id
        return
    sent = [frame.value for frame in split_hl7v2(value) if frame.value.startswith(_MESSAGE)]
    for number, message in enumerate(sent):
        yield message, f"{record.message_id}|{number}" if number else record.message_id


def _landed(value: bytes, key: str, maps: Tables) -> Landed:
    try:
        if value.startswith(_MESSAGE):
            return land_message(value, key, maps)
        return land_resource(value, key, maps.numbers)
    except DecodeError as error:
        return Landed(rejects=(Reject(RECORD, error.code),))


def _combined(parts: Sequence[Landed]) -> Landed:
    """Return the results of a record's messages as one."""
    if len(parts) == 1:
        return parts[0]
    versions = [version for part in parts for version in part.versions]
    return Landed(
        versions=tuple(replace(version, index=at) for at, version in enumerate(versions)),
        numbers=tuple(keys for part in parts for keys in part.numbers),
        merges=tuple(merge for part in parts for merge in part.merges),
        partings=tuple(parting for part in parts for parting in part.partings),
        rejects=tuple(reject for part in parts for reject in part.rejects),
        keyless_results=sum(part.keyless_results for part in parts),
        format=parts[0].format if parts else "",
        kind=parts[0].kind if parts else "",
    )
