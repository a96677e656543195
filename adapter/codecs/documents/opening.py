"""Opens documents inside messages (base64 text, HTML, RTF, C-CDA), reads them and writes them back.

The bytes are decoded with a reversible charset, each kind of document is read into segments with a
map to the decoded characters, and edits are spliced into those: an unedited document is returned
byte for byte.
"""

from __future__ import annotations

import re
from codecs import lookup
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from adapter.codecs.documents.markup import read_markup
from adapter.codecs.documents.rtf import read_rtf
from adapter.codecs.documents.xml import read_xml, xml_charset
from adapter.codecs.sourcemap import Passage, Trail, as_is
from adapter.codecs.splice import splice
from adapter.errors import DocumentError, EncodeError
from adapter.types import Edit, TextSegment

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

Part = tuple[TextSegment, Passage]
"""A segment of a document, and its text with the map to the document's source."""

LIMIT = 32 * 1024 * 1024
"""Largest document that is opened, in bytes."""

_MAGIC: tuple[tuple[bytes, str], ...] = (
    (b"%PDF", "application/pdf"),
    (b"{\\rtf", "application/rtf"),
    (b"\x89PNG\r\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF8", "image/gif"),
    (b"II*\x00", "image/tiff"),
    (b"MM\x00*", "image/tiff"),
    (b"BM", "image/bmp"),
    (b"PK\x03\x04", "application/zip"),
    (b"\x1f\x8b", "application/gzip"),
    (b"\xd0\xcf\x11\xe0", "application/msword"),
    (b"ID3", "audio/mpeg"),
    (b"RIFF", "application/octet-stream"),
)
_BOMS: tuple[tuple[bytes, str], ...] = (
    (b"\xff\xfe\x00\x00", "utf-32-le"),
    (b"\x00\x00\xfe\xff", "utf-32-be"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)
_HTML = re.compile(
    rb"\s*(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body|div|p|table)\b",
    re.IGNORECASE | re.DOTALL,
)
_PAGE = re.compile(r"<(?:!doctype|html|head|body)\b", re.IGNORECASE)
_HL7, _CDA = b"urn:hl7-org:v3", b"ClinicalDocument"
_CONTROLS = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_CHARSET = re.compile(r"charset\s*=\s*[\"']?([A-Za-z0-9._:-]+)", re.IGNORECASE)
_VAGUE = frozenset({"", "?", "application/octet-stream"})
_TEXTS = re.compile(
    r"text/(?!(?:x-)?vcard|directory)[a-z0-9][a-z0-9.+_-]*"
    r"|application/(?:x-|vnd\.)?(?:csv|tsv|tab-separated-values|ya?ml|ndjson|jsonl|json-?lines|text|txt"
    r"|plain|markdown|log|toml|ini|sql|ascii|latex|tex)"
)
"""Media types of text beside those of `_KINDS`; cards of addresses (vCard) are people only."""
_ASCII = "".join(map(chr, range(32, 127)))
_PRINTABLE = bytes({9, 10, 12, 13, *range(32, 127)})
_ACCENTS, _MANY_ACCENTS, _FEW = 0.25, 0.5, 12
"""Largest share of non-ASCII bytes in a long and in a short text; bytes up to which it is short."""
_RETURN = re.compile(r"\r\n?")


@dataclass(frozen=True, slots=True)
class EmbeddedDocument:
    """An opened document: its segments, and the source that they were read from."""

    media_type: str = field(repr=False)
    segments: tuple[TextSegment, ...] = field(repr=False)
    passages: tuple[Passage, ...] = field(repr=False)
    source: str = field(repr=False)
    charset: str = field(repr=False)

    def rewrite(self, edits: Sequence[Edit]) -> bytes:
        """Return the document's bytes with ``edits`` made; without edits, the bytes are unchanged.

        Raises:
            EncodeError: an edit names an unknown path, overlaps another, cuts through the
                document's structure, or its text is not in the document's charset.
        """
        places = {s.path: p for s, p in zip(self.segments, self.passages, strict=True)}
        changes = []
        for edit in edits:
            if edit.path not in places:
                raise EncodeError("unknown-path")
            changes += places[edit.path].changes(edit.start, edit.end, edit.text)
        data = self._encode(splice(self.source, changes))
        if changes:
            self._check(data)
        return data

    def _check(self, data: bytes) -> None:
        """Reject a document that could not be read again: edits in RTF leaves can break it."""
        try:
            _KINDS[self.media_type](data, f"{self.media_type}; charset={self.charset}")
        except DocumentError:
            raise EncodeError("unencodable") from None

    def _encode(self, source: str) -> bytes:
        marked = self.media_type in {"text/html", "application/xml"}
        try:
            return source.encode(self.charset, "xmlcharrefreplace" if marked else "strict")
        except UnicodeEncodeError:
            raise EncodeError("unencodable") from None


def media_type_of(data: bytes) -> str | None:
    """Return a document's media type by its first bytes, or None if it is not recognised."""
    start = data[3:] if data.startswith(b"\xef\xbb\xbf") else data
    for magic, media_type in _MAGIC:
        if start.startswith(magic):
            return media_type
    if start[128:132] == b"DICM":
        return "application/dicom"
    if charset := next((name for mark, name in _BOMS if data.startswith(mark)), None):
        start = data[:16384].decode(charset, "ignore").lstrip("\ufeff").encode("utf-8", "replace")
        return "application/xml" if _is_xml(start) else "text/plain"
    if not start.strip() or _CONTROLS.search(start[:65536]):
        return None
    if _HTML.match(start[:4096]):
        return "text/html"
    return "application/xml" if _is_xml(start) else "text/plain"


def _is_xml(start: bytes) -> bool:
    """Whether UTF-8 text begins as XML or CDA does."""
    start = start.lstrip()
    return start.startswith(b"<?xml") or (start.startswith(b"<") and _HL7 in start[:2048])


def is_cda(data: bytes) -> bool:
    """Whether a document in UTF-8 or UTF-16 begins as a CDA does."""
    start = data[:16384].replace(b"\0", b"")
    return media_type_of(data) == "application/xml" and _HL7 in start and _CDA in start


def open_document(data: bytes, media_type: str) -> EmbeddedDocument | None:
    """Open a document of the declared media type; None if that type is not read.

    Data that is clearly binary is not opened, whatever its label; where the label says nothing ("",
    octet-stream) or names some kind of text, the first bytes decide. A CDA is opened under any
    label of no other kind.

    Raises:
        DocumentError: "malformed", the document should be readable but is not; "too-large".
    """
    found, name = media_type_of(data), media_type.partition(";")[0].strip().lower()
    kind = _KINDS.get(name) or (
        _KINDS.get(found or "text/plain")
        if _TEXTS.fullmatch(name)
        else (_KINDS.get(found or "") if name in _VAGUE or is_cda(data) else None)
    )
    if kind is None or (found is not None and found not in _KINDS):
        return None
    if len(data) > LIMIT:
        raise DocumentError("too-large")
    return kind(data, media_type)


def _candidates(data: bytes, declared: str) -> Iterator[str]:
    yield from (charset for mark, charset in _BOMS if data.startswith(mark))
    if (found := _CHARSET.search(declared)) and _extends_ascii(found[1]):
        yield found[1]
    yield from ("utf-8", "cp1252", "latin-1")


def _extends_ascii(charset: str) -> bool:
    """Whether a charset decodes ASCII as ASCII; a wrong label must not hide text."""
    try:
        return _ASCII.encode("ascii").decode(charset) == _ASCII
    except (LookupError, UnicodeError):
        return False


def decode_text(data: bytes, declared: str) -> tuple[str, str]:
    """Decode by byte order mark, declared charset, UTF-8, Windows-1252, else Latin-1.

    Returns the characters and the name of a charset that encodes them to the same bytes.

    Raises:
        DocumentError: "malformed", the result contains NUL characters (binary data, or UTF-16 that
            nothing declares), or the charset had to be guessed and the bytes are not mostly ASCII.
    """
    source, charset = next(_readings(data, declared))
    guessed = charset in {"cp1252", "latin-1"} and not _declares(declared, charset)
    if "\x00" in source or (guessed and not _is_western(data)):
        raise DocumentError("malformed")
    return source, charset


def _declares(declared: str, charset: str) -> bool:
    """Whether a media type declares this charset."""
    found = _CHARSET.search(declared)
    try:
        return found is not None and lookup(found[1]) == lookup(charset)
    except LookupError:
        return False


def _is_western(data: bytes) -> bool:
    """Whether bytes look like Western text, which is mostly ASCII, rather than like binary data."""
    share = len(data.translate(None, _PRINTABLE))
    return share <= len(data) * (_ACCENTS if len(data) > _FEW else _MANY_ACCENTS)


def _readings(data: bytes, declared: str) -> Iterator[tuple[str, str]]:
    for charset in _candidates(data, declared):
        try:
            source = data.decode(charset)
            if source.encode(charset) == data:
                yield source, charset
        except UnicodeError:
            continue


def _open_text(data: bytes, media_type: str) -> EmbeddedDocument:
    source, charset = decode_text(data, media_type)
    passage = plain_passage(source)
    segment = TextSegment("text", "text", "document.text", passage.text)
    parts = [(segment, passage)] if passage.text else []
    return _document("text/plain", parts, source, charset)


def plain_passage(source: str) -> Passage:
    """Return plain text without its byte order mark, with each line end shown as one newline."""
    trail = Trail()
    low = 1 if source.startswith("\ufeff") else 0
    for found in _RETURN.finditer(source, low):
        trail.add(source[low : found.start()], low, found.start(), as_is)
        trail.add("\n", *found.span(), as_is)
        low = found.end()
    trail.add(source[low:], low, len(source), as_is)
    return trail.passage()


def _open_html(data: bytes, media_type: str) -> EmbeddedDocument:
    declared = media_type if "charset" in media_type.lower() else data[:1024].decode("latin-1")
    source, charset = decode_text(data, declared)
    return _document("text/html", html_parts(source), source, charset)


def html_parts(source: str, *, lines: bool = False) -> list[Part]:
    """Return the visible text of HTML and its leaves; with ``lines``, line ends are kept."""
    markup = read_markup(source, lines=lines)
    parts = []
    if markup.visible.text.strip():
        segment = TextSegment("html", "html", "document.html", markup.visible.text)
        parts.append((segment, markup.visible))
    seen: dict[str, int] = {}
    for leaf in markup.leaves:
        index = seen.get(leaf.kind, 0)
        seen[leaf.kind] = index + 1
        element = f"html{leaf.kind}"
        segment = TextSegment(f"{element}[{index}]", element, "document.html", leaf.passage.text)
        parts.append((segment, leaf.passage))
    return parts


def _open_rtf(data: bytes, _media_type: str) -> EmbeddedDocument:
    source = data.decode("latin-1")
    return _document("application/rtf", read_rtf(source), source, "latin-1")


def _open_xml(data: bytes, _media_type: str) -> EmbeddedDocument:
    source, charset = xml_charset(data)
    return _document("application/xml", read_xml(source), source, charset)


def read_inline(source: str, kind: str) -> EmbeddedDocument:
    """Open HTML, RTF or XML that is part of a text, given as characters instead of bytes.

    Raises:
        DocumentError: "malformed".
    """
    if kind == "html":
        lines = not _PAGE.search(source[:4096])
        return _document("text/html", html_parts(source, lines=lines), source, "utf-8")
    read, media_type = (
        (read_rtf, "application/rtf") if kind == "rtf" else (read_xml, "application/xml")
    )
    return _document(media_type, read(source), source, "utf-8")


def _document(
    media_type: str, parts: Sequence[Part], source: str, charset: str
) -> EmbeddedDocument:
    segments = tuple(segment for segment, _ in parts)
    return EmbeddedDocument(media_type, segments, tuple(p for _, p in parts), source, charset)


_KINDS: dict[str, Callable[[bytes, str], EmbeddedDocument]] = {
    "text/plain": _open_text,
    "text": _open_text,
    "text/markdown": _open_text,
    "text/csv": _open_text,
    "text/html": _open_html,
    "application/xhtml+xml": _open_html,
    "application/rtf": _open_rtf,
    "text/rtf": _open_rtf,
    "application/x-rtf": _open_rtf,
    "application/xml": _open_xml,
    "text/xml": _open_xml,
    "application/hl7-cda+xml": _open_xml,
    "application/hl7-sda+xml": _open_xml,
    "text/xml+cda": _open_xml,
}
