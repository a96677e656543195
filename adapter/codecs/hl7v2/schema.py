"""The schema of each place of a message, compiled per version when first used.

Elements are paths without positions ("PID-5.1.1"); datatypes are a field's datatype with the
positions inside it ("XPN.1.1"), or "?" if no version of the standard has the place.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

WHOLE = frozenset({"TX", "FT"})
"""Datatypes whose repetition is one text, component separators included."""
_ARRAYS = frozenset({"NA", "MA"})
"""Datatypes with as many components as the sender likes, all numbers (HL7 v2, chapter 2A)."""
_DATED_NAMES = frozenset({"NDL", "CM_NDL"})
_PERSON = "XCN"
"""Datatype of a person, which senders use in fields of names with dates (OBR-32 to 35) too."""

Leaf = tuple[str, str, str]
"""(element, path after the field, datatype) of a place sent without separators of its own."""

_VERSION = re.compile(r"\d+(?:\.\d+)*")
_USUAL = "2.5.1"


@dataclass(frozen=True, slots=True)
class Part:
    """A component or subcomponent; ``parts`` are its own subcomponents, by the standard."""

    element: str
    suffix: str
    datatype: str
    parts: tuple[Part, ...] = ()
    leaf: Leaf = field(init=False)

    def __post_init__(self) -> None:
        leaf = self.parts[0].leaf if self.parts else (self.element, self.suffix, self.datatype)
        object.__setattr__(self, "leaf", leaf)

    def beyond(self, index: int) -> Part:
        """Return the part at ``index`` (from 0), which the standard does not list."""
        return _part(self.element, self.suffix, self.datatype, index)


@dataclass(frozen=True, slots=True)
class FieldSchema:
    """A field: its datatype and its components.

    ``parts`` is empty for a primitive datatype; ``sent`` are the components that another version
    has, which are read if the sender separates some. ``person`` are those of a person's name, in a
    field whose second and third component are dates by the standard.
    """

    element: str
    datatype: str
    parts: tuple[Part, ...] = ()
    sent: tuple[Part, ...] = ()
    whole: bool = False
    person: tuple[Part, ...] = ()
    leaf: Leaf = field(init=False)

    def __post_init__(self) -> None:
        leaf = self.parts[0].leaf if self.parts else (self.element, "", self.datatype)
        object.__setattr__(self, "leaf", leaf)

    def beyond(self, index: int) -> Part:
        """Return the component at ``index`` (from 0), which the standard does not list.

        In an array it is a number like those that are listed.
        """
        part = _part(self.element, "", self.datatype, index)
        array = self.datatype in _ARRAYS and self.parts
        return replace(part, datatype=self.parts[-1].datatype) if array else part


def _part(element: str, suffix: str, datatype: str, index: int) -> Part:
    mark = f".{index + 1}"
    return Part(element + mark, suffix + mark, datatype if datatype == "?" else datatype + mark)


def unknown(segment: str, number: int) -> FieldSchema:
    """Return the schema of a field that the standard does not have."""
    return FieldSchema(f"{segment}-{number}", "?")


class Schema:
    """The fields of one version of the standard."""

    def __init__(self, tables: Mapping[str, Any], version: str) -> None:
        self._fields: Mapping[str, Any] = tables["fields"]
        self._composites: Mapping[str, Any] = tables["datatypes"]
        versions: Sequence[str] = tables["versions"]
        self._first = versions[0]
        self._order = {name: rank for rank, name in enumerate(versions)}
        self._rank = self._order[version]
        self._primitives = _primitives(tables)
        self._segments: dict[str, list[FieldSchema]] = {}
        self._observations: dict[str, FieldSchema] = {}

    def segment(self, name: str) -> list[FieldSchema] | None:
        """Return schemas of a segment's fields, number 0 unused; None for an unknown segment."""
        plans = self._segments.get(name)
        if plans is None and name in self._fields:
            plans = self._segments[name] = self._compile(name)
        return plans

    def observation(self, datatype: str) -> FieldSchema:
        """Return the schema of OBX-5 when OBX-2 is ``datatype``; "varies" if that is empty."""
        plan = self._observations.get(datatype)
        if plan is None:
            if datatype not in self._composites and datatype not in self._primitives:
                return FieldSchema("OBX-5", "?" if datatype else "varies")
            plan = self._observations[datatype] = self._plan("OBX-5", [[self._first, datatype]])
        return plan

    def _compile(self, segment: str) -> list[FieldSchema]:
        rows = self._fields[segment]
        plans = [unknown(segment, number) for number in range(max(map(int, rows)) + 1)]
        for number, (_, types) in rows.items():
            plans[int(number)] = self._plan(f"{segment}-{number}", types)
        return plans

    def _plan(self, element: str, types: Sequence[Sequence[str]]) -> FieldSchema:
        datatype = self._holding(types)
        parts = self._components(element, "", datatype, datatype)
        sent = parts or self._elsewhere(element, types)
        dated = datatype in _DATED_NAMES
        person = self._components(element, "", _PERSON, _PERSON) if dated else ()
        return FieldSchema(element, datatype, parts, sent, datatype in WHOLE, person)

    def _holding(self, types: Sequence[Sequence[str]]) -> str:
        """Return the datatype valid in this version: the latest introduced, else the first."""
        begun = [datatype for version, datatype in types if self._order[version] <= self._rank]
        held: str = begun[-1] if begun else types[0][1]
        return held

    def _elsewhere(self, element: str, types: Sequence[Sequence[str]]) -> tuple[Part, ...]:
        """Return the components of the composite type a primitive field has in another version."""
        later = [name for version, name in types if self._order[version] > self._rank]
        earlier = [name for version, name in types if self._order[version] <= self._rank]
        for datatype in later + earlier[::-1]:
            parts = self._components(element, "", datatype, datatype)
            if parts:
                return parts
        return ()

    def _components(
        self, element: str, suffix: str, datatype: str, name: str, depth: int = 0
    ) -> tuple[Part, ...]:
        """Return parts of a composite datatype ``name``, two levels deep as in messages."""
        rows = self._composites.get(name)
        if rows is None or depth > 1:
            return ()
        parts = []
        for index in range(max(map(int, rows))):
            part = _part(element, suffix, datatype, index)
            row = rows.get(str(index + 1))
            inner = self._holding(row[1]) if row else ""
            below = self._components(part.element, part.suffix, part.datatype, inner, depth + 1)
            parts.append(Part(part.element, part.suffix, part.datatype, below))
        return tuple(parts)


def _primitives(tables: Mapping[str, Any]) -> frozenset[str]:
    """Return every primitive datatype in the tables."""
    groups = (*tables["fields"].values(), *tables["datatypes"].values())
    named = {kind for rows in groups for _, types in rows.values() for _, kind in types}
    return frozenset(named - set(tables["datatypes"]) - {"varies"})


def nearest(version: str, versions: Sequence[str]) -> str:
    """Return the newest of ``versions`` (oldest first) that is not newer than the one sent."""
    match = _VERSION.match(version.strip())
    if match is None:
        return _USUAL
    wanted = _numbers(match[0])
    older = [name for name in versions if _numbers(name) <= wanted]
    return older[-1] if older else versions[0]


@lru_cache(maxsize=256)
def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part[:4]) for part in version.split("."))
