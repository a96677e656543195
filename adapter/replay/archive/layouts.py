"""Layouts: from a row to the parts of a record, by the columns of a sink connector.

A row may give the position of its record (``offset`` and others). Otherwise the position comes from
the object's name, or from counting rows.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from adapter.replay.archive.formats import JsonLine, Number
from adapter.replay.archive.values import decoded, dumped, milliseconds
from adapter.replay.errors import ReplayError, at

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from adapter.config.replay import ReplaySource

Headers = tuple[tuple[str, bytes], ...]
Part = TypeVar("Part")
COLUMNS = frozenset("headers key keyIsArray metadata offset partition timestamp topic".split())
"""Columns that layouts have besides the value."""
OTHER_TYPES = (TypeError, ValueError, KeyError, AttributeError, OverflowError, RecursionError)
"""Exceptions that reading a column raises if its types differ from the layout's."""
_PAIR = 2


@dataclass(frozen=True, slots=True)
class Row:
    """The parts of a record that a row gives; None for missing parts."""

    value: bytes | None = field(repr=False)
    key: bytes | None = field(default=None, repr=False)
    headers: Headers = field(default=(), repr=False)
    timestamp: int | None = field(default=None, repr=False)
    topic: str | None = None
    partition: int | None = None
    offset: int | None = None
    rewritten: bool = False
    """Whether the value was parsed and serialised again, so that its bytes may differ."""


@dataclass(frozen=True, slots=True)
class Reader:
    """Turns raw rows of an archive into `Row`; errors have the given place."""

    source: ReplaySource = field(repr=False)

    def row(self, raw: Any, place: str) -> Row:
        """Return the `Row` of a raw row in the archive's format and layout.

        Raises:
            ReplayError: a column is missing, or its values cannot be part of a message.
        """
        try:
            return LAYOUTS[self.source.layout](self, raw, place)
        except OTHER_TYPES:
            raise _other_types(place) from None

    def text(self, raw: Any, place: str, *, encoding: str) -> tuple[bytes | None, bool]:
        """Return the bytes of a value, key or header, and whether they were serialised again.

        Raises:
            ReplayError: the value is neither bytes nor text.
        """
        match raw:
            case None:
                return None, False
            case bytes() | bytearray() | memoryview():
                return bytes(raw), False
            case Number():
                return raw.encode(), False
            case str():
                return decoded(raw, encoding), False
            case dict() | list() if self.source.format == "jsonl":
                return dumped(raw).encode(), True
            case bool() | int():
                return dumped(raw).encode(), False
        raise ReplayError(place, "has a value that is neither bytes nor text")

    def columns(self, row: Mapping[str, Any], place: str) -> Row:
        """Read columns by name; ``valueIsArray`` and ``keyIsArray`` mark text as base64."""
        if "value" not in row:
            raise ReplayError(place, f"has no value column; {_known(row)}")
        key_encoding = "base64" if row.get("keyIsArray") else self.source.key_encoding
        encoding = "base64" if row.get("valueIsArray") else self.source.encoding
        value, rewritten = self.text(row["value"], place, encoding=encoding)
        key, _ = self.text(row.get("key"), place, encoding=key_encoding)
        return Row(
            value,
            key,
            self.headers(row.get("headers"), place),
            milliseconds(row.get("timestamp")),
            row.get("topic"),
            _whole(row.get("partition")),
            _whole(row.get("offset")),
            rewritten,
        )

    def headers(self, raw: Any, place: str) -> Headers:
        """Read headers given as a map, as key-value structs, or as pairs."""
        return tuple(self._header(name, value, place) for name, value in _pairs(raw))

    def _header(self, name: str, value: Any, place: str) -> tuple[str, bytes]:
        return name, self.text(value, place, encoding=self.source.key_encoding)[0] or b""


def _columns(reader: Reader, raw: Any, place: str) -> Row:
    return reader.columns(_mapping(raw, place), place)


def _lenses(reader: Reader, raw: Any, place: str) -> Row:
    """Read bytes, or the connector's envelope (``store.envelope``), which nests coordinates."""
    if isinstance(raw, bytes):
        return Row(raw or None)
    row = _mapping(raw, place)
    if "metadata" not in row and "value" not in row:
        raise ReplayError(place, "has no envelope: the sink ran without store.envelope")
    return reader.columns({"value": None, **row, **(row.get("metadata") or {})}, place)


def _value_only(reader: Reader, raw: Any, place: str) -> Row:
    """Read a row that is only a value: a JSON object's own line, or the row's only column."""
    if isinstance(raw, JsonLine):
        if isinstance(raw.value, dict):
            return Row(raw.raw)
        raw = raw.value
    if isinstance(raw, dict):
        if len(raw) != 1:
            raise ReplayError(place, "is a structure; a replay needs the messages' bytes or text")
        (raw,) = raw.values()
    value, rewritten = reader.text(raw, place, encoding=reader.source.encoding)
    return Row(value, rewritten=rewritten)


LAYOUTS: dict[str, Callable[[Reader, Any, str], Row]] = {
    "columns": _columns,
    "confluent": _value_only,
    "lenses": _lenses,
    "aiven": _columns,
    "plain": _value_only,
}


def _mapping(raw: Any, place: str) -> Mapping[str, Any]:
    row = raw.value if isinstance(raw, JsonLine) else raw
    if not isinstance(row, dict):
        raise ReplayError(place, "has no columns")
    return row


def _known(row: Mapping[str, Any]) -> str:
    """Describe a row's known columns; other names are omitted, as they may be part of a message."""
    known = sorted(COLUMNS & row.keys())
    others = ["others"] if len(known) < len(row) else []
    return f"its columns are {', '.join([*known, *others]) or 'none'}"


def _pairs(raw: Any) -> Iterator[tuple[str, Any]]:
    if raw is None:
        return
    for each in raw.items() if isinstance(raw, dict) else raw:
        if isinstance(each, dict):
            yield each["key"], each["value"]
        elif len(each) == _PAIR:
            yield each[0], each[1]
        else:
            raise ValueError("neither pair nor struct")


def _whole(raw: Any) -> int | None:
    return None if raw is None else int(raw)


def texts(rows: Iterable[Any], reader: Reader, name: str) -> Iterator[bytes | None]:
    """Yield the keys of a separate object of keys, one per row.

    Raises:
        ReplayError: a row is not a key.
    """

    def text(value: Any, place: str) -> bytes | None:
        if isinstance(value, dict) and len(value) == 1:
            (value,) = value.values()
        return reader.text(value, place, encoding=reader.source.key_encoding)[0]

    return _each(rows, name, text)


def headers(rows: Iterable[Any], reader: Reader, name: str) -> Iterator[Headers]:
    """Yield the headers of a separate object of headers, those of one record per row.

    Raises:
        ReplayError: a row is not headers.
    """

    def listed(value: Any, place: str) -> Headers:
        return reader.headers(
            value.get("headers", value) if isinstance(value, dict) else value, place
        )

    return _each(rows, name, listed)


def _each(rows: Iterable[Any], name: str, read: Callable[[Any, str], Part]) -> Iterator[Part]:
    for number, raw in enumerate(rows, start=1):
        place = at(name, number)
        try:
            found = read(raw.value if isinstance(raw, JsonLine) else raw, place)
        except OTHER_TYPES:
            raise _other_types(place) from None
        yield found


def _other_types(place: str) -> ReplayError:
    return ReplayError(place, "has columns of types that differ from the layout's")
