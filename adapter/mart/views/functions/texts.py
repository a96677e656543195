"""FHIRPath functions on texts and numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.mart.views import sql
from adapter.mart.views.fhirpath.syntax import Expression, Literal
from adapter.mart.views.values import (
    Kind,
    Value,
    as_number,
    as_text,
    touch,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from adapter.mart.views.functions.calls import Call, Function


def _join(call: Call) -> Value:
    separator = as_text(call.scope, call.optional(0, Value("''", Kind.TEXT)))
    touch(call.scope, call.base)
    texts = sql.each(call.scope.names, call.items(), sql.string)
    if not call.arguments or _is_text(call.arguments[0]):
        return Value(f"array_to_string({texts}, {separator})", Kind.TEXT, "string")

    def joined(found: str) -> str:
        pairs = f"list_reduce({found}, lambda a, b: concat(a, {separator}, b))"
        return f"CASE WHEN len({found}) = 0 THEN '' ELSE {pairs} END"

    return Value(sql.let(call.scope.names, texts, joined), Kind.TEXT, "string")


def _is_text(argument: Expression) -> bool:
    return isinstance(argument, Literal) and isinstance(argument.value, str)


def _decode(call: Call) -> Value:
    """Return the text decoded from base64; empty if invalid or not UTF-8 (FHIRPath, decode)."""
    form = call.arguments[0]
    if not isinstance(form, Literal) or form.value != "base64":
        raise call.scope.problem("decode() knows 'base64' alone")
    text = as_text(call.scope, call.base)
    bare = f"regexp_replace({text}, '\\s', '', 'g')"
    read = sql.let(call.scope.names, bare, lambda x: f"TRY(decode(from_base64({x})))")
    return Value(read, Kind.TEXT, "string")


def textual(form: str, kind: Kind) -> Function:
    """Return a function on a text, given as an SQL format of the text and the arguments."""
    count = form.count("{}") - 1

    def compute(call: Call) -> Value:
        texts = [as_text(call.scope, call.argument(n)) for n in range(count)]
        return Value(form.format(as_text(call.scope, call.base), *texts), kind)

    return count, count, compute


def _substring(call: Call) -> Value:
    text = as_text(call.scope, call.base)
    start = f"CAST({as_number(call.scope, call.argument(0))} AS BIGINT) + 1"
    length = as_number(call.scope, call.optional(1, Value("2147483647", Kind.INTEGER)))
    return Value(f"substr({text}, {start}, CAST({length} AS BIGINT))", Kind.TEXT)


def numeric(form: str, kind: Kind) -> Function:
    """Return a function on a number, given as an SQL format of it."""
    return 0, 0, lambda call: Value(form.format(as_number(call.scope, call.base)), kind)


FUNCTIONS: Mapping[str, Function] = {
    "join": (0, 1, _join),
    "decode": (1, 1, _decode),
    "startsWith": textual("starts_with({}, {})", Kind.BOOLEAN),
    "endsWith": textual("ends_with({}, {})", Kind.BOOLEAN),
    "contains": textual("contains({}, {})", Kind.BOOLEAN),
    "matches": textual("regexp_matches({}, {})", Kind.BOOLEAN),
    "replace": textual("replace({}, {}, {})", Kind.TEXT),
    "upper": textual("upper({})", Kind.TEXT),
    "lower": textual("lower({})", Kind.TEXT),
    "trim": textual("trim({})", Kind.TEXT),
    "length": textual("CAST(length({}) AS BIGINT)", Kind.INTEGER),
    "substring": (1, 2, _substring),
    "toString": textual("{}", Kind.TEXT),
    "toInteger": textual("TRY_CAST({} AS BIGINT)", Kind.INTEGER),
    "toDecimal": textual("TRY_CAST({} AS DOUBLE)", Kind.DECIMAL),
    "abs": numeric("abs({})", Kind.DECIMAL),
    "round": numeric("round({})", Kind.DECIMAL),
    "ceiling": numeric("CAST(ceil({}) AS BIGINT)", Kind.INTEGER),
    "floor": numeric("CAST(floor({}) AS BIGINT)", Kind.INTEGER),
}
"""Name -> (minimum and maximum number of arguments, function that compiles the call)."""
