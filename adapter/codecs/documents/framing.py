"""Opens documents with or without the MIME framing that CDA prescribes in messages.

CDA R2, 3.1 (RFC 2045 to 2387): a multipart entity whose root part is the document, in base64 or as
it is, and whose other parts are what the document shows. The root is opened. Other parts are closed
segments, and the free values of the framing (boundary, ids, locations) are one text; if anything in
that is replaced, framing without them takes its place. The standard library's parser of mail gives
no offsets, which are needed to replace the document alone.
"""

from __future__ import annotations

import binascii
import quopri
import re
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

from adapter.codecs.documents.opening import EmbeddedDocument, is_cda, open_document
from adapter.types import Edit, TextSegment

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_END = rb"(?:\r\n|\n|\r)"
_BEGIN = re.compile(rb"\s{0,80}(?:MIME-Version|Content-[A-Za-z-]{1,40})[ \t]*:", re.IGNORECASE)
_HEADER = re.compile(
    rb"([A-Za-z][A-Za-z-]{0,60})[ \t]*:((?:[^\r\n]|" + _END + rb"[ \t]+(?=[^\s]))*)" + _END
)
_BLANK = re.compile(rb"[ \t]*" + _END)
_PARAMETER = re.compile(r';\s*([\w-]+)\s*=\s*(?:"([^"]*)"|([^\s;"]+))')
_NAME = re.compile(r"[a-z0-9.+-]{1,64}/[a-z0-9.+-]{1,100}")
_PLAIN = re.compile(
    r"mime-version: \d\.\d|content-transfer-encoding: (?:base64|quoted-printable|[78]bit|binary)"
    r"|content-type: (?:multipart/(?:related|mixed)|(?:text|application)/(?:hl7-cda\+)?xml)"
    r'(?:; ?(?:type="?(?:text|application)/(?:hl7-cda\+)?xml"?|boundary="?hl7-cda-boundary"?'
    r'|charset="?(?:us-ascii|utf-?(?:8|16)|iso-8859-\d{1,2}|windows-125\d)"?))*',
    re.IGNORECASE,
)
"""Headers that name nobody."""
_OF_MIME = frozenset(
    ("mime-version", "content-type", "content-transfer-encoding", "content-id", "content-location")
)
_GAP = re.compile(rb"\s+")
_BOUNDARY = "HL7-CDA-boundary"
_FRAMING = "framing"
_MOST = 100
"""Most parts that are read."""


@dataclass(frozen=True, slots=True)
class _Part:
    """An entity: bytes ``[begin, high)`` of the data, whose body begins at ``low``."""

    headers: dict[str, str] = field(repr=False)
    begin: int
    low: int
    high: int

    @property
    def media_type(self) -> str:
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()

    def parameters(self) -> dict[str, str]:
        """Return the parameters of the content type."""
        found = _PARAMETER.findall(self.headers.get("content-type", ""))
        return {name.lower(): quoted or bare for name, quoted, bare in found}

    def free(self) -> Iterator[str]:
        """Yield the headers that may say anything, with their parameters and comments.

        The name of a header that is none of MIME's may say something too.
        """
        for name, value in self.headers.items():
            if name not in _OF_MIME:
                yield f"{name.title()}: {value}"
            elif value and not _PLAIN.fullmatch(f"{name}: {value}"):
                yield value


@dataclass(frozen=True, slots=True)
class FramedDocument:
    """A CDA in MIME framing; used as an `EmbeddedDocument` is."""

    data: bytes = field(repr=False)
    root: _Part = field(repr=False)
    encoding: str = field(repr=False)
    document: EmbeddedDocument = field(repr=False)
    others: dict[str, _Part] = field(repr=False)
    segments: tuple[TextSegment, ...] = field(repr=False)

    def rewrite(self, edits: Sequence[Edit]) -> bytes:
        """Return the data with ``edits`` made; an edited part other than the root is left out.

        Raises:
            EncodeError: as for the document itself.
        """
        gone = {edit.path for edit in edits} & {_FRAMING, *self.others}
        body = self.data[self.root.low : self.root.high]
        if inner := [edit for edit in edits if edit.path not in gone]:
            body = _encoded(self.document.rewrite(inner), body, self.encoding)
        if _FRAMING in gone:
            return self._framed(body)
        parts = [(p.begin, p.high, b"") for path, p in self.others.items() if path in gone]
        out, low = b"", 0
        for begin, end, new in sorted([*parts, (self.root.low, self.root.high, body)]):
            out += self.data[low:begin] + new
            low = end
        return out + self.data[low:]

    def _framed(self, body: bytes) -> bytes:
        head = (
            f'MIME-Version: 1.0\nContent-Type: multipart/related; boundary="{_BOUNDARY}"; '
            f'type="text/xml"\n\n--{_BOUNDARY}\nContent-Type: text/xml\n'
            f"Content-Transfer-Encoding: {self.encoding}\n\n"
        )
        return head.encode() + body + f"\n--{_BOUNDARY}--\n".encode()


def open_framed(data: bytes, media_type: str) -> EmbeddedDocument | FramedDocument | None:
    """Open a document as `open_document` does, or a CDA in MIME framing.

    Raises:
        DocumentError: as `open_document`.
    """
    if _BEGIN.match(data) and not media_type.startswith("text/plain"):
        found = _framed(data)
        if found is not None:
            return found
    return open_document(data, media_type)


def _framed(data: bytes) -> FramedDocument | None:
    whole = _entity(data, 0, 0, len(data))
    if whole is None:
        return None
    parts, around = [whole], list(whole.free())
    if whole.media_type.startswith("multipart/"):
        parts, texts = _parts(data, whole)
        around += texts
    for root in parts:
        encoding = _encoding(data, root, whole)
        inside = _decoded(data[root.low : root.high], encoding)
        document = open_document(inside, "application/xml") if is_cda(inside) else None
        if document is not None and document.segments:
            others = {f"part[{n}]": part for n, part in enumerate(parts, 1) if part is not root}
            free = [*around, *(root.free() if root is not whole else ())]
            segments = (*document.segments, *_outside(data, others, free))
            return FramedDocument(data, root, encoding, document, others, segments)
    return None


def _outside(data: bytes, others: dict[str, _Part], free: Sequence[str]) -> Iterator[TextSegment]:
    if free:
        yield TextSegment(_FRAMING, _FRAMING, "document.text", "\n".join(free))
    for path, part in others.items():
        kind = part.media_type if _NAME.fullmatch(part.media_type) else "?"
        text = data[part.begin : part.high].decode("latin-1")
        yield TextSegment(path, "part", f"document.text:{kind}", text)


def _entity(data: bytes, begin: int, low: int, high: int) -> _Part | None:
    """Return the entity whose headers follow ``low``, or None if no blank line ends them."""
    headers: dict[str, str] = {}
    while low < high and data[low : low + 1].isspace():
        low += 1
    while found := _HEADER.match(data, low, high):
        name, value = (text.decode("latin-1") for text in found.groups())
        again = headers.get(name.lower(), "")
        headers[name.lower()] = " ".join([again, *value.split()]).strip()
        low = found.end()
    blank = _BLANK.match(data, low, high)
    return _Part(headers, begin, blank.end(), high) if headers and blank else None


def _parts(data: bytes, whole: _Part) -> tuple[list[_Part], list[str]]:
    """Return the parts and the texts around them; no part if the delimiters are irregular."""
    boundary = re.escape(whole.parameters().get("boundary", "").encode("latin-1"))
    delimiter = rb"(?:(?<=[\r\n])|" + _END + rb")--" + boundary + rb"(--)?[ \t]*(?=[\r\n]|\Z)"
    marks = list(re.finditer(delimiter, data))
    parts = [_entity(data, a.start(), a.end(), b.start()) for a, b in pairwise(marks)]
    regular = [part for part in parts if part is not None]
    closes = [mark for mark in marks if mark[1]]
    whole_parts = boundary and closes == marks[-1:] and len(regular) == len(parts)
    if not whole_parts or not 0 < len(parts) <= _MOST:
        return [], []
    around = (data[whole.low : marks[0].start()], data[marks[-1].end() :])
    texts = (text.decode("latin-1").strip() for text in around)
    return regular, [text for text in texts if text]


def _encoding(data: bytes, part: _Part, whole: _Part) -> str:
    """Return the encoding of a part: its own, else the whole entity's, else what it looks like."""
    name = "content-transfer-encoding"
    declared = part.headers.get(name) or whole.headers.get(name) or ""
    if declared.lower() in {"", "base64"} and _unbase64(data[part.low : part.high]):
        return "base64"
    return "quoted-printable" if declared.lower() == "quoted-printable" else "8bit"


def _decoded(body: bytes, encoding: str) -> bytes:
    if encoding == "base64":
        return _unbase64(body)
    return quopri.decodestring(body) if encoding == "quoted-printable" else body


def _unbase64(body: bytes) -> bytes:
    compact = b"".join(body.split())
    try:
        return binascii.a2b_base64(compact + b"=" * (-len(compact) % 4), strict_mode=True)
    except ValueError:
        return b""


def _encoded(data: bytes, old: bytes, encoding: str) -> bytes:
    """Encode a body; base64 in the line lengths of the old one."""
    if encoding == "quoted-printable":
        return quopri.encodestring(data)
    if encoding != "base64":
        return data
    plain = binascii.b2a_base64(data, newline=False)
    gap = _GAP.search(old)
    if gap is None or not gap.start():
        return plain
    width = gap.start()
    return gap[0].join(plain[low : low + width] for low in range(0, len(plain), width))
