"""FHIRPath becomes a syntax tree, by the specification's precedence."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.mart.views.fhirpath.parser import parse
from adapter.mart.views.fhirpath.syntax import (
    Binary,
    Call,
    Expression,
    Item,
    Literal,
    Member,
    Unary,
)
from adapter.mart.views.fhirpath.tokens import FhirPathError

A, B, C = (Member(None, name) for name in "abc")


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("a.b", Member(A, "b")),
        ("`a`.`b`", Member(A, "b")),
        ("a + b * c", Binary("+", A, Binary("*", B, C))),
        ("a - b - c", Binary("-", Binary("-", A, B), C)),
        ("a or b and c", Binary("or", A, Binary("and", B, C))),
        ("a = b and c", Binary("and", Binary("=", A, B), C)),
        ("a | b = c", Binary("=", Binary("|", A, B), C)),
        ("-a.b", Unary("-", Member(A, "b"))),
        ("a.contains('x')", Call(A, "contains", (Literal("x"),))),
        ("a contains b", Binary("contains", A, B)),
        ("a is b", Binary("is", A, B)),
        ("a[0].b", Member(Item(A, Literal(0)), "b")),
        ("a // rest\n . b /* c */", Member(A, "b")),
        (r"'\u0041\n\''", Literal("A\n'")),
        ("@2020-01-02T03:04Z", Literal("2020-01-02T03:04Z")),
        ("@T03:04", Literal("03:04")),
        ("1.50", Literal(1.5)),
        ("{}", Literal(None)),
    ],
)
def test_trees(text, tree):
    """An expression's tree is that of FHIRPath's grammar."""
    assert tree == parse(text)


@pytest.mark.parametrize(
    ("text", "column"),
    [("", 1), ("a.", 3), ("a b", 3), ("a[1", 4), ("@@", 1), ("a.b(,", 5), ("'a", 1), ("$total", 1)],
)
def test_errors_tell_the_column(text, column):
    """What is no expression is refused, with the column at which it goes wrong."""
    with pytest.raises(FhirPathError) as caught:
        parse(text)
    assert column == caught.value.column


@given(st.text(alphabet="ab.()[]'\"%$ +-*/|&=<>!~@1{},`\\\n", max_size=40))
def test_any_text_is_parsed_or_refused(text):
    """No text makes the parser fail in any other way."""
    with suppress(FhirPathError):
        assert isinstance(parse(text), Expression)
