"""Reads and writes elements of HL7 v2 XML (HL7 Version 2: XML Encoding Syntax, release 2).

An element contains elements or text, never both; ``<escape V=".."/>`` is an escape sequence within
text. Other attributes, and elements of other namespaces, are refused.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from adapter.codecs.strict_xml import DEEPEST, HINT, parse, strict_parser
from adapter.errors import DecodeError

if TYPE_CHECKING:
    from collections.abc import Iterable

V2XML = "urn:hl7-org:v2xml"
SEQUENCE = r"[HNFSTREP]|X(?:[0-9A-Fa-f]{2})+|\.(?i:br|ce|fi|nf|sp|sk|in|ti) ?[+-]?\d{0,3}"
"""Accepted escape sequences: those of chapter 2.7 whose meaning their characters determine."""
_SEQUENCE = re.compile(SEQUENCE)
_RETURN = {"\r": "&#13;"}


@dataclass(frozen=True, slots=True)
class Sequence:
    """An escape sequence, without the escape characters."""

    code: str = field(repr=False)


Part = str | Sequence


@dataclass(slots=True)
class Element:
    """An element with its child elements, or with the parts of its text."""

    name: str = field(repr=False)
    children: list[Element] = field(default_factory=list, repr=False)
    parts: list[Part] = field(default_factory=list, repr=False)


def read(raw: bytes) -> Element:
    """Return the root element of a document.

    Raises:
        DecodeError: "not-xml", "xml-encoding", "too-deep"; "not-convertible", the document has
            text between elements, attributes, or elements of another namespace.
    """
    reader = _Reader()
    parse(strict_parser(reader.start, reader.end, reader.text), raw)
    return reader.top.children[0]


class _Reader:
    """The parser's handlers for one document."""

    def __init__(self) -> None:
        self.top = Element("")
        self._open = [self.top]
        self._within_escape = False

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if len(self._open) > DEEPEST:
            raise DecodeError("too-deep")
        space, _, local = name.rpartition(" ")
        said = {key: text for key, text in attributes.items() if key != HINT}
        if space != V2XML or self._within_escape:
            raise DecodeError("not-convertible")
        if local == "escape":
            self._sequence(said)
        elif said:
            raise DecodeError("not-convertible")
        else:
            made = Element(local)
            self._open[-1].children.append(made)
            self._open.append(made)

    def _sequence(self, said: dict[str, str]) -> None:
        code = said.get("V", "")
        if said.keys() != {"V"} or not _SEQUENCE.fullmatch(code):
            raise DecodeError("not-convertible")
        self._within_escape = True
        self._open[-1].parts.append(Sequence(code))

    def end(self, _name: str) -> None:
        if self._within_escape:
            self._within_escape = False
            return
        element = self._open.pop()
        if element.children:
            if any(isinstance(part, Sequence) or part.strip() for part in element.parts):
                raise DecodeError("not-convertible")
            element.parts.clear()
        elif _is_layout(element.parts):
            element.parts.clear()

    def text(self, text: str) -> None:
        if self._within_escape:
            raise DecodeError("not-convertible")
        parts = self._open[-1].parts
        if parts and isinstance(parts[-1], str):  # the parser passes text in pieces
            parts[-1] += text
        else:
            parts.append(text)


def _is_layout(parts: list[Part]) -> bool:
    """Return whether the text is white space with a line end, as between elements."""
    only = parts[0] if len(parts) == 1 else None
    return isinstance(only, str) and only.isspace() and "\n" in only


def written(root: Element, *, declared: bool) -> str:
    """Return the document of a root element, without white space between elements."""
    declaration = '<?xml version="1.0" encoding="UTF-8"?>' if declared else ""
    return f"{declaration}{_written(root, f' xmlns={quoteattr(V2XML)}')}"


def _written(element: Element, said: str = "") -> str:
    inner = "".join(map(_written, element.children)) or _text(element.parts)
    name = element.name
    return f"<{name}{said}>{inner}</{name}>" if inner else f"<{name}{said}/>"


def _text(parts: Iterable[Part]) -> str:
    return "".join(
        escape(part, _RETURN) if isinstance(part, str) else f"<escape V={quoteattr(part.code)}/>"
        for part in parts
    )
