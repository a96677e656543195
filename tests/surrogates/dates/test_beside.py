"""Days beside a date that share its month move with it."""

from __future__ import annotations

from itertools import pairwise

import pytest

from adapter.normalize.folding import fold
from adapter.surrogates.dates import beside
from adapter.surrogates.dates.extent import reach
from adapter.types import Label, Span
from tests.wording import WORDS, custom


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Inpatient 17\u201321 [November 2023].", "17\u201321 November 2023"),
        ("the seventeenth of [November 2023]", "seventeenth of November 2023"),
        ("17th, 19th and [21st of November]", "17th, 19th and 21st of November"),
        ("17,18,[19 November]", "17,18,19 November"),
        ("17 or [18 November]", "17 or 18 November"),
        ("el diecisiete de [noviembre]", "diecisiete de noviembre"),
        ("am siebzehnten [November 2023]", "siebzehnten November 2023"),
        ("[Nov 17] through the 21st.", "Nov 17 through the 21st"),
        ("[11/17]\u201321/2023", "11/17\u201321/2023"),
        ("[Fri Nov 17] 14:05:09 CST 2023", "Fri Nov 17 14:05:09 CST 2023"),
        ("Room 12, [21 November]", "21 November"),
        ("K 4.5, [12 March]", "12 March"),
        ("[Nov 17] to 21 mg", "Nov 17"),
        ("[Nov 17] and second dose", "Nov 17"),
    ],
)
def test_a_date_reaches_over_the_days_that_share_its_month(text, expected):
    """Ranges, lists and days in words are of the date; rooms, values and doses are not."""
    start, end = text.index("["), text.index("]") - 1
    plain = text.replace("[", "").replace("]", "")
    folded = fold(plain)
    found = beside.first(folded, start, WORDS), beside.last(folded, start, end, WORDS)
    assert plain[slice(*found)] == expected


def test_a_date_swallows_the_year_that_stands_behind_its_time():
    """Of "Fri Nov 17 14:05:09 CST 2023" the year is no date by itself."""
    text = "Fri Nov 17 14:05:09 CST 2023"
    spans = [Span(0, 10, Label.DATE, "a"), Span(24, 28, Label.DATE, "a")]
    found = reach(text, spans, custom(), years=False, offsets="normalise")
    assert [text[span.start : span.end] for span in found] == [text]


@pytest.mark.parametrize("years", [False, True])
def test_spans_stay_apart_and_none_is_uncovered(years):
    """Widened dates overlap nothing, and cover what was covered."""
    text = "17\u201321 November 2023T14:05:09.221-06:00, 3 and 5 May 2:05 pm"
    spans = [
        Span(3, 19, Label.DATE, "a"),
        Span(27, 36, Label.DATE, "b"),
        Span(42, 49, Label.DATE, "a"),
    ]
    found = reach(text, spans, custom(), years=years, offsets="drop")
    assert all(a.end <= b.start for a, b in pairwise(found))
    covered = {at for span in found for at in range(span.start, span.end)}
    assert all(at in covered for span in spans for at in range(span.start, span.end))
