"""Pieces of DuckDB SQL: quoting, JSON access, and expressions over lists of JSON values.

FHIRPath works on collections. A collection is a ``JSON[]`` here, never NULL; a single element is a
``JSON`` and a computed value one of DuckDB's own types, NULL being the empty collection.
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
    """A text literal."""
    return "'" + value.replace("'", "''") + "'"


def name(value: str) -> str:
    """A quoted identifier."""
    return '"' + value.replace('"', '""') + '"'


class Names:
    """Generates names of lambda parameters, so that no name hides another."""

    def __init__(self) -> None:
        self._numbers = count(1)

    def fresh(self, stem: str = "x") -> str:
        """Return a name that was not returned before."""
        return f"{stem}{next(self._numbers)}"


def let(names: Names, value: str, body: Callable[[str], str]) -> str:
    """Return ``body`` applied to a value that is computed once."""
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
    """The elements of which ``body`` is true."""
    var = names.fresh()
    return f"list_filter({items}, lambda {var}: coalesce({body(var)}, false))"


def path(key: str) -> str:
    """The JSON path to a member of an object."""
    return f'$."{key}"'


def child(node: str, key: str) -> str:
    """Return a member of an object, unconverted, NULL if there is none."""
    return f"json_extract({node}, {text(path(key))})"


def children(names: Names, node: str, key: str) -> str:
    """The elements of a member of an object: those of an array, or the one value."""
    return spread(names, child(node, key))


def spread(names: Names, item: str) -> str:
    """A JSON value as a collection: an array's elements without nulls, else the value itself."""

    def body(var: str) -> str:
        listed = keep(names, f"json_extract({var}, '$[*]')", lambda x: f"json_type({x}) <> 'NULL'")
        return (
            f"CASE coalesce(json_type({var}), 'NULL') WHEN 'NULL' THEN {EMPTY}"
            f" WHEN 'ARRAY' THEN {listed} ELSE [{var}] END"
        )

    return let(names, item, body)


def string(item: str) -> str:
    """The text of a JSON value: of a string its characters, of another value its JSON."""
    return f"({item} ->> '$')"


def number(item: str) -> str:
    """Return a JSON value as a number, NULL if it is none."""
    return f"CASE WHEN json_type({item}) IN {NUMERIC} THEN TRY_CAST({string(item)} AS DOUBLE) END"


def truth(item: str) -> str:
    """A JSON value as a boolean: an element that is not a boolean counts as true (FHIRPath 4.5)."""
    return (
        f"CASE json_type({item}) WHEN 'BOOLEAN' THEN {string(item)} = 'true'"
        f" WHEN 'NULL' THEN NULL ELSE {item} IS NOT NULL OR NULL END"
    )


def comparable(item: str) -> str:
    """Return a text that is equal for equal JSON values, however numbers are written."""
    return (
        f"CASE WHEN json_type({item}) IN {NUMERIC}"
        f" THEN CAST(TRY_CAST({string(item)} AS DOUBLE) AS VARCHAR)"
        f" ELSE json_type({item}) || {string(item)} END"
    )
