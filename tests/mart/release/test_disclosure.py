"""A release has no column of which nobody has said whether it may tell who somebody is."""

from __future__ import annotations

import json

import duckdb
import pytest

from adapter.errors import RuleError
from adapter.mart.release.publish import Source, publish
from adapter.mart.views import read_definition
from tests.mart.release.sample import LEFT_OUT, QUASI, SCHEMA, VIEWS, hospital, plan

PERSONS = hospital(60)
UNSAID = (
    "ours.json: it is not stated whether ours.area can identify a person: give the column the tag"
    " disclosure (quasi-identifier or attribute), or name it in mart.release.quasi_identifiers"
)


def ours(*tags, path="address.state.first()", name="ours"):
    """A view of a site's own with a column under the tags."""
    tagged = [{"name": "disclosure", "value": value} for value in tags]
    column = {"name": "area", "path": path, "tag": tagged}
    view = {"name": name, "resource": "Patient", "select": [{"column": [column]}]}
    return read_definition(view, f"{name}.json")


def released(tmp_path, view, **changes):
    """Make a release of two shipped views and another; its report of risk."""
    views = [each for each in VIEWS if each.name in {"patient", "encounter"} - {view.name}]
    publish(Source(PERSONS, [*views, view], SCHEMA, LEFT_OUT), plan(**changes), tmp_path)
    return json.loads((tmp_path / "first" / "risk.json").read_text("utf-8"))


def test_a_column_of_which_nobody_has_said_it_is_refused(tmp_path):
    """The error names view, column and what to do, and nothing is there."""
    with pytest.raises(RuleError) as caught:
        released(tmp_path, ours())
    assert UNSAID == str(caught.value)
    assert [] == list(tmp_path.iterdir())


def test_a_view_that_replaces_a_shipped_one_is_asked_too(tmp_path):
    """What was said of the shipped view's columns holds for them alone."""
    with pytest.raises(RuleError, match=r"whether encounter\.area can identify"):
        released(tmp_path, ours(name="encounter"), quasi_identifiers=("patient.sex",))


def test_a_tag_that_says_neither_is_refused(tmp_path):
    """A word that was mistyped is no decision."""
    with pytest.raises(RuleError, match="column area has a tag disclosure other than"):
        released(tmp_path, ours("quasi"))


def test_an_attribute_is_released(tmp_path):
    """A column that somebody has said is none is released, and its rare values are counted."""
    risk = released(tmp_path, ours("attribute"))
    assert list(QUASI) == risk["quasi_identifiers"]
    rows = duckdb.execute(f"SELECT DISTINCT area FROM '{tmp_path}/first/ours.parquet'").fetchall()
    assert [("KS",)] == rows


def test_a_quasi_identifier_of_a_view_passes_the_gate(tmp_path):
    """A column that its view calls one is judged without being named in the settings."""
    path = "birthDate.substring(8, 2)"
    risk = released(tmp_path, ours("quasi-identifier", path=path), minimum=5, rounding=2)
    assert [*QUASI, "ours.area"] == risk["quasi_identifiers"]
    assert risk["k"] >= 5
    assert "ours.area" in risk["suppressed"]


@pytest.mark.parametrize(
    ("path", "changes"),
    [
        ("address.state.first()", {"quasi_identifiers": ("ours.area",)}),
        ("address.state.first()", {"sensitive": ("ours.area",)}),
    ],
)
def test_settings_say_it_too(tmp_path, path, changes):
    """A column that the settings name needs no tag."""
    released(tmp_path, ours(path=path), **changes)


def test_what_reads_the_same_element_goes_with_it(tmp_path):
    """Of a column that is suppressed with a quasi-identifier the gate decides."""
    columns = [
        {"name": "born", "path": "birthDate.substring(0, 3)"},
        {"name": "day", "path": "birthDate"},
        {"name": "key", "path": "getResourceKey()", "type": "id"},
    ]
    view = read_definition(
        {"name": "ours", "resource": "Patient", "select": [{"column": columns}]}, "ours.json"
    )
    risk = released(tmp_path, view, quasi_identifiers=("ours.born",))
    assert risk["k"] >= 11


def test_every_shipped_column_has_been_judged():
    """Views of the shipped rules say it of each column that is no key."""
    for view in VIEWS:
        selects = [view.select]
        for select in selects:
            selects.extend((*select.selects, *select.union))
            for column in select.columns:
                assert ("id" == column.type) is (column.tag("disclosure") is None)
