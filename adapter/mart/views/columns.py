"""Compiles columns: the expression of each, and its type in the table."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from adapter.mart.views import sql
from adapter.mart.views.expressions import compile_text
from adapter.mart.views.schema import SQL_TYPES
from adapter.mart.views.values import JSON_KINDS, Kind, Scope, Value, items, one, touch

if TYPE_CHECKING:
    from collections.abc import Mapping

    from adapter.mart.views.definitions import Column

TAG = "ansi/type"
"""The tag that specifies the type in the database."""
TAGGED = frozenset(
    {
        "BIGINT", "BOOLEAN", "DATE", "DOUBLE", "DOUBLE PRECISION", "INTEGER", "SMALLINT", "TIME",
        "TIMESTAMP", "VARCHAR", "CHARACTER VARYING", "TEXT",
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Field:
    """A compiled column: its name, its SQL and its type in DuckDB.

    ``fhir`` is the FHIR type of its values ("id" is a key of a resource); ``touched`` are the
    elements that it reads, as (type, name).
    """

    name: str
    sql: str
    type: str
    fhir: str | None = None
    touched: frozenset[tuple[str | None, str]] = frozenset()
    description: str = ""
    tags: Mapping[str, str] = field(default_factory=dict, compare=False)


def compile_column(column: Column, scope: Scope) -> Field:
    """Compile a column; a value that cannot be cast to its type becomes NULL.

    Raises:
        RuleError: the expression is invalid, or the type is unknown.
    """
    here = replace(scope, place=column.place, touched=set(scope.touched))
    value = compile_text(column.path, here)
    kind = column_type(column, value, here)
    touch(here, value)
    made = _listed(value, kind, here) if column.collection else _single(value, kind, here)
    return Field(
        name=column.name,
        sql=made,
        type=f"{kind}[]" if column.collection else kind,
        fhir=value.fhir or column.type,
        touched=frozenset(here.touched),
        description=column.description,
        tags=dict(column.tags),
    )


def _listed(value: Value, kind: str, scope: Scope) -> str:
    found = items(scope, value)
    if kind == "JSON":
        return found
    return sql.each(scope.names, found, lambda x: cast(sql.string(x), kind))


def _single(value: Value, kind: str, scope: Scope) -> str:
    single = one(scope, value)
    if single.kind is Kind.ITEM and kind != "JSON":
        return _scalar(single.sql, kind, scope)
    return cast(single.sql, kind) if single.kind != kind else single.sql


def _scalar(item: str, kind: str, scope: Scope) -> str:
    """Return the single value of a JSON element; the SQL fails if it is an array with several."""
    several = scope.failure("more than one value where one is needed")

    def form(x: str) -> str:
        return (
            f"CASE WHEN json_type({x}) = 'ARRAY' AND json_array_length({x}) > 1 THEN {several}"
            f" WHEN json_type({x}) = 'ARRAY' THEN {cast(f'({x} ->> 0)', kind)}"
            f" ELSE {cast(sql.string(x), kind)} END"
        )

    return sql.let(scope.names, item, form)


def cast(expression: str, kind: str) -> str:
    """Return an expression cast to a type, NULL if the cast fails."""
    return expression if kind == "VARCHAR" else f"TRY_CAST({expression} AS {kind})"


def column_type(column: Column, value: Value, scope: Scope) -> str:
    """Return the type of a column: from its tag, else its FHIR type, else its expression."""
    tagged = column.tag(TAG)
    if tagged is not None:
        if tagged.upper() not in TAGGED:
            raise scope.problem(f"{TAG} {tagged!r} is not supported")
        return tagged.upper()
    if column.type in SQL_TYPES:
        return SQL_TYPES[column.type]
    if value.kind in JSON_KINDS:
        return SQL_TYPES.get(column.type or value.fhir or "string", "JSON")
    return str(value.kind)
