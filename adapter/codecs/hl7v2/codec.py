"""HL7 v2: messages in ER7 (vertical bar) or XML encoding, versions 2.1 to 2.9, ER7 byte for byte.

The message is decoded to characters as a whole, by its own character set, and every text keeps its
place in them; writing replaces the characters an edit names and encodes the whole again. Nothing is
normalised: line ends, trailing separators, escapes, unknown segments and stray lines stay. XML is
read through its ER7 (see `adapter.codecs.hl7v2.xml`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from adapter.codecs.hl7v2.charsets import decode_text, encode_text
from adapter.codecs.hl7v2.delimiters import USUAL_COMPONENT, check_declared, read_delimiters
from adapter.codecs.hl7v2.escapes import Escapes, escapes_for
from adapter.codecs.hl7v2.framing import split_hl7v2
from adapter.codecs.hl7v2.lines import lines_of
from adapter.codecs.hl7v2.places import Inner, Place, Rows, leaf_changes, row_changes
from adapter.codecs.hl7v2.reader import Reader
from adapter.codecs.hl7v2.repair import Repairer
from adapter.codecs.hl7v2.schema import Schema, nearest
from adapter.codecs.hl7v2.security import labelled
from adapter.codecs.hl7v2.structure.segments import Shape
from adapter.codecs.hl7v2.xml import CHARSET, Names, Xml, from_xml
from adapter.codecs.splice import ordered, splice
from adapter.errors import DecodeError, EncodeError
from adapter.types import Edit, Message

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from adapter.codecs.hl7v2.embedded import Carrier
    from adapter.codecs.hl7v2.lines import Line
    from adapter.codecs.hl7v2.places import Change
    from adapter.codecs.hl7v2.reader import Row
    from adapter.codecs.hl7v2.repair import Repair
    from adapter.codecs.protocol import Frame
    from adapter.types import SecurityLabel, TextSegment

_HEADER = re.compile(rb"(?:\xef\xbb\xbf)?[\s\x1c]*(MSH|FHS|BHS|BTS|FTS)(?![A-Za-z0-9])")
_AROUND = b"\xef\xbb\xbf \t\r\n"
_TYPE = re.compile(r"[A-Z][A-Z0-9]{2}")
_MESSAGE_TYPE, _VERSION = 8, 11


@dataclass(frozen=True, slots=True)
class Body:
    """The message's characters, and the place of each segment's text in them."""

    text: str = field(repr=False)
    start: int
    charset: str = field(repr=False)
    escapes: Escapes = field(repr=False)
    places: list[Place] = field(repr=False)
    repair: Repair | None = None
    xml: Xml | None = None
    """The XML that the text was converted from."""


class Hl7v2Codec:
    """Reads and writes HL7 v2 messages by the tables of all versions.

    ``tables`` are those of ``rules/schema/hl7v2.json``; ``default_charset`` is the Python codec of
    messages that declare none and are not UTF-8; ``segment_end`` is the site's segment separator
    where it is not a line end (see `adapter.codecs.hl7v2.repair`).
    """

    name = "hl7v2"

    def __init__(
        self,
        tables: Mapping[str, Any],
        default_charset: str = "iso-8859-1",
        segment_end: str | None = None,
    ) -> None:
        self._default = default_charset
        self._repairer = Repairer(segment_end, tables["fields"], default_charset)
        self._versions: tuple[str, ...] = tuple(tables["versions"])
        self._shape = Shape(tables)
        self._names = Names(tables)
        self._plans = {version: Schema(tables, version) for version in self._versions}

    def decode(self, raw: bytes) -> Message:
        """Return the message; framing around it is allowed and kept.

        Raises:
            DecodeError: "empty", "not-hl7v2", "charset-unknown", "charset-invalid",
                "charset-not-reversible", "delimiters", "segments" or
                "several-messages"; of XML also "not-xml", "xml-encoding", "not-convertible" or
                "too-deep".
        """
        if raw.lstrip(_AROUND).startswith(b"<"):
            xml = from_xml(raw, self._names)
            return self._read(xml.er7, 0, CHARSET, xml=xml)
        found = _HEADER.match(raw)
        if found is None:
            raise DecodeError("not-hl7v2" if raw.strip(b"\x0b\x1c\r\n\t ") else "empty")
        raw, repair = self._repairer.repaired(raw)
        text, charset = decode_text(raw, self._default)
        start = text.index(found[1].decode("ascii"))
        return self._read(text, start, charset, repair)

    def _read(
        self,
        text: str,
        start: int,
        charset: str,
        repair: Repair | None = None,
        xml: Xml | None = None,
    ) -> Message:
        delimiters = read_delimiters(text[start : _line_end(text, start)])
        if delimiters.component != USUAL_COMPONENT:
            check_declared(delimiters, text)
        lines, rows = _split(text, start, delimiters.field)
        header = rows[0][2]
        self._shape.check(text, lines, [fields for _, _, fields in rows], delimiters)
        escapes = escapes_for(delimiters, charset)
        reader = Reader(self._plans[self._version(header, delimiters.component)], escapes)
        reader.read(rows)
        kind = _kind(header, delimiters.component)
        body = Body(text, start, charset, escapes, reader.places, repair, xml)
        return Message(self.name, kind, tuple(reader.segments), body)

    def _version(self, header: Sequence[str], component: str) -> str:
        if header[0] != "MSH" or len(header) <= _VERSION:
            return nearest("", self._versions)
        sent = header[_VERSION].partition(component)[0]
        return sent if sent in self._plans else nearest(sent, self._versions)

    def encode(
        self, message: Message, edits: Sequence[Edit], label: SecurityLabel | None = None
    ) -> bytes:
        """Return the message's bytes with the edits made; replacements are escaped.

        A label's code replaces the whole content of its field of MSH.

        An edit over several rows of joined text writes its replacement in the first row and
        empties the covered parts of the others.

        Raises:
            EncodeError: "unknown-path", "overlapping-edits", "unencodable", or "unreadable", the
                result would not be a message of this codec.
        """
        body: Body = message.body  # type: ignore[assignment]
        changes: Iterable[Change] = _changes(message.segments, body, edits) if edits else ()
        if label is not None:
            separator = body.escapes.delimiters.field
            header = lines_of(body.text, body.start, separator)[0]
            changes = labelled(changes, header, separator, label)
        text = splice(body.text, changes)
        if edits:
            self._check_written(text, body)
        if body.xml is not None:
            text = body.xml.restored(text)
        raw = encode_text(text, body.charset)
        if raw is not None and body.repair is not None:
            raw = body.repair.undone(raw)
        if raw is None:
            raise EncodeError("unencodable")
        return raw

    def _check_written(self, text: str, body: Body) -> None:
        """Check that replacements look like no segment and do not displace fields."""
        delimiters = body.escapes.delimiters
        try:
            lines, rows = _split(text, body.start, delimiters.field)
            self._shape.check(text, lines, [fields for _, _, fields in rows], delimiters)
        except DecodeError:
            raise EncodeError("unreadable") from None

    def split(self, raw: bytes) -> tuple[Frame, ...]:
        """Return the messages of a file, MLLP stream or batch; batch lines are frames too."""
        return split_hl7v2(raw)


def _split(text: str, start: int, separator: str) -> tuple[list[Line], list[Row]]:
    """Return the lines of a message, and each line with its fields."""
    lines = lines_of(text, start, separator)
    return lines, [(at, line, line.split(separator)) for at, line in lines]


def _line_end(text: str, start: int) -> int:
    ends = [end for end in (text.find("\r", start), text.find("\n", start)) if end >= 0]
    return min(ends, default=len(text))


def _kind(header: Sequence[str], component: str) -> str:
    """Return the message type and event ("ADT^A01"), "?" where they are not valid codes."""
    if header[0] != "MSH":
        return header[0]
    sent = header[_MESSAGE_TYPE].split(component)[:2] if len(header) > _MESSAGE_TYPE else []
    codes = [code for code in sent if code]
    return "^".join(codes) if codes and all(map(_TYPE.fullmatch, codes)) else "?"


def _changes(
    segments: Sequence[TextSegment], body: Body, edits: Sequence[Edit]
) -> Iterator[Change]:
    """Yield the changes of all edits, those of one path together."""
    by_path: dict[str, list[Edit]] = {}
    for edit in edits:
        by_path.setdefault(edit.path, []).append(edit)
    carriers: dict[Carrier, list[Edit]] = {}
    indexes = {segment.path: index for index, segment in enumerate(segments)}
    for path, group in by_path.items():
        index = indexes.get(path)
        if index is None:
            raise EncodeError("unknown-path")
        place, text = body.places[index], segments[index].text
        wanted = ordered(group, len(text))
        if isinstance(place, Inner):
            inner = [Edit(place.path, edit.start, edit.end, edit.text) for edit in wanted]
            carriers.setdefault(place.carrier, []).extend(inner)
        elif isinstance(place, Rows):
            yield from row_changes(place, wanted, body.text, body.escapes)
        else:
            yield from leaf_changes(place, text, wanted, body.text, body.escapes)
    for carrier, inner in carriers.items():
        yield carrier.at, carrier.stop, carrier.rewrite(inner)
