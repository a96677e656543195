"""Known dates of birth in unusual writing move with their layout."""

from __future__ import annotations

from datetime import date

import pytest

from adapter.surrogates.dates.births import digits_of_birth, is_told, like, unusual, usual
from adapter.surrogates.dates.shift import Calendar
from tests.wording import WORDS

YEARS_ONLY = Calendar(None)
CALENDAR = Calendar(31)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("030574", "040574"),
        ("050374", "050474"),
        ("740305", "740405"),
        ("05031974", "05041974"),
        ("0 3 0 5 1 9 7 4", "0 4 0 5 1 9 7 4"),
        ("03|05|1974", "04|05|1974"),
    ],
)
def test_the_known_date_tells_the_layout(text, expected):
    """Day and month are not mixed up, and marks stay where they are."""
    assert expected == digits_of_birth(CALENDAR, text, ["19740305"])


def test_where_only_years_stay_the_year_replaces_all():
    """The year of the known date, in four digits."""
    assert "1974" == digits_of_birth(YEARS_ONLY, "030574", ["1974-03-05"])


@pytest.mark.parametrize("text", ["030674", "5 M A R 1 9 7 4", "3|5|74"])
def test_other_digits_are_not_the_date(text):
    """Another day, and layouts that have letters or no leading zeros."""
    assert digits_of_birth(CALENDAR, text, ["197403", "19740305"]) is None


def test_a_birth_over_89_years_ago_becomes_that_of_a_person_of_90():
    """The full year is known, whatever century two digits suggest."""
    calendar = Calendar(0, date(2024, 6, 1), frozenset({date(1920, 3, 5)}))
    assert "030534" == digits_of_birth(calendar, "030520", ["19200305"])


def test_only_unusual_writing_is_read_so():
    """Dates with common separators or month names are read as all others."""
    assert all(map(unusual, ["030574", "0 3 0 5 7 4", "03|05|1974", "5 M A R 1 9 7 4"]))
    assert not any(map(unusual, ["03/05/74", "3-5-1974", "5 Mar 1974", "1974.03.05"]))


def test_other_unusual_dates_are_read_as_usual_ones_and_get_their_marks_back():
    """If the surrogate has as many letters and digits as the original."""
    assert ("5MAR1974", "3/5/74") == (usual("5 M A R 1 9 7 4"), usual("3|5|74"))
    assert "5 A P R 1 9 7 4" == like("5APR1974", "5 M A R 1 9 7 4")
    assert "12/5/74" == like("12/5/74", "3|5|74")


@pytest.mark.parametrize(
    "before",
    ["mother born ", "(b. ", "94, born in ", "DOB: ", "birth year ", "geb. ", "nacida en "],
)
def test_words_of_birth_tell_it(before):
    """A word of birth and few others before a date."""
    assert is_told(f"{before}1929", len(before), WORDS)


@pytest.mark.parametrize("before", ["stubborn ", "seen ", "born 3/4/29, seen ", "born.\n"])
def test_other_words_do_not(before):
    """No part of a word, and no word beyond another number or line."""
    assert not is_told(f"{before}1929", len(before), WORDS)
