"""Reads and writes a CDA document that is a whole record as the content of a FHIR Binary.

The document is thereby opened by the same rules as a document inside a message.
"""

from __future__ import annotations

import base64
import binascii
import re
from dataclasses import dataclass, field
from typing import Any

from adapter.codecs.fhir.json import parse
from adapter.errors import DecodeError, EncodeError

_ROOT = re.compile(r"<(?:\w+:)?ClinicalDocument[\s>]")
_SPACE = re.compile(r"\s*")
_PROLOG = {"<?": "?>", "<!--": "-->"}
"""Start -> end of what may precede the root element."""
_DECLARED = re.compile(r"<\?xml[^>]*?\bencoding\s*=\s*[\"'](?!utf-8[\"'])", re.IGNORECASE)
_BINARY = '{"resourceType":"Binary","contentType":"application/xml","data":"%s"}'


@dataclass(frozen=True, slots=True)
class Document:
    """A CDA document as a Binary."""

    json: str = field(repr=False)

    def restored(self, text: str) -> str:
        """Return the document in an edited Binary.

        Raises:
            EncodeError: "unreadable", the content was removed, as content that cannot be opened is.
        """
        members: dict[str, Any] = dict(parse(text))
        try:
            return base64.b64decode(members["data"], validate=True).decode("utf-8")
        except (KeyError, TypeError, ValueError, binascii.Error):
            raise EncodeError("unreadable") from None


def document(text: str) -> Document | None:
    """Return a CDA document as a Binary; None if the text is anything else.

    Raises:
        DecodeError: "xml-encoding", the document declares an encoding other than UTF-8.
    """
    if not _ROOT.match(text, _root(text)):
        return None
    if _DECLARED.match(text):
        raise DecodeError("xml-encoding")
    return Document(_BINARY % base64.b64encode(text.encode("utf-8")).decode("ascii"))


def _root(text: str) -> int:
    """Return the offset after declaration, instructions and comments, where the root begins."""
    at = 0
    while True:
        found = _SPACE.match(text, at)
        at = found.end() if found else at
        end = next((e for opening, e in _PROLOG.items() if text.startswith(opening, at)), None)
        if end is None:
            return at
        closed = text.find(end, at)
        at = closed + len(end) if closed >= 0 else len(text)
