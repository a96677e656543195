"""The standards' names that a rule may use, built from the generated schema tables."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


_MARKS = re.compile(r"[^A-Za-z0-9]")
_EVERY_ELEMENT = {"id": ("string",), "extension": ("Extension",)}


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Known HL7 v2 fields, HL7 v2 datatypes and FHIR types.

    ``fields`` maps "PID-5" to its datatypes in any version, ``components`` a composite datatype to
    its number of components, ``types`` a FHIR type ("Patient", "PatientContact", "HumanName") to
    its elements, and each element to its types in any version.
    """

    fields: Mapping[str, frozenset[str]] = field(repr=False)
    components: Mapping[str, int] = field(repr=False)
    types: Mapping[str, Mapping[str, tuple[str, ...]]] = field(repr=False)

    @classmethod
    def of(cls, hl7v2: Mapping[str, Any], fhir: Iterable[Mapping[str, Any]]) -> Vocabulary:
        """Build the vocabulary from the generated tables (rules/schema/hl7v2.json and fhir-*)."""
        fields = {
            f"{segment}-{number}": frozenset(kind for _, kind in versions)
            for segment, table in hl7v2["fields"].items()
            for number, (_, versions) in table.items()
        }
        components = {
            name: max(int(position) for position in table)
            for name, table in hl7v2["datatypes"].items()
        }
        return cls(fields, components, merge_types(fhir))


def merge_types(versions: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, tuple[str, ...]]]:
    """Return the union of FHIR tables: type -> element -> its types without the tables' marks."""
    merged: dict[str, dict[str, tuple[str, ...]]] = {"Element": dict(_EVERY_ELEMENT)}
    for table in versions:
        for name, elements in table.items():
            into = merged.setdefault(name, {})
            for element, entry in elements.items():
                kind = _MARKS.split(entry)[0]
                into[element] = tuple(dict.fromkeys((*into.get(element, ()), kind)))
    return merged
