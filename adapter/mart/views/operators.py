"""The binary operators of FHIRPath as SQL; the empty collection is NULL, which propagates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.mart.views import sql
from adapter.mart.views.values import (
    NATIVE_NUMBERS,
    Kind,
    Scope,
    Value,
    as_number,
    as_text,
    as_truth,
    is_integer,
    is_number,
    is_text,
    items,
    one,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Operator = Callable[[Scope, Value, Value], Value]

DIGITS = 8
"""Decimal places to which arithmetic results are rounded (FHIRPath 2.0, Decimal)."""


def equal(scope: Scope, left: Value, right: Value) -> str:
    """Return whether two collections have equal elements in equal order; NULL if one is empty."""
    if Kind.ITEMS not in {left.kind, right.kind}:
        return _equal_single(scope, left, right)
    return sql.let(
        scope.names,
        items(scope, left),
        lambda a: sql.let(scope.names, items(scope, right), lambda b: _equal_lists(scope, a, b)),
    )


def _equal_lists(scope: Scope, left: str, right: str) -> str:
    forms = [sql.each(scope.names, side, sql.comparable) for side in (left, right)]
    return (
        f"CASE WHEN len({left}) = 0 OR len({right}) = 0 THEN NULL"
        f" WHEN len({left}) <> len({right}) THEN false ELSE {forms[0]} = {forms[1]} END"
    )


def _equal_single(scope: Scope, left: Value, right: Value) -> str:
    if is_number(left) and is_number(right):
        return f"({as_number(scope, left)} = {as_number(scope, right)})"
    if is_text(left) and is_text(right):
        return f"({as_text(scope, left)} = {as_text(scope, right)})"
    return f"({_form(scope, left)} = {_form(scope, right)})"


def _form(scope: Scope, value: Value) -> str:
    """Return a text that is the same for equal values."""
    if value.kind is Kind.ITEM:
        return sql.let(scope.names, value.sql, sql.comparable)
    if value.kind in NATIVE_NUMBERS:
        return f"CAST(CAST({value.sql} AS DOUBLE) AS VARCHAR)"
    kind = "BOOLEAN" if value.kind is Kind.BOOLEAN else "VARCHAR"
    return f"('{kind}' || CAST({value.sql} AS VARCHAR))"


def equals(scope: Scope, left: Value, right: Value) -> Value:
    """Compile ``=``."""
    return Value(equal(scope, left, right), Kind.BOOLEAN)


def not_equal(scope: Scope, left: Value, right: Value) -> Value:
    """Compile ``!=``."""
    return Value(f"(NOT {equal(scope, left, right)})", Kind.BOOLEAN)


def equivalent(scope: Scope, left: Value, right: Value) -> Value:
    """Compile ``~``: equality regardless of case and order; empty collections are equivalent."""

    def forms(value: Value) -> str:
        listed = sql.each(scope.names, items(scope, value), sql.comparable)
        return f"list_sort({sql.each(scope.names, listed, lambda x: f'lower({x})')})"

    return Value(f"({forms(left)} = {forms(right)})", Kind.BOOLEAN)


def not_equivalent(scope: Scope, left: Value, right: Value) -> Value:
    """Compile ``!~``."""
    return Value(f"(NOT {equivalent(scope, left, right).sql})", Kind.BOOLEAN)


def ordered(symbol: str) -> Operator:
    """Return one of ``<``, ``<=``, ``>``, ``>=``: numeric for numbers, else lexicographic."""

    def compare(scope: Scope, left: Value, right: Value) -> Value:
        sides = (one(scope, left), one(scope, right))
        if any(is_number(side) for side in sides):
            forms = [as_number(scope, side) for side in sides]
        elif any(is_text(side) for side in sides):
            forms = [as_text(scope, side) for side in sides]
        else:
            return Value(_by_data(scope, symbol, *sides), Kind.BOOLEAN)
        return Value(f"({forms[0]} {symbol} {forms[1]})", Kind.BOOLEAN)

    return compare


def _by_data(scope: Scope, symbol: str, left: Value, right: Value) -> str:
    numbers = [as_number(scope, side) for side in (left, right)]
    texts = [as_text(scope, side) for side in (left, right)]
    return f"coalesce({numbers[0]} {symbol} {numbers[1]}, {texts[0]} {symbol} {texts[1]})"


def plus(scope: Scope, left: Value, right: Value) -> Value:
    """Compile ``+``: the sum of numbers, or the concatenation of texts."""
    if is_text(left) or is_text(right):
        return Value(f"({as_text(scope, left)} || {as_text(scope, right)})", Kind.TEXT)
    return arithmetic("+")(scope, left, right)


def arithmetic(symbol: str) -> Operator:
    """Return a sum, difference or product: an integer if both sides are, else a rounded decimal."""

    def compute(scope: Scope, left: Value, right: Value) -> Value:
        result = f"({as_number(scope, left)} {symbol} {as_number(scope, right)})"
        if is_integer(left) and is_integer(right):
            return Value(f"CAST({result} AS BIGINT)", Kind.INTEGER)
        return Value(f"round({result}, {DIGITS})", Kind.DECIMAL)

    return compute


def divided(form: str, kind: Kind) -> Operator:
    """Return a quotient or remainder, which is empty if the divisor is 0."""

    def compute(scope: Scope, left: Value, right: Value) -> Value:
        result = form.format(as_number(scope, left), f"nullif({as_number(scope, right)}, 0)")
        return Value(result, kind)

    return compute


def concatenated(scope: Scope, left: Value, right: Value) -> Value:
    """Compile ``&``: the concatenation of texts, where an empty collection counts as ''."""
    texts = [f"coalesce({as_text(scope, side)}, '')" for side in (left, right)]
    return Value(f"({texts[0]} || {texts[1]})", Kind.TEXT)


def logical(form: str) -> Operator:
    """Return a boolean operator with SQL's three-valued logic."""

    def compute(scope: Scope, left: Value, right: Value) -> Value:
        return Value(form.format(as_truth(scope, left), as_truth(scope, right)), Kind.BOOLEAN)

    return compute


def union(scope: Scope, left: Value, right: Value) -> Value:
    """Compile ``|``: the distinct elements of both collections."""
    both = f"list_concat({items(scope, left)}, {items(scope, right)})"
    fhir = left.fhir if left.fhir == right.fhir else None
    return Value(f"list_distinct({both})", Kind.ITEMS, fhir)


def member_of(scope: Scope, left: Value, right: Value) -> Value:
    """Compile ``in``: whether the left element is in the right collection."""
    single = one(scope, left)
    form = _form(scope, single)
    forms = sql.each(scope.names, items(scope, right), sql.comparable)
    return Value(f"list_contains({forms}, {form})", Kind.BOOLEAN)


def contains(scope: Scope, left: Value, right: Value) -> Value:
    """Compile ``contains``: whether the right element is in the left collection."""
    return member_of(scope, right, left)


OPERATORS: Mapping[str, Operator] = {
    "=": equals,
    "!=": not_equal,
    "~": equivalent,
    "!~": not_equivalent,
    "<": ordered("<"),
    "<=": ordered("<="),
    ">": ordered(">"),
    ">=": ordered(">="),
    "+": plus,
    "-": arithmetic("-"),
    "*": arithmetic("*"),
    "/": divided(f"round({{}} / {{}}, {DIGITS})", Kind.DECIMAL),
    "div": divided("CAST(trunc({} / {}) AS BIGINT)", Kind.INTEGER),
    "mod": divided("({} % {})", Kind.DECIMAL),
    "&": concatenated,
    "|": union,
    "in": member_of,
    "contains": contains,
    "and": logical("({} AND {})"),
    "or": logical("({} OR {})"),
    "xor": logical("({} <> {})"),
    "implies": logical("((NOT {}) OR {})"),
}
