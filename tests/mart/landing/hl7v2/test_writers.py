"""Values are written at paths without touching what other resources share."""

from __future__ import annotations

from adapter.mart.landing.hl7v2.grammar import parse_rule
from adapter.mart.landing.hl7v2.writers import writer_of


def write(body, path, value):
    """Write one value; the body is changed."""
    writer_of(parse_rule(path, "test").steps)(body, value)
    return body


def test_paths_reach_into_objects_and_lists():
    """A list in the middle means its last item, one at the end grows."""
    assert {"a": {"b": 1}} == write({}, "a.b", 1)
    assert {"a": [1, 2]} == write({"a": [1]}, "a[]", 2)
    assert {"a": [{"b": 1}, {"b": 2, "c": [3]}]} == write({"a": [{"b": 1}, {"b": 2}]}, "a[].c[]", 3)
    assert {"a": [1]} == write({"a": None}, "a[]", 1)


def test_what_lies_inside_is_copied():
    """A value that two resources share stays as it is in the other."""
    shared = {"code": "x"}
    body = {"code": shared, "list": [shared]}
    write(body, "code.text", "y")
    write(body, "list[].text", "y")
    assert {"code": "x"} == shared
