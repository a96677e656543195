"""Rows of a table: lines with as many cells."""

from __future__ import annotations

import pytest

from adapter.normalize.tables import are_rows


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("last,first,dob", "Smith,Grace,1961"),
        ("a|b|c", "1|2|3"),
        ("a\\F\\b\\F\\c", "1|2|3"),
        ("Na   138   141", "K   4.1   3.9"),
    ],
)
def test_lines_with_as_many_cells_are_rows(one, other):
    """Whatever the mark is; in columns of fixed width the numbers may differ."""
    assert are_rows(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("seen by Ann, Bob, Eve", "who left, came, left"),
        ("a,b", "c,d"),
        ("a|b|c", "1|2"),
        ("Name: X   MRN: 77   Ward: 3", "Name: Y   MRN: 78   Ward: 4"),
        ("He left.  She came.  They", "stayed.  All slept.  Then"),
    ],
)
def test_prose_and_attributes_are_none(one, other):
    """Prose has blanks behind its marks, and attributes have keys."""
    assert not are_rows(one, other)
