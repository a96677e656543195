"""The mapping tables once compiled: rules of fields, operations, references."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from adapter.mart.landing.hl7v2.datatypes.leaves import Made
    from adapter.mart.landing.hl7v2.grammar import Condition, Place
    from adapter.mart.landing.hl7v2.writers import Writer
    from adapter.mart.versions import Op

Row = list[str]
"""A segment's fields by their numbers; the first is its name."""
Rows = dict[str, Row]
"""The segment of each name that the current one belongs to."""


@dataclass(frozen=True, slots=True, eq=False)
class FieldRule:
    """What one line of a segment's table does with a field.

    ``strict``: a text that gives no value is none that the line knows, and is counted. ``plain``:
    the line is the field's only one, and always holds.
    """

    write: Writer
    condition: Condition | None
    many: bool
    element: str
    read: Callable[[str], tuple[Any, tuple[Made, ...]]] | None = None
    special: Callable[..., bool] | None = None
    constant: str | None = None
    strict: bool = False
    plain: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class SegmentTable:
    """What the fields of a segment become in a resource, and what is written beside them."""

    fields: tuple[tuple[int, tuple[FieldRule, ...]], ...]
    constants: tuple[FieldRule, ...]


@dataclass(frozen=True, slots=True)
class Operation:
    """What a version does to those before it, by the code at a place if it is one of some."""

    usual: Op
    place: Place | None = None
    by_code: Mapping[str, Op] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Link:
    """A reference of one resource of a group to another.

    ``earlier``: also to one that is begun after it; not where the group has an ``unless``.
    """

    owner: str
    element: str
    many: bool
    earlier: bool
    unless: str
