"""Segments of a released message, parsed as in the codec; rows of one text are joined."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from adapter.codecs.hl7v2.charsets import decode_text
from adapter.codecs.hl7v2.delimiters import read_delimiters
from adapter.codecs.hl7v2.escapes import escapes_for
from adapter.codecs.hl7v2.lines import lines_of
from adapter.codecs.hl7v2.rows import observation_key
from adapter.errors import DecodeError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from adapter.codecs.hl7v2.escapes import Escapes

_CHARSET = "iso-8859-1"
"""The character set of messages that declare none and are not UTF-8."""
_DATATYPE, _VALUE, _TIME = 2, 5, 14
_WORDS = {"TX", "FT", "ST"}


@dataclass(frozen=True, slots=True)
class Segments:
    """A message's segments, each a list of fields by number, and its escape sequences.

    ``several`` are the indexes of rows whose text the sender split into several segments.
    """

    rows: tuple[list[str], ...] = field(repr=False)
    escapes: Escapes = field(repr=False)
    several: frozenset[int] = frozenset()


def read_segments(raw: bytes) -> Segments:
    """Return the segments of one message; framing before it is allowed.

    Raises:
        DecodeError: "not-hl7v2", or an error of its character set or delimiters.
    """
    text, charset = decode_text(raw, _CHARSET)
    start = text.find("MSH")
    if start < 0:
        raise DecodeError("not-hl7v2")
    separator = text[start + 3 : start + 4]
    lines = lines_of(text, start, separator)
    delimiters = read_delimiters(lines[0][1])
    sent = (line.rstrip("\x0b\x1c") for _, line in lines)
    rows = [line.split(separator) for line in sent if line]
    rows[0].insert(1, separator)
    joined = list(_joined(rows))
    several = frozenset(at for at, (_, count) in enumerate(joined) if count > 1)
    return Segments(tuple(row for row, _ in joined), escapes_for(delimiters, charset), several)


def _joined(rows: list[list[str]]) -> Iterator[tuple[list[str], int]]:
    """Yield (row, number of segments), with the segments of one text joined (chapter 7.4.2)."""
    first: list[str] | None = None
    key: tuple[str, ...] | None = None
    texts: list[str] = []
    for row in rows:
        found = _text_key(row, key)
        if first is not None and found is not None and found == key:
            texts.append(row[_VALUE] if len(row) > _VALUE else "")
            continue
        if first is not None:
            yield _whole(first, texts), len(texts)
        first, key = (row, found) if found else (None, None)
        texts = [row[_VALUE] if len(row) > _VALUE else ""] if found else []
        if first is None:
            yield row, 1
    if first is not None:
        yield _whole(first, texts), len(texts)


def _text_key(row: list[str], before: tuple[str, ...] | None) -> tuple[str, ...] | None:
    if row[0] != "OBX" or len(row) <= _DATATYPE or row[_DATATYPE] not in _WORDS:
        return None
    if before and before[0] == "TX" and row[_DATATYPE] != "ST" and not (len(row) > 3 and row[3]):  # noqa: PLR2004
        return before
    return observation_key(row, row[_DATATYPE], None)


def _whole(row: list[str], texts: list[str]) -> list[str]:
    if len(texts) == 1:
        return row
    return [*row[:_VALUE], "\n".join(texts), *row[_VALUE + 1 :]]
