"""Days that a message tells of its people are found in every layout in which fields give them."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.types import Action, Handling, Label, Message, TextSegment
from adapter.values.proof.days import Days, day_of

SHIFT, KEEP = Action(Handling.SHIFT, Label.DATE), Action(Handling.KEEP)
LAYOUTS = ("%Y%m%d", "%Y-%m-%d", "%m/%d/%Y", "%m%d%Y")


def days(*fields):
    """The days of a message of (text, action) fields."""
    segments = tuple(
        TextSegment(f"PID-{number}", f"PID-{number}", "DTM", text)
        for number, (text, _) in enumerate(fields, 1)
    )
    message = Message("hl7v2", "ADT^A01", segments, None)
    return Days(message, [action for _, action in fields])


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


def test_days_of_shifted_fields_are_known():
    """In another layout too, and with a time; days of fields that are kept are not."""
    known = days(("19610314", SHIFT), ("20240101", KEEP), ("Okafor", SHIFT))
    assert "1961-03-14" in known
    assert "19610314101500" in known
    assert "03/14/1961" in known
    assert "20240101" not in known
    assert "19610315" not in known


def test_dates_that_are_replaced_are_known():
    """What an action calls a date counts, whatever is done with it."""
    known = days(("19610314", Action(Handling.SURROGATE, Label.DATE)))
    assert "1961-03-14" in known


def test_what_is_no_day_is_never_known():
    """A text without a day is not the empty day of another."""
    known = days(("Okafor", SHIFT), ("", SHIFT))
    assert "" not in known
    assert "Okafor" not in known
