"""Takes the bodies out of a text, opens them down to a depth limit, and writes them back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from adapter.codecs.documents.framing import FramedDocument, open_framed
from adapter.codecs.documents.opening import EmbeddedDocument, read_inline
from adapter.codecs.nested import alphabets, escaped, invisible
from adapter.codecs.nested.recognition import bodies
from adapter.codecs.sourcemap import Passage, Trail, as_is
from adapter.errors import DocumentError
from adapter.types import Edit, TextSegment

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from adapter.codecs.nested.body import Body

DEEPEST = 4
"""Deepest nesting of bodies that are opened."""
LONGEST = 32 * 1024 * 1024
"""Characters of the longest text whose bodies are opened; a longer one with a body is closed."""
MOST = 1000
"""Most bodies of one text that are opened; with more, the whole text is one closed body."""
PLACEHOLDER = "\ufffc"
"""Replaces a body in the text around it: Unicode's object replacement character."""
REMOVED = "[document]"
"""Written into a released text in place of a removed body."""


@dataclass(frozen=True, slots=True)
class Inner:
    """A body of a text: its document (None if closed), and the nests in the document's texts."""

    body: Body
    document: EmbeddedDocument | FramedDocument | None = field(default=None, repr=False)
    nests: Mapping[str, Nest] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True)
class Nest:
    """A text that contains bodies; ``passage`` is the text around them.

    If the text has escaped words, ``passage`` is the text with those decoded, and ``below`` is the
    nest of that text if it contains bodies.
    """

    text: str = field(repr=False)
    passage: Passage = field(repr=False)
    inners: tuple[Inner, ...] = field(repr=False)
    below: Nest | None = field(default=None, repr=False)

    def segments(self, carrier: TextSegment) -> Iterator[TextSegment]:
        """Yield the text around the bodies, at the carrier's path, then the texts of the bodies."""
        path = carrier.path
        shown = TextSegment(path, carrier.element, carrier.datatype, self.passage.text)
        if self.below is not None:
            yield from self.below.segments(shown)
            return
        yield shown
        for number, inner in enumerate(self.inners, 1):
            yield from self._of(inner, f"{path}!{inner.body.kind}[{number}]")

    def _of(self, inner: Inner, path: str) -> Iterator[TextSegment]:
        body = inner.body
        if inner.document is None:
            raw = self.text[body.start : body.end]
            yield TextSegment(path, "text", f"document.text:{body.kind}", raw)
            return
        for segment in inner.document.segments:
            placed = TextSegment(
                f"{path}!{segment.path}", segment.element, segment.datatype, segment.text
            )
            nest = inner.nests.get(segment.path)
            yield from (placed,) if nest is None else nest.segments(placed)

    def edits(self, path: str, wanted: Mapping[str, Sequence[Edit]], own: str) -> list[Edit]:
        """Return edits of the text itself, at path ``own``, that make the edits ``wanted`` by path.

        Raises:
            EncodeError: a document cannot hold a replacement.
        """
        around = wanted.get(path, ())
        if self.below is not None:
            around = self.below.edits(path, wanted, own)
        if any(e.text is None and e.end - e.start == len(self.passage.text) for e in around):
            return [Edit(own, 0, len(self.text), None)]
        changes = [c for e in around for c in self.passage.changes(e.start, e.end, e.text)]
        taken = [(low, high) for low, high, _ in changes if low < high]
        for number, inner in enumerate(self.inners, 1):
            body = inner.body
            if not any(low < body.end and high > body.start for low, high in taken):
                new = self._rewritten(inner, f"{path}!{body.kind}[{number}]", wanted)
                if new is not None:
                    changes.append((body.start, body.end, new))
        if not changes:
            return []
        if len(self.inners) == 1 and [c[2] for c in changes] == [REMOVED] and self._alone():
            return [Edit(own, 0, len(self.text), None)]
        return [Edit(own, *change) for change in changes]

    def _alone(self) -> bool:
        """Whether the text is nothing but one body."""
        return self.passage.text.strip() == PLACEHOLDER

    def _rewritten(
        self, inner: Inner, path: str, wanted: Mapping[str, Sequence[Edit]]
    ) -> str | None:
        """Return the new text of a body, or None if nothing in it changes."""
        if inner.document is None:
            return REMOVED if path in wanted else None
        edits: list[Edit] = []
        for segment in inner.document.segments:
            outer = f"{path}!{segment.path}"
            nest = inner.nests.get(segment.path)
            if nest is not None:
                edits += nest.edits(outer, wanted, segment.path)
            else:
                edits += (Edit(segment.path, e.start, e.end, e.text) for e in wanted.get(outer, ()))
        return self._encoded(inner, edits) if edits else None

    def _encoded(self, inner: Inner, edits: Sequence[Edit]) -> str:
        assert inner.document is not None
        body, data = inner.body, inner.document.rewrite(edits)
        if body.kind not in {"base64", "hex"}:
            return data.decode("utf-8")
        return alphabets.encoded(data, self.text[body.start : body.end], body.kind)


def nest(text: str, depth: int = 0) -> Nest | None:
    """Return the nest of a text, or None if it contains no body."""
    found = bodies(text)
    if not found:
        return None
    words = [body for body in found if body.kind in escaped.KINDS and not body.closed]
    if words and depth < DEEPEST:
        shown = _unescaped(text, words)
        return Nest(text, shown, (), nest(shown.text, depth + 1))
    if len(text) > LONGEST or len(found) > MOST:
        found = (type(found[0])(0, len(text), "bodies", closed=True),)
    trail = Trail()
    low = 0
    for body in found:
        trail.add(text[low : body.start], low, body.start, as_is)
        written = "" if body.kind == invisible.KIND else PLACEHOLDER
        trail.add(written, body.start, body.end, as_is)
        low = body.end
    trail.add(text[low:], low, len(text), as_is)
    inners = tuple(_inner(text[body.start : body.end], body, depth) for body in found)
    return Nest(text, trail.passage(), inners)


def _unescaped(text: str, words: Sequence[Body]) -> Passage:
    """Return the text with the escapes of some of its words decoded."""
    trail = Trail()
    low = 0
    for word in words:
        trail.add(text[low : word.start], low, word.start, as_is)
        read = escaped.passage(text[word.start : word.end], word.kind)
        for start, end, at, stop, write in read.pieces:
            trail.add(read.text[start:end], word.start + at, word.start + stop, write)
        low = word.end
    trail.add(text[low:], low, len(text), as_is)
    return trail.passage()


def _inner(raw: str, body: Body, depth: int) -> Inner:
    if body.closed or depth >= DEEPEST:
        return Inner(body)
    try:
        document = _opened(raw, body.kind)
    except DocumentError:
        return Inner(body)
    if document is None or not document.segments or document.segments[0].datatype == "xml":
        return Inner(body)  # XML other than CDA: the meaning of names and values is unknown
    nests = {}
    for segment in document.segments:
        found = nest(segment.text, depth + 1)
        if found is not None:
            nests[segment.path] = found
    return Inner(body, document, nests)


def _opened(raw: str, kind: str) -> EmbeddedDocument | FramedDocument | None:
    if kind in {"base64", "hex"}:
        return open_framed(alphabets.decoded(raw, kind), "")
    return read_inline(raw, kind)
