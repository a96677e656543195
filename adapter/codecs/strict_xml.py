"""Parses XML strictly: UTF-8, well-formed, without document type and processing instructions.

The only entities are therefore the predefined ones and character references, and nothing is loaded.
Comments are ignored.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn
from xml.parsers import expat

from adapter.errors import DecodeError

if TYPE_CHECKING:
    from collections.abc import Callable

DEEPEST = 200
"""Most levels of nested elements."""
HINT = "http://www.w3.org/2001/XMLSchema-instance schemaLocation"
"""The attribute with the location of a schema; it is not part of a message."""


def strict_parser(
    start: Callable[[str, dict[str, str]], None],
    end: Callable[[str], None],
    text: Callable[[str], None],
) -> expat.XMLParserType:
    """Return a parser that calls these handlers; it passes names as "namespace name"."""
    parser = expat.ParserCreate("utf-8", namespace_separator=" ")
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = text
    parser.StartDoctypeDeclHandler = _refused
    parser.XmlDeclHandler = _declared
    parser.ProcessingInstructionHandler = _refused
    return parser


def parse(parser: expat.XMLParserType, raw: bytes) -> None:
    """Parse a whole document.

    Raises:
        DecodeError: "not-xml"; "xml-encoding", another encoding than UTF-8 is declared; or an error
            of a handler.
    """
    try:
        parser.Parse(raw, True)  # noqa: FBT003 - the library's signature
    except (expat.ExpatError, ValueError, LookupError):
        raise DecodeError("not-xml") from None


def _refused(*_args: object) -> NoReturn:
    raise DecodeError("not-xml")


def _declared(_version: str, encoding: str | None, _standalone: int) -> None:
    if encoding is not None and encoding.lower() not in {"utf-8", "us-ascii"}:
        raise DecodeError("xml-encoding")
