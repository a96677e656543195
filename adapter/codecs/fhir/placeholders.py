"""Placeholders for removed required elements: the least that keeps a resource valid.

A single primitive is replaced by its ``_`` sibling with the data-absent-reason "masked", a complex
element by that extension and its own required elements (FHIR R4, 2.5.2 and Extension
data-absent-reason). Where only a value is valid (a required choice, a list) the placeholder is a
constant literal of the type.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from adapter.errors import EncodeError

if TYPE_CHECKING:
    from adapter.codecs.fhir.schema import Kind, Table

MASKED = (
    '{"extension":[{"url":"http://hl7.org/fhir/StructureDefinition/data-absent-reason",'
    '"valueCode":"masked"}]}'
)
"""An element without value, with the reason that the value was withheld."""

LITERALS: dict[str, str] = {
    "string": '"masked"',
    "markdown": '"masked"',
    "code": '"unknown"',
    "id": '"masked"',
    "uri": '"urn:masked"',
    "url": '"urn:masked"',
    "canonical": '"urn:masked"',
    "oid": '"urn:oid:2.0"',
    "uuid": '"urn:uuid:00000000-0000-4000-8000-000000000000"',
    "date": '"1900"',
    "dateTime": '"1900"',
    "instant": '"1900-01-01T00:00:00Z"',
    "time": '"00:00:00"',
    "base64Binary": '"bWFza2Vk"',
    "boolean": "false",
    "decimal": "0",
    "integer": "0",
    "unsignedInt": "0",
    "positiveInt": "1",
    "integer64": '"0"',
    "xhtml": json.dumps('<div xmlns="http://www.w3.org/1999/xhtml"><p>…</p></div>'),
}
"""A valid value of every FHIR primitive that identifies nobody."""

_DEEPEST = 8


def neutral_member(table: Table, owner: str, key: str) -> str:
    """Return a JSON member (key and value) that replaces the removed ``key`` of type ``owner``."""
    return _member(table, key, table.kinds[owner][key], 0)


def _member(table: Table, key: str, kind: Kind, depth: int) -> str:
    if kind.type in table.kinds:
        value = _object(table, kind.type, depth + 1)
    elif kind.choice or kind.repeats or kind.type == "xhtml":
        value = LITERALS[kind.type]
    else:
        return f'"_{key}":{MASKED}'
    return f'"{key}":[{value}]' if kind.repeats else f'"{key}":{value}'


def _object(table: Table, name: str, depth: int) -> str:
    if depth > _DEEPEST or name in table.resources:
        raise EncodeError("required-element")
    if name == "Attachment":
        return f'{{"_data":{MASKED}}}'
    members = [_member(table, key, kind, depth) for key, kind in _needs(table, name).items()]
    return f"{{{','.join(members)}}}" if members else MASKED


def _needs(table: Table, name: str) -> dict[str, Kind]:
    """Return a type's required elements, and the first option of each required choice."""
    chosen: set[str] = set()
    needs = {}
    for key, kind in table.kinds[name].items():
        if kind.required or (kind.choice and kind.choice not in chosen):
            needs[key] = kind
            chosen.add(kind.choice or "")
    return needs
