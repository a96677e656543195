"""Segments of a message: every non-empty leaf with its path, its type and its place.

A leaf is a subcomponent, a component or field that has none, one repetition of a TX or FT field, or
the text of consecutive OBX-5, NTE-3 or DSP-3 rows of one comment. MSH-1 and MSH-2 are syntax, the
explicit null ``""`` is not text, and a line that is not a segment is one leaf of unknown type.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from adapter.codecs.hl7v2.delimiters import DECLARING, HEADERS
from adapter.codecs.hl7v2.embedded import Carrier, data_component, open_carrier
from adapter.codecs.hl7v2.places import Escaped, Place
from adapter.codecs.hl7v2.rows import (
    COMMENT,
    NULL,
    NUMBERS,
    Run,
    inner_segments,
    observation_key,
    run_segments,
)
from adapter.codecs.hl7v2.schema import FieldSchema, Part, Schema, unknown
from adapter.errors import DecodeError
from adapter.types import TextSegment

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from adapter.codecs.hl7v2.escapes import Escapes

_NAME = re.compile(r"[A-Z][A-Z0-9]{2}")
Row = tuple[int, str, list[str]]
"""(offset of a line in the message's text, the line, its fields)."""

_FRAMING = "\x0b\x1c\ufeff \t"


def _names(dates: Iterable[str]) -> bool:
    """Whether one of these dates is none, but letters: the sender put a name there."""
    return any(any(map(str.isalpha, date)) and not any(map(str.isdigit, date)) for date in dates)


class Reader:
    """Reads the lines of one message; used once."""

    def __init__(self, plans: Schema, escapes: Escapes) -> None:
        self.segments: list[TextSegment] = []
        self.places: list[Place] = []
        self._add_segment = self.segments.append
        self._add_place = self.places.append
        self._plans = plans
        self._escapes = escapes
        known = escapes.delimiters
        self._repetition_mark = known.repetition
        self._component_mark = known.component
        self._part_mark = known.subcomponent
        self._escape = known.escape
        self._marked = escapes.marks.search
        self._escaped = False
        self._counts: dict[str, int] = {}
        self._run: Run | None = None

    def read(self, rows: Iterable[Row]) -> None:
        """Read all lines, the header first.

        Raises:
            DecodeError: "several-messages" if another header follows.
        """
        for at, line, fields in rows:
            plans = self._plans.segment(fields[0])
            self._escaped = self._escape in line
            if plans is None:
                self._irregular(line, fields, at)
            else:
                self._segment(plans, fields, at)
        self._end_run()

    def _segment(self, plans: Sequence[FieldSchema], fields: list[str], at: int) -> None:
        """Read one segment; ``at`` is the offset of its name."""
        name = fields[0]
        count = self._begin(name)
        shift = 1 if name in DECLARING else 0
        row, known = NUMBERS.get(name, 0), len(plans)
        at += len(name) + 1
        for number, value in enumerate(fields[1:], 1 + shift):
            if number == row:
                self._row_field(plans[number], fields, count, at)
            elif value and value != NULL and number > shift + shift:
                plan = plans[number] if number < known else unknown(name, number)
                base = None if count == 1 else f"{name}[{count}]-{number}"
                if value.isalnum() or not self._marked(value):
                    element, suffix, datatype = plan.leaf
                    path = element if base is None else base + suffix
                    self._add_segment(TextSegment(path, element, datatype, value))
                    self._add_place(at)
                else:
                    self._field(plan, value, at, base)
            at += len(value) + 1

    def _begin(self, name: str) -> int:
        """End a run of rows that this segment interrupts; return the segment's occurrence."""
        if name in HEADERS and self._counts:
            raise DecodeError("several-messages")
        if self._run is not None and self._run.name != name:
            self._end_run()
        count = self._counts[name] = self._counts.get(name, 0) + 1
        return count

    def _field(self, plan: FieldSchema, value: str, at: int, base: str | None) -> None:
        """Read the repetitions of a field; ``base`` is its path if that is not its element."""
        if self._repetition_mark not in value:
            self._repetition(plan, value, at, base)
            return
        for number, repetition in enumerate(value.split(self._repetition_mark), 1):
            if repetition and repetition != NULL:
                path = base if number == 1 else f"{base or plan.element}[{number}]"
                self._repetition(plan, repetition, at, path)
            at += len(repetition) + 1

    def _repetition(self, plan: FieldSchema, value: str, at: int, base: str | None) -> None:
        known = plan.parts
        if not known:
            if plan.whole or not self._separated(plan, value):
                self._leaf(base or plan.element, plan.element, plan.datatype, value, at)
                return
            known = plan.sent
        elif plan.datatype == "ED":
            self._document(plan, value, at, base)
            return
        components = value.split(self._component_mark)
        if plan.person and self._part_mark not in components[0] and _names(components[1:3]):
            known = plan.person
        last = len(known)
        plain, mark = not self._escaped, self._part_mark
        for index, component in enumerate(components):
            if component:
                part = known[index] if index < last else plan.beyond(index)
                if plain and mark not in component and component != NULL:
                    element, suffix, datatype = part.leaf
                    path = element if base is None else base + suffix
                    self._add_segment(TextSegment(path, element, datatype, component))
                    self._add_place(at)
                else:
                    self._component(part, component, at, base)
            at += len(component) + 1

    def _separated(self, plan: FieldSchema, value: str) -> bool:
        """Whether a primitive field was sent with components; in an ST a lone "&" is text."""
        if self._component_mark in value:
            return True
        return self._part_mark in value and (plan.datatype != "ST" or bool(plan.sent))

    def _component(self, part: Part, value: str, at: int, base: str | None) -> None:
        if not part.parts and self._part_mark not in value:
            path = part.element if base is None else base + part.suffix
            self._leaf(path, part.element, part.datatype, value, at)
            return
        known, last = part.parts, len(part.parts)
        for index, piece in enumerate(value.split(self._part_mark)):
            if piece:
                inner = known[index] if index < last else part.beyond(index)
                path = inner.element if base is None else base + inner.suffix
                self._leaf(path, inner.element, inner.datatype, piece, at)
            at += len(piece) + 1

    def _leaf(self, path: str, element: str, datatype: str, value: str, at: int) -> None:
        if self._escaped and self._escape in value:
            text, pieces = self._escapes.read(value)
            if text:
                self._add_segment(TextSegment(path, element, datatype, text))
                self._add_place(Escaped(at, at + len(value), pieces))
        elif value != NULL:
            self._add_segment(TextSegment(path, element, datatype, value))
            self._add_place(at)

    def _document(self, plan: FieldSchema, value: str, at: int, base: str | None) -> None:
        """Read an ED field; open its data component if it is a document that can be read."""
        components = value.split(self._component_mark)
        data = data_component(components)
        for index, component in enumerate(components):
            part = plan.parts[index] if index < len(plan.parts) else plan.beyond(index)
            if index == data:
                path = part.element if base is None else base + part.suffix
                found = open_carrier(components, index, at, self._escapes)
                self._opened(found, path, part, component, at)
            elif component:
                self._component(part, component, at, base)
            at += len(component) + 1

    def _opened(self, found: Carrier | str, path: str, part: Part, value: str, at: int) -> None:
        """Add a document's own segments, or one of unreadable data with its media type."""
        if isinstance(found, str):
            self._leaf(path, part.element, f"ED.5:{found}", value, at)
            return
        for segment, place in inner_segments(found, path):
            self._add_segment(segment)
            self._add_place(place)

    def _row_field(self, plan: FieldSchema, fields: list[str], count: int, at: int) -> None:
        """Read the field that may continue in the next row; ``at`` is its offset."""
        name = fields[0]
        number = NUMBERS[name]
        value = fields[number]
        key: tuple[str, ...] | None = COMMENT
        if name == "OBX":
            datatype = fields[2].partition(self._component_mark)[0].strip().upper()
            plan = self._plans.observation(datatype)
            key = observation_key(fields, datatype, self._run)
        if key is None:
            self._end_run()
            if value and value != NULL:
                self._field(plan, value, at, None if count == 1 else f"{name}[{count}]-{number}")
            return
        run = self._run_of(key, name, plan, count)
        run.add(value.split(self._repetition_mark), at)
        run.open = len(fields) == number + 1

    def _run_of(self, key: tuple[str, ...], name: str, plan: FieldSchema, count: int) -> Run:
        run = self._run
        if run is None or run.key != key:
            self._end_run()
            run = self._run = Run(key, name, plan, count, len(self.segments))
        run.last = count
        return run

    def _end_run(self) -> None:
        """Insert the text of the finished run at the position of its first row."""
        run, self._run = self._run, None
        if run is None:
            return
        read = list(run_segments(run, self._escapes))
        self.segments[run.index : run.index] = [segment for segment, _ in read]
        self.places[run.index : run.index] = [place for _, place in read]

    def _irregular(self, line: str, fields: list[str], at: int) -> None:
        """Read a line that begins with no known segment's name.

        Indented and site-defined segments are segments; a line without a field separator after a
        row of text is a further row; framing is ignored; anything else is of unknown type.
        """
        indent = len(line) - len(line.lstrip(" \t"))
        name = fields[0] = fields[0][indent:]
        plans = self._plans.segment(name)
        if plans is not None or (len(fields) > 1 and _NAME.fullmatch(name)):
            self._segment(plans or (), fields, at + indent)
        elif self._run is not None and self._run.open and len(fields) == 1:
            self._run.add((line,), at)
        elif line.strip(_FRAMING):
            self._end_run()
            count = self._counts["?"] = self._counts.get("?", 0) + 1
            self._leaf("?-1" if count == 1 else f"?[{count}]-1", "?-1", "?", line, at)
