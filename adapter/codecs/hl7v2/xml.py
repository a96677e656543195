"""Converts HL7 v2 XML to ER7 and back (HL7 Version 2: XML Encoding Syntax, release 2).

The number in an element's name is its position: ``<CX.4>`` in ``<PID.3>`` is PID-3.4. The ER7 is
processed like any message; then elements whose values changed are rewritten, and the document is
read again to verify that its values are those of the ER7. Comments and white space between elements
are not part of a message and are dropped.

Only element names that HL7 defines are accepted, in ascending order; other documents are refused.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from adapter.codecs.hl7v2.delimiters import ABSENT, read_delimiters
from adapter.codecs.hl7v2.escapes import escapes_for
from adapter.codecs.hl7v2.xml_tree import SEQUENCE, Element, Sequence, read, written
from adapter.errors import DecodeError, EncodeError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from adapter.codecs.hl7v2.delimiters import Delimiters
    from adapter.codecs.hl7v2.escapes import Escapes
    from adapter.codecs.hl7v2.xml_tree import Part

CHARSET = "utf-8"
_SEGMENT = re.compile(r"Z[A-Z0-9]{2}")
_NUMBERED = re.compile(r"([A-Z][A-Z0-9_]+)\.([1-9]\d{0,2})")
_CHARACTERS = frozenset("FSTREP")
"""Escape sequences of delimiters, which XML writes as plain characters."""
_SYNTAX = 2
"""MSH-1 and MSH-2 declare the delimiters."""
_ESCAPE_AND_SEPARATORS = 2, 5
"""Least and most characters of MSH-2."""
Spot = tuple[int, int, int, int]
"""Field, repetition, component and subcomponent, each counted from 1."""
Values = tuple[str, dict[Spot, str]]
"""A segment's name, and its non-empty values, still escaped."""


class Names:
    """The element names of messages, from the tables of all versions."""

    def __init__(self, tables: Mapping[str, Any]) -> None:
        self.structures = frozenset(tables["structures"].split())
        self.groups = frozenset(tables["groups"].split())
        self.segments = frozenset(tables["fields"]) | {"MSH"}
        self.datatypes = frozenset(tables["datatypes"])


@dataclass(frozen=True, slots=True)
class Xml:
    """An XML message, and its ER7."""

    raw: bytes = field(repr=False)
    declared: bool
    """Whether the document begins with an XML declaration."""
    er7: str = field(repr=False)
    names: Names = field(repr=False)

    def restored(self, er7: str) -> str:
        """Return ER7 as XML, always rewritten, even if no value changed.

        Raises:
            EncodeError: "unreadable", the ER7 cannot be written as XML.
        """
        try:
            root = read(self.raw)
            self._fill(root, er7)
            text = written(root, declared=self.declared)
            again = _er7(read(text.encode()), self.names)
        except (DecodeError, ValueError):  # also different segments, and lone surrogates
            raise EncodeError("unreadable") from None
        if _values(again) != _values(er7):
            raise EncodeError("unreadable")
        return text

    def _fill(self, root: Element, er7: str) -> None:
        """Write the changed values into the elements."""
        escapes = _escapes(er7)
        before, after = _values(self.er7), _values(er7)
        for segment, (_, old), (name, new) in zip(
            _segments(root, root.name, self.names), before, after, strict=True
        ):
            if segment.name != name:
                raise DecodeError("segments")
            for spot, leaf in _leaves(segment):
                if old.get(spot) != new.get(spot):
                    leaf.parts = list(_parts(new.get(spot, ""), escapes))
            if name == "MSH":
                _add_fields(segment, new, escapes)


def from_xml(raw: bytes, names: Names) -> Xml:
    """Return an XML message with its ER7.

    Raises:
        DecodeError: "not-xml", "xml-encoding", "too-deep"; "not-convertible", the message has
            content that ER7 cannot express, or names that HL7 does not define; "delimiters".
    """
    raw = raw.strip(b"\xef\xbb\xbf \t\r\n")
    return Xml(raw, raw.startswith(b"<?"), _er7(read(raw), names), names)


# ---- XML to ER7 ----


def _er7(root: Element, names: Names) -> str:
    if root.name not in names.structures:
        raise DecodeError("not-convertible")
    segments = list(_segments(root, root.name, names))
    if not segments or segments[0].name != "MSH":
        raise DecodeError("not-convertible")
    head = _declaration(segments[0])
    escapes = escapes_for(read_delimiters(head), CHARSET)
    lines = [_line(segment, escapes, names) for segment in segments]
    lines[0] = head + lines[0][len("MSH") + 2 :]  # MSH-1 and MSH-2 are in the head
    return "".join(f"{line}\r" for line in lines)


def _segments(element: Element, structure: str, names: Names) -> Iterator[Element]:
    """Yield the segments of a message or group, in order.

    Raises:
        DecodeError: "not-convertible", there is anything else.
    """
    if _has_text(element):
        raise DecodeError("not-convertible")
    for child in element.children:
        of, _, group = child.name.partition(".")
        if of == structure and group in names.groups:
            yield from _segments(child, structure, names)
        elif child.name in names.segments or _SEGMENT.fullmatch(child.name):
            yield child
        else:
            raise DecodeError("not-convertible")


def _declaration(segment: Element) -> str:
    """Return "MSH" with MSH-1 and MSH-2.

    Raises:
        DecodeError: "not-convertible", one of them is missing or malformed.
    """
    first = segment.children[:2]
    said = ["".join(p for p in each.parts if isinstance(p, str)) for each in first]
    whole = [each.name for each in first] == ["MSH.1", "MSH.2"] and len(said[0]) == 1
    low, high = _ESCAPE_AND_SEPARATORS
    plain = whole and all(len(each.parts) == 1 and not each.children for each in first)
    if not plain or not low <= len(said[1]) <= high:
        raise DecodeError("not-convertible")
    return f"MSH{said[0]}{said[1]}"


def _line(segment: Element, escapes: Escapes, names: Names) -> str:
    marks = escapes.delimiters
    fields: list[list[str]] = []
    for child in segment.children:
        number = _number(child, {segment.name})
        if number < len(fields):
            raise DecodeError("not-convertible")
        while len(fields) < number:
            fields.append([])
        syntax = segment.name == "MSH" and number <= _SYNTAX
        if fields[-1] and (syntax or marks.repetition == ABSENT):
            raise DecodeError("not-convertible")
        fields[-1].append("" if syntax else _value(child, escapes, names))
    if _has_text(segment):
        raise DecodeError("not-convertible")
    return marks.field.join([segment.name, *(marks.repetition.join(each) for each in fields)])


def _has_text(element: Element) -> bool:
    """Return whether an element has text of its own."""
    return any(isinstance(part, Sequence) or part.strip() for part in element.parts)


def _value(element: Element, escapes: Escapes, names: Names, level: int = 0) -> str:
    """Return a field, component or subcomponent as ER7."""
    if not element.children:
        return _sent(element.parts, escapes)
    marks = (escapes.delimiters.component, escapes.delimiters.subcomponent)
    if level == len(marks) or (marks[level] == ABSENT and len(element.children) > 1):
        raise DecodeError("not-convertible")
    values: list[str] = []
    kinds = {child.name.partition(".")[0] for child in element.children}
    for child in element.children:
        number = _number(child, names.datatypes & kinds)
        if len(kinds) > 1 or number <= len(values):
            raise DecodeError("not-convertible")
        values += [""] * (number - len(values))
        values[-1] = _value(child, escapes, names, level + 1)
    return marks[level].join(values)


def _number(element: Element, owners: set[str] | frozenset[str]) -> int:
    """Return the number in an element's name.

    Raises:
        DecodeError: "not-convertible", the name before the number is not one of the owners.
    """
    found = _NUMBERED.fullmatch(element.name)
    if found is None or found[1] not in owners:
        raise DecodeError("not-convertible")
    return int(found[2])


def _sent(parts: list[Part], escapes: Escapes) -> str:
    mark = escapes.delimiters.escape
    text = ""
    try:
        for part in parts:
            text += escapes.write(part) if isinstance(part, str) else f"{mark}{part.code}{mark}"
    except EncodeError:
        raise DecodeError("not-convertible") from None
    if ABSENT in text:
        raise DecodeError("not-convertible")
    return text


# ---- ER7 to XML ----


def _escapes(er7: str) -> Escapes:
    return escapes_for(read_delimiters(er7[: er7.index("\r")]), CHARSET)


def _values(er7: str) -> list[Values]:
    """Return the values of each segment of a message."""
    marks = read_delimiters(er7[: er7.index("\r")])
    return [_of_line(line, marks) for line in er7.split("\r") if line]


def _of_line(line: str, marks: Delimiters) -> Values:
    name, *fields = line.split(marks.field)
    shift = 2 if name == "MSH" else 1
    found = {
        (number, repetition, component, sub): value
        for number, field_ in enumerate(fields, shift)
        if name != "MSH" or number > shift
        for repetition, each in enumerate(field_.split(marks.repetition), 1)
        for component, part in enumerate(each.split(marks.component), 1)
        for sub, value in enumerate(part.split(marks.subcomponent), 1)
        if value
    }
    return name, found


def _leaves(segment: Element) -> Iterator[tuple[Spot, Element]]:
    """Yield the elements that contain text, each with its spot."""
    counts: dict[str, int] = {}
    for child in segment.children:
        repetition = counts[child.name] = counts.get(child.name, 0) + 1
        number = _last_number(child)
        if segment.name == "MSH" and number <= _SYNTAX:
            continue
        for component in child.children or [child]:
            at = _last_number(component) if component is not child else 1
            for sub in component.children or [component]:
                yield (
                    (number, repetition, at, _last_number(sub) if sub is not component else 1),
                    sub,
                )


def _last_number(element: Element) -> int:
    return int(element.name.rpartition(".")[2])


def _parts(sent: str, escapes: Escapes) -> Iterator[Part]:
    """Yield the parts of an ER7 value."""
    mark = re.escape(escapes.delimiters.escape)
    done = 0
    for match in re.finditer(f"{mark}({SEQUENCE}){mark}", sent):
        yield sent[done : match.start()]
        yield escapes.read(match[0])[0] if match[1] in _CHARACTERS else Sequence(match[1])
        done = match.end()
    yield sent[done:]


def _add_fields(header: Element, values: dict[Spot, str], escapes: Escapes) -> None:
    """Add elements for MSH fields that had none, such as one that a label was written into."""
    there = [_last_number(child) for child in header.children]
    for (number, *_), value in values.items():
        if number not in there:
            made = Element(f"MSH.{number}", [], list(_parts(value, escapes)))
            header.children.insert(sum(each < number for each in there), made)
            there.append(number)
