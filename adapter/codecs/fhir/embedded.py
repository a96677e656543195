"""Reads texts inside one JSON string: the XHTML of a narrative, the document of an attachment."""

from __future__ import annotations

import base64
import binascii
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from adapter.codecs.documents.framing import FramedDocument, open_framed
from adapter.codecs.documents.markup import read_markup
from adapter.codecs.documents.opening import EmbeddedDocument, media_type_of
from adapter.errors import DocumentError
from adapter.types import Edit, TextSegment

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from adapter.codecs.sourcemap import Change, Passage


@dataclass(frozen=True, slots=True)
class NarrativeText:
    """A text of a narrative's div; ``visible`` is true for the text that a reader sees."""

    passage: Passage = field(repr=False)
    visible: bool


@dataclass(frozen=True, slots=True)
class DocumentText:
    """A text of a base64 document, whose path in the document is ``segment.path[start:]``."""

    document: EmbeddedDocument | FramedDocument = field(repr=False)
    start: int


Inner = NarrativeText | DocumentText

_MEDIA_TYPE = re.compile(r"[a-z0-9.+-]{1,64}/[a-z0-9.+-]{1,100}")


def narrative(source: str, path: str, element: str) -> Iterator[tuple[TextSegment, NarrativeText]]:
    """Yield the texts of a narrative's div: visible text, attribute values and comments."""
    markup = read_markup(source)
    shown = markup.visible.text
    if shown.strip():
        yield (
            TextSegment(path, element, "xhtml", shown),
            NarrativeText(markup.visible, visible=True),
        )
    seen: dict[str, int] = {}
    for leaf in markup.leaves:
        index = seen[leaf.kind] = seen.get(leaf.kind, -1) + 1
        segment = TextSegment(
            f"{path}!{leaf.kind}[{index}]", element + leaf.kind, "xhtml", leaf.passage.text
        )
        yield segment, NarrativeText(leaf.passage, visible=False)


def document(
    value: str, media_type: str, path: str, element: str, datatype: str
) -> Iterator[tuple[TextSegment, DocumentText | None]]:
    """Yield the texts of a base64 document, or the base64 itself if the document cannot be read."""
    data = _bytes(value)
    opened = _opened(data, media_type) if data is not None else None
    if opened is None or not opened.segments:
        kind = _bare(media_type) or (media_type_of(data) if data else None) or "?"
        yield TextSegment(path, element, f"{datatype}:{kind}", value), None
        return
    start = len(path) + 1
    for s in opened.segments:
        segment = TextSegment(f"{path}!{s.path}", s.element, s.datatype, s.text)
        yield segment, DocumentText(opened, start)


def _bare(media_type: str) -> str | None:
    """Return the declared media type in lower case without parameters; None for text types."""
    name = media_type.partition(";")[0].strip().lower()
    return name if _MEDIA_TYPE.fullmatch(name) and not name.startswith("text/") else None


def _bytes(value: str) -> bytes | None:
    try:
        return base64.b64decode("".join(value.split()), validate=True)
    except (binascii.Error, ValueError):
        return None


def _opened(data: bytes, media_type: str) -> EmbeddedDocument | FramedDocument | None:
    try:
        return open_framed(data, media_type)
    except DocumentError:
        return None


def changes(value: str, edits: Sequence[tuple[Edit, Inner | None]]) -> list[Change]:
    """Return the changes of a decoded JSON string for edits of the texts inside it.

    A document is encoded again as a whole, a narrative is changed only where it is edited.
    """
    found: list[Change] = []
    moved: list[Edit] = []
    opened: EmbeddedDocument | FramedDocument | None = None
    for edit, part in edits:
        if isinstance(part, NarrativeText):
            found += part.passage.changes(edit.start, edit.end, edit.text)
        elif isinstance(part, DocumentText):
            opened = part.document
            moved.append(Edit(edit.path[part.start :], edit.start, edit.end, edit.text))
        else:
            found.append((edit.start, edit.end, edit.text or ""))
    if opened is not None:
        found.append((0, len(value), base64.b64encode(opened.rewrite(moved)).decode("ascii")))
    return found
