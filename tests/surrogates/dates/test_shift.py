"""Dates in HL7 and FHIR fields."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.surrogates.dates.shift import Calendar, age, ninety, parsed, typed

SHIFTS = st.integers(-365, 365).filter(bool)
DAYS = st.dates(date(1910, 1, 2), date(2098, 1, 1))


@given(SHIFTS, DAYS, DAYS)
def test_intervals_are_kept(shift, one, other):
    """The days between any two full dates stay the same, in either layout."""
    calendar = Calendar(shift)
    new = [parsed(typed(calendar, f"{one:%Y%m%d}")), parsed(typed(calendar, f"{other:%Y-%m-%d}"))]

    assert other - one == new[1] - new[0]
    assert timedelta(shift) == new[0] - one


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("20240102030405.1234+0100", "20240211030405.1234+0100"),
        ("202401020304", "202402110304"),
        ("2024010203", "2024021103"),
        ("20240102", "20240211"),
        ("202401", "202402"),
        ("2024", "2024"),
        ("20240102+0500", "20240211+0500"),
        ("2024-01-02", "2024-02-11"),
        ("2024-01", "2024-02"),
        ("2024-01-02T03:04:05Z", "2024-02-11T03:04:05Z"),
        ("2024-01-02T03:04:05.678+02:00", "2024-02-11T03:04:05.678+02:00"),
        ("2024-02-29", "2024-04-09"),
        ("20240000", "20240000"),
    ],
)
def test_precision_time_and_zone_are_kept(text, expected):
    """Only the day moves; what is not given stays not given."""
    assert expected == typed(Calendar(40), text)


@pytest.mark.parametrize("text", ["99991231", "9999-12-31", "00010101", "19000101", "1900-01-01"])
def test_placeholders_do_not_tell_the_shift(text):
    """A well-known placeholder stays as it is."""
    assert text == typed(Calendar(40), text)


@pytest.mark.parametrize("text", ["20241345", "2024-02-30", "unknown", "2024010", "20240102T1"])
def test_garbage_is_no_date(text):
    """What is no date has no surrogate."""
    assert typed(Calendar(40), text) is None


@pytest.mark.parametrize(
    ("text", "datatype", "expected"),
    [
        ("20240102030405+0100", "TS.1", "2024"),
        ("2024-01-02", "date", "2024"),
        ("2024-01-02T03:04:05Z", "dateTime", "2024"),
        ("2024-01-02T03:04:05Z", "instant", "2024-01-01T00:00:00Z"),
        ("2024-01-02T03:04:05Z", "Meta.lastUpdated", "2024-01-01T00:00:00Z"),
        ("2024-01-02T03:04:05Z", "Extension.valueInstant", "2024-01-01T00:00:00Z"),
    ],
)
def test_generalised_dates_stay_valid(text, datatype, expected):
    """Only the year is left, with a full time where the type wants one."""
    assert expected == typed(Calendar(None), text, datatype)


@given(SHIFTS, st.dates(date(1900, 1, 2), date(1934, 11, 5)))
def test_over_89_is_90(shift, birth):
    """Who is over 89 is 90 by the surrogate birth date on the surrogate day."""
    now = date(2024, 11, 6)
    calendar = Calendar(shift, now, frozenset({birth}))
    surrogate = parsed(typed(calendar, f"{birth:%Y%m%d}"))

    assert 90 == age(surrogate, calendar.later(now))
    assert f"{surrogate.year}" == typed(calendar, f"{birth.year}")


def test_ninety_on_leap_day():
    """A birth on 29 February is one of the 28th."""
    assert date(1934, 2, 28) == ninety(date(1920, 2, 29), date(2024, 11, 6))


@given(st.integers(-4000, 4000), st.dates(date(2, 1, 1), date(8999, 12, 31)))
def test_edges_of_the_calendar(shift, day):
    """No shift leaves the years there are."""
    assert typed(Calendar(shift), f"{day.year:04d}{day:%m%d}")
