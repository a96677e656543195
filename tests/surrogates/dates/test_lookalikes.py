"""Words with two meanings: only what stands beside them tells a date."""

from __future__ import annotations

import pytest

from adapter.errors import RuleError
from adapter.languages.calendar import Calendar
from adapter.surrogates.dates.lookalikes import is_measure, is_word, only_weekdays
from tests.wording import WORDS


@pytest.mark.parametrize(
    ("before", "word", "behind", "other"),
    [
        ("admitted after a ", "fall", " at home", True),
        ("history of ", "Falls", ".", True),
        ("surgery in the ", "fall", " of", False),
        ("since last ", "Fall", "", False),
        ("early-", "fall", "", False),
        ("She ", "may", " also take", True),
        ("They ", "MAY", " not return", True),
        ("seen in ", "May", " and June", False),
        ("on a ", "Monday", " she", False),
    ],
)
def test_meanings_of_words(before, word, behind, other):
    """A fall is a season only behind a word of time; may is no month before a verb."""
    assert other == is_word(word, before, behind, WORDS)


@pytest.mark.parametrize(("text", "measure"), [("120/80", True), ("2.5.1", True), ("5/10", False)])
def test_measures(text, measure):
    """A pressure or version is no date; a score may be a day."""
    assert measure == is_measure(text)


def test_a_list_of_words_is_refused():
    """Words with two meanings are a table."""
    with pytest.raises(RuleError, match="only_behind must be a table"):
        Calendar.of("qx", {"calendar": {"only_behind": ["fall"]}})


@pytest.mark.parametrize("text", ["fridays", "mon-fri", "tues and thurs", "sunday"])
def test_weekdays_alone(text):
    """Weekdays, and words that join them."""
    assert only_weekdays(text, WORDS, "en")


@pytest.mark.parametrize("text", ["friday 3/14", "march", "monday in march", "and", "christmas"])
def test_more_than_weekdays(text):
    """A day, a month or nothing of a weekday."""
    assert not only_weekdays(text, WORDS, "en")
