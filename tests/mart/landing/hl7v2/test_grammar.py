"""The lines of the mapping tables."""

from __future__ import annotations

import pytest

from adapter.errors import RuleError
from adapter.mart.landing.hl7v2.grammar import Condition, Place, Rule, Step, parse_rule


def test_a_line_is_a_rule():
    """Path, datatype, code map and condition."""
    condition = Condition(Place("PV1", 2, 1), frozenset({"P", "I"}), wanted=False)
    expected = Rule((Step("a", many=False), Step("b", many=True)), "CWE", "Codes", None, condition)
    assert expected == parse_rule("a.b[] by CWE Codes unless PV1-2.1 is P,I", "x")


def test_a_constant_may_have_blanks():
    """What follows the equals sign is the value, up to a condition."""
    assert "visit number" == parse_rule("type.text = visit number if 2", "x").constant


@pytest.mark.parametrize("line", ["", "a b", "a by", "a if", "a if PV1", "a = ", "1a"])
def test_anything_else_is_an_error(line):
    """A line with a mistake names its table."""
    with pytest.raises(RuleError, match=r"Patient\.PID-5"):
        parse_rule(line, "Patient.PID-5")
