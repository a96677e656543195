"""The syntax tree of a FHIRPath expression: a frozen node type for each construct."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Literal:
    """A literal: text, boolean, integer or decimal; None is ``{}``."""

    value: str | bool | int | float | None


@dataclass(frozen=True, slots=True)
class Variable:
    """``%name``: a constant of the view or an environment variable."""

    name: str


@dataclass(frozen=True, slots=True)
class This:
    """``$this``: the current element."""


@dataclass(frozen=True, slots=True)
class Position:
    """``$index``: the position of the current element, from 0."""


@dataclass(frozen=True, slots=True)
class Member:
    """``base.name``: the children with that name; base None is the current element."""

    base: Expression | None
    name: str


@dataclass(frozen=True, slots=True)
class Call:
    """``base.name(arguments)``; base None is the current element."""

    base: Expression | None
    name: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Item:
    """``base[position]``, from 0."""

    base: Expression
    position: Expression


@dataclass(frozen=True, slots=True)
class Unary:
    """``+operand`` or ``-operand``."""

    operator: str
    operand: Expression


@dataclass(frozen=True, slots=True)
class Binary:
    """``left operator right``; for ``is`` and ``as`` the right side is the name of a type."""

    operator: str
    left: Expression
    right: Expression


Expression = Literal | Variable | This | Position | Member | Call | Item | Unary | Binary
