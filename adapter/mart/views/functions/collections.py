"""FHIRPath functions on collections: filters, counts, subsets and conditions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.mart.views import sql
from adapter.mart.views.operators import equal
from adapter.mart.views.values import (
    NOTHING,
    Kind,
    Value,
    as_number,
    as_truth,
    fhir_type,
    items,
    one,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from adapter.mart.views.functions.calls import Call, Function


def _where(call: Call) -> Value:
    return Value(call.criteria("list_filter"), Kind.ITEMS, call.base.fhir)


def _exists(call: Call) -> Value:
    if call.arguments:
        return Value(f"(len({call.criteria('list_filter')}) > 0)", Kind.BOOLEAN)
    return Value(_presence(call, "> 0", "IS NOT NULL"), Kind.BOOLEAN)


def _empty(call: Call) -> Value:
    return Value(_presence(call, "= 0", "IS NULL"), Kind.BOOLEAN)


def _presence(call: Call, count: str, null: str) -> str:
    if call.base.kind in {Kind.ITEMS, Kind.ITEM}:
        return f"(len({call.items()}) {count})"
    return f"({call.base.sql} {null})"


def _all(call: Call) -> Value:
    return Value(f"coalesce(list_bool_and({call.criteria('list_transform')}), true)", Kind.BOOLEAN)


def _select(call: Call) -> Value:
    names = call.scope.names
    node, index = names.fresh(), names.fresh("i")
    inside = call.scope.inside(node, call.base.fhir, f"({index} - 1)")
    found = call.compile(call.arguments[0], inside)
    each = f"list_transform({call.items()}, lambda {node}, {index}: {items(inside, found)})"
    return Value(f"flatten({each})", Kind.ITEMS, fhir_type(found))


def _first(call: Call) -> Value:
    return Value(f"{call.items()}[1]", Kind.ITEM, call.base.fhir)


def _last(call: Call) -> Value:
    return Value(f"{call.items()}[-1]", Kind.ITEM, call.base.fhir)


def _single(call: Call) -> Value:
    return one(call.scope, call.base)


def _tail(call: Call) -> Value:
    return Value(f"{call.items()}[2:]", Kind.ITEMS, call.base.fhir)


def _skip(call: Call) -> Value:
    count = as_number(call.scope, call.argument(0))
    return Value(f"{call.items()}[CAST({count} AS BIGINT) + 1:]", Kind.ITEMS, call.base.fhir)


def _take(call: Call) -> Value:
    count = f"CAST({as_number(call.scope, call.argument(0))} AS BIGINT)"
    taken = f"(CASE WHEN {count} > 0 THEN {call.items()}[1:{count}] ELSE {sql.EMPTY} END)"
    return Value(taken, Kind.ITEMS, call.base.fhir)


def _count(call: Call) -> Value:
    return Value(f"CAST(len({call.items()}) AS BIGINT)", Kind.INTEGER)


def _distinct(call: Call) -> Value:
    return Value(f"list_distinct({call.items()})", Kind.ITEMS, call.base.fhir)


def _not(call: Call) -> Value:
    return Value(f"(NOT {as_truth(call.scope, call.base)})", Kind.BOOLEAN)


def _combine(call: Call) -> Value:
    both = f"list_concat({call.items()}, {items(call.scope, call.argument(0))})"
    return Value(both, Kind.ITEMS, call.base.fhir)


def _iif(call: Call) -> Value:
    test = as_truth(call.scope, call.argument(0))
    yes, no = call.argument(1), call.optional(2, NOTHING)
    fhir = fhir_type(yes) if no is NOTHING or fhir_type(yes) == fhir_type(no) else None
    if yes.kind is no.kind:
        return Value(f"(CASE WHEN {test} THEN {yes.sql} ELSE {no.sql} END)", yes.kind, fhir)
    if no is NOTHING:
        return Value(f"(CASE WHEN {test} THEN {yes.sql} END)", yes.kind, fhir)
    sides = [items(call.scope, side) for side in (yes, no)]
    return Value(f"(CASE WHEN {test} THEN {sides[0]} ELSE {sides[1]} END)", Kind.ITEMS, fhir)


def _compares(call: Call) -> Value:
    return Value(equal(call.scope, call.base, call.argument(0)), Kind.BOOLEAN)


FUNCTIONS: Mapping[str, Function] = {
    "where": (1, 1, _where),
    "exists": (0, 1, _exists),
    "empty": (0, 0, _empty),
    "all": (1, 1, _all),
    "select": (1, 1, _select),
    "first": (0, 0, _first),
    "last": (0, 0, _last),
    "single": (0, 0, _single),
    "tail": (0, 0, _tail),
    "skip": (1, 1, _skip),
    "take": (1, 1, _take),
    "count": (0, 0, _count),
    "distinct": (0, 0, _distinct),
    "not": (0, 0, _not),
    "combine": (1, 1, _combine),
    "iif": (2, 3, _iif),
    "hasValue": (0, 0, _exists),
}
"""Name -> (minimum and maximum number of arguments, function that compiles the call)."""
