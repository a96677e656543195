"""Words of days, months and years of all languages."""

from __future__ import annotations

import pytest

from adapter.errors import RuleError
from adapter.languages.written_days import WrittenDays

UNITS = " ".join(f"n{number}" for number in range(1, 100))


def test_a_year_is_its_century_and_a_number():
    """Words are compared by their letters, and a number alone may be a short year."""
    row = {"numbers": [UNITS], "centuries": {"19": "Mil-Neuf"}, "ordinals": ["premier"]}
    found = WrittenDays.of([{"days": {"xx": row}}])
    assert found.years["milneufn74"] == {1974}
    assert found.years["n74"] == {74}
    assert found.days["premier"] == found.days["n1"] == {1}
    assert "n32" not in found.days


def test_a_form_may_mean_months_of_several_languages():
    """All of them are tried with the date that a field says."""
    months = "a b c d e f g h i j listopad l"
    other = "a b c d e f g h i listopad k l"
    found = WrittenDays.of([{"days": {"cs": {"months": months}, "hr": {"months": other}}}])
    assert found.months["listopad"] == {10, 11}


@pytest.mark.parametrize(
    "row", [{"months": "a b"}, {"numbers": ["one two"]}, {"month": "a"}, {"short": ["x"]}]
)
def test_a_file_with_missing_words_is_refused(row):
    """Twelve months, 99 numbers, and known keys only."""
    with pytest.raises(RuleError):
        WrittenDays.of([{"days": {"xx": row}}])


def test_unknown_tables_are_refused():
    """A misspelt key would be ignored."""
    with pytest.raises(RuleError):
        WrittenDays.of([{"betwen": "de"}])
