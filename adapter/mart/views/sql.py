"""Builders of DuckDB SQL: quoting, JSON access, and expressions over lists of JSON values.

FHIRPath works on collections. Here a collection is a ``JSON[]``, never NULL; a single element is a
``JSON``, and a computed value has a native DuckDB type; for these, NULL is the empty collection.
"""

from __future__ import annotations

import re
from itertools import count
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

EMPTY = "CAST([] AS JSON[])"
NUMERIC = "('BIGINT', 'UBIGINT', 'DOUBLE', 'HUGEINT')"
"""Results of DuckDB's json_type for numbers."""
SAFE_KEY = re.compile(r"\w+\Z")


def text(value: str) -> str:
    """Return a text literal."""
    return "'" + value.replace("'", "''") + "'"


def name(value: str) -> str:
    """Return a quoted identifier."""
    return '"' + value.replace('"', '""') + '"'


class Names:
    """Generates unique names of lambda parameters, so that none shadows another."""

    def __init__(self) -> None:
        self._numbers = count(1)

    def fresh(self, stem: str = "x") -> str:
        """Return a new name."""
        return f"{stem}{next(self._numbers)}"


def let(names: Names, value: str, body: Callable[[str], str]) -> str:
    """Return ``body`` applied to a value, which is computed once."""
    var = names.fresh()
    return f"list_transform([{value}], lambda {var}: {body(var)})[1]"


def each(names: Names, items: str, body: Callable[[str], str]) -> str:
    """Return the list of ``body`` applied to each element."""
    var = names.fresh()
    return f"list_transform({items}, lambda {var}: {body(var)})"


def flat(names: Names, items: str, body: Callable[[str], str]) -> str:
    """Return the concatenated lists of ``body`` applied to each element."""
    return f"flatten({each(names, items, body)})"


def keep(names: Names, items: str, body: Callable[[str], str]) -> str:
    """Return the elements for which ``body`` is true."""
    var = names.fresh()
    return f"list_filter({items}, lambda {var}: coalesce({body(var)}, false))"


def path(key: str) -> str:
    """Return the JSON path to a member of an object."""
    return f'$."{key}"'


def child(node: str, key: str) -> str:
    """Return a member of an object as JSON, NULL if there is none."""
    return f"json_extract({node}, {text(path(key))})"


def children(names: Names, node: str, key: str) -> str:
    """Return the elements of a member of an object: those of an array, or the single value."""
    return spread(names, child(node, key))


def spread(names: Names, item: str) -> str:
    """Return a JSON value as a collection: an array's elements except nulls, else the value."""

    def body(var: str) -> str:
        listed = keep(names, f"json_extract({var}, '$[*]')", lambda x: f"json_type({x}) <> 'NULL'")
        return (
            f"CASE coalesce(json_type({var}), 'NULL') WHEN 'NULL' THEN {EMPTY}"
            f" WHEN 'ARRAY' THEN {listed} ELSE [{var}] END"
        )

    return let(names, item, body)


def string(item: str) -> str:
    """Return the text of a JSON value: the characters of a string, else its JSON."""
    return f"({item} ->> '$')"


def number(item: str) -> str:
    """Return a JSON value as a number, NULL if it is not one."""
    return f"CASE WHEN json_type({item}) IN {NUMERIC} THEN TRY_CAST({string(item)} AS DOUBLE) END"


def truth(item: str) -> str:
    """Return a JSON value as a boolean; other types count as true (FHIRPath 4.5)."""
    return (
        f"CASE json_type({item}) WHEN 'BOOLEAN' THEN {string(item)} = 'true'"
        f" WHEN 'NULL' THEN NULL ELSE {item} IS NOT NULL OR NULL END"
    )


def comparable(item: str) -> str:
    """Return a text that is equal for equal JSON values, regardless of how numbers are written."""
    return (
        f"CASE WHEN json_type({item}) IN {NUMERIC}"
        f" THEN CAST(TRY_CAST({string(item)} AS DOUBLE) AS VARCHAR)"
        f" ELSE json_type({item}) || {string(item)} END"
    )
