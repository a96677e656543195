"""The order of a folder's records: by surrogate subject, to hide when each was sent.

Offsets reveal the time of a message to within hours, and with it the shift of each patient's dates.
Within a subject the order of the source stays: later messages correct earlier ones, and this order
reveals no more than the shifted dates do. Sorting needs disk, not memory: records first go to
buckets by the digest of their subject.
"""

from __future__ import annotations

import re
import tempfile
from hashlib import blake2b
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from adapter.types import Record

_PID = re.compile(rb"[\r\n]PID[^\w\s](?:[^\r\n|]*\|){2}([^\r\n^~|&\\]+)")
_REFERENCE = re.compile(rb'"(?:subject|patient)"\s*:\s*\{[^{}]*"reference"\s*:\s*"([^"]+)"')
_PATIENT = re.compile(rb'"resourceType"\s*:\s*"Patient"')
_ID = re.compile(rb'"id"\s*:\s*"([^"]+)"')
BUCKET_BYTES = 64 << 20
_DIGEST = 16
Line = tuple[bytes, bytes]
"""(sort key: digest of the subject and position, line)."""


def subject(record: Record) -> bytes:
    """Return the digest of a released record's subject: of its key, else of the patient it names.

    For a record that names no patient, it is the digest of its value, so that such records are
    scattered among the others.
    """
    found = record.key or _named(record.value or b"")
    own = b"" if found else (record.value or b"")
    return blake2b(b"subject\0" + (found or own), digest_size=_DIGEST).digest()


def _named(value: bytes) -> bytes:
    if match := _PID.search(value):
        return match[1]
    if match := _REFERENCE.search(value):
        return match[1].rpartition(b"/")[2]
    if _PATIENT.search(value) and (match := _ID.search(value)):
        return match[1]
    return b""


def sort_key(record: Record) -> bytes:
    """Return the sort key of a record: subject, then position in the source."""
    at = record.position
    place = at.partition.to_bytes(4, "big") + at.offset.to_bytes(8, "big")
    return subject(record) + at.topic.encode() + b"\0" + place


def by_subject(lines: Iterable[Line], total: int) -> Iterator[bytes]:
    """Yield the lines in order of their keys; ``total`` is their approximate size in bytes."""
    count = min(256, max(1, -(-total // BUCKET_BYTES)))
    if count == 1:
        yield from (line for _, line in sorted(lines))
        return
    with tempfile.TemporaryDirectory(prefix="deid-replay-") as folder:
        buckets = [open(f"{folder}/{number:03d}", "w+b") for number in range(count)]  # noqa: PTH123, SIM115
        try:
            for key, line in lines:
                _put(buckets[int.from_bytes(key[:4], "big") * count >> 32], key, line)
            for bucket in buckets:
                bucket.seek(0)
                yield from (line for _, line in sorted(_got(bucket)))
        finally:
            for bucket in buckets:
                bucket.close()


def _put(bucket: BinaryIO, key: bytes, line: bytes) -> None:
    bucket.write(len(key).to_bytes(4, "big") + len(line).to_bytes(4, "big") + key + line)


def _got(bucket: BinaryIO) -> Iterator[Line]:
    while head := bucket.read(8):
        key = bucket.read(int.from_bytes(head[:4], "big"))
        yield key, bucket.read(int.from_bytes(head[4:], "big"))
