"""Ages over 89."""

from __future__ import annotations

import pytest

from adapter.surrogates.dates.ages import age
from tests.wording import WORDS


@pytest.mark.parametrize(
    "text",
    ["45", "89", "63rd", "19yo", "mid-80s", "fifty two", "twenties", "octogenarian", "four", "6-7"],
)
def test_up_to_89_stays(text):
    """An age up to 89 is no identifier."""
    assert text == age(text, WORDS)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("90", "90+"), ("93yo", "90+yo"), ("101", "90+"), ("97th", "90+"), ("mid-90s", "mid-90+s"),
     ("ninety three", "90 or older"), ("centenarian", "90+-year-old"), ("88-93", "88-90+"),
     ("ninetieth", "90 or older"), ("one hundred", "90 or older"),
     ("nonagenarians", "90+-year-olds"), ("dreiundneunzigjährige", "90+-jährige"),
     ("noventa y tres años", "90+ años"), ("nonagenaria", "90+")],
)  # fmt: skip
def test_over_89_is_90_or_older(text, expected):
    """Above that only that it is above."""
    assert expected == age(text, WORDS)


@pytest.mark.parametrize(
    ("text", "behind", "expected"),
    [
        ("95+", " (lung)", "90+"),
        ("95", "+ yo", "90"),
        ("88+", "", "88+"),
        ("92+, 95", "", "90+, 90+"),
    ],
)
def test_one_plus_is_enough(text, behind, expected):
    """A plus that is written behind an age stays a single one."""
    assert expected == age(text, WORDS, behind)


def test_numeric_fields_stay_numeric():
    """In a field of numbers the sign is left out."""
    assert "90" == age("93", WORDS, datatype="NM")


@pytest.mark.parametrize(("text", "behind"), [("93", " days old"), ("104", "-week"), ("96w", "")])
def test_short_units_stay(text, behind):
    """Days, weeks and months are counted otherwise."""
    assert text == age(text, WORDS, behind)


@pytest.mark.parametrize("text", ["fourty", "Smith", "x"])
def test_unreadable_ages_go(text):
    """What is no known age is not passed through."""
    assert "[age]" == age(text, WORDS)
