"""Reads the elements of FHIR XML strictly, without document type, and writes them compactly."""

from __future__ import annotations

from dataclasses import dataclass, field
from xml.sax.saxutils import quoteattr

from adapter.codecs.strict_xml import DEEPEST, HINT, parse, strict_parser
from adapter.errors import DecodeError

FHIR = "http://hl7.org/fhir"
XHTML = "http://www.w3.org/1999/xhtml"
_SPACE = {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}


@dataclass(frozen=True, slots=True)
class Node:
    """An element of a resource; ``raw`` is the source text of a narrative's div, else None."""

    name: str = field(repr=False)
    attributes: dict[str, str] = field(repr=False)
    children: tuple[Node, ...] = field(repr=False)
    raw: str | None = field(default=None, repr=False)


def read(text: str) -> Node:
    """Return the root element of a document.

    Raises:
        DecodeError: "not-xml", "xml-encoding", "too-deep"; "not-convertible", there is text between
            elements, or an element or attribute of another namespace.
    """
    try:
        return _Reader(text).read()
    except ValueError:  # half a surrogate pair
        raise DecodeError("not-xml") from None


class _Reader:
    """The state of one parse; used once."""

    def __init__(self, text: str) -> None:
        self._raw = text.encode("utf-8")
        self._open: list[tuple[str, dict[str, str], list[Node]]] = []
        self._root: list[Node] = []
        self._inside = 0
        self._begin = 0
        self._parser = strict_parser(self._start, self._end, self._text)

    def read(self) -> Node:
        """Return the root."""
        parse(self._parser, self._raw)
        return self._root[0]

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if len(self._open) + self._inside >= DEEPEST:
            raise DecodeError("too-deep")
        space, _, local = name.rpartition(" ")
        if self._inside or (space == XHTML and local == "div" and self._open):
            self._begin = self._begin if self._inside else self._parser.CurrentByteIndex
            self._inside += 1
            return
        kept = {key: text for key, text in attributes.items() if key != HINT}
        if space != FHIR or any(" " in key for key in kept):
            raise DecodeError("not-convertible")
        self._open.append((local, kept, []))

    def _end(self, _name: str) -> None:
        if self._inside:
            self._inside -= 1
            if not self._inside:
                self._open[-1][2].append(Node("div", {}, (), self._slice()))
            return
        name, attributes, children = self._open.pop()
        above = self._open[-1][2] if self._open else self._root
        above.append(Node(name, attributes, tuple(children)))

    def _slice(self) -> str:
        """Return the text of a div, which must declare its namespace and end with its own tag."""
        at = self._parser.CurrentByteIndex
        end = self._raw.index(b">", at) + 1
        text = self._raw[self._begin : end].decode("utf-8")
        if not text.startswith("<div") or f'"{XHTML}"' not in text[: text.index(">")]:
            raise DecodeError("not-convertible")
        return text

    def _text(self, text: str) -> None:
        if not self._inside and text.strip():
            raise DecodeError("not-convertible")


def written(node: Node, *, top: bool = False) -> str:
    """Return an element's XML; the top element declares the namespace."""
    if node.raw is not None:
        return node.raw
    space = f' xmlns="{FHIR}"' if top else ""
    attributes = "".join(f" {key}={quoteattr(t, _SPACE)}" for key, t in node.attributes.items())
    inner = "".join(map(written, node.children))
    head = f"<{node.name}{space}{attributes}"
    return f"{head}>{inner}</{node.name}>" if inner else f"{head}/>"
