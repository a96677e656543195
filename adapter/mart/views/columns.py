"""Compile a column: its expression, and the type that its values get in the table."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from adapter.mart.views import sql
from adapter.mart.views.expressions import compile_text
from adapter.mart.views.schema import SQL_TYPES
from adapter.mart.views.values import JSON_KINDS, Kind, Scope, Value, items, one

if TYPE_CHECKING:
    from adapter.mart.views.definitions import Column

TAG = "ansi/type"
"""A tag that asks for a type of the database."""
TAGGED = frozenset(
    {
        "BIGINT", "BOOLEAN", "DATE", "DOUBLE", "DOUBLE PRECISION", "INTEGER", "SMALLINT", "TIME",
        "TIMESTAMP", "VARCHAR", "CHARACTER VARYING", "TEXT",
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Field:
    """A compiled column: its name, its SQL, and its type in DuckDB."""

    name: str
    sql: str
    type: str


def compile_column(column: Column, scope: Scope) -> Field:
    """A column's SQL; a value that is not of its type becomes NULL.

    Raises:
        RuleError: the expression is wrong, or the type is unknown.
    """
    here = replace(scope, place=column.place)
    value = compile_text(column.path, here)
    kind = column_type(column, value, here)
    if column.collection:
        listed = items(here, value)
        if kind != "JSON":
            listed = sql.each(here.names, listed, lambda x: cast(sql.string(x), kind))
        return Field(column.name, listed, f"{kind}[]")
    single = one(here, value)
    if single.kind is Kind.ITEM and kind != "JSON":
        return Field(column.name, _scalar(single.sql, kind, here), kind)
    return Field(column.name, cast(single.sql, kind) if single.kind != kind else single.sql, kind)


def _scalar(item: str, kind: str, scope: Scope) -> str:
    """The one value of a JSON element; an array with several is an error, as is a collection."""
    several = scope.failure("more than one value where one is needed")

    def form(x: str) -> str:
        return (
            f"CASE WHEN json_type({x}) = 'ARRAY' AND json_array_length({x}) > 1 THEN {several}"
            f" WHEN json_type({x}) = 'ARRAY' THEN {cast(f'({x} ->> 0)', kind)}"
            f" ELSE {cast(sql.string(x), kind)} END"
        )

    return sql.let(scope.names, item, form)


def cast(expression: str, kind: str) -> str:
    """An expression as a type, NULL where it is not of it."""
    return expression if kind == "VARCHAR" else f"TRY_CAST({expression} AS {kind})"


def column_type(column: Column, value: Value, scope: Scope) -> str:
    """The type of a column: by its tag, else its FHIR type, else what the expression tells."""
    tagged = column.tag(TAG)
    if tagged is not None:
        if tagged.upper() not in TAGGED:
            raise scope.problem(f"{TAG} {tagged!r} is not supported")
        return tagged.upper()
    if column.type is not None:
        return SQL_TYPES.get(column.type, "JSON")
    if value.kind in JSON_KINDS:
        return SQL_TYPES.get(value.fhir or "string", "JSON")
    return str(value.kind)
