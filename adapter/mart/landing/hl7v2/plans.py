"""The mapping tables, compiled for one set of delimiters."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from adapter.mart.landing.hl7v2.compiled import FieldRule, Link, Operation, SegmentTable
from adapter.mart.landing.hl7v2.datatypes.composites import Datatypes
from adapter.mart.landing.hl7v2.datatypes.leaves import NULL
from adapter.mart.landing.hl7v2.datatypes.primitives import PRIMITIVES
from adapter.mart.landing.hl7v2.datatypes.values import SPECIAL
from adapter.mart.landing.hl7v2.grammar import parse_place, parse_rule
from adapter.mart.landing.hl7v2.keys import Keys
from adapter.mart.landing.hl7v2.writers import writer_of
from adapter.mart.versions import Op

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from adapter.codecs.hl7v2.escapes import Escapes
    from adapter.mart.landing.hl7v2.compiled import Row, Rows
    from adapter.mart.landing.hl7v2.grammar import Condition, Rule
    from adapter.mart.landing.hl7v2.tables import Tables
    from adapter.mart.landing.hl7v2.writers import Writer


@dataclass(frozen=True, eq=False)
class Plan:
    """All compiled tables; there is one plan for each set of delimiters and character set."""

    tables: Tables
    escapes: Escapes = field(repr=False)
    _segments: dict[str, dict[str, SegmentTable]] = field(default_factory=dict, repr=False)
    _begins: dict[str, Mapping[str, Sequence[str]]] = field(default_factory=dict, repr=False)
    _links: dict[str, Mapping[str, Sequence[Link]]] = field(default_factory=dict, repr=False)

    @cached_property
    def datatypes(self) -> Datatypes:
        """The compiled datatypes, for these delimiters."""
        return Datatypes(self.tables.datatype, self.tables.codes, self.escapes)

    @cached_property
    def keys(self) -> Keys:
        """The natural keys of the resources."""
        return Keys(self.tables.keys, self.tables.resource, self.escapes.delimiters)

    def segments(self, resource: str) -> dict[str, SegmentTable]:
        """Segment -> its table for a resource type, in the order of the files.

        Tables are compiled on first use, so that messages with unusual delimiters cost little.
        """
        if resource not in self._segments:
            self._segments[resource] = {
                segment: self._table(f"{resource}.{segment}", lines)
                for segment, lines in self.tables.map[resource].items()
            }
        return self._segments[resource]

    @cached_property
    def defaults(self) -> dict[str, tuple[tuple[str, object], ...]]:
        """Resource type -> its default elements."""
        return {
            name: tuple(entry.get("default", {}).items())
            for name, entry in self.tables.resource.items()
        }

    @cached_property
    def operations(self) -> dict[str, Operation]:
        """Resource type -> the operation of its versions."""
        return {name: _operation(entry) for name, entry in self.tables.resource.items()}

    @cached_property
    def referring(self) -> dict[str, tuple[tuple[str, Writer], ...]]:
        """Resource type -> (type, writer) of its references to the patient and the encounter."""
        return {
            name: tuple(
                (to, writer_of(parse_rule(entry[element], name).steps))
                for element, to in (("subject", "Patient"), ("encounter", "Encounter"))
                if element in entry
            )
            for name, entry in self.tables.resource.items()
        }

    @cached_property
    def parents(self) -> dict[str, Writer]:
        """Resource type -> writer of its reference to its parent of the same type."""
        return {
            name: writer_of(parse_rule(entry["parent"], name).steps)
            for name, entry in self.tables.resource.items()
            if "parent" in entry
        }

    @cached_property
    def silent(self) -> frozenset[str]:
        """Segments without patient data, which are ignored."""
        return frozenset(name for name, numbers in self.tables.ignore.items() if not numbers)

    @cached_property
    def mapped(self) -> dict[str, frozenset[int]]:
        """Segment -> numbers of the fields that are mapped to some resource, or ignored."""
        found: dict[str, set[int]] = {
            name: set(numbers) for name, numbers in self.tables.ignore.items()
        }
        for by in self.tables.map.values():
            for segment, lines in by.items():
                numbers = (int(key) for key in lines if key != "set")
                found.setdefault(segment, set()).update(numbers)
        return {name: frozenset(numbers | {0}) for name, numbers in found.items()}

    @cached_property
    def begins_of_texts(self) -> tuple[str, ...]:
        """Resources created for a text in several rows, besides those of its segment."""
        return tuple(self.tables.begin.get("rows", {}).get("OBX", ()))

    def begins(self, kind: str) -> Mapping[str, Sequence[str]]:
        """Segment -> the resources that it creates in messages of a type."""
        if kind not in self._begins:
            begin = self.tables.begin
            self._begins[kind] = {**begin["all"], **begin.get(kind, {})}
        return self._begins[kind]

    def alone(self, kind: str) -> Sequence[str]:
        """Resources created for an order without details in messages of a type."""
        begin = self.tables.begin["alone"]
        return begin.get(kind, begin["ORC"])

    def links(self, kind: str) -> Mapping[str, Sequence[Link]]:
        """Resource type -> the links to it, in messages of a type."""
        if kind not in self._links:
            found: dict[str, list[Link]] = {}
            for entry in self.tables.link:
                if kind in entry.get("in", [kind]):
                    found.setdefault(entry["to"], []).append(_link(entry))
            self._links[kind] = found
        return self._links[kind]

    def _table(self, where: str, lines: Mapping[str, Any]) -> SegmentTable:
        fields = [
            (int(key), self._rules([parse_rule(line, f"{where}-{key}") for line in _list(value)]))
            for key, value in lines.items()
            if key != "set"
        ]
        constants = (parse_rule(line, f"{where}.set") for line in lines.get("set", ()))
        return SegmentTable(tuple(fields), tuple(self._rule(rule) for rule in constants))

    def _rules(self, lines: Sequence[Rule]) -> tuple[FieldRule, ...]:
        rules = [self._rule(line) for line in lines]
        if len(rules) == 1 and rules[0].read is not None and rules[0].condition is None:
            rules = [replace(rules[0], plain=True)]
        return tuple(rules)

    def _rule(self, rule: Rule) -> FieldRule:
        write, many = writer_of(rule.steps), rule.steps[-1].many
        element = rule.steps[0].name
        if rule.constant is not None:
            return FieldRule(write, rule.condition, many, element, constant=rule.constant)
        if rule.datatype in SPECIAL:
            special = SPECIAL[rule.datatype](self.datatypes, self.tables.values)
            return FieldRule(write, rule.condition, many, element, special=special)
        read = self.datatypes.field_converter(rule.datatype, rule.codes)
        strict = rule.datatype in PRIMITIVES or rule.codes is not None
        return FieldRule(write, rule.condition, many, element, read, strict=strict)

    def holds(self, condition: Condition, row: Row, rows: Rows) -> bool:
        """Return whether a condition holds, on a place in the current or an earlier segment."""
        place = condition.place
        text = self.at(
            place.field, place.component, rows.get(place.segment) if place.segment else row
        )
        found = text in condition.values if condition.values else text not in {"", NULL}
        return found == condition.wanted

    def at(self, number: int, component: int, row: Row | None) -> str:
        """Return a field (``component`` 0), or a component of its first repetition; "" if none."""
        raw = row[number] if row is not None and number < len(row) else ""
        if raw and component:
            known = self.escapes.delimiters
            parts = raw.partition(known.repetition)[0].split(known.component)
            raw = parts[component - 1] if component <= len(parts) else ""
        return raw


def _list(value: str | Sequence[str]) -> Sequence[str]:
    return [value] if isinstance(value, str) else value


def _operation(entry: Mapping[str, Any]) -> Operation:
    usual = Op(entry.get("op", "replace"))
    for place, ops in entry.get("ops", {}).items():
        return Operation(
            usual, parse_place(place, place), {code: Op(op) for code, op in ops.items()}
        )
    return Operation(usual)


def _link(entry: Mapping[str, Any]) -> Link:
    element = entry["element"]
    many = element.endswith("[]")
    earlier, unless = entry.get("earlier", True), entry.get("unless", "")
    return Link(entry["owner"], element.removesuffix("[]"), many, earlier, unless)
