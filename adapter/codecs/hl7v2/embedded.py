"""Documents in ED fields (HL7 v2, chapter 2.A.24): opened, and written back in their encoding."""

from __future__ import annotations

import binascii
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from adapter.codecs.documents.framing import FramedDocument, open_framed
from adapter.codecs.documents.opening import EmbeddedDocument, media_type_of
from adapter.codecs.hl7v2.delimiters import ABSENT
from adapter.errors import DocumentError, EncodeError
from adapter.types import Edit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adapter.codecs.hl7v2.escapes import Escapes

MEDIA_TYPES: dict[str, str] = {
    "pdf": "application/pdf",
    "html": "text/html",
    "htm": "text/html",
    "xhtml": "text/html",
    "rtf": "application/rtf",
    "xml": "application/xml",
    "cda": "application/xml",
    "x-hl7-cda-level-one": "application/xml",
    "hl7-cda+xml": "application/xml",
    "txt": "text/plain",
    "text": "text/plain",
    "plain": "text/plain",
    "jpeg": "image/jpeg",
    "jpg": "image/jpeg",
    "png": "image/png",
    "gif": "image/gif",
    "tiff": "image/tiff",
    "tif": "image/tiff",
    "dicom": "application/dicom",
    "msword": "application/msword",
    "octet-stream": "application/octet-stream",
}
"""Subtype of data (HL7 table 0291, and what senders use instead) -> media type."""

TEXT_TYPES = frozenset({"tx", "ft", "text"})
"""Types of data (HL7 table 0191) that are text if no subtype is sent."""

_DATA, _ENCODING = 4, 3
_BASE64 = re.compile(r"[A-Za-z0-9+/\s]{16,}={0,2}\s*")
_LEAST_MISPLACED = 24


@dataclass(frozen=True, slots=True, eq=False)
class Carrier:
    """A leaf, characters ``[at, stop)`` of the message, whose text is an embedded document."""

    at: int
    stop: int
    raw: str = field(repr=False)
    encoding: str = field(repr=False)
    document: EmbeddedDocument | FramedDocument = field(repr=False)
    escapes: Escapes = field(repr=False)

    def rewrite(self, edits: Sequence[Edit]) -> str:
        """Return the leaf as sent with the document edited, in the sender's line lengths.

        Raises:
            EncodeError: the document or the message cannot hold a replacement.
        """
        data = self.document.rewrite(edits)
        if self.encoding == "text":
            return self._as_text(data)
        plain = data.hex() if self.encoding == "hex" else _base64(data)
        return _wrapped(plain, self.raw, self.escapes.delimiters.escape)

    def _as_text(self, data: bytes) -> str:
        try:
            new = data.decode("utf-8")
        except UnicodeDecodeError:
            raise EncodeError("unencodable") from None
        text, pieces = self.escapes.read(self.raw)
        return self.escapes.rewrite(self.raw, pieces, text, _difference(text, new))


def data_component(components: Sequence[str]) -> int | None:
    """Return the index of the data component: the fifth, or by mistake an earlier one."""
    if len(components) > _DATA and components[_DATA]:
        return _DATA
    for index in range(min(len(components), _DATA) - 1, 0, -1):
        if len(components[index]) >= _LEAST_MISPLACED:
            return index
    return None


def open_carrier(components: Sequence[str], index: int, at: int, escapes: Escapes) -> Carrier | str:
    """Open the document in an ED field's data component, which starts at ``at``.

    Returns the carrier, or for data that is not read its media type ("?" if unknown).
    """
    raw = components[index]
    kind, subtype = (
        components[place].strip().lower() if place < min(index, len(components)) else ""
        for place in (1, 2)
    )
    declared = media_type(kind, subtype)
    encoding = components[_ENCODING].strip().lower() if index == _DATA else "base64"
    return open_leaf(raw, at, declared, encoding, escapes)


def media_type(kind: str, subtype: str) -> str:
    """Return the media type that ED.2 and ED.3 declare, in lower case; "" if they declare none."""
    if "/" in subtype or "/" in kind:
        return subtype if "/" in subtype else kind
    if kind in TEXT_TYPES and not subtype:
        return "text/plain"
    kind = "text" if kind in TEXT_TYPES else {"ap": "application"}.get(kind, kind)
    return MEDIA_TYPES.get(subtype, f"{kind}/{subtype}" if kind and subtype else "")


def open_leaf(raw: str, at: int, declared: str, encoding: str, escapes: Escapes) -> Carrier | str:
    """Open a document from one leaf as sent; see :func:`open_carrier`."""
    text = escapes.read(raw)[0] if escapes.delimiters.escape in raw else raw
    data, used = _data(text, encoding)
    found = declared or media_type_of(data) or "?"
    try:
        document = open_framed(data, declared)
    except DocumentError:
        return found  # left to the policy for unreadable content
    if document is None or not document.segments:
        return found
    return Carrier(at, at + len(raw), raw, used, document, escapes)


def _data(text: str, encoding: str) -> tuple[bytes, str]:
    """Return the document's bytes and their encoding; empty bytes if they cannot be decoded."""
    if encoding == "a":
        return text.encode("utf-8", "replace"), "text"
    if encoding == "hex":
        return _unhex(text), "hex"
    if encoding == "base64" or _BASE64.fullmatch(text):
        return unbase64(text), "base64"
    return text.encode("utf-8", "replace"), "text"


def _unhex(text: str) -> bytes:
    try:
        return bytes.fromhex("".join(text.split()))
    except ValueError:
        return b""


def unbase64(text: str) -> bytes:
    """Decode base64 strictly except for white space and missing padding; empty if it is invalid."""
    compact = "".join(text.split())
    try:
        return binascii.a2b_base64(compact + "=" * (-len(compact) % 4), strict_mode=True)
    except ValueError:
        return b""


def _base64(data: bytes) -> str:
    return binascii.b2a_base64(data, newline=False).decode("ascii")


def _wrapped(plain: str, raw: str, escape: str) -> str:
    """Break lines at the length of the sender's first line, with its line end."""
    mark = re.escape(escape if escape != ABSENT else "\n")
    found = re.search(rf"(?:{mark}[^{mark}]*{mark}|\s)+", raw)
    if found is None or not found.start():
        return plain
    width, end = found.start(), found[0]
    lines = [plain[low : low + width] for low in range(0, len(plain), width)]
    return end.join(lines) + (end if raw.endswith(end) else "")


def _difference(old: str, new: str) -> list[Edit]:
    """Return one edit that turns ``old`` into ``new``, between their common ends."""
    shortest = min(len(old), len(new))
    low = next((i for i in range(shortest) if old[i] != new[i]), shortest)
    rest = shortest - low
    tail = next((i for i in range(rest) if old[-1 - i] != new[-1 - i]), rest)
    if low == len(old) == len(new):
        return []
    return [Edit("", low, len(old) - tail, new[low : len(new) - tail])]
