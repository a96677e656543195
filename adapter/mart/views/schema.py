"""The elements of FHIR types: their JSON keys, types and cardinality."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

TEXTS = frozenset(
    "base64Binary canonical code date dateTime id instant markdown oid string time uri url uuid"
    " xhtml".split()
)
INTEGERS = frozenset({"integer", "integer64", "positiveInt", "unsignedInt"})
NUMBERS = INTEGERS | {"decimal"}
SQL_TYPES = (
    dict.fromkeys(TEXTS, "VARCHAR")
    | dict.fromkeys(INTEGERS, "BIGINT")
    | {"decimal": "DOUBLE", "boolean": "BOOLEAN"}
)
"""FHIR primitive type -> SQL type of a column. Dates remain text, as they may be years only."""


@dataclass(frozen=True, slots=True)
class Element:
    """The JSON keys of an element, each with its FHIR type, which is None if unknown.

    ``many`` is True if the element may repeat.
    """

    keys: tuple[tuple[str, str | None], ...]
    many: bool


def element(schema: Mapping[str, Mapping[str, str]], owner: str | None, name: str) -> Element:
    """Return the element with a name in a type: one key, the keys of a choice, or unknown."""
    known = schema.get(owner or "", {})
    if name in known:
        return Element(((name, _bare(known[name])),), many="*" in known[name])
    kinds = ((key, _bare(kind)) for key, kind in known.items() if key.startswith(name))
    choice = tuple((key, kind) for key, kind in kinds if key == choice_key(name, kind))
    if choice:
        return Element(choice, many=False)
    return Element(((name, None),), many=True)


def _bare(kind: str) -> str:
    """Return a type without its suffix: "*" repeats, "!" is required, "?x" is of the choice x."""
    return kind.partition("?")[0].rstrip("*!")


def choice_key(name: str, kind: str) -> str:
    """Return the JSON key of a choice element with a type: value, Quantity -> valueQuantity."""
    return name + kind[0].upper() + kind[1:]


def is_primitive(kind: str | None) -> bool:
    """Return whether a FHIR type is primitive."""
    return kind in SQL_TYPES
