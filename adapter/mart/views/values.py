"""Compiled expressions, the scope of their compilation, and conversions between kinds of values."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from adapter.errors import RuleError
from adapter.mart.views import sql
from adapter.mart.views.schema import INTEGERS, NUMBERS, SQL_TYPES, TEXTS

if TYPE_CHECKING:
    from collections.abc import Mapping

MARK = "view: "
"""Prefix of the errors that a compiled view raises at run time, which contain no data."""


class Kind(StrEnum):
    """The type of a compiled expression's SQL: a collection, one element, or a native value."""

    ITEMS = "JSON[]"
    ITEM = "JSON"
    BOOLEAN = "BOOLEAN"
    INTEGER = "BIGINT"
    DECIMAL = "DOUBLE"
    TEXT = "VARCHAR"


NATIVE_NUMBERS = frozenset({Kind.INTEGER, Kind.DECIMAL})
JSON_KINDS = frozenset({Kind.ITEMS, Kind.ITEM})


@dataclass(frozen=True, slots=True)
class Value:
    """SQL with its kind; ``fhir`` is the FHIR type of its elements, None if unknown."""

    sql: str
    kind: Kind
    fhir: str | None = None


NOTHING = Value(sql.EMPTY, Kind.ITEMS)


@dataclass(frozen=True, slots=True)
class Scope:
    """The context in which an expression is compiled.

    ``node`` is the SQL of the current element (NULL: none) and ``fhir`` its type; ``index`` and
    ``row`` are the SQL of ``$index`` and ``%rowIndex``; ``place`` is the location of the expression
    in the view, for errors. ``touched`` collects the elements read, as (type, name); (type, "") is
    a complex value that is read as a whole.
    """

    node: str
    fhir: str | None
    place: str
    names: sql.Names
    schema: Mapping[str, Mapping[str, str]]
    constants: Mapping[str, Value]
    resource: str
    root: str
    index: str | None = None
    row: str = "0"
    touched: set[tuple[str | None, str]] = field(default_factory=set)

    def inside(self, node: str, fhir: str | None, index: str | None = None) -> Scope:
        """Return the scope of an element of a collection."""
        return replace(self, node=node, fhir=fhir, index=index)

    def problem(self, what: str) -> RuleError:
        """Return an error with the place of the expression."""
        return RuleError(self.place, what)

    def failure(self, what: str) -> str:
        """Return SQL that, when evaluated, raises an error with the place of the expression."""
        return f"error({sql.text(f'{MARK}{self.place}: {what}')})"


def items(scope: Scope, value: Value) -> str:
    """Return a value as a collection."""
    if value.kind is Kind.ITEMS:
        return value.sql
    if value.kind is Kind.ITEM:
        return sql.spread(scope.names, value.sql)
    return sql.let(
        scope.names,
        value.sql,
        lambda v: f"CASE WHEN {v} IS NULL THEN {sql.EMPTY} ELSE [to_json({v})] END",
    )


def one(scope: Scope, value: Value) -> Value:
    """Return a collection's single element; the SQL fails if there are several."""
    if value.kind is not Kind.ITEMS:
        return value
    many = scope.failure("more than one value where one is needed")
    single = sql.let(
        scope.names, value.sql, lambda v: f"CASE WHEN len({v}) > 1 THEN {many} ELSE {v}[1] END"
    )
    return Value(single, Kind.ITEM, value.fhir)


def as_text(scope: Scope, value: Value) -> str:
    """Return the text of a single value."""
    single = one(scope, value)
    touch(scope, single)
    if single.kind is not Kind.ITEM:
        return single.sql if single.kind is Kind.TEXT else f"CAST({single.sql} AS VARCHAR)"
    return sql.string(single.sql)


def touch(scope: Scope, value: Value) -> None:
    """Record that a value of a complex or unknown type is read as a whole."""
    if value.kind in JSON_KINDS and value.fhir not in SQL_TYPES:
        scope.touched.add((value.fhir, ""))


def as_number(scope: Scope, value: Value) -> str:
    """Return a single value as a number, NULL if it is not one."""
    single = one(scope, value)
    if single.kind is not Kind.ITEM:
        return single.sql if single.kind in NATIVE_NUMBERS else "CAST(NULL AS DOUBLE)"
    return sql.let(scope.names, single.sql, sql.number)


def as_truth(scope: Scope, value: Value) -> str:
    """Return a single value as a boolean."""
    single = one(scope, value)
    if single.kind is Kind.BOOLEAN:
        return single.sql
    if single.kind is not Kind.ITEM:
        return f"({single.sql} IS NOT NULL OR NULL)"
    if single.fhir == "boolean":
        return f"({sql.string(single.sql)} = 'true')"
    return sql.let(scope.names, single.sql, sql.truth)


NATIVE_TYPES = {
    Kind.BOOLEAN: "boolean",
    Kind.INTEGER: "integer",
    Kind.DECIMAL: "decimal",
    Kind.TEXT: "string",
}


def fhir_type(value: Value) -> str | None:
    """Return the FHIR type of a value's elements; for a computed value, the type of its kind."""
    return value.fhir or NATIVE_TYPES.get(value.kind)


def is_number(value: Value) -> bool:
    """Return whether a value is known to be a number at compile time."""
    return value.kind in NATIVE_NUMBERS or (value.kind in JSON_KINDS and value.fhir in NUMBERS)


def is_text(value: Value) -> bool:
    """Return whether a value is known to be text at compile time."""
    return value.kind is Kind.TEXT or (value.kind in JSON_KINDS and value.fhir in TEXTS)


def is_integer(value: Value) -> bool:
    """Return whether a value is known to be an integer at compile time."""
    return value.kind is Kind.INTEGER or (value.kind in JSON_KINDS and value.fhir in INTEGERS)
