"""Parses FHIRPath by precedence climbing, with a table of binary operators and a postfix loop."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from adapter.mart.views.fhirpath.syntax import (
    Binary,
    Call,
    Expression,
    Item,
    Literal,
    Member,
    Position,
    This,
    Unary,
    Variable,
)
from adapter.mart.views.fhirpath.tokens import END, FhirPathError, Token, tokens, unquote

if TYPE_CHECKING:
    from collections.abc import Iterator

PRECEDENCE = (
    ("implies",),
    ("or", "xor"),
    ("and",),
    ("in", "contains"),
    ("=", "~", "!=", "!~"),
    ("<=", "<", ">", ">="),
    ("|",),
    ("is", "as"),
    ("+", "-", "&"),
    ("*", "/", "div", "mod"),
)
"""Binary operators from lowest to highest precedence (FHIRPath 2.0, Operator Precedence)."""
STRENGTH = {name: rank for rank, names in enumerate(PRECEDENCE) for name in names}
TYPES = STRENGTH["is"]
DEEPEST = 60
"""Maximum nesting depth of an expression."""


class _Reader:
    """Reads the tokens of one expression from left to right."""

    def __init__(self, text: str) -> None:
        self._tokens: Iterator[Token] = iter(tokens(text))
        self.now = next(self._tokens)
        self.depth = 0

    def take(self) -> Token:
        token = self.now
        if token.kind != END:
            self.now = next(self._tokens)
        return token

    def accept(self, symbol: str) -> bool:
        found = self.now.kind == "symbol" and self.now.text == symbol
        if found:
            self.take()
        return found

    def expect(self, symbol: str) -> None:
        if not self.accept(symbol):
            raise self.problem(f"expected {symbol!r}")

    def problem(self, what: str) -> FhirPathError:
        seen = f"{self.now.text!r}" if self.now.text else "the end"
        return FhirPathError(self.now.column, f"{what}, found {seen}")


@lru_cache(maxsize=4096)
def parse(text: str) -> Expression:
    """Return the syntax tree of a FHIRPath expression.

    Raises:
        FhirPathError: the text is not an expression, or is nested too deeply.
    """
    reader = _Reader(text)
    expression = _expression(reader, 0)
    if reader.now.kind != END:
        raise reader.problem("expected an operator or the end")
    return expression


def _expression(reader: _Reader, weakest: int) -> Expression:
    reader.depth += 1
    if reader.depth > DEEPEST:
        raise reader.problem("nested too deeply")
    left = _prefixed(reader)
    while (strength := _strength(reader.now)) >= weakest:
        operator = reader.take().text
        right = _type(reader) if strength == TYPES else _expression(reader, strength + 1)
        left = Binary(operator, left, right)
    reader.depth -= 1
    return left


def _strength(token: Token) -> int:
    return STRENGTH.get(token.text, -1) if token.kind in {"symbol", "name"} else -1


def _prefixed(reader: _Reader) -> Expression:
    if reader.now.kind == "symbol" and reader.now.text in {"+", "-"}:
        operator = reader.take().text
        return Unary(operator, _prefixed(reader))
    return _postfixed(reader, _term(reader))


def _postfixed(reader: _Reader, base: Expression) -> Expression:
    while True:
        if reader.accept("."):
            base = _invocation(reader, base)
        elif reader.accept("["):
            base = Item(base, _expression(reader, 0))
            reader.expect("]")
        else:
            return base


def _invocation(reader: _Reader, base: Expression | None) -> Expression:
    if reader.now.kind == "special":
        return _special(reader)
    if reader.now.kind != "name":
        raise reader.problem("expected a name")
    name = reader.take().text.strip("`")
    if not reader.accept("("):
        return Member(base, name)
    return Call(base, name, _arguments(reader))


def _arguments(reader: _Reader) -> tuple[Expression, ...]:
    if reader.accept(")"):
        return ()
    found = [_expression(reader, 0)]
    while reader.accept(","):
        found.append(_expression(reader, 0))
    reader.expect(")")
    return tuple(found)


def _term(reader: _Reader) -> Expression:
    if reader.accept("("):
        inner = _expression(reader, 0)
        reader.expect(")")
        return inner
    if reader.accept("{"):
        reader.expect("}")
        return Literal(None)
    if reader.now.kind in {"text", "number", "date", "variable"}:
        return _value(reader.take())
    if reader.now.kind == "name" and reader.now.text in {"true", "false"}:
        return Literal(reader.take().text == "true")
    return _invocation(reader, None)


def _value(token: Token) -> Expression:
    if token.kind == "variable":
        return Variable(token.text[1:].strip("`'"))
    if token.kind == "text":
        return Literal(unquote(token.text))
    if token.kind == "date":
        return Literal(token.text.lstrip("@T") if token.text[1] == "T" else token.text[1:])
    return Literal(float(token.text) if "." in token.text else int(token.text))


def _special(reader: _Reader) -> Expression:
    token = reader.take()
    if token.text == "$this":
        return This()
    if token.text == "$index":
        return Position()
    raise FhirPathError(token.column, f"{token.text} is not supported")


def _type(reader: _Reader) -> Expression:
    """Return the name of a type, with or without its namespace."""
    base = _invocation(reader, None)
    while reader.accept("."):
        base = _invocation(reader, base)
    return base
