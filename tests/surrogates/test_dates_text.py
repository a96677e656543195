"""Dates as people write them."""

from __future__ import annotations

from contextlib import suppress
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.surrogates.dates import Calendar
from adapter.surrogates.dates_text import rewrite
from adapter.surrogates.dates_tokens import UnreadableDateError
from adapter.surrogates.spelled import cardinal, ordinal, value, year

CALENDAR = Calendar(40, date(2024, 11, 6))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("3/14/23", "4/23/23"),
        ("03/14/2023", "04/23/2023"),
        ("3/14/2023", "4/23/2023"),
        ("14.03.2023", "23.04.2023"),
        ("2023-03-14", "2023-04-23"),
        ("3/14", "4/23"),
        ("03/02", "04/11"),
        ("29/8", "8/10"),
        ("5-2022", "6-2022"),
        ("10/2006", "11/2006"),
        ("March 14th, 2023", "April 23rd, 2023"),
        ("MARCH 14, 2023", "APRIL 23, 2023"),
        ("14 Mar", "23 Apr"),
        ("Sept. 5", "Oct. 15"),
        ("17-MAR", "26-APR"),
        ("09-MAY-2022", "18-JUN-2022"),
        ("15MAR21", "24APR21"),
        ("Monday, 8 March 2023", "Saturday, 17 April 2023"),
        ("Thurs 11/12", "Tue 12/22"),
        ("Tuesday", "Sunday"),
        ("SAT", "THU"),
        ("Mondays", "Saturdays"),
        ("March", "April"),
        ("'08", "'08"),
        ("Mar '08", "Apr '08"),
        ("Dec '08", "Jan '09"),
        ("2019", "2019"),
        ("Q4 2019", "Q4 2019"),
        ("2023-W11", "2023-W17"),
        ("winter 2023", "winter 2023"),
        ("1990s", "1990s"),
        ("3/14-16", "4/23-25"),
        ("3/14 - 3/16", "4/23 - 4/25"),
        ("March 3-5, 2023", "April 12-14, 2023"),
        ("Jan-Mar 2023", "Feb-Apr 2023"),
        ("2019-2021", "2019-2021"),
        ("april third two thousand\nfourteen", "may thirteenth two thousand fourteen"),
        ("June twenty eighth twenty seventeen", "August seventh twenty seventeen"),
        ("11/06/2024 0730", "12/16/2024 0730"),
        ("11/06/24 @ 14:30", "12/16/24 @ 14:30"),
        ("2/2\n9/2024", "4/9/2024"),
        ("the 5th", "the 15th"),
        ("5 de marzo de 2023", "14 de abril de 2023"),
        ("14. März 2023", "23. April 2023"),
    ],
)
def test_layout_is_kept(text, expected):
    """Every layout comes back as it was, 40 days later."""
    assert expected == rewrite(CALENDAR, text, "mdy")


@pytest.mark.parametrize("text", ["Christmas", "MEMORIAL DAY", "Epiphany", "Labor Day"])
def test_holidays_become_others(text):
    """A holiday becomes the well-known one nearest to its moved day, never itself."""
    assert text.lower() != rewrite(Calendar(2), text, "mdy").lower()


@pytest.mark.parametrize(("order", "expected"), [("mdy", "4/13/23"), ("dmy", "13/5/23")])
def test_order_reads_what_the_text_does_not_tell(order, expected):
    """3/4/23 is 4 March or 3 April by option."""
    assert expected == rewrite(CALENDAR, "3/4/23", order)


@pytest.mark.parametrize("text", ["3.", "3", "12."])
def test_a_small_number_alone_is_a_day(text):
    """As in German ranges ("3. bis 9. Mai"): another day in the same form, never a year."""
    moved = rewrite(Calendar(40, date(2024, 11, 6)), text, "dmy")
    assert text.endswith(".") is moved.endswith(".")
    assert 1 <= int(moved.rstrip(".")) <= 31


@pytest.mark.parametrize(
    ("text", "expected"),
    [("3/14/23", "2023"), ("March 14th, 2019", "2019"), ("'08", "2008"), ("3/14", "2025"),
     ("Tuesday", "2024"), ("2019-2021", "2019-2021"), ("1990s", "1990s")],
)  # fmt: skip
def test_generalised_to_the_year(text, expected):
    """Without a shift only years are left, the likely one where none is written."""
    assert expected == rewrite(Calendar(None, date(2024, 11, 6)), text, "mdy")


@pytest.mark.parametrize("text", ["garbage", "the unknownth", "13/32/2020", "120/80/4000x", ""])
def test_unreadable(text):
    """What is in no known layout is an error, never passed through."""
    with pytest.raises(UnreadableDateError):
        rewrite(CALENDAR, text, "mdy")


LAYOUTS = ("{0.month}/{0.day}/{0.year}", "{0:%m/%d/%Y}", "{0:%d-%b-%Y}", "{0:%B} {0.day}, {0.year}",
           "{0:%Y-%m-%d}", "{0:%d.%m.%Y}", "{0:%a} {0.day} {0:%b} {0.year}")  # fmt: skip


@given(
    st.integers(-365, 365).filter(bool),
    st.dates(date(1910, 1, 13), date(2090, 1, 1)).filter(lambda d: d.day > 12 and d.month != 5),
    st.sampled_from(LAYOUTS),
)
def test_the_day_moves_by_the_shift(shift, day, layout):
    """In each layout a full date becomes the one that many days later, weekday included.

    May is left out: its name is its own abbreviation.
    """
    calendar = Calendar(shift, date(2024, 11, 6))
    later = calendar.later(day)
    expected = layout.format(later)
    actual = rewrite(calendar, layout.format(day), "mdy")

    assert [p.lstrip("0") for p in expected.split("/")] == [
        p.lstrip("0") for p in actual.split("/")
    ]


@given(st.text(max_size=30))
def test_any_text_is_read_or_refused(text):
    """No text makes it fail in another way."""
    with suppress(UnreadableDateError):
        rewrite(CALENDAR, text, "mdy")


@given(st.integers(1900, 2099))
def test_years_in_words(number):
    """A year written in words reads back."""
    for thousand in (False, True):
        assert number == value(
            year(number, thousand=thousand).replace("hundred", "00").split()
        ) or (number % 100 == 0)


@given(st.integers(1, 31))
def test_days_in_words(number):
    """Ordinals end as their cardinals begin."""
    assert cardinal(number).split()[:-1] == ordinal(number).split()[:-1]
