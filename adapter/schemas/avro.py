"""Reads Avro values as trees of plain objects, and writes new trees that the schema allows.

Logical types are read as their underlying types: a timestamp is a number.
"""

from __future__ import annotations

import io
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from adapter.codecs.envelopes.pointers import New
from adapter.errors import EnvelopeError, RuleError

if TYPE_CHECKING:
    from collections.abc import Mapping

_NEUTRAL: dict[str, Any] = {
    "null": None,
    "boolean": False,
    "int": 0,
    "long": 0,
    "float": 0.0,
    "double": 0.0,
    "string": "",
    "bytes": b"",
}
_EMPTY: dict[str, type] = {"array": list, "map": dict}
LARGEST = 10_000
"""Maximum number of parts of a value, counting each list as one item."""


@dataclass(frozen=True, slots=True)
class AvroBody:
    """Reads and writes values of one schema, given with full names and its named types."""

    schema: Any = field(repr=False)
    named: Mapping[str, Any] = field(repr=False)

    @classmethod
    def of(cls, schema: Any) -> AvroBody:
        """Return the body of a schema, given as parsed JSON.

        Raises:
            EnvelopeError: "unknown-schema", its values are not bounded.
            Exception: it is not a schema.
        """
        named: dict[str, Any] = {}
        parsed = _fastavro().parse_schema(_without_logical(schema), named_schemas=named)
        body = cls(parsed, named)
        _Extents(body).of(parsed, frozenset())
        return body

    def read(self, raw: bytes) -> Any:
        """Return the value.

        Raises:
            EnvelopeError: "not-of-schema", the bytes are not exactly one value.
        """
        stream = io.BytesIO(raw)
        try:
            tree = _fastavro().schemaless_reader(stream, self.schema, None)
        except Exception:  # noqa: BLE001 - its text may quote the value
            raise EnvelopeError("not-of-schema") from None
        if stream.read(1):
            raise EnvelopeError("not-of-schema")
        return tree

    def write(self, tree: Any, wanted: Any) -> bytes:
        """Return a value that has only the ``wanted`` values of ``tree``, and is neutral elsewhere.

        Raises:
            EnvelopeError: "unwritable", the schema allows no such value.
        """
        stream = io.BytesIO()
        try:
            made = self._made(self.schema, tree, wanted)
            _fastavro().schemaless_writer(stream, self.schema, made, strict=True)
        except EnvelopeError:
            raise
        except Exception:  # noqa: BLE001
            raise EnvelopeError("unwritable") from None
        return stream.getvalue()

    def _made(self, schema: Any, tree: Any, wanted: Any) -> Any:
        if isinstance(wanted, New):
            return wanted.value
        whole = self.whole(schema)
        match whole["type"]:
            case "union":
                branch = self._branch(whole["union"], tree)
                made = self._made(branch, tree, wanted)
                name = self.whole(branch).get("name")
                return (name, made) if name else made
            case "record":
                return {
                    each["name"]: self._made(each["type"], tree[each["name"]], wanted[each["name"]])
                    if each["name"] in wanted
                    else self._neutral(each["type"])
                    for each in whole["fields"]
                }
            case "map":
                inner = whole["values"]
                return {k: self._made(inner, tree[k], wanted[k]) for k in tree if k in wanted}
            case "array":
                items, last = whole["items"], max(map(int, wanted))
                return [
                    self._made(items, item, wanted[str(index)])
                    if str(index) in wanted
                    else self._neutral(items)
                    for index, item in enumerate(tree[: last + 1])
                ]
        raise EnvelopeError("unwritable")

    def _branch(self, union: list[Any], tree: Any) -> Any:
        """Return the only branch of a union that an object or a list can have been read by."""
        fits = [branch for branch in union if self._fits(self.whole(branch), tree)]
        if len(fits) != 1:
            raise EnvelopeError("unwritable")
        return fits[0]

    def _fits(self, whole: Mapping[str, Any], tree: Any) -> bool:
        if whole["type"] == "record":
            names = {each["name"] for each in whole["fields"]}
            return isinstance(tree, dict) and tree.keys() == names
        return isinstance(tree, _EMPTY.get(whole["type"], ()))

    def _neutral(self, schema: Any) -> Any:
        """Return a value without information: null if allowed, else false, zero or empty."""
        whole = self.whole(schema)
        match whole["type"]:
            case "union":
                branches = [self.whole(branch) for branch in whole["union"]]
                nulls = any(branch["type"] == "null" for branch in branches)
                made = None if nulls else self._neutral(whole["union"][0])
                return (
                    (branches[0]["name"], made) if "fields" in branches[0] and not nulls else made
                )
            case "record":
                return {each["name"]: self._neutral(each["type"]) for each in whole["fields"]}
            case "enum":
                return whole.get("default", whole["symbols"][0])
            case "fixed":
                return bytes(whole["size"])
        kind = whole["type"]
        return _EMPTY[kind]() if kind in _EMPTY else _NEUTRAL[kind]

    def whole(self, schema: Any) -> dict[str, Any]:
        """Return a schema as an object, resolving the name of a named type."""
        if isinstance(schema, list):
            return {"type": "union", "union": schema}
        if isinstance(schema, str):
            return dict(self.named.get(schema, {"type": schema}))
        kind = schema["type"]
        if isinstance(kind, str) and kind not in self.named:
            return dict(schema)
        return self.whole(kind)


Extent = tuple[int, bool]
"""(number of parts of a value, counting a list as one item; whether it is encoded in no bytes)."""


@dataclass(frozen=True, slots=True)
class _Extents:
    """Measures the values of a schema's types, each named type once."""

    body: AvroBody
    known: dict[str, Extent] = field(default_factory=dict)

    def of(self, schema: Any, above: frozenset[str]) -> Extent:
        """Return a type's extent; ``above`` are the named types that contain it.

        Raises:
            EnvelopeError: "unknown-schema", a value is not bounded in depth (a type contains
                itself) or length (a list of items without bytes, so that a few bytes could claim
                billions), or has more than `LARGEST` parts.
        """
        whole = self.body.whole(schema)
        name = whole.get("name", "")
        if name in above:
            raise EnvelopeError("unknown-schema")
        if name in self.known:
            return self.known[name]
        extent = self._measured(whole, above | {name} if name else above)
        if extent[0] > LARGEST:
            raise EnvelopeError("unknown-schema")
        if name:
            self.known[name] = extent
        return extent

    def _measured(self, whole: Mapping[str, Any], above: frozenset[str]) -> Extent:
        match whole["type"]:
            case "union":
                return 1 + max(self.of(each, above)[0] for each in whole["union"]), False
            case "record":
                fields = [self.of(each["type"], above) for each in whole["fields"]]
                return 1 + sum(size for size, _ in fields), all(empty for _, empty in fields)
            case "array":
                size, empty = self.of(whole["items"], above)
                if empty:
                    raise EnvelopeError("unknown-schema")
                return 1 + size, False
            case "map":
                return 1 + self.of(whole["values"], above)[0], False
        return 1, whole["type"] == "null" or whole.get("size") == 0


def _without_logical(schema: Any) -> Any:
    if isinstance(schema, dict):
        kept = {k: v for k, v in schema.items() if k != "logicalType"}
        return {k: _without_logical(v) if k != "default" else v for k, v in kept.items()}
    return [_without_logical(each) for each in schema] if isinstance(schema, list) else schema


def _fastavro() -> Any:
    try:
        import fastavro  # noqa: PLC0415 - an extra
    except ImportError:
        raise RuleError("registry", "needs fastavro; install the extra 'avro'") from None
    return fastavro
