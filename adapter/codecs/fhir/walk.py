"""Walks the JSON tree of a FHIR resource along its element tables and yields text segments."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from adapter.codecs.fhir import embedded
from adapter.codecs.fhir.doubts import Lost, Place, doubted
from adapter.codecs.fhir.json import NUMBER, Number, Pairs, first
from adapter.codecs.fhir.schema import Member, Role, Shape, Table
from adapter.errors import DecodeError
from adapter.types import TextSegment

if TYPE_CHECKING:
    from collections.abc import Iterable

DEEPEST = 200
"""Deepest nesting of objects and arrays in a message."""


Leaf = tuple[Place, int, int, "embedded.Inner | None"]
"""(place, index, token, inner) of a segment: its position, and the text inside its JSON string."""


Text = tuple[TextSegment, "embedded.Inner | None"]
"""A segment, and the text inside a JSON string that it shows, if it is not the string itself."""


@dataclass(frozen=True, slots=True)
class Walked:
    """The result of a walk: segments and their leaves, aligned; opening token -> closing token.

    ``resources`` are the message's resource and those in it that are not contained, if of known
    type.
    """

    table: Table = field(repr=False)
    segments: tuple[TextSegment, ...] = field(repr=False)
    leaves: tuple[Leaf, ...] = field(repr=False)
    closers: dict[int, int] = field(repr=False)
    unknown: frozenset[tuple[str | None, str]] = field(repr=False)
    """(type, key) that the table lacks; (None, name) for a resource type."""
    resources: tuple[Place, ...] = field(repr=False)


def walk(tree: Pairs, table: Table) -> Walked:
    """Walk a resource with one version's table.

    Raises:
        DecodeError: "too-deep"; "duplicate-key", an object has a key twice: some readers take the
            first value and some the last (RFC 8259, section 4).
    """
    found = _Walk(table)
    found.resource(tree)
    return Walked(
        table,
        _doubted(found),
        tuple(found.leaves),
        found.closers,
        frozenset(found.unknown),
        tuple(found.resources),
    )


def _doubted(found: _Walk) -> tuple[TextSegment, ...]:
    if not found.lost:
        return tuple(found.segments)
    resources = frozenset(found.table.resources)
    places = [leaf[0] for leaf in found.leaves]
    return tuple(doubted(found.segments, places, found.lost, resources))


class _Walk:
    """The state of one walk; used once."""

    __slots__ = ("closers", "leaves", "lost", "resources", "segments", "table", "unknown")

    def __init__(self, table: Table) -> None:
        self.table = table
        self.segments: list[TextSegment] = []
        self.leaves: list[Leaf] = []
        self.closers: dict[int, int] = {}
        self.unknown: set[tuple[str | None, str]] = set()
        self.resources: list[Place] = []
        self.lost: list[Lost] = []
        """The values that the table does not know."""

    def resource(self, tree: Pairs) -> None:
        shape = self.table.root(str(first(tree, "resourceType")), "?")
        place = Place(None, 0, tree, shape, 0, 0)
        self.resources.append(place)
        self.object(tree, shape, "", place)

    def object(self, pairs: Pairs, shape: Shape, path: str, place: Place) -> int:
        """Walk an object; return the number of the token after it."""
        if len(dict(pairs)) != len(pairs):
            raise DecodeError("duplicate-key")
        opener = place.opener
        token = opener + 1
        members, segments, leaves = shape.members, self.segments, self.leaves
        for index, (key, value) in enumerate(pairs):
            member = members.get(key)
            if member is None:
                member = self._uncached(shape, key, value)
                if member is None:
                    token += 1
                    continue
            if type(value) is str and member.role is Role.TEXT:
                if value:
                    segments.append(
                        TextSegment(path + member.step, member.element, member.datatype, value)
                    )
                    leaves.append((place, index, token, None))
                token += 1
            else:
                token = self.value(value, member, path + member.step, (place, index, token))
        self.closers[opener] = token
        return token + 1

    def value(self, value: Any, member: Member, path: str, at: tuple[Place, int, int]) -> int:
        """Walk the value ``at`` (place, index, token); return the number of the token after it."""
        kind = type(value)
        if kind is str or kind is Number:
            self._scalar(value, member, path, at)
        elif kind in {tuple, list} and (value or member.role is not Role.UNKNOWN):
            shape = self._shape(member, value) if kind is tuple else None
            place = self._place(at, value, shape)
            if shape is None:
                return self._array(value, member, path, place)
            if member.role is Role.RESOURCE and shape.type and member.step != "/contained":
                self.resources.append(place)
            return self.object(value, shape, path, place)
        elif member.role is Role.UNKNOWN:
            self._bare(value, member, path, at)
        return at[2] + (2 if kind in {tuple, list} else 1)

    def _array(self, items: list[Any], member: Member, path: str, place: Place) -> int:
        token = place.opener + 1
        for index, item in enumerate(items):
            token = self.value(item, member, f"{path}/{index}", (place, index, token))
        self.closers[place.opener] = token
        return token + 1

    @staticmethod
    def _place(at: tuple[Place, int, int], node: Any, shape: Shape | None) -> Place:
        parent, index, token = at
        if parent.depth == DEEPEST:
            raise DecodeError("too-deep")
        return Place(parent, index, node, shape, token, parent.depth + 1)

    def _shape(self, member: Member, pairs: Pairs) -> Shape:
        if member.role is Role.OBJECT:
            return member.shapes.get("") or self.table.child(member)
        if member.role is Role.EXTENSION:
            url = first(pairs, "url")
            return self.table.child(member, url if isinstance(url, str) else "")
        if member.role is Role.RESOURCE:
            name = first(pairs, "resourceType")
            return self.table.root(name if isinstance(name, str) else None, member.element)
        return self.table.child(member)

    def _uncached(self, shape: Shape, key: str, value: Any) -> Member | None:
        """Return a member not cached yet; None for ``resourceType``, which is not text."""
        if key == "resourceType" and shape.type is not None and value == shape.type:
            return None
        member = self.table.member(shape, key)
        if member.role is Role.UNKNOWN:
            self._note(shape, key, value)
        return member

    def _note(self, shape: Shape, key: str, value: Any) -> None:
        if shape.type is not None:
            self.unknown.add((shape.type, key))
        elif key == "resourceType" and isinstance(value, str):
            self.unknown.add((None, value))

    def _scalar(self, value: str, member: Member, path: str, at: tuple[Place, int, int]) -> None:
        if not value:
            if member.role is Role.UNKNOWN:
                self._bare(value, member, path, at)
            return
        if type(value) is str and member.role is Role.NARRATIVE:
            found: Iterable[Text] = embedded.narrative(value, path, member.element)
        elif type(value) is str and member.role is Role.DATA:
            found = self._document(value, member, path, at)
        else:
            datatype = member.datatype if _fits(value, member.role) else "?"
            if datatype == "?":
                self.lost.append((at[0], _texts_of(value, member)))
            found = ((TextSegment(path, member.element, datatype, value), None),)
        for segment, inner in found:
            self.segments.append(segment)
            self.leaves.append((*at, inner))

    def _document(
        self, value: str, member: Member, path: str, at: tuple[Place, int, int]
    ) -> Iterable[Text]:
        owner = at[0] if at[0].shape is not None else at[0].parent
        media_type = first(owner.node, "contentType") if owner else None
        declared = media_type if isinstance(media_type, str) else ""
        return embedded.document(value, declared, path, member.element, member.datatype)

    def _bare(self, value: Any, member: Member, path: str, at: tuple[Place, int, int]) -> None:
        """Add a value that is not text, under an unknown key, which may identify somebody."""
        self.lost.append((at[0], (member.step,)))
        self.segments.append(TextSegment(path, member.element, "?", json.dumps(value)))
        self.leaves.append((*at, None))
        if type(value) in {tuple, list}:
            self.closers[at[2]] = at[2] + 1


def _texts_of(value: str, member: Member) -> tuple[str, ...]:
    """Return the texts of a value of unknown type: the value, and its key if that is unknown."""
    return (value, member.step) if member.role is Role.UNKNOWN else (value,)


def _fits(value: str, role: Role) -> bool:
    """Whether a scalar is valid for its role; if not, its type is unknown."""
    if role is Role.TEXT:
        return True
    if role is Role.NUMBER:
        return type(value) is Number or NUMBER.fullmatch(value) is not None
    return role is Role.BOOLEAN and value in {"true", "false"}
