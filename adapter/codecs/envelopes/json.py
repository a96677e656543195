"""JSON as the body of an envelope: strict, without duplicate keys, written compactly (RFC 8259)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from adapter.codecs.envelopes.pointers import rebuilt
from adapter.codecs.fhir.json import Number, parse, quote
from adapter.errors import DecodeError, EnvelopeError

DEEPEST = 200
"""Deepest nesting of objects and lists."""
_CONSTANTS = {"None": "null", "True": "true", "False": "false"}


@dataclass(frozen=True, slots=True)
class Raw:
    """JSON text that is written into a document unchanged."""

    text: str = field(repr=False)


class JsonBody:
    """Reads and writes JSON without knowing a schema."""

    def read(self, raw: bytes) -> Any:
        """Return the parsed document.

        Raises:
            EnvelopeError: "not-json", "duplicate-key", "too-deep".
        """
        try:
            return _tree(parse(raw.decode("utf-8")))
        except DecodeError as error:
            code = error.code
            raise EnvelopeError("too-deep" if code == "too-deep" else "not-json") from None
        except UnicodeDecodeError:
            raise EnvelopeError("not-json") from None

    def write(self, tree: Any, wanted: Any) -> bytes:
        """Return the bytes of a document that has only the ``wanted`` values of ``tree``.

        Raises:
            EnvelopeError: "unwritable".
        """
        return encoded(rebuilt(tree, wanted))


def encoded(tree: Any) -> bytes:
    """Return a document's bytes.

    Raises:
        EnvelopeError: "unwritable", a text cannot be encoded as UTF-8.
    """
    try:
        return dumped(tree).encode("utf-8")
    except UnicodeEncodeError:
        raise EnvelopeError("unwritable") from None


def inserted(raw: bytes) -> Raw:
    """Return a message's bytes as a value inside a document.

    Raises:
        EnvelopeError: "unwritable", the bytes are not JSON (any more).
    """
    try:
        text = raw.decode("utf-8")
        parse(text)
    except (UnicodeDecodeError, DecodeError):
        raise EnvelopeError("unwritable") from None
    return Raw(text)


def dumped(node: Any) -> str:
    """Return the compact JSON text of a tree; numbers are written as they were read."""
    match node:
        case Raw():
            return node.text
        case dict():
            members = (f'"{quote(key)}":{dumped(value)}' for key, value in node.items())
            return f"{{{','.join(members)}}}"
        case list():
            return f"[{','.join(map(dumped, node))}]"
        case str() if not isinstance(node, Number):
            return f'"{quote(node)}"'
    return _CONSTANTS.get(repr(node), str(node))


def _tree(node: Any, depth: int = DEEPEST) -> Any:
    """Return a parsed tree with its objects as dicts.

    Raises:
        EnvelopeError: "duplicate-key", readers would differ in which value they take; "too-deep".
    """
    if not depth:
        raise EnvelopeError("too-deep")
    if type(node) is tuple:
        found = {key: _tree(value, depth - 1) for key, value in node}
        if len(found) < len(node):
            raise EnvelopeError("duplicate-key")
        return found
    return [_tree(item, depth - 1) for item in node] if type(node) is list else node
