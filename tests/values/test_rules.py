"""The rules of kept values pass their own tests, and say so when they are wrong."""

from __future__ import annotations

import pytest

from adapter.errors import RuleError
from adapter.fields import Rules
from adapter.rules.folder import Folder, shipped
from adapter.values import compile_values
from adapter.values.rule_tests import run_tests

FOLDER = Folder(shipped("rules"))
FILES = FOLDER.rules("values/*.toml")


@pytest.mark.parametrize("rules", FILES, ids=lambda rules: rules.name)
def test_rule_files_pass_their_own_tests(rules, values):
    """Every file's own values are kept, or not, as it says."""
    assert list(run_tests(values, rules.table.get("tests", ()))) == []


def test_a_test_that_fails_is_told(values):
    """A value judged otherwise than its test says gives a line with the place."""
    wrong = [{"place": "hl7v2 PID-8 IS", "kept": ["19600101"], "not_kept": ["F"]}]
    assert list(run_tests(values, wrong)) == [
        "hl7v2 PID-8 IS: '19600101' is not kept",
        "hl7v2 PID-8 IS: 'F' is kept",
    ]


@pytest.mark.parametrize("rules", FILES, ids=lambda rules: rules.name)
def test_no_line_is_long(rules):
    """No line of a rule file is over 200 characters."""
    assert max(map(len, rules.text.splitlines())) <= 200


def _compiled(**table):
    extra = Rules("site.toml", "", table)
    return compile_values(
        [*FILES, extra],
        FOLDER.schema,
        {},
        ({}, {}),
        (frozenset(), frozenset()),
        publishers=(),
    )


@pytest.mark.parametrize(
    "table",
    [
        {"format": "grammars", "grammars": {"code": {"form": []}}},
        {"format": "grammars", "grammars": {"code": {"check": "luck"}}},
        {"format": "grammars", "grammars": {"code": {"otherwise": "keep"}}},
        {"format": "grammars", "grammars": {"code": {"forms": ["("]}}},
        {"format": "systems", "systems": {"own": {"code": "x", "checks": ""}}},
        {"format": "systems", "systems": {"own": {"code": "x", "check": "luck"}}},
        {"format": "units", "unit": "furlong"},
        {"format": "places", "hl7v2": {"elements": {"PID-8": "nothing"}}},
    ],
)
def test_rules_that_cannot_be_honoured_are_refused(table):
    """An unknown key, check or grammar is a rule error that names the file."""
    with pytest.raises(RuleError, match=r"site\.toml"):
        _compiled(**table)


def test_a_site_adds_code_systems_and_units():
    """A site's own systems and units are known besides the product's."""
    own = {"names": ["99MERCY"], "code": r"\d{9}"}
    systems = _compiled(format="systems", systems={"mercy": own}).checks.systems
    assert systems.named("99mercy")[0].has("123456789")
    assert systems.named("LN")
    units = _compiled(format="units", written="furlong").checks.units
    assert units.has("furlong")
    assert units.has("mmHg")
