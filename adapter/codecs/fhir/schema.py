"""The type of every place of a FHIR resource, compiled from the element tables on first use.

A shape is the place of an object ("Patient.name"), a member is one of its keys
("Patient.name.family"). Both are cached, so that a walk costs one look-up a key.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, auto
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

REMEMBERED = 20_000
"""Most shapes that a table caches, so that extensions with ever new URLs do not fill the memory."""

_NUMBERS = frozenset({"decimal", "integer", "integer64", "positiveInt", "unsignedInt"})
_DATA = frozenset({("Attachment", "data"), ("Binary", "data"), ("Binary", "content")})


class Role(Enum):
    """The way in which the walk reads a member's value."""

    TEXT = auto()
    NUMBER = auto()
    BOOLEAN = auto()
    NARRATIVE = auto()
    DATA = auto()
    OBJECT = auto()
    EXTENSION = auto()
    RESOURCE = auto()
    UNKNOWN = auto()


@dataclass(frozen=True, slots=True)
class Kind:
    """A parsed table entry: FHIR type, repetition, requirement, and the choice it belongs to."""

    type: str
    repeats: bool
    required: bool
    choice: str | None

    @classmethod
    def read(cls, entry: str) -> Kind:
        """Parse "HumanName*", "code!", "Reference?medication" (see adapter.schema.fhir)."""
        marked, _, choice = entry.partition("?")
        name = marked.rstrip("*!")
        return cls(name, "*" in marked, "!" in marked, choice or None)


@dataclass(slots=True, eq=False)
class Member:
    """A key of a shape; ``step`` is its part of a path, ``type`` the FHIR type of its value."""

    step: str = field(repr=False)
    element: str = field(repr=False)
    datatype: str
    role: Role
    type: str | None
    shapes: dict[str, Shape] = field(default_factory=dict, repr=False)
    """The shapes of its objects, by URL for an extension, else under ""."""


@dataclass(slots=True, eq=False)
class Shape:
    """The place of an object: its element path, FHIR type (None if unknown) and known members."""

    element: str = field(repr=False)
    type: str | None
    members: dict[str, Member] = field(default_factory=dict, repr=False)


class Table:
    """The types of one FHIR version, and the shapes cached so far."""

    __slots__ = ("_local", "_met", "_roots", "kinds", "resources", "version")

    def __init__(self, version: str, types: Mapping[str, Mapping[str, str]]) -> None:
        self.version = version
        self.kinds = {
            name: {key: Kind.read(entry) for key, entry in elements.items()}
            for name, elements in types.items()
        }
        self.resources = frozenset(n for n, e in types.items() if "implicitRules" in e)
        self._local = frozenset(n for n in types if n.startswith(tuple(self.resources)))
        self._roots: dict[str, Shape] = {}
        self._met = 0

    def kind(self, type_name: str | None, key: str) -> Kind | None:
        """Return the table's entry for an element of a type, or None if it has none."""
        return self.kinds.get(type_name or "", {}).get(key)

    def knows(self, type_name: str | None, key: str) -> bool:
        """Whether a key, or the ``_key`` of a primitive, is an element of a type."""
        if type_name is None:
            return key in self.resources
        return self._kind_of(type_name, key) is not None

    def root(self, resource_type: str | None, element: str) -> Shape:
        """Return the shape of a resource; that of an unknown resource keeps ``element``."""
        if resource_type not in self.resources:
            return Shape(element, None)
        shape = self._roots.get(resource_type)
        if shape is None:
            shape = self._roots[resource_type] = Shape(resource_type, resource_type)
        return shape

    def member(self, shape: Shape, key: str) -> Member:
        """Return the member of a shape under a key; cached if the table knows the key."""
        found = shape.members.get(key)
        if found is None:
            found = self._member(shape, key)
            if found.role is not Role.UNKNOWN and self._may_remember():
                shape.members[key] = found
        return found

    def child(self, member: Member, url: str = "") -> Shape:
        """Return the shape of an object that is a member's value."""
        shape = member.shapes.get(url)
        if shape is None:
            extension = member.role is Role.EXTENSION
            element = f"{member.element}{{{url}}}" if extension else member.element
            complex_type = member.role in {Role.OBJECT, Role.EXTENSION}
            shape = Shape(element, member.type if complex_type else None)
            if complex_type and self._may_remember():
                member.shapes[url] = shape
        return shape

    def _may_remember(self) -> bool:
        self._met += 1
        return self._met < REMEMBERED

    def _kind_of(self, type_name: str, key: str) -> Kind | None:
        """Return the entry for a key, or None; the ``_key`` of a primitive is an Element."""
        kind = self.kind(type_name, key)
        if kind is None and key.startswith("_"):
            base = self.kind(type_name, key[1:])
            if base is not None and base.type not in self.kinds:
                return Kind("Element", base.repeats, required=False, choice=None)
        return kind

    def _member(self, shape: Shape, key: str) -> Member:
        element = f"{shape.element}.{key}"
        kind = self._kind_of(shape.type, key) if shape.type else None
        if kind is None or shape.type is None:
            return Member(f"/{escape_step(key)}", element, "?", Role.UNKNOWN, None)
        datatype = kind.type
        if shape.type not in self._local and kind.type != "xhtml":
            datatype = f"{shape.type}.{key}"
        return Member(f"/{key}", element, datatype, self._role(shape.type, key, kind), kind.type)

    def _role(self, type_name: str, key: str, kind: Kind) -> Role:
        if (type_name, key) in _DATA:
            return Role.DATA
        if kind.type in _ROLES:
            return _ROLES[kind.type]
        return Role.OBJECT if kind.type in self.kinds else Role.TEXT


_ROLES = {
    **dict.fromkeys(_NUMBERS, Role.NUMBER),
    "boolean": Role.BOOLEAN,
    "xhtml": Role.NARRATIVE,
    "Extension": Role.EXTENSION,
    "Resource": Role.RESOURCE,
}


def escape_step(key: str) -> str:
    """Return an unknown key as one step of a path: a JSON pointer token (RFC 6901) without "!"."""
    return key.replace("~", "~0").replace("/", "~1").replace("!", "~2")
