"""Compiles the syntax tree of a FHIRPath expression to SQL over one JSON value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.mart.views import sql
from adapter.mart.views.fhirpath import syntax
from adapter.mart.views.fhirpath.parser import parse
from adapter.mart.views.fhirpath.tokens import FhirPathError
from adapter.mart.views.functions import FUNCTIONS, Call, type_name
from adapter.mart.views.operators import OPERATORS
from adapter.mart.views.schema import choice_key, element, is_primitive
from adapter.mart.views.values import NOTHING, Kind, Scope, Value, as_number, items

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

LITERALS = {bool: Kind.BOOLEAN, int: Kind.INTEGER, float: Kind.DECIMAL, str: Kind.TEXT}
ROOTS = frozenset({"resource", "rootResource", "context"})
Constant = str | bool | int | float | None
LONGEST = 4000
"""Maximum length of an expression in characters."""


def compile_text(text: str, scope: Scope) -> Value:
    """Compile the text of a FHIRPath expression.

    Raises:
        RuleError: the text is not FHIRPath, or uses an unknown function, constant or type.
    """
    if len(text) > LONGEST:
        raise scope.problem(f"longer than {LONGEST} characters")
    try:
        tree = parse(text)
    except FhirPathError as problem:
        raise scope.problem(str(problem)) from None
    return compile_tree(tree, scope)


def compile_tree(tree: syntax.Expression, scope: Scope) -> Value:
    """Compile a syntax tree."""
    return _COMPILERS[type(tree)](tree, scope)


def literal(value: Constant) -> Value:
    """Return a constant as SQL of its type."""
    if value is None:
        return NOTHING
    kind = LITERALS[type(value)]
    if kind is Kind.TEXT:
        return Value(sql.text(str(value)), kind, "string")
    return Value(f"CAST({str(value).lower()} AS {kind})", kind)


def _literal(tree: syntax.Literal, _: Scope) -> Value:
    return literal(tree.value)


def _this(scope: Scope) -> Value:
    return Value(scope.node, Kind.ITEM, scope.fhir)


def _variable(tree: syntax.Variable, scope: Scope) -> Value:
    if tree.name in scope.constants:
        return scope.constants[tree.name]
    if tree.name == "rowIndex":
        return Value(f"CAST({scope.row} AS BIGINT)", Kind.INTEGER)
    if tree.name in ROOTS:
        return Value(scope.root, Kind.ITEM, scope.resource)
    raise scope.problem(f"%{tree.name} is not defined")


def _position(_: syntax.Position, scope: Scope) -> Value:
    if scope.index is None:
        raise scope.problem("$index stands outside of a function over elements")
    return Value(f"CAST({scope.index} AS BIGINT)", Kind.INTEGER)


def _member(tree: syntax.Member, scope: Scope) -> Value:
    if tree.base is None and tree.name == scope.resource == scope.fhir:
        return _this(scope)
    return member(_base(tree, scope), tree.name, scope)


def _base(tree: syntax.Member | syntax.Call, scope: Scope) -> Value:
    return _this(scope) if tree.base is None else compile_tree(tree.base, scope)


def member(base: Value, name: str, scope: Scope) -> Value:
    """Return the children with a name of a value.

    Raises:
        RuleError: the name is not a valid element name.
    """
    if not sql.SAFE_KEY.match(name):
        raise scope.problem("not the name of an element")
    if base.kind not in {Kind.ITEM, Kind.ITEMS}:
        return NOTHING
    found = element(scope.schema, base.fhir, name)
    scope.touched.add((base.fhir, name))
    kind = found.keys[0][1] if len(found.keys) == 1 else None
    keys = [key for key, _ in found.keys]
    if base.kind is Kind.ITEM and not found.many:
        single = [sql.child(base.sql, key) for key in keys]
        return Value(single[0] if len(single) == 1 else f"coalesce({', '.join(single)})",
                     Kind.ITEM, kind)  # fmt: skip
    return Value(_below(base, keys, scope), Kind.ITEMS, kind)


def _below(base: Value, keys: list[str], scope: Scope) -> str:
    def body(node: str) -> str:
        lists = [sql.children(scope.names, node, key) for key in keys]
        return lists[0] if len(lists) == 1 else f"list_concat({', '.join(lists)})"

    if base.kind is Kind.ITEM:
        return body(base.sql)
    return sql.flat(scope.names, base.sql, body)


def _call(tree: syntax.Call, scope: Scope) -> Value:
    if tree.name in {"ofType", "as"} and len(tree.arguments) == 1:
        return of_type(tree.base, tree.arguments[0], scope)
    if tree.name == "is" and len(tree.arguments) == 1:
        return _is(tree.base, tree.arguments[0], scope)
    if tree.name not in FUNCTIONS:
        raise scope.problem(f"no function {tree.name}()")
    least, most, function = FUNCTIONS[tree.name]
    if not least <= len(tree.arguments) <= most:
        raise scope.problem(f"{tree.name}() takes {least} to {most} arguments")
    base = _extended(tree, scope) if tree.name == "extension" else _base(tree, scope)
    return function(Call(scope, base, tree.arguments, compile_tree))


def _extended(tree: syntax.Call, scope: Scope) -> Value:
    """Return the element that has the extensions; for a primitive one, its underscore member."""
    base = _base(tree, scope)
    if isinstance(tree.base, syntax.Member) and is_primitive(base.fhir):
        return member(_base(tree.base, scope), f"_{tree.base.name}", scope)
    return base


def of_type(base: syntax.Expression | None, argument: syntax.Expression, scope: Scope) -> Value:
    """Return the elements of a type, by the key of a choice element or the type of each value."""
    kind = type_name(scope, argument)
    if not isinstance(base, syntax.Member):
        return _typed(_this(scope) if base is None else compile_tree(base, scope), kind, scope)
    owner = _base(base, scope)
    chosen = member(owner, choice_key(base.name, kind), scope)
    if chosen.fhir is not None:
        return chosen
    plain = member(owner, base.name, scope)
    if plain.fhir == kind:
        return plain
    both = [items(scope, value) for value in (chosen, _typed(plain, kind, scope))]
    return Value(f"list_concat({both[0]}, {both[1]})", Kind.ITEMS, kind)


def _typed(value: Value, kind: str, scope: Scope) -> Value:
    if value.fhir == kind:
        return value
    if value.kind not in {Kind.ITEM, Kind.ITEMS} or (value.fhir and value.fhir != "Resource"):
        return NOTHING
    found = sql.keep(
        scope.names,
        items(scope, value),
        lambda x: f"{sql.string(sql.child(x, 'resourceType'))} = {sql.text(kind)}",
    )
    return Value(found, Kind.ITEMS, kind)


def _is(base: syntax.Expression | None, argument: syntax.Expression, scope: Scope) -> Value:
    found = items(scope, of_type(base, argument, scope))
    return Value(f"(len({found}) > 0)", Kind.BOOLEAN)


def _item(tree: syntax.Item, scope: Scope) -> Value:
    base = compile_tree(tree.base, scope)
    position = as_number(scope, compile_tree(tree.position, scope))
    at = f"CAST({position} AS BIGINT) + 1"
    return Value(f"{items(scope, base)}[{at}]", Kind.ITEM, base.fhir)


def _unary(tree: syntax.Unary, scope: Scope) -> Value:
    operand = as_number(scope, compile_tree(tree.operand, scope))
    return Value(f"({tree.operator}{operand})", Kind.DECIMAL)


def _binary(tree: syntax.Binary, scope: Scope) -> Value:
    if tree.operator == "as":
        return of_type(tree.left, tree.right, scope)
    if tree.operator == "is":
        return _is(tree.left, tree.right, scope)
    sides = [compile_tree(side, scope) for side in (tree.left, tree.right)]
    return OPERATORS[tree.operator](scope, sides[0], sides[1])


_COMPILERS: Mapping[type, Callable[..., Value]] = {
    syntax.Literal: _literal,
    syntax.Variable: _variable,
    syntax.This: lambda _, scope: _this(scope),
    syntax.Position: _position,
    syntax.Member: _member,
    syntax.Call: _call,
    syntax.Item: _item,
    syntax.Unary: _unary,
    syntax.Binary: _binary,
}
