"""Offsets from UTC and names of time zones, which tell summer from winter."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.surrogates.dates.shift import Calendar, typed
from adapter.surrogates.dates.time_zones import DROP, KEEP, NORMALISE, field, zoned
from tests.wording import WORDS


@pytest.mark.parametrize(
    ("text", "normalised", "dropped"),
    [
        ("at 10:15 EDT", "at 10:15 UTC", "at 10:15 "),
        ("at 10:15 pm EST.", "at 10:15 pm UTC.", "at 10:15 pm ."),
        ("3 pm PDT", "3 pm UTC", "3 pm "),
        ("1015 CST", "1015 UTC", "1015 "),
        ("um 10:15 Uhr MESZ", "um 10:15 Uhr UTC", "um 10:15 Uhr "),
        ("2024-03-14T10:15:00-0400", "2024-03-14T10:15:00+0000", "2024-03-14T10:15:00"),
        ("20240314T101500-0400", "20240314T101500+0000", "20240314T101500"),
        ("10:15+02:00", "10:15+00:00", "10:15"),
        ("10:15:00 GMT-0400 (Eastern Daylight Time)", "10:15:00 UTC (UTC)", "10:15:00  ()"),
        ("hora de verano", "UTC", ""),
    ],
)
def test_zones_of_free_text(text, normalised, dropped):
    """The local time of day stays, what stands for its zone is one for all or goes."""
    assert normalised == zoned(text, NORMALISE, WORDS)
    assert dropped == zoned(text, DROP, WORDS)
    assert text == zoned(text, KEEP, WORDS)


@pytest.mark.parametrize(
    "text",
    ["10:15-11:00", "10:15:00-11:00:00", "est. 10:15", "10:15 mst", "BP 1015 high", "MST panel",
     "3/14/24-1015", "phone 555-0100", "at 10:15 PTSD"],
)  # fmt: skip
def test_what_is_no_zone_stays(text):
    """Two times of day, words and numbers are none."""
    assert text == zoned(text, NORMALISE, WORDS)


@pytest.mark.parametrize(
    ("text", "datatype", "normalised", "dropped"),
    [
        ("20240314101500-0400", "DTM", "20240423101500+0000", "20240423101500"),
        ("20240314", "DT", "20240423", "20240423"),
        ("2024-03-14T10:15:00-04:00", "dateTime", "2024-04-23T10:15:00+00:00",
         "2024-04-23T10:15:00Z"),
        ("2024-03-14T10:15:00.120Z", "instant", "2024-04-23T10:15:00.120Z",
         "2024-04-23T10:15:00.120Z"),
        ("2024-03-14", "date", "2024-04-23", "2024-04-23"),
    ],
)  # fmt: skip
def test_zones_of_fields(text, datatype, normalised, dropped):
    """HL7 times may do without an offset; FHIR times may not, and stay valid."""
    assert normalised == typed(Calendar(40, offsets=NORMALISE), text, datatype)
    assert dropped == typed(Calendar(40, offsets=DROP), text, datatype)


def test_time_of_day_alone():
    """TM may have an offset too (HL7 v2.9 2A.3.75)."""
    assert "1015+0000" == field("1015-0400", NORMALISE)
    assert "1015" == field("1015-0400", DROP)
    assert "1015" == field("1015", NORMALISE)


OFFSETS = st.tuples(st.sampled_from("+-"), st.integers(0, 14), st.sampled_from([0, 30, 45]))


@given(OFFSETS, OFFSETS, st.booleans())
def test_all_offsets_become_one(one, other, colon):
    """No two offsets of one layout are told apart by what stands for them."""
    stamps = [
        f"2024-03-14T10:15:00{sign}{hours:02d}{':' if colon else ''}{minutes:02d}"
        for sign, hours, minutes in (one, other)
    ]
    assert 1 == len({typed(Calendar(40, offsets=NORMALISE), s, "dateTime") for s in stamps})
    assert 1 == len({zoned(stamp, NORMALISE, WORDS) for stamp in stamps})
    assert re.fullmatch(r".*\+00:?00", zoned(stamps[0], NORMALISE, WORDS))
