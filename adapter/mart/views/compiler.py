"""Compiles a ViewDefinition to one SQL query over a table of resources."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from adapter.mart.views import sql
from adapter.mart.views.expressions import compile_text, literal
from adapter.mart.views.repeats import Repeats
from adapter.mart.views.rows import compile_select
from adapter.mart.views.values import JSON_KINDS, Kind, Scope, Value, one

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from adapter.mart.views.columns import Field
    from adapter.mart.views.definitions import Definition
    from adapter.mart.views.rows import Rows


@dataclass(frozen=True, slots=True)
class CompiledView:
    """A view as a query: its columns in order, and its SQL. ``source`` is the name of its file."""

    name: str
    resource: str
    source: str
    description: str
    columns: tuple[Field, ...] = field(repr=False)
    sql: str = field(repr=False)


def compile_view(
    definition: Definition,
    schema: Mapping[str, Mapping[str, str]],
    relation: str = "resource",
    carried: Sequence[str] = (),
) -> CompiledView:
    """Compile a view to a query over a relation with the columns resource_type and body (JSON).

    ``schema`` maps FHIR type -> element -> type, as in ``rules/schema/fhir-R4.json``. ``carried``
    are columns of the relation that precede those of the view in each row.

    Raises:
        RuleError: the view cannot be compiled; the error has its file and the place.
    """
    repeats = Repeats()
    scope = _scope(definition, schema)
    rows = compile_select(definition.select, scope, "SELECT rid, node FROM base", repeats)
    carry = [sql.name(column) for column in carried]
    base = _base(definition, scope, relation, carry)
    if repeats.queries:
        base = f"base AS MATERIALIZED (SELECT *, row_number() OVER () AS rid FROM ({base}))"
    else:
        base = f"base AS ({base})"
    head = "WITH RECURSIVE " + ",\n".join([base, *repeats.queries])
    query = f"{head}\n{_projection(rows, carry, repeats)}"
    return CompiledView(
        name=definition.name,
        resource=definition.resource,
        source=definition.source,
        description=definition.description,
        columns=rows.fields,
        sql=query,
    )


def _scope(definition: Definition, schema: Mapping[str, Mapping[str, str]]) -> Scope:
    return Scope(
        node="node",
        fhir=definition.resource,
        place=definition.source,
        names=sql.Names(),
        schema=schema,
        constants={name: literal(value) for name, value in definition.constants},
        resource=definition.resource,
        root="node",
    )


def _base(definition: Definition, scope: Scope, relation: str, carry: list[str]) -> str:
    """Return a query of the resources of the view's type that satisfy its conditions."""
    columns = ", ".join([*carry, "CAST(body AS JSON) AS node"])
    kind = sql.text(definition.resource)
    found = f"SELECT {columns} FROM {relation} WHERE resource_type = {kind}"
    tests = [_condition(path, replace(scope, place=place)) for place, path in definition.where]
    where = f" WHERE {' AND '.join(tests)}" if tests else ""
    return f"SELECT * FROM ({found}){where}"


def _condition(path: str, scope: Scope) -> str:
    """Return the SQL of a condition, which must be boolean or empty."""
    value = compile_text(path, scope)
    if value.kind is Kind.BOOLEAN:
        return f"coalesce({value.sql}, false)"
    if value.kind not in JSON_KINDS or value.fhir not in {None, "boolean"}:
        raise scope.problem("not a condition: its value is not a boolean")
    return f"coalesce({_checked(value, scope)}, false)"


def _checked(value: Value, scope: Scope) -> str:
    wrong = scope.failure("not a condition: its value is not a boolean")

    def form(x: str) -> str:
        return (
            f"CASE coalesce(json_type({x}), 'NULL') WHEN 'BOOLEAN' THEN {sql.string(x)} = 'true'"
            f" WHEN 'NULL' THEN false ELSE {wrong} END"
        )

    return sql.let(scope.names, one(scope, value).sql, form)


def _projection(rows: Rows, carry: list[str], repeats: Repeats) -> str:
    if rows.many is None:
        columns = [*carry, *(f"{f.sql} AS {sql.name(f.name)}" for f in rows.fields)]
        return f"SELECT {', '.join(columns)} FROM base"
    columns = [*carry, *(_unpacked(f) for f in rows.fields)]
    inner = ", ".join([*carry, f"unnest({rows.many}) AS found"])
    return f"SELECT {', '.join(columns)} FROM (SELECT {inner} FROM base{repeats.joins()})"


def _unpacked(column: Field) -> str:
    return f"found[{sql.text(column.name)}] AS {sql.name(column.name)}"
