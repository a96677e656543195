"""Reads C-CDA and other XML: every text and attribute value is a leaf with its element path.

Expat decides whether a document is well-formed. A document type declaration is refused, so that the
only entities are XML's own five and character references (XML 1.0, 4.6). The narrative block of a
CDA section (CDA R2, 4.3.5) is one text, read as markup.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from xml.parsers import expat

from adapter.codecs.documents.markup import (
    Leaf,
    Reader,
    attributes,
    in_cdata,
    in_comment,
    in_element,
    value_passage,
)
from adapter.codecs.sourcemap import Change, Passage, Trail
from adapter.errors import DocumentError
from adapter.types import TextSegment

if TYPE_CHECKING:
    from collections.abc import Iterator

DEEPEST = 200
"""Deepest nesting of elements that is read; the length of paths grows with the depth."""

_TOKEN = re.compile(
    r"<!--(?P<comment>.*?)-->|<!\[CDATA\[(?P<cdata>.*?)\]\]>|<\?(?P<instruction>.*?)\?>"
    r"|<(?P<close>/?)(?P<name>[^\s/>]+)"
    r"(?P<attributes>(?:[^>\"'/]++|\"[^\"]*+\"|'[^']*+'|/(?!>))*)(?P<empty>/?)>",
    re.DOTALL,
)
_HL7_PREFIX = re.compile(r"xmlns:(\w+)\s*=\s*[\"']urn:hl7-org:v3[\"']")
_DECLARED = re.compile(rb"<\?xml[^>]*?\bencoding\s*=\s*[\"']([A-Za-z0-9._-]+)[\"']")
_SCHEMES = ("urn:hl7-org:", "http://www.w3.org/")
_MASKABLE = ("@value", "@extension", "@code")
_MARKS = ((b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))


def xml_charset(data: bytes) -> tuple[str, str]:
    """Decode by byte order mark, else by the XML declaration, else as UTF-8.

    Raises:
        DocumentError: "malformed", the bytes are not in that charset, or it is not reversible.
    """
    declared = _DECLARED.search(data[:200])
    charset = declared[1].decode("ascii") if declared else "utf-8"
    charset = next((name for mark, name in _MARKS if data.startswith(mark)), charset)
    try:
        source = data.decode(charset)
        reversible = source.encode(charset) == data
    except (LookupError, UnicodeError):
        raise DocumentError("malformed") from None
    if not reversible:
        raise DocumentError("malformed")
    return source, charset


def _refuse_declaration(*_: object) -> None:
    raise DocumentError("malformed")


def check_well_formed(source: str) -> None:
    """Check that a document is well-formed and has no document type declaration.

    Raises:
        DocumentError: "malformed" if it is not.
    """
    parser = expat.ParserCreate(encoding="utf-8")
    parser.StartDoctypeDeclHandler = _refuse_declaration
    try:
        parser.Parse(source.encode("utf-8", "surrogatepass"), True)  # noqa: FBT003 - expat's own
    except expat.ExpatError:
        raise DocumentError("malformed") from None


def read_xml(source: str) -> list[tuple[TextSegment, Passage]]:
    """Read an XML document into leaves; paths begin with "cda:" for a CDA, else with "xml:".

    Raises:
        DocumentError: "malformed".
    """
    check_well_formed(source)
    return list(_Walk(source).parts())


@dataclass(slots=True)
class _Element:
    """An open element and its children so far; ``path`` has positions, ``element`` has none."""

    name: str = field(repr=False)
    path: str = field(repr=False)
    element: str = field(repr=False)
    encoded: bool = False
    children: dict[str, int] = field(default_factory=dict, repr=False)
    texts: int = 0


class _Walk:
    """Reads a well-formed document in one pass."""

    __slots__ = ("_cda", "_prefixes", "_source", "_stack")

    def __init__(self, source: str) -> None:
        self._source = source
        self._prefixes = frozenset(_HL7_PREFIX.findall(source))
        self._cda = "urn:hl7-org:v3" in source and "ClinicalDocument" in source
        root = "cda:" if self._cda else "xml:"
        self._stack = [_Element("", root, root)]

    def parts(self) -> Iterator[tuple[TextSegment, Passage]]:
        position = 0
        while found := _TOKEN.search(self._source, position):
            yield from self._text(position, found.start())
            position = found.end()
            if found["name"] is None:
                yield from self._aside(found)
            elif found["close"]:
                self._stack.pop()
            else:
                yield from self._open(found)
                close = self._end_of_narrative(found)
                if close:
                    yield from self._narrative(position, close.start())
                    position = close.end()
                if close or found["empty"]:
                    self._stack.pop()

    def _open(self, found: re.Match[str]) -> Iterator[tuple[TextSegment, Passage]]:
        parent = self._stack[-1]
        prefix, _, local = found["name"].rpartition(":")
        name = local if prefix in self._prefixes or not prefix else found["name"]
        index = parent.children[name] = parent.children.get(name, 0) + 1
        slash = "/" if parent.name else ""
        element = f"{parent.element}{slash}{name}"
        path = f"{parent.path}{slash}{name}" + (f"[{index}]" if index > 1 else "")
        opened = _Element(name, path, element, encoded='"B64"' in found["attributes"])
        self._stack.append(opened)
        if len(self._stack) > DEEPEST:
            raise DocumentError("malformed")
        leaves = attributes(self._source, *found.span("attributes"))
        for place, leaf in enumerate(_maskable(leaves) if self._cda else leaves):
            if not (leaf.kind.startswith(("@xmlns", "@xsi")) and _is_scheme(leaf.passage.text)):
                step = f"@?[{place}]" if leaf.kind == "@?" else leaf.kind
                yield self._part(f"{path}/{step}", f"{element}/{leaf.kind}", leaf.passage)

    def _part(
        self, path: str, element: str, passage: Passage, *, note: bool = False
    ) -> tuple[TextSegment, Passage]:
        plain = "cda" if self._cda else "xml"
        datatype = "document.cda" if note and self._cda else plain
        return TextSegment(path, element, datatype, passage.text), passage

    def _text(self, low: int, high: int) -> Iterator[tuple[TextSegment, Passage]]:
        low += self._source.startswith("\ufeff", low) and not low  # the byte order mark
        text = self._source[low:high]
        stripped = text.strip()
        if stripped:
            low += text.index(stripped)
            passage = value_passage(self._source, low, low + len(stripped), in_element, None)
            yield self._chunk(passage)

    def _chunk(self, passage: Passage) -> tuple[TextSegment, Passage]:
        here = self._stack[-1]
        here.texts += 1
        path = here.path if here.texts == 1 else f"{here.path}/text()[{here.texts}]"
        note = here.name == "text" and self._stack[-2].name == "nonXMLBody" and not here.encoded
        return self._part(path, here.element, passage, note=note)

    def _aside(self, found: re.Match[str]) -> Iterator[tuple[TextSegment, Passage]]:
        kind = found.lastgroup or ""
        if not found[kind] or (kind == "instruction" and found.start() <= 1):
            return
        trail = Trail()
        trail.add(found[kind], *found.span(kind), in_cdata if kind == "cdata" else in_comment)
        if kind == "cdata":
            yield self._chunk(trail.passage())
            return
        here = self._stack[-1]
        index = here.children[f"#{kind}"] = here.children.get(f"#{kind}", 0) + 1
        element = f"{here.element}#{kind}"
        yield self._part(
            f"{here.path}#{kind}[{index}]", element, trail.passage((*found.span(), ""))
        )

    def _narrative(self, low: int, high: int) -> Iterator[tuple[TextSegment, Passage]]:
        here = self._stack[-1]
        markup = Reader(self._source, xml=True).read(low, high)
        if markup.visible.text.strip():
            yield self._part(here.path, here.element, markup.visible, note=True)
        for index, leaf in enumerate(markup.leaves):
            element = f"{here.element}/{leaf.kind}"
            yield self._part(f"{here.path}/{leaf.kind}[n{index}]", element, leaf.passage)

    def _end_of_narrative(self, found: re.Match[str]) -> re.Match[str] | None:
        """Return the end tag of the narrative that begins here, or None if no narrative does."""
        if found["empty"] or [e.name for e in self._stack[-2:]] != ["section", "text"]:
            return None
        return self._end_of_element(found.end())

    def _end_of_element(self, position: int) -> re.Match[str]:
        depth = 1
        while found := _TOKEN.search(self._source, position):
            position = found.end()
            if found["name"] and not found["empty"]:
                depth += -1 if found["close"] else 1
                if depth == 0:
                    return found
        raise DocumentError("malformed")


def _is_scheme(text: str) -> bool:
    return text.startswith(_SCHEMES)


def _maskable(leaves: list[Leaf]) -> Iterator[Leaf]:
    """Make removing the first maskable value set ``nullFlavor="MSK"`` (CDA R2, NullFlavor)."""
    kinds = {leaf.kind for leaf in leaves}
    first = next((kind for kind in _MASKABLE if kind in kinds), None)
    for leaf in leaves:
        removal = leaf.passage.removal
        if leaf.kind == first and "@nullFlavor" not in kinds and removal:
            masked: Change = (removal[0], removal[1], ' nullFlavor="MSK"')
            yield Leaf(leaf.kind, Passage(leaf.passage.text, leaf.passage.pieces, masked))
        else:
            yield leaf
