"""Types of the compiled mapping tables: field rules, operations and links."""

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
"""A segment's fields by number; field 0 is its name."""
Rows = dict[str, Row]
"""Segment name -> the latest segment of that name that is in the current one's context."""


@dataclass(frozen=True, slots=True, eq=False)
class FieldRule:
    """One compiled line of a segment's table, which maps a field.

    ``strict``: a text that gives no value is counted as unmapped. ``plain``: the line is the only
    one of its field, and has no condition.
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
    """The rules that map a segment's fields to a resource, and the constants written with them."""

    fields: tuple[tuple[int, tuple[FieldRule, ...]], ...]
    constants: tuple[FieldRule, ...]


@dataclass(frozen=True, slots=True)
class Operation:
    """The operation of a version: that of the code at ``place`` if listed, else ``usual``."""

    usual: Op
    place: Place | None = None
    by_code: Mapping[str, Op] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Link:
    """A reference from one resource of a group, the ``owner``, to another.

    ``earlier``: the owner also refers to resources created after it, unless the group has a
    resource of the type ``unless``.
    """

    owner: str
    element: str
    many: bool
    earlier: bool
    unless: str
