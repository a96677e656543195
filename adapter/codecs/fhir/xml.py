"""Reads FHIR XML as FHIR JSON and writes it back as XML (FHIR R4, 2.6.1 and 2.6.2).

A resource is converted only if the conversion back gives the same elements, attributes and values;
content that only one of the forms can express is rejected. Comments, white space between elements
and ``xsi:schemaLocation`` are not part of a resource and are not written again.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from adapter.codecs.fhir.json import NUMBER, Number, parse, quote
from adapter.codecs.fhir.xml_tree import Node, written
from adapter.codecs.fhir.xml_tree import read as read_tree
from adapter.errors import DecodeError, EncodeError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from adapter.codecs.fhir.json import Pairs
    from adapter.codecs.fhir.schema import Kind, Table

_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>'
_NUMBERS = frozenset({"decimal", "integer", "positiveInt", "unsignedInt"})
_EXTENSIONS = ("extension", "modifierExtension")
_FIRST = ("id", "meta", "implicitRules", "language")
_META = ("versionId", "lastUpdated", "source", "profile", "security", "tag")


@dataclass(frozen=True, slots=True)
class Xml:
    """A resource in XML, as the JSON that it was converted to."""

    declared: bool
    """Whether the text begins with an XML declaration."""
    json: str = field(repr=False)

    def restored(self, text: str) -> str:
        """Return JSON as XML, rewritten even if nothing was changed.

        Raises:
            EncodeError: "unreadable", the JSON can no longer be written as XML.
        """
        try:
            root = _nodes(parse(text))
            new = document(root, declared=self.declared)
            if read_tree(new) == root:
                return new
        except (DecodeError, TypeError, ValueError):
            pass
        raise EncodeError("unreadable")


def from_xml(text: str, tables: Iterable[Table]) -> Xml:
    """Return a resource as JSON, read with the first version that knows all of its elements.

    Raises:
        DecodeError: "not-xml", the text is not well-formed or has a document type; "xml-encoding";
            "not-convertible", JSON or every version lacks something in it; "too-deep".
    """
    root = read_tree(text)
    for table in tables:
        try:
            found = _json(_resource(root, table))
        except DecodeError:
            continue
        if _nodes(parse(found)) == root:
            return Xml(text.startswith("<?"), found)
    raise DecodeError("not-convertible")


def document(root: Node, *, declared: bool) -> str:
    """Return a resource's XML."""
    return (_DECLARATION if declared else "") + written(root, top=True)


# ---- XML to JSON ----


def _resource(node: Node, table: Table) -> dict[str, Any]:
    if node.name not in table.resources or node.attributes:
        raise DecodeError("not-convertible")
    return {"resourceType": node.name} | _members(node, node.name, table)


def _members(node: Node, type_name: str, table: Table) -> dict[str, Any]:
    """Return the JSON members of an element; adjacent elements of one name become a list."""
    found: dict[str, Any] = {}
    for name, nodes in _runs(node):
        kind = table.kind(type_name, name)
        if kind is None or name in found or f"_{name}" in found:
            raise DecodeError("not-convertible")
        if len(nodes) > 1 and not kind.repeats:
            raise DecodeError("not-convertible")
        values = [_value(each, kind, table) for each in nodes]
        for key, column in ((name, [v for v, _ in values]), (f"_{name}", [b for _, b in values])):
            if any(each is not None for each in column):
                found[key] = column if kind.repeats else column[0]
    return found


def _runs(node: Node) -> Iterator[tuple[str, list[Node]]]:
    """Yield each run of adjacent children of one name."""
    run: list[Node] = []
    for child in node.children:
        if run and run[0].name != child.name:
            yield run[0].name, run
            run = []
        run.append(child)
    if run:
        yield run[0].name, run


def _value(node: Node, kind: Kind, table: Table) -> tuple[Any, dict[str, Any] | None]:
    """Return the JSON value of an element, and for a primitive its ``_`` sibling or None."""
    if kind.type == "xhtml":
        if node.raw is None:
            raise DecodeError("not-convertible")
        return node.raw, None
    if node.raw is not None:
        raise DecodeError("not-convertible")
    if kind.type == "Resource":
        if len(node.children) != 1 or node.attributes:
            raise DecodeError("not-convertible")
        return _resource(node.children[0], table), None
    if kind.type in table.kinds:
        allowed = {"id", "url"} if kind.type == "Extension" else {"id"}
        if not node.attributes.keys() <= allowed:
            raise DecodeError("not-convertible")
        return {**node.attributes, **_members(node, kind.type, table)}, None
    return _primitive(node, kind.type, table)


def _primitive(node: Node, type_name: str, table: Table) -> tuple[Any, dict[str, Any] | None]:
    if not node.attributes.keys() <= {"id", "value"}:
        raise DecodeError("not-convertible")
    own = {key: text for key, text in node.attributes.items() if key == "id"}
    beside = own | _members(node, "Element", table)
    text = node.attributes.get("value")
    return (None if text is None else _scalar(text, type_name)), beside or None


def _scalar(text: str, type_name: str) -> Any:
    if type_name == "boolean":
        if text not in {"true", "false"}:
            raise DecodeError("not-convertible")
        return text == "true"
    if type_name in _NUMBERS:
        if not NUMBER.fullmatch(text):
            raise DecodeError("not-convertible")
        return Number(text)
    return text


def _json(node: Any) -> str:
    """Return a tree as JSON text; numbers are written as they were read."""
    match node:
        case dict():
            members = (f'"{quote(key)}":{_json(value)}' for key, value in node.items())
            return f"{{{','.join(members)}}}"
        case list():
            return f"[{','.join(map(_json, node))}]"
        case str() if not isinstance(node, Number):
            return f'"{quote(node)}"'
    return {"None": "null", "True": "true", "False": "false"}.get(repr(node), str(node))


# ---- JSON to XML ----


def _nodes(pairs: Pairs) -> Node:
    """Return the XML element of a resource; ValueError if it has a duplicate key or no type."""
    members = dict(pairs)
    if len(members) < len(pairs) or not isinstance(members.get("resourceType"), str):
        raise ValueError
    name = members.pop("resourceType")
    order = [key for first in _FIRST for key in (first, f"_{first}") if key in members]
    order += [key for key in members if key not in order]
    return Node(name, {}, tuple(_children({key: members[key] for key in order})))


def _children(members: dict[str, Any]) -> Iterator[Node]:
    """Yield the XML elements of members, each combined with its ``_name`` sibling."""
    done: set[str] = set()
    for key in members:
        name = key.removeprefix("_")
        if name in done:
            continue
        done.add(name)
        values, beside = members.get(name), members.get(f"_{name}")
        for value, other in _pairs(values, beside):
            yield _element(name, value, other)


def _pairs(values: Any, beside: Any) -> Sequence[tuple[Any, Any]]:
    if isinstance(values, list) or isinstance(beside, list):
        longest = max(len(values or ()), len(beside or ()))
        columns = (
            [*(column or ()), *[None] * (longest - len(column or ()))]
            for column in (values, beside)
        )
        return list(zip(*columns, strict=True))
    return [(values, beside)]


def _element(name: str, value: Any, beside: Any) -> Node:
    if type(value) is tuple:
        if any(key == "resourceType" for key, _ in value):
            return Node(name, {}, (_nodes(value),))
        return _object(name, value)
    other = _object(name, beside) if beside is not None else Node(name, {}, ())
    if value is None:
        return other
    if name == "div":
        return Node(name, {}, (), value)
    text = ("true" if value else "false") if isinstance(value, bool) else str(value)
    return Node(name, {**other.attributes, "value": text}, other.children)


def _object(name: str, pairs: Pairs) -> Node:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise ValueError
    named = ("id", "url") if name in _EXTENSIONS else ("id",)
    attributes = {key: members.pop(key) for key in named if key in members}
    if not all(isinstance(text, str) for text in attributes.values()):
        raise ValueError
    first = [*_EXTENSIONS, *(_META if name == "meta" else ())]
    order = [key for each in first for key in (each, f"_{each}") if key in members]
    order += [key for key in members if key not in order]
    return Node(name, attributes, tuple(_children({key: members[key] for key in order})))
