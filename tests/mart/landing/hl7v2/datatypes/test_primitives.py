"""Leaves of HL7 v2 as FHIR primitives."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.mart.landing.hl7v2.datatypes.primitives import (
    PRIMITIVES,
    boolean,
    date,
    date_time,
    decimal,
    instant,
    integer,
    time,
    uri,
)


@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        ("2024", "2024"),
        ("202403", "2024-03"),
        ("20240317", "2024-03-17"),
        ("2024031716", "2024-03-17T16:00:00Z"),
        ("202403171600", "2024-03-17T16:00:00Z"),
        ("20240317160005.25-0500", "2024-03-17T16:00:05.25-05:00"),
        ("20241317", None),
        ("220241021055726", None),
        ("20240317160000-050", None),
        ("00000000", None),
        ("", None),
    ],
)
def test_a_moment_is_as_precise_as_it_was_sent(sent, expected):
    """A date stays a date; a time without an offset gets one; what is none gives None."""
    assert expected == date_time(sent)


def test_a_date_drops_the_time():
    """A birth time is no part of the birth date."""
    assert "2024-03-17" == date("202403171600-0500")
    assert date("17.03.2024") is None


def test_an_instant_has_a_time():
    """A mere date is no instant."""
    assert "2024-03-17T16:00:00Z" == instant("2024031716")
    assert instant("20240317") is None


@pytest.mark.parametrize(
    ("sent", "expected"), [("2231", "22:31:00"), ("223100.5", "22:31:00.5"), ("25", None)]
)
def test_a_time_has_colons(sent, expected):
    """HL7 writes digits only."""
    assert expected == time(sent)


@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        ("0065.88", 65.88),
        ("850.00", 850),
        ("-.5", -0.5),
        ("+3", 3),
        ("1e3", 1000),
        ("<5", None),
        (".", None),
        ("NaN", None),
    ],
)
def test_a_number_is_one(sent, expected):
    """Zeros around it go, words are none."""
    assert expected == decimal(sent)


def test_other_primitives():
    """Whole numbers, truth, and names of code systems."""
    assert (7, None) == (integer("07"), integer("-7"))
    assert (True, False, None) == (boolean("Y"), boolean("N"), boolean("UNK"))
    assert "http://terminology.hl7.org/CodeSystem/v2-0203" == uri("HL70203")
    assert "urn:oid:2.16.840.1" == uri("2.16.840.1")
    assert uri("LOCAL") is None


@given(st.sampled_from(sorted(PRIMITIVES)), st.text(max_size=20))
def test_no_text_raises(name, text):
    """Any text is a value or None."""
    PRIMITIVES[name](text)


@given(st.datetimes(), st.integers(4, 14))
def test_moments_are_valid(moment, length):
    """Every prefix of a moment that is a moment has the form that FHIR demands."""
    found = date_time(moment.strftime("%Y%m%d%H%M%S").zfill(14)[:length])
    form = r"\d{4}(-\d\d(-\d\d(T\d\d:\d\d:\d\dZ)?)?)?"
    assert found is None or re.fullmatch(form, found)
