"""Errors: a closed set of (stage, code), each raised somewhere, none with message text."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from adapter import errors
from adapter.errors import CODES, AdapterError, DecodeError, TagError, fails_as
from adapter.transports.protocol import TransportError

PACKAGE = Path(errors.__file__).parent
STAGES = {
    **{kind.__name__: kind.stage for kind in AdapterError.__subclasses__()},
    **{kind.__name__: kind.stage for kind in (TransportError, *TransportError.__subclasses__())},
}
"""Class -> stage."""


def strings(node):
    """The strings an expression may be: a literal, or either end of a condition."""
    ends = (node.body, node.orelse) if isinstance(node, ast.IfExp) else (node,)
    return [end.value for end in ends if isinstance(end, ast.Constant)]


def codes_of(call):
    """The "stage/code" that a call gives: of an error, of a Hold, of a stage wrapped to fail."""
    name = getattr(call.func, "id", "")
    if name in STAGES and call.args:
        return {f"{STAGES[name]}/{code}" for code in strings(call.args[0])}
    if name == "Hold" and all(isinstance(value, ast.Constant) for value in call.args):
        return {"/".join(value.value for value in call.args)}
    if name == "fails_as":
        return {f"{STAGES[call.args[0].id]}/failed"}
    return set()


def raised():
    """Every "stage/code" that the program's code gives."""
    trees = (ast.parse(path.read_text("utf-8")) for path in PACKAGE.rglob("*.py"))
    calls = (node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call))
    return {code for call in calls for code in codes_of(call)}


def test_every_code_is_raised_and_every_raised_code_is_known():
    """The closed set is what the code raises: operators read of nothing that cannot happen."""
    assert {f"{stage}/{code}" for stage, codes in CODES.items() for code in codes} == raised()


def test_every_stage_has_its_error():
    """No error class is left without code that raises it, no stage without a class or a Hold."""
    source = "\n".join(path.read_text("utf-8") for path in PACKAGE.rglob("*.py"))
    unused = [
        kind.__name__
        for kind in AdapterError.__subclasses__()
        if f"{kind.__name__}(" not in source.replace(f"class {kind.__name__}(", "")
        and f"({kind.__name__})" not in source
    ]
    assert [] == unused
    assert set(STAGES.values()) <= CODES.keys()


def test_an_unknown_code_is_a_defect():
    """A code outside its stage's set is refused where it is made."""
    with pytest.raises(ValueError, match="no such code in stage decode"):
        DecodeError("known-value")


@fails_as(TagError)
def stage(error):
    """A stage that raises what it is given, or gives back what is no error."""
    if isinstance(error, BaseException):
        raise error
    return error


def test_what_nobody_expected_is_the_stages_failure():
    """An exception that quotes the message becomes "failed", without its text and its cause."""
    with pytest.raises(TagError) as raised:
        stage(ValueError("Lindgren"))
    assert "tag/failed" == str(raised.value)
    assert (None, True) == (raised.value.__cause__, raised.value.__suppress_context__)


def test_a_wrapped_stage_is_otherwise_as_it_was():
    """Results, errors with a code of their own and interruptions pass."""
    assert 7 == stage(7)
    with pytest.raises(DecodeError, match="decode/empty"):
        stage(DecodeError("empty"))
    with pytest.raises(KeyboardInterrupt):
        stage(KeyboardInterrupt())
