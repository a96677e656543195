"""Functions that FHIR and SQL-on-FHIR add to FHIRPath."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.mart.views import sql
from adapter.mart.views.functions import boundaries
from adapter.mart.views.functions.calls import Call, Function, type_name
from adapter.mart.views.values import (
    Kind,
    Value,
    as_text,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

REFERENCE = r"(?:^|/)({})/([A-Za-z0-9.-]+)(?:/_history/.*)?$"
"""The type and id at the end of a literal reference (FHIR R4, 2.3.0.1)."""


def _extension(call: Call) -> Value:
    """Return the extensions with a URL (FHIR R4, additional functions)."""
    url = as_text(call.scope, call.argument(0))
    names = call.scope.names
    below = sql.flat(names, call.items(), lambda x: sql.children(names, x, "extension"))
    found = sql.keep(names, below, lambda x: f"{sql.string(sql.child(x, 'url'))} = {url}")
    return Value(found, Kind.ITEMS, "Extension")


def _resource_key(call: Call) -> Value:
    return Value(sql.string(sql.child(call.scope.root, "id")), Kind.TEXT, "id")


def _reference_key(call: Call) -> Value:
    kind = type_name(call.scope, call.arguments[0]) if call.arguments else "[A-Za-z]+"
    pattern = sql.text(REFERENCE.format(kind))

    def key(node: str) -> str:
        text = sql.string(sql.child(node, "reference"))
        return f"nullif(regexp_extract({text}, {pattern}, 2), '')"

    if call.base.kind is Kind.ITEM:
        return Value(sql.let(call.scope.names, call.base.sql, key), Kind.TEXT, "id")
    keys = sql.each(call.scope.names, call.items(), key)
    known = f"list_filter({keys}, lambda k: k IS NOT NULL)"
    return Value(sql.each(call.scope.names, known, lambda x: f"to_json({x})"), Kind.ITEMS, "id")


FUNCTIONS: Mapping[str, Function] = {
    "extension": (1, 1, _extension),
    "getResourceKey": (0, 0, _resource_key),
    "getReferenceKey": (0, 1, _reference_key),
    "lowBoundary": (0, 0, lambda call: boundaries.low(call.scope, call.base)),
    "highBoundary": (0, 0, lambda call: boundaries.high(call.scope, call.base)),
}
"""Name -> (minimum and maximum number of arguments, function that compiles the call)."""
