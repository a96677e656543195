"""The FHIR codec: JSON resources, arrays and NDJSON of STU3 to R5, written back byte for byte.

The text is decoded once and its segments are read from the tree that Python's parser returns; only
if there are edits is the text read a second time for positions. What is not edited is never
rewritten: number literals, white space, escapes and key order are kept. An object with a duplicate
key is rejected.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from adapter.codecs.fhir import embedded
from adapter.codecs.fhir.array import Array, bundled
from adapter.codecs.fhir.cda import Document, document
from adapter.codecs.fhir.json import NUMBER, first, parse, quote, string_passage
from adapter.codecs.fhir.layout import Layout
from adapter.codecs.fhir.remove import Losses, removals
from adapter.codecs.fhir.schema import Role, Table
from adapter.codecs.fhir.security import labelled
from adapter.codecs.fhir.split import split
from adapter.codecs.fhir.walk import Leaf, Walked, walk
from adapter.codecs.fhir.xml import Xml, from_xml
from adapter.codecs.splice import splice
from adapter.errors import DecodeError, EncodeError
from adapter.types import Edit, Message

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from adapter.codecs.protocol import Frame
    from adapter.codecs.sourcemap import Change
    from adapter.types import SecurityLabel

_BOM = "\ufeff"
_AROUND = f"{_BOM} \t\r\n"
Form = Array | Xml | Document
"""A form of input that is converted to JSON for reading and converted back for writing."""


@dataclass(frozen=True, slots=True)
class FhirBody:
    """The state that a decoded resource is written back from."""

    text: str = field(repr=False)
    start: int
    walked: Walked = field(repr=False)
    form: Form | None = field(default=None, repr=False)
    """The array, XML or CDA document that ``text`` was converted from; None for plain JSON."""

    @property
    def version(self) -> str:
        """The FHIR version whose element table the resource was read with."""
        return self.walked.table.version


class FhirCodec:
    """Reads and writes FHIR JSON with the element tables of one or more versions.

    Args:
        tables: version -> type -> element -> type with marks (rules/schema/fhir-*.json).
        default_version: the version used if it knows every element of a resource.
    """

    name = "fhir"

    def __init__(
        self,
        tables: Mapping[str, Mapping[str, Mapping[str, str]]],
        default_version: str = "R4",
    ) -> None:
        versions = [default_version, *sorted(v for v in tables if v != default_version)]
        self._tables = tuple(Table(version, tables[version]) for version in versions)

    def decode(self, raw: bytes) -> Message:
        """Return the one resource in ``raw``, or an array of resources as a Bundle.

        Raises:
            DecodeError: "empty", "charset-invalid", "not-json", "not-fhir", "several-messages",
                "duplicate-key", "too-deep", "not-xml", "xml-encoding", "not-convertible".
        """
        text = _text(raw)
        start = 1 if text.startswith(_BOM) else 0
        form = self._form(text)
        text, start = (form.json, 0) if form else (text, start)
        tree = self._parsed(text[start:], raw)
        kind = first(tree, "resourceType") if type(tree) is tuple else None
        walked = self._walked(tree, kind) if isinstance(kind, str) else None
        if walked is None or not isinstance(kind, str):
            raise DecodeError("not-fhir")
        return Message("fhir", kind, walked.segments, FhirBody(text, start, walked, form))

    def encode(
        self, message: Message, edits: Sequence[Edit], label: SecurityLabel | None = None
    ) -> bytes:
        """Return the resource's bytes with the edits made.

        A label is written into ``meta.security`` of the resource and of the resources in its
        entries.

        Raises:
            EncodeError: "unknown-path", "overlapping-edits"; "unencodable", text in a place for a
                number, or half a surrogate pair; "required-element", a required resource has no
                neutral replacement; "unreadable", the original form cannot be restored.
        """
        body: FhirBody = message.body  # type: ignore[assignment]
        changes = _changes(message, body, edits, label) if edits or label else ()
        text = splice(body.text, changes) if changes else body.text
        text = body.form.restored(text) if body.form else text
        try:
            return text.encode("utf-8")
        except UnicodeEncodeError:
            raise EncodeError("unencodable") from None

    def split(self, raw: bytes) -> tuple[Frame, ...]:
        """Return the resources of NDJSON, or of JSON texts that follow one another."""
        return split(raw)

    def _form(self, text: str) -> Form | None:
        """Return the form of a text, or None if it is JSON of one resource."""
        if text.lstrip(_AROUND).startswith("<"):
            text = text.lstrip(_AROUND)
            return document(text) or from_xml(text, self._tables)
        return bundled(text)

    def _parsed(self, text: str, raw: bytes) -> Any:
        try:
            return parse(text)
        except DecodeError as error:
            if error.code == "not-json" and len(split(raw)) > 1:
                raise DecodeError("several-messages") from None
            raise

    def _walked(self, tree: Any, kind: str) -> Walked | None:
        """Walk with the default version, or else with the version that knows the most elements."""
        best: Walked | None = None
        for table in self._tables:
            if kind in table.resources and (best is None or _knows_more(table, best)):
                found = walk(tree, table)
                if best is None or len(found.unknown) < len(best.unknown):
                    best = found
        return best


def _text(raw: bytes) -> str:
    if not raw.strip():
        raise DecodeError("empty")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        raise DecodeError("charset-invalid") from None


def _knows_more(table: Table, best: Walked) -> bool:
    return any(table.knows(owner, key) for owner, key in best.unknown)


def _changes(
    message: Message, body: FhirBody, edits: Sequence[Edit], label: SecurityLabel | None
) -> list[Change]:
    layout = Layout(body.text, body.start, body.walked.closers)
    doomed: dict[int, Leaf] = {}
    rewritten: dict[int, list[tuple[Edit, Leaf]]] = {}
    for edit, leaf in _placed(message, body, edits):
        if edit.text is None and _whole(leaf):
            doomed[leaf[2]] = leaf
        else:
            rewritten.setdefault(leaf[2], []).append((edit, leaf))
    changes: list[Change] = []
    for token, group in rewritten.items():
        if token not in doomed:
            found = _rewritten(group, layout)
            if found is None:
                doomed[token] = group[0][1]
            else:
                changes += found
    losses = Losses(doomed.values())
    made = _outermost(removals(losses, body.walked.table, layout), changes)
    if label is not None:
        made += labelled(body.walked.resources, losses, layout, label.code)
    return made


def _placed(message: Message, body: FhirBody, edits: Iterable[Edit]) -> Iterable[tuple[Edit, Leaf]]:
    places = {segment.path: i for i, segment in enumerate(message.segments)}
    for edit in edits:
        index = places.get(edit.path)
        if index is None or not 0 <= edit.start <= edit.end <= len(message.segments[index].text):
            raise EncodeError("unknown-path")
        yield edit, body.walked.leaves[index]


def _whole(leaf: Leaf) -> bool:
    """Whether a leaf is a whole JSON value; a narrative's visible text counts as its div."""
    inner = leaf[3]
    return inner is None or (isinstance(inner, embedded.NarrativeText) and inner.visible)


def _rewritten(group: list[tuple[Edit, Leaf]], layout: Layout) -> list[Change] | None:
    """Return the changes of one JSON value, or None if nothing would be left of it."""
    place, index, token, _ = group[0][1]
    value = place.node[index] if place.shape is None else place.node[index][1]
    low, high = layout.value(token)
    quoted = layout.text[low] == '"'
    shown = value if quoted else layout.text[low:high]
    changes = embedded.changes(shown, [(edit, leaf[3]) for edit, leaf in group])
    if not any(text for _, _, text in changes) and not splice(shown, changes):
        return None
    if not quoted:
        return [(low, high, _literal(splice(shown, changes), place, index))]
    if high - low - 2 == len(shown):
        return [(low + 1 + start, low + 1 + end, quote(text)) for start, end, text in changes]
    passage = string_passage(layout.text, low + 1, high - 1)
    return [made for change in changes for made in passage.changes(*change)]


def _literal(new: str, place: Any, index: int) -> str:
    """Return new text for a value that was not a string, as JSON.

    Raises:
        EncodeError: "unencodable", the text is not a number and the place allows no string.
    """
    if NUMBER.fullmatch(new):
        return new
    owner = place if place.shape is not None else place.parent
    key = place.node[index][0] if place.shape is not None else owner.node[place.index][0]
    member = owner.shape.members.get(key) if owner is not None and owner.shape else None
    if member is not None and member.role is not Role.TEXT:
        raise EncodeError("unencodable")
    return f'"{quote(new)}"'


def _outermost(cuts: list[Change], changes: list[Change]) -> list[Change]:
    """Return the cuts that lie in no other cut, and the changes outside of them."""
    kept: list[Change] = []
    behind = -1
    inside = [(c[0], -c[1], 0, c) for c in cuts] + [(c[0], -c[1], 1, c) for c in changes]
    for low, high, rank, change in sorted(inside):
        if low < behind and -high <= behind:
            continue
        kept.append(change)
        behind = max(behind, -high) if rank == 0 else behind
    return kept
