"""Formats of objects: from bytes to rows, one row per record or message.

To add a format, add a line to ``FORMATS``. The type of a row depends on the format: a mapping of
columns, bytes, or text. Readers raise `ReplayError` with the row's number if an object is truncated
or in another format.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from adapter.codecs import detect
from adapter.codecs.hl7v2.framing import split_hl7v2
from adapter.replay.archive.compression import DAMAGED, damaged, decompressed
from adapter.replay.errors import ReplayError, at, missing_extra
from adapter.transports.files.blocks import blocks

if TYPE_CHECKING:
    from adapter.config.replay import ReplaySource

AVRO, PARQUET = b"Obj\x01", b"PAR1"
_BATCH_ENVELOPE = (b"FHS", b"BHS", b"BTS", b"FTS")
_LENGTH_BYTES = 4
LONGEST = 256 << 20
"""Maximum number of bytes of a message; a greater length prefix counts as damage."""

Rows = Callable[[BinaryIO, str], Iterator[Any]]


@dataclass(frozen=True, slots=True)
class Format:
    """A reader of rows, the first bytes of its objects, and whether it needs a seekable stream."""

    rows: Rows
    magic: bytes = b""
    seeks: bool = False


def rows(stream: BinaryIO, name: str, source: ReplaySource) -> Iterator[Any]:
    """Yield the rows of an object.

    Raises:
        ReplayError: the object is damaged, truncated, or in another format; the error's place
        has its name and row.
    """
    form = FORMATS[source.format]
    number = 0
    try:
        inner = decompressed(stream)
        if not form.seeks:
            inner = cast("BinaryIO", io.BufferedReader(cast("io.RawIOBase", inner), 1 << 18))
        _refuse_others(inner, name, source)
        read = _SPLITS[source.split] if source.format == "bytes" else form.rows
        for row in read(inner, name):
            number += 1
            yield row
    except DAMAGED:
        raise damaged(at(name, number + 1)) from None
    except OSError as error:
        raise ReplayError(
            at(name, number + 1), f"cannot be read ({type(error).__name__})"
        ) from None


def _refuse_others(stream: BinaryIO, name: str, source: ReplaySource) -> None:
    """Raise ReplayError for an object whose first bytes are those of another format."""
    if hasattr(stream, "peek"):
        head = stream.peek(64)[:64]
    else:
        head = stream.read(64)
        stream.seek(0)
    magic = FORMATS[source.format].magic
    if head and magic and not head.startswith(magic):
        raise ReplayError(name, f"is not an object of format {source.format}")
    for other, form in FORMATS.items():
        if form.magic and form.magic != magic and head.startswith(form.magic):
            raise ReplayError(
                name, f"has format {other}, but replay.source.format is {source.format}"
            )


def _jsonl(stream: BinaryIO, name: str) -> Iterator[Any]:
    """Yield one `JsonLine` per line; layouts without columns need the line itself."""
    number = 0
    for line in stream:
        if not line.strip():
            continue
        number += 1
        try:
            yield JsonLine(line.strip(), json.loads(line, parse_float=Number))
        except (ValueError, RecursionError):
            raise ReplayError(at(name, number), "is not JSON, or is truncated") from None


class Number(str):
    """A JSON number literal, with its original digits."""

    __slots__ = ()


@dataclass(frozen=True, slots=True, repr=False)
class JsonLine:
    """A line of JSON and its parsed value."""

    raw: bytes
    value: Any


def _avro(stream: BinaryIO, name: str) -> Iterator[Any]:
    """Yield the records of an object container file (Avro 1.11 specification)."""
    try:
        import fastavro  # noqa: PLC0415 - an extra
    except ImportError:
        raise missing_extra("fastavro") from None
    number = 0
    try:
        for row in fastavro.reader(stream):
            number += 1
            yield row
    except (ReplayError, *DAMAGED[1:]):
        raise
    except Exception:  # noqa: BLE001 - any error of the library means a damaged object
        raise ReplayError(at(name, number + 1), "Avro data is damaged or truncated") from None


def _parquet(stream: BinaryIO, name: str) -> Iterator[Any]:
    """Yield the rows of a Parquet file, read in batches."""
    try:
        import pyarrow as pa  # noqa: PLC0415 - an extra
        import pyarrow.parquet as pq  # noqa: PLC0415
    except ImportError:
        raise missing_extra("pyarrow") from None
    number = 0
    try:
        for batch in pq.ParquetFile(stream).iter_batches(batch_size=1000):
            for row in batch.to_pylist():
                number += 1
                yield row
    except (pa.ArrowException, OSError, ValueError):
        raise ReplayError(at(name, number + 1), "Parquet data is damaged or truncated") from None


def _batch(stream: BinaryIO, name: str) -> Iterator[Any]:
    """Yield the messages of an HL7 v2 batch file without its framing (chapter 2.10.3)."""
    begun = False
    for block in blocks(stream):
        if not begun and block.strip() and detect(block) != "hl7v2":
            raise ReplayError(name, "does not begin with an HL7 v2 header")
        begun = True
        for frame in split_hl7v2(block):
            value = frame.value.lstrip()
            if value and not value.startswith(_BATCH_ENVELOPE):
                yield frame.value


def _ambiguous(_stream: BinaryIO, _name: str) -> Iterator[Any]:
    """Raise ReplayError: the settings do not say how messages of format ``bytes`` end."""
    raise ReplayError("replay.source.split", AMBIGUOUS)


AMBIGUOUS = (
    "must be set for format bytes: a line feed may separate messages or be part of one; use hl7v2, "
    "length4 or whole if the archive is written so, lines only if no message has a line end"
)


def _lines(stream: BinaryIO, _name: str) -> Iterator[bytes]:
    for line in stream:
        if line.strip():
            yield line.removesuffix(b"\n")


def _whole(stream: BinaryIO, _name: str) -> Iterator[bytes]:
    yield stream.read()


def _length4(stream: BinaryIO, name: str) -> Iterator[bytes]:
    number = 0
    while head := stream.read(_LENGTH_BYTES):
        number += 1
        length = int.from_bytes(head, "big")
        value = stream.read(length) if length <= LONGEST else b""
        if len(head) < _LENGTH_BYTES or len(value) < length:
            raise ReplayError(at(name, number), "is shorter than its length prefix says")
        yield value


_SPLITS: dict[str, Rows] = {
    "refuse": _ambiguous,
    "lines": _lines,
    "hl7v2": _batch,
    "length4": _length4,
    "whole": _whole,
}

FORMATS: dict[str, Format] = {
    "jsonl": Format(_jsonl),
    "avro": Format(_avro, AVRO),
    "parquet": Format(_parquet, PARQUET, seeks=True),
    "bytes": Format(_ambiguous),
    "hl7-batch": Format(_batch),
}
