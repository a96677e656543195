"""The functions of FHIRPath as SQL, each an entry of ``FUNCTIONS``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from adapter.mart.views import boundaries, sql
from adapter.mart.views.fhirpath.syntax import Expression, Literal, Member
from adapter.mart.views.operators import equal
from adapter.mart.views.values import (
    NOTHING,
    Kind,
    Scope,
    Value,
    as_number,
    as_text,
    as_truth,
    fhir_type,
    items,
    one,
    touch,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

REFERENCE = r"(?:^|/)({})/([A-Za-z0-9.-]+)(?:/_history/.*)?$"
"""The type and id at the end of a literal reference (FHIR R4, 2.3.0.1)."""


@dataclass(frozen=True, slots=True)
class Call:
    """A function called on ``base``; ``compile`` compiles its arguments in a scope."""

    scope: Scope
    base: Value
    arguments: tuple[Expression, ...]
    compile: Callable[[Expression, Scope], Value]

    def argument(self, number: int) -> Value:
        """An argument, which is looked at from where the whole expression stands."""
        return self.compile(self.arguments[number], self.scope)

    def optional(self, number: int, default: Value) -> Value:
        """An argument, or the default where it is not written."""
        return self.argument(number) if number < len(self.arguments) else default

    def items(self) -> str:
        """The base as a collection."""
        return items(self.scope, self.base)

    def criteria(self, combine: str) -> str:
        """A list function over the base with its first argument as condition of each element."""
        names = self.scope.names
        node, index = names.fresh(), names.fresh("i")
        inside = self.scope.inside(node, self.base.fhir, f"({index} - 1)")
        truth = as_truth(inside, self.compile(self.arguments[0], inside))
        head = f"{node}, {index}" if index in truth else node
        return f"{combine}({self.items()}, lambda {head}: coalesce({truth}, false))"


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


def _extension(call: Call) -> Value:
    """The extensions of one URL (FHIR R4, additional functions)."""
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


def _join(call: Call) -> Value:
    separator = as_text(call.scope, call.optional(0, Value("''", Kind.TEXT)))
    touch(call.scope, call.base)
    texts = sql.each(call.scope.names, call.items(), sql.string)
    return Value(f"array_to_string({texts}, {separator})", Kind.TEXT, "string")


def _decode(call: Call) -> Value:
    """The characters of a base64 text, empty where it is none or not UTF-8 (FHIRPath, decode)."""
    form = call.arguments[0]
    if not isinstance(form, Literal) or form.value != "base64":
        raise call.scope.problem("decode() knows 'base64' alone")
    text = as_text(call.scope, call.base)
    bare = f"regexp_replace({text}, '\\s', '', 'g')"
    read = sql.let(call.scope.names, bare, lambda x: f"TRY(decode(from_base64({x})))")
    return Value(read, Kind.TEXT, "string")


def textual(form: str, kind: Kind) -> Callable[[Call], Value]:
    """A function of a text, written as SQL of the text and the arguments' texts."""

    def compute(call: Call) -> Value:
        texts = [as_text(call.scope, call.argument(n)) for n in range(len(call.arguments))]
        return Value(form.format(as_text(call.scope, call.base), *texts), kind)

    return compute


def _substring(call: Call) -> Value:
    text = as_text(call.scope, call.base)
    start = f"CAST({as_number(call.scope, call.argument(0))} AS BIGINT) + 1"
    length = as_number(call.scope, call.optional(1, Value("2147483647", Kind.INTEGER)))
    return Value(f"substr({text}, {start}, CAST({length} AS BIGINT))", Kind.TEXT)


def numeric(form: str, kind: Kind) -> Callable[[Call], Value]:
    """A function of a number."""
    return lambda call: Value(form.format(as_number(call.scope, call.base)), kind)


def _compares(call: Call) -> Value:
    return Value(equal(call.scope, call.base, call.argument(0)), Kind.BOOLEAN)


def type_name(scope: Scope, argument: Expression) -> str:
    """The type that an argument names, without its namespace.

    Raises:
        RuleError: it names none.
    """
    if not isinstance(argument, Member):
        raise scope.problem("expected the name of a type")
    return argument.name


FUNCTIONS: Mapping[str, tuple[int, int, Callable[[Call], Value]]] = {
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
    "extension": (1, 1, _extension),
    "getResourceKey": (0, 0, _resource_key),
    "getReferenceKey": (0, 1, _reference_key),
    "join": (0, 1, _join),
    "decode": (1, 1, _decode),
    "lowBoundary": (0, 0, lambda call: boundaries.low(call.scope, call.base)),
    "highBoundary": (0, 0, lambda call: boundaries.high(call.scope, call.base)),
    "startsWith": (1, 1, textual("starts_with({}, {})", Kind.BOOLEAN)),
    "endsWith": (1, 1, textual("ends_with({}, {})", Kind.BOOLEAN)),
    "contains": (1, 1, textual("contains({}, {})", Kind.BOOLEAN)),
    "matches": (1, 1, textual("regexp_matches({}, {})", Kind.BOOLEAN)),
    "replace": (2, 2, textual("replace({}, {}, {})", Kind.TEXT)),
    "upper": (0, 0, textual("upper({})", Kind.TEXT)),
    "lower": (0, 0, textual("lower({})", Kind.TEXT)),
    "trim": (0, 0, textual("trim({})", Kind.TEXT)),
    "length": (0, 0, textual("CAST(length({}) AS BIGINT)", Kind.INTEGER)),
    "substring": (1, 2, _substring),
    "toString": (0, 0, textual("{}", Kind.TEXT)),
    "toInteger": (0, 0, textual("TRY_CAST({} AS BIGINT)", Kind.INTEGER)),
    "toDecimal": (0, 0, textual("TRY_CAST({} AS DOUBLE)", Kind.DECIMAL)),
    "abs": (0, 0, numeric("abs({})", Kind.DECIMAL)),
    "round": (0, 0, numeric("round({})", Kind.DECIMAL)),
    "ceiling": (0, 0, numeric("CAST(ceil({}) AS BIGINT)", Kind.INTEGER)),
    "floor": (0, 0, numeric("CAST(floor({}) AS BIGINT)", Kind.INTEGER)),
}
"""Name -> the least and most arguments, and what compiles it."""
