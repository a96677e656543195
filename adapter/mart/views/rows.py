"""Compiles selects to rows: a struct for one row, or a list of structs, per resource.

There are no joins: nested iterations are nested list functions, so a view reads its resources once,
and DuckDB needs no sort and no hash table. Only ``repeat`` uses a recursive query.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from adapter.errors import RuleError
from adapter.mart.views import sql
from adapter.mart.views.columns import Field, compile_column
from adapter.mart.views.expressions import compile_text
from adapter.mart.views.values import items

if TYPE_CHECKING:
    from adapter.mart.views.definitions import Select
    from adapter.mart.views.repeats import Repeats
    from adapter.mart.views.values import Scope


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows of known columns: one row with SQL per field, or ``many``, the SQL of a list."""

    fields: tuple[Field, ...]
    many: str | None = None

    def listed(self) -> str:
        """Return the rows as a list of structs."""
        return self.many if self.many is not None else f"[{struct(self.fields)}]"


def struct(fields: tuple[Field, ...]) -> str:
    """Return a struct of all fields."""
    return "{" + ", ".join(f"{sql.text(f.name)}: {f.sql}" for f in fields) + "}"


def compile_select(select: Select, scope: Scope, contexts: str, repeats: Repeats) -> Rows:
    """Compile a select to rows; ``contexts`` is a query of all nodes that the select applies to.

    Raises:
        RuleError: an expression is invalid, a name occurs twice, or a union's parts differ.
    """
    if select.iteration is None:
        return _body(select, scope, contexts, repeats)
    scope = replace(scope, touched=set(scope.touched))
    nodes, fhir = _nodes(select, scope, contexts, repeats)
    names = scope.names
    node, index = names.fresh(), names.fresh("i")
    row = f"({index} - 1)"
    inner = replace(scope.inside(node, fhir), row=row, touched=set(scope.touched))
    below = _contexts(select, scope, contexts)
    rows = _body(select, inner, below, repeats)
    made = struct(rows.fields) if rows.many is None else rows.many
    each = f"list_transform({nodes}, lambda {node}, {index}: {made})"
    return Rows(rows.fields, each if rows.many is None else f"flatten({each})")


def _nodes(select: Select, scope: Scope, contexts: str, repeats: Repeats) -> tuple[str, str | None]:
    """Return the list of nodes of an iteration, and their type."""
    if select.iteration == "repeat":
        return repeats.add(select, scope, contexts)
    place = f"{select.place}.{select.iteration}"
    value = compile_text(select.paths[0], replace(scope, place=place))
    found = items(scope, value)
    if select.iteration == "forEachOrNull":
        found = sql.let(
            scope.names,
            found,
            lambda v: f"CASE WHEN len({v}) = 0 THEN [CAST(NULL AS JSON)] ELSE {v} END",
        )
    return found, value.fhir


def _contexts(select: Select, scope: Scope, contexts: str) -> str:
    """Return a query of the nodes of an iteration, for repeats nested in it."""
    if select.iteration == "repeat":
        return contexts
    inside = replace(scope.inside("node", scope.fhir), place=select.place, row="0")
    value = items(inside, compile_text(select.paths[0], inside))
    return f"SELECT rid, unnest({value}) AS node FROM ({contexts})"


def _body(select: Select, scope: Scope, contexts: str, repeats: Repeats) -> Rows:
    parts = [Rows(tuple(compile_column(column, scope) for column in select.columns))]
    parts += [compile_select(inner, scope, contexts, repeats) for inner in select.selects]
    if select.union:
        parts.append(_union(select, scope, contexts, repeats))
    rows = parts[0]
    for part in parts[1:]:
        rows = _product(rows, part, scope.names)
    _check_names(rows, select.place)
    return rows


def _union(select: Select, scope: Scope, contexts: str, repeats: Repeats) -> Rows:
    parts = [compile_select(inner, scope, contexts, repeats) for inner in select.union]
    columns = [[(f.name, f.type) for f in part.fields] for part in parts]
    for number, found in enumerate(columns):
        if found != columns[0]:
            place = f"{select.place}.unionAll[{number}]"
            raise RuleError(place, "must have the columns of unionAll[0]")
    return Rows(parts[0].fields, f"list_concat({', '.join(part.listed() for part in parts)})")


def _product(left: Rows, right: Rows, names: sql.Names) -> Rows:
    """Return the Cartesian product of two sets of rows."""
    fields = left.fields + right.fields
    if not left.fields:
        return right
    if left.many is None and right.many is None:
        return Rows(fields)

    def joined(a: str, b: str) -> str:
        return struct(_of(left, a) + _of(right, b))

    def below(a: str) -> str:
        return sql.each(names, right.listed(), lambda b: joined(a, b))

    if left.many is None:
        many = sql.let(names, struct(left.fields), below)
    else:
        many = sql.flat(names, left.many, below)
    return Rows(fields, many)


def _of(rows: Rows, var: str) -> tuple[Field, ...]:
    return tuple(replace(f, sql=f"{var}[{sql.text(f.name)}]") for f in rows.fields)


def _check_names(rows: Rows, place: str) -> None:
    taken = [name for name, n in Counter(f.name for f in rows.fields).items() if n > 1]
    if taken:
        raise RuleError(place, f"column {taken[0]} is defined twice")
