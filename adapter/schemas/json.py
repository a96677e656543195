"""JSON under a registered JSON Schema: required members that are not kept become neutral.

Only the keywords that require a member or give its type are evaluated: ``required``, ``type``,
``const``, ``enum``, alternatives and references within the schema. Documents are not validated.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from adapter.codecs.envelopes.json import encoded
from adapter.codecs.envelopes.pointers import MISSING, at, parsed, rebuilt
from adapter.errors import EnvelopeError

if TYPE_CHECKING:
    from adapter.codecs.envelopes.json import JsonBody

_NEUTRAL: dict[str, Any] = {
    "null": None,
    "boolean": False,
    "integer": 0,
    "number": 0,
    "string": "",
    "array": [],
}
_DEEPEST = 50


@dataclass(frozen=True, slots=True)
class JsonSchemaBody:
    """Reads and writes JSON documents of one schema."""

    json: JsonBody
    schema: Any = field(repr=False)

    def read(self, raw: bytes) -> Any:
        """Return the document.

        Raises:
            EnvelopeError: as `JsonBody.read`.
        """
        return self.json.read(raw)

    def write(self, tree: Any, wanted: Any) -> bytes:
        """Return a document with the ``wanted`` values and the members that the schema requires.

        Raises:
            EnvelopeError: "unwritable".
        """
        return encoded(self._complete(self.schema, rebuilt(tree, wanted), _DEEPEST))

    def _complete(self, schema: Any, value: Any, depth: int) -> Any:
        """Add the members that the schema requires to a value, and return it."""
        if not isinstance(value, dict):
            return value
        for whole in (*self._demands(schema, depth), *self._object(schema, depth)):
            properties = whole.get("properties", {})
            for name in whole.get("required", ()):
                if name not in value:
                    value[name] = self._neutral(properties.get(name, True), depth - 1)
            for name in properties.keys() & value.keys():
                value[name] = self._complete(properties[name], value[name], depth - 1)
        return value

    def _neutral(self, schema: Any, depth: int) -> Any:
        """Return a value of the schema without information: null if allowed."""
        wholes = (*self._demands(schema, depth), *self._choices(schema, depth))
        if any("null" in _types(whole) for whole in wholes):
            return None
        for whole in wholes:
            if "const" in whole:
                return whole["const"]
            if whole.get("enum"):
                return whole["enum"][0]
            kind = next(iter(_types(whole)), None)
            if kind is not None:
                return self._complete(schema, {}, depth) if kind == "object" else _NEUTRAL[kind]
        return None

    def _object(self, schema: Any, depth: int) -> list[dict[str, Any]]:
        """Return the first alternative of a schema that is an object, as a list of at most one."""
        return [each for each in self._choices(schema, depth) if "object" in _types(each)][:1]

    def _demands(self, schema: Any, depth: int) -> list[dict[str, Any]]:
        """Return all schemas that a value must match: the schema, its references and its parts."""
        if depth <= 0:
            raise EnvelopeError("unwritable")
        if not isinstance(schema, dict):
            return []
        found = [schema]
        if isinstance(schema.get("$ref"), str):
            found += self._demands(self._referred(schema["$ref"]), depth - 1)
        return found + [w for e in schema.get("allOf", ()) for w in self._demands(e, depth - 1)]

    def _choices(self, schema: Any, depth: int) -> list[dict[str, Any]]:
        """Return the schemas of which a value must match one."""
        return [
            whole
            for outer in self._demands(schema, depth)
            for key in ("anyOf", "oneOf")
            for each in outer.get(key, ())
            for whole in self._demands(each, depth - 1)
        ]

    def _referred(self, reference: str) -> Any:
        place = parsed(reference.removeprefix("#")) if reference.startswith("#/") else None
        found = MISSING if place is None else at(self.schema, place)
        if found is MISSING:
            raise EnvelopeError("unwritable")
        return found


def _types(schema: dict[str, Any]) -> list[str]:
    kind = schema.get("type", [])
    return [kind] if isinstance(kind, str) else list(kind)
