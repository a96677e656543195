"""Rule files know the line of what they say."""

from __future__ import annotations

import tomllib

import pytest

from adapter.fields import Rules

TEXT = """format = "hl7v2"

[PID]
keep = "1"
[PID.fields]
"5.1" = "patient family"
[extensions]
"http://a.b/c" = "keep"
[datatypes]
XCN.role = "staff"
XCN.1 = "id"
"""
RULES = Rules("f.toml", TEXT, tomllib.loads(TEXT))


@pytest.mark.parametrize(
    ("keys", "line"),
    [
        (("format",), 1), (("PID", "keep"), 4), (("PID", "fields", "5.1"), 6),
        (("extensions", "http://a.b/c"), 8),
        (("datatypes", "XCN"), 10), (("datatypes", "XCN", "1"), 11), (("datatypes", "XC"), 9),
        (("PID", "nothing"), 3), (("PID",), 3), (("X",), 1),
    ],
)  # fmt: skip
def test_the_line_of_an_entry(keys, line):
    """An entry is found under its table, quoted or not; what is absent has its table's line."""
    assert f"f.toml:{line}" == RULES.place(*keys)


def test_the_repr_shows_a_name_only():
    """A file's text stays out of its repr."""
    assert repr(RULES) == "Rules(name='f.toml', overlay=False)"
