"""Datatypes of the mapping tables, compiled for one set of delimiters.

A datatype is a primitive, or a table of components, each line of which maps a component to a path
in a FHIR datatype. A table with ``resource`` creates a separate resource; its value is a reference
to it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from adapter.errors import RuleError
from adapter.mart.landing.hl7v2.datatypes.leaves import Leaves
from adapter.mart.landing.hl7v2.datatypes.primitives import PRIMITIVES
from adapter.mart.landing.hl7v2.grammar import parse_rule
from adapter.mart.landing.hl7v2.writers import writer_of
from adapter.mart.versions import canonical, resource_id
from adapter.normalize.folding import squeeze

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from adapter.codecs.hl7v2.escapes import Escapes
    from adapter.mart.landing.hl7v2.datatypes.leaves import CodeMap, Converter, Made
    from adapter.mart.landing.hl7v2.grammar import Condition, Rule
    from adapter.mart.landing.hl7v2.writers import Writer

WHOLE = "*"
"""The key of lines that read the whole value, not one component."""
_MEMO = 1024
_LONG = frozenset({"text", "Note", "RangeText"})
"""Datatypes of free texts, which rarely repeat and are not cached."""


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """One line of a table of components; ``index`` counts from 0, -1 is the whole value."""

    index: int
    convert: Converter
    write: Writer
    condition: Condition | None


@dataclass(frozen=True, eq=False)
class Datatypes:
    """Compiles the tables of datatypes and code maps for one set of delimiters."""

    tables: Mapping[str, Mapping[str, Any]] = field(repr=False)
    codes: Mapping[str, CodeMap] = field(repr=False)
    escapes: Escapes = field(repr=False)

    @cached_property
    def leaves(self) -> Leaves:
        """The readers of primitives, for these delimiters."""
        return Leaves(self.codes, self.escapes)

    def field_converter(
        self, datatype: str, codes: str | None = None
    ) -> Callable[[str], tuple[Any, tuple[Made, ...]]]:
        """Return a reader of one field repetition, which gives its value and further resources.

        Results are cached, because the same codes and people occur repeatedly.
        """
        convert = self.converter(datatype, codes, 0)

        def read(raw: str) -> tuple[Any, tuple[Made, ...]]:
            made: list[Made] = []
            value = convert(raw, made)
            return value, tuple(made)

        return read if datatype in _LONG else lru_cache(maxsize=_MEMO)(read)

    def converter(self, datatype: str, codes: str | None, level: int) -> Converter:
        """Return a reader of a value; ``level`` 0 is split into components, 1 into subcomponents.

        Raises:
            RuleError: the tables have no such datatype or code map.
        """
        if codes is not None and codes not in self.codes:
            raise RuleError("rules/mart/hl7v2", f"no code map {codes}")
        if datatype in PRIMITIVES:
            return self.leaves.primitive(PRIMITIVES[datatype], level)
        if datatype == "text":
            return lambda raw, _made, /: self.leaves.text(raw).strip() or None
        if datatype == "system":
            return self.leaves.system(level)
        if datatype == "code":
            return self.leaves.code(self.codes.get(codes or ""), level)
        if datatype not in self.tables:
            raise RuleError("rules/mart/hl7v2", f"no datatype {datatype}")
        composite = self._composite(datatype, level)
        return composite if codes is None else _coded(composite, self.codes[codes])

    def _composite(self, datatype: str, level: int) -> Converter:
        table = self.tables[datatype]
        parts = [
            self._part(key, line, datatype, level)
            for key, lines in table.items()
            if key == WHOLE or key.isdigit()
            for line in ([lines] if isinstance(lines, str) else lines)
        ]
        constants = [
            (writer_of(rule.steps), rule)
            for rule in (parse_rule(line, datatype) for line in table.get("set", ()))
        ]
        read = self._reader(parts, constants, level)
        resource = table.get("resource")
        if resource and table.get("mention"):
            return self._mention(resource, table["key"], level)
        return self._reference(read, resource, table["key"], level) if resource else read

    def _part(self, key: str, line: str, datatype: str, level: int) -> _Part:
        rule = parse_rule(line, f"{datatype}.{key}")
        whole = key == WHOLE
        convert = self.converter(rule.datatype, rule.codes, level if whole else level + 1)
        return _Part(-1 if whole else int(key) - 1, convert, writer_of(rule.steps), rule.condition)

    def _split(self, raw: str, level: int) -> list[str]:
        return (
            raw.split(self.leaves.separators[level])
            if level < len(self.leaves.separators)
            else [raw]
        )

    def _reader(
        self, parts: Sequence[_Part], constants: Sequence[tuple[Writer, Rule]], level: int
    ) -> Converter:
        lines = tuple((part.index, part.convert, part.write, part.condition) for part in parts)

        def convert(raw: str, made: list[Made], /) -> Any:
            sent = self._split(raw, level)
            count = len(sent)
            body: dict[str, Any] = {}
            for index, read, write, condition in lines:
                if index >= count:
                    continue
                text = sent[index] if index >= 0 else raw
                if not text or (condition and not self._holds(condition, sent, level)):
                    continue
                value = read(text, made)
                if value is not None:
                    write(body, value)
            if body:
                for write, rule in constants:
                    if rule.condition is None or self._holds(rule.condition, sent, level):
                        write(body, rule.constant)
            return body.get("$", body) or None

        return convert

    def _holds(self, condition: Condition, sent: Sequence[str], level: int) -> bool:
        index = condition.place.field - 1
        text = self.leaves.leaf(sent[index], level + 1) if index < len(sent) else ""
        found = text in condition.values if condition.values else bool(text)
        return found == condition.wanted

    def _reference(
        self, read: Converter, resource: str, keys: Sequence[str], level: int
    ) -> Converter:
        def convert(raw: str, made: list[Made], /) -> dict[str, str] | None:
            body = read(raw, made)
            if body is None:
                return None
            number = self._number(resource, keys, raw, level)
            body = {**body, "resourceType": resource, "id": number}
            made.append((resource, number, canonical(body)))
            return {"reference": f"{resource}/{number}"}

        return convert

    def _mention(self, resource: str, keys: Sequence[str], level: int) -> Converter:
        """Return a reader that gives a reference to a resource which other messages create."""

        def convert(raw: str, _made: list[Made], /) -> dict[str, str] | None:
            number = self._number(resource, keys, raw, level)
            return {"reference": f"{resource}/{number}"} if squeeze(raw) else None

        return convert

    def _number(self, resource: str, keys: Sequence[str], raw: str, level: int) -> str:
        """Return a resource's id, from the first key component that has a letter or digit."""
        sent = self._split(raw, level)
        found = (squeeze(sent[int(k) - 1]) for k in keys if int(k) <= len(sent))
        return resource_id(resource, next(filter(None, found), "") or squeeze(raw))


def _coded(read: Converter, codes: CodeMap) -> Converter:
    """Return a reader that translates codes with a code map.

    A Coding is replaced by its translation; a CodeableConcept gets it after the coding as sent.
    """

    def convert(raw: str, made: list[Made], /) -> Any:
        value = read(raw, made)
        if value is None:
            return None
        first = value["coding"][0] if "coding" in value else value
        known = codes.get(first.get("code", ""))
        if known is None:
            return value
        if "coding" not in value:
            return known
        if known["code"] == first["code"]:
            return {**value, "coding": [{**known, **first}, *value["coding"][1:]]}
        return {**value, "coding": [*value["coding"], known]}

    return convert
