"""The day that begins a text is read in every layout in which fields give it."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.values.proof.days import day_of

LAYOUTS = ("%Y%m%d", "%Y-%m-%d", "%m/%d/%Y", "%m%d%Y")


@given(st.dates(date(1800, 1, 1), date(2099, 12, 31)), st.sampled_from(LAYOUTS))
def test_a_day_is_read_in_every_layout(day, layout):
    """Year first or last, with marks or without, with blanks around."""
    assert f"{day:%Y%m%d}" == day_of(f" {day:{layout}} ")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("20240314101500", "20240314"),
        ("20240314101500-0500", "20240314"),
        ("2024-03-14T10:15:00Z", "20240314"),
        ("20240314-H", "20240314"),
        ("", ""),
        ("2024", ""),
        ("202403", ""),
        ("17240314", ""),
        ("20244514", ""),
        ("2024031412", "20240314"),
        ("202403141", ""),
        ("2024031455", ""),
        ("20240314123", ""),
        ("03/14/2024 10:15", ""),
        ("14 Mar 2024", ""),
    ],
)
def test_what_a_text_begins_with(text, expected):
    """Times may follow a day; a longer number, a year, a month or a written date is no day."""
    assert expected == day_of(text)
