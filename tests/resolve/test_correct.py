"""Labels are corrected by what the mention's own text rules out."""

from __future__ import annotations

import pytest

from adapter.languages.context import Context
from adapter.resolve.correct import correct
from adapter.types import LEARNED_SOURCE, Label, Span


@pytest.mark.parametrize(
    ("text", "number", "label"),
    [
        ("Mother (62771146) in bed 4", "62771146", Label.IDNUM),
        ("Mother (62771) in bed 4", "62771", Label.IDNUM),
        ("Mother (1948) died", "1948", Label.DATE),
        ("aged 2850 days", "2850", Label.AGE),
        ("Mother (102) is well", "102", Label.AGE),
    ],
)
def test_a_number_of_many_digits_is_no_age(text, number, label):
    """Each is a number of its own or a year, not one age for all."""
    start = text.index(number)
    span = Span(start, start + len(number), Label.AGE, LEARNED_SOURCE, 1.0, 75)
    assert [found.label for found in correct(text, [span], None, Context())] == [label]
