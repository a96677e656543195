"""The mapping tables are put together of several files."""

from __future__ import annotations

import pytest

from adapter.codecs.hl7v2.delimiters import Delimiters
from adapter.codecs.hl7v2.escapes import escapes_for
from adapter.errors import RuleError
from adapter.mart.landing.hl7v2.plans import Plan
from adapter.mart.landing.hl7v2.tables import code_map, tables_of
from adapter.mart.maps import read_maps


def test_shipped_tables_compile():
    """Every line, datatype, code map and key that a shipped table names is there."""
    plan = Plan(read_maps(), escapes_for(Delimiters(), "utf-8"))
    resources = plan.tables.map.keys()
    assert all(plan.segments(resource) for resource in resources)
    assert resources == plan.keys.alternatives.keys() == plan.operations.keys()
    begun = {r for by in plan.tables.begin.values() for resources in by.values() for r in resources}
    assert begun <= resources


def test_two_files_do_not_say_the_same():
    """A line stands once; parts of one table may stand in two files."""
    united = tables_of([("a", {"codes": {"A": {"x": "1"}}}), ("b", {"codes": {"A": {"y": "2"}}})])
    assert {"x", "y"} == united.codes["A"].keys()
    with pytest.raises(RuleError, match="twice"):
        tables_of([("a", {"codes": {"A": {"x": "1"}}}), ("b", {"codes": {"A": {"x": "2"}}})])


def test_an_unknown_table_is_an_error():
    """A misspelt name is found."""
    with pytest.raises(RuleError, match="maps"):
        tables_of([("a", {"maps": {}})])


def test_a_target_may_have_a_display_and_a_system():
    """A code map's own system is that of all others."""
    found = code_map({"system": "s", "A": "x", "B": "y|why", "C": "z||other"})
    assert {"code": "x", "system": "s"} == found["A"]
    assert {"code": "y", "display": "why", "system": "s"} == found["B"]
    assert {"code": "z", "system": "other"} == found["C"]
