"""Dates as people write them."""

from __future__ import annotations

from contextlib import suppress
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.normalize.folding import fold
from adapter.surrogates.dates.shift import Calendar
from adapter.surrogates.dates.written.text import days_of, rewrite
from adapter.surrogates.dates.written.tokens import UnreadableDateError
from tests.wording import WORDS, custom

ENGLISH = WORDS.counting("en")
US = custom("mdy")
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
        ("Mar142023", "Apr232023"),
        ("MAR302023", "MAY092023"),
        ("Mar14/21", "Apr23/21"),
        ("Mar 14/15", "Apr 23/24"),
        ("03|14|2023", "04|23|2023"),
        ("03\\14\\2023", "04\\23\\2023"),
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
    assert expected == rewrite(CALENDAR, text, US)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("20240314T101500Z", "20240423T101500Z"),
        ("20240314-20240320", "20240423-20240429"),
        ("3/14/24-1015", "4/23/24-1015"),
        ("2024_03_14", "2024_04_23"),
        ("14.III.2024", "23.IV.2024"),
        ("14/iii/24", "23/iv/24"),
        ("3/14 thru 3/20/2024", "4/23 thru 4/29/2024"),
        ("del 14 al 20 de marzo de 2024", "del 23 al 29 de abril de 2024"),
        ("week 11 of 2024", "week 17 of 2024"),
        ("KW 11/2024", "KW 17/2024"),
        ("12. KW 2024", "18. KW 2024"),
        ("11th week of 2024", "17th week of 2024"),
        ("2024W114", "2024W172"),
        ("day 74 of 2024", "day 114 of 2024"),
        ("2024-074", "2024-114"),
        ("2024-360", "2025-034"),
        ("March the fourteenth", "April the twenty third"),
        ("the 14th of March", "the 23rd of April"),
        ("March thirty first twenty oh eight", "May tenth two thousand eight"),
        ("March of ninety eight", "April of ninety eight"),
        ("03/14/\n2024", "04/23/\n2024"),
        ("03 14 1971", "04 23 1971"),
        ("Christmas, December 25, 2023", "Valentine's Day, February 3, 2024"),
        ("Easter Sunday 31 March", "Memorial Day 10 May"),
        ("New Year's Day 1/1/24", "Valentine's Day 2/10/24"),
        ("Thanksgiving Thursday 11/23/2023", "New Year's Day Tuesday 01/02/2024"),
        ("July 4th, 2024", "August 13th, 2024"),
        ("14 March 2024 - 16 March 2024", "23 April 2024 - 25 April 2024"),
        ("Mar 14 - Mar 16", "Apr 23 - Apr 25"),
        ("March 14, 15, and 16", "April 23, 24, and 25"),
        ("3/14/202410:15", "4/23/202410:15"),
    ],
)
def test_every_atom_of_a_mention_moves(text, expected):
    """Stamps, weeks, days of a year, Roman months, and what stands beside a date."""
    assert expected == rewrite(CALENDAR, text, US)


@pytest.mark.parametrize(
    ("text", "part", "expected"),
    [
        ("March 14 through 20, 2024", (17, 25), "29, 2024"),
        ("13. bis zum 24.10.2023", (0, 3), "22.11"),
        ("3/14 thru 3/20/2019", (0, 4), "4/23"),
    ],
)
def test_a_mention_borrows_from_its_neighbours(text, part, expected):
    """What of a range stands in one mention is written by what the whole says."""
    written = custom("dmy", "de") if "bis" in text else US
    assert expected == rewrite(CALENDAR, text, written, part)


@pytest.mark.parametrize(
    "text",
    [
        "March 14x",
        "3/14/24 or so",
        "3/14/24 №7",
        "a" * 300,
        "3/14 " * 60,
        "three fourteen twenty four",
        "six eleven nineteen fifty seven",
        "third day of the ninth month of nineteen eighty",
        "the ninth month, day 23, year seventy-four",
        "day 23 of month 9, 1974",
        "23 del mes 9 de 1974",
        "am 3. des 9. Monats 1974",
    ],
)
def test_what_is_not_read_is_refused(text):
    """Letters and digits that are no part of a date leave nothing of the mention."""
    with pytest.raises(UnreadableDateError):
        rewrite(CALENDAR, text, US)


@pytest.mark.parametrize("text", ["Christmas", "MEMORIAL DAY", "Epiphany", "Labor Day"])
def test_holidays_become_others(text):
    """A holiday becomes the well-known one nearest to its moved day, never itself."""
    assert text.lower() != rewrite(Calendar(2), text, US).lower()


@pytest.mark.parametrize(("order", "expected"), [("mdy", "4/13/23"), ("dmy", "13/5/23")])
def test_order_reads_what_the_text_does_not_tell(order, expected):
    """3/4/23 is 4 March or 3 April by option."""
    assert expected == rewrite(CALENDAR, "3/4/23", custom(order))


@pytest.mark.parametrize("text", ["3.", "3", "12."])
def test_a_small_number_alone_is_a_day(text):
    """As in German ranges ("3. bis 9. Mai"): another day in the same form, never a year."""
    moved = rewrite(Calendar(40, date(2024, 11, 6)), text, custom("dmy"))
    assert text.endswith(".") is moved.endswith(".")
    assert 1 <= int(moved.rstrip(".")) <= 31


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("14. März 2023", "23. April 2023"),
        ("14. Mrz 2023", "23. Apr 2023"),
        ("4. Februar 2023", "16. März 2023"),
        ("Mo., 14.03.", "Sa., 23.04."),
        ("Montag, den 14. März", "Samstag, den 23. April"),
        ("Montags", "Samstags"),
        ("3.5.-9.5.2023", "12.6.-18.6.2023"),
        ("vom 3. bis 9. Mai 2023", "vom 12. bis 18. Juni 2023"),
        ("3./4. Mai", "12./13. Juni"),
        ("14.03.2023 um 10 Uhr", "23.04.2023 um 10 Uhr"),
        ("14.03.2023 10.30 Uhr", "23.04.2023 10.30 Uhr"),
        ("KW 11/2023", "KW 17/2023"),
        ("3. Quartal 2019", "3. Quartal 2019"),
        ("Frühjahr 2019", "Frühjahr 2019"),
        ("90er Jahre", "90er Jahre"),
        ("Ostern 2023", "Pfingsten 2023"),
    ],
)
def test_german(text, expected):
    """German months, weekdays, weeks, ranges and holidays come back as they were written."""
    assert expected == rewrite(CALENDAR, text, custom("dmy", "de"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("14 de marzo de 2023", "23 de abril de 2023"),
        ("14 de marzo del 2023", "23 de abril del 2023"),
        ("14/mar/2023", "23/abr/2023"),
        ("14-mar-23", "23-abr-23"),
        ("1º de marzo de 2023", "10 de abril de 2023"),
        ("lunes, 14 de marzo", "sábado, 23 de abril"),
        ("mar 14/03/2023", "dom 23/04/2023"),
        ("lunes y viernes", "sábado y miércoles"),
        ("del 3 al 5 de marzo de 2023", "del 12 al 14 de abril de 2023"),
        ("entre el 30 y el 31 de marzo", "entre el 9 y el 10 de mayo"),
        ("ene-feb 2020", "feb-mar 2020"),
        ("verano de 2019", "verano de 2019"),
        ("14/03/2023 a las 10:00 h", "23/04/2023 a las 10:00 h"),
        ("3T 2019", "3T 2019"),
        ("años 90", "años 90"),
        ("Navidad", "Carnaval"),
    ],
)
def test_spanish(text, expected):
    """So do Spanish ones; "mar" is March or a Tuesday by what stands beside it."""
    assert expected == rewrite(CALENDAR, text, custom("dmy", "es"))


def test_accents_are_written_where_the_text_may_have_some():
    """A text of ASCII alone gets none: its charset may have no place for them."""
    plain = custom("dmy", "es", accents=False), custom("dmy", "de", accents=False)
    assert "sabado 24" == rewrite(CALENDAR, "lunes 14", plain[0])
    assert "16. Maerz 2023" == rewrite(CALENDAR, "4. Februar 2023", plain[1])


@pytest.mark.parametrize(
    ("shift", "text", "expected"),
    [
        (28, "March 3-5", "March 31-April 2"),
        (2, "28-30 Jan", "30 Jan-1 Feb"),
        (17, "3/14-16", "3/31-4/2"),
        (27, "3.-6. Mai", "30. Mai-2. Juni"),
        (2, "Dec 28-30, 2022", "Dec 30-Jan 1, 2023"),
    ],
)
def test_ranges_that_cross_a_month_name_it(shift, text, expected):
    """A day without its own month gets one where it no longer is its neighbour's."""
    assert expected == rewrite(Calendar(shift, date(2022, 12, 1)), text, US)


@pytest.mark.parametrize("text", ["29 Feb", "Feb 29", "2/29", "29. Februar", "29 de febrero"])
@pytest.mark.parametrize("now", [date(2023, 3, 1), date(2026, 7, 1), date(1999, 1, 1)])
def test_leap_days_without_a_year_are_of_a_leap_year(text, now):
    """29 February moves to a day there is, whatever year the message is of."""
    moved = rewrite(Calendar(1, now), text, US)
    assert fold(moved) != fold(text)
    assert "1" in moved


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Dec 30 - Jan 2, 2023", "Feb 8 - Feb 11, 2023"),
        ("12-14 Jan", "21-23 Feb"),
        ("3/14-3/17/23", "4/23-4/26/23"),
        ("March 14, 15 and 17, 2023", "April 23, 24 and 26, 2023"),
        ("winter 2019-20", "winter 2019-20"),
        ("2019/2020", "2019/2020"),
        ("3rd week of March", "3rd week of April"),
        ("2023-W11-2", "2023-W16-7"),
        ("MWF", "MWSa"),
        ("2023-03-14T10:00:00Z to 2023-03-15T10:00:00Z",
         "2023-04-23T10:00:00Z to 2023-04-24T10:00:00Z"),
        ("Tue Mar 14 10:30:00 EST 2023", "Sun Apr 23 10:30:00 EST 2023"),
        ("14MAR2023:10:30", "23APR2023:10:30"),
    ],
)  # fmt: skip
def test_ranges_lists_and_stamps(text, expected):
    """Days of ranges and lists move together; times of day and zones stay."""
    assert expected == rewrite(CALENDAR, text, US)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("3/14/23", "2023"), ("March 14th, 2019", "2019"), ("'08", "2008"), ("3/14", "2025"),
     ("Tuesday", "2024"), ("2019-2021", "2019-2021"), ("1990s", "1990s")],
)  # fmt: skip
def test_generalised_to_the_year(text, expected):
    """Without a shift only years are left, the likely one where none is written."""
    assert expected == rewrite(Calendar(None, date(2024, 11, 6)), text, US)


@pytest.mark.parametrize("text", ["garbage", "the unknownth", "13/32/2020", "120/80/4000x", ""])
def test_unreadable(text):
    """What is in no known layout is an error, never passed through."""
    with pytest.raises(UnreadableDateError):
        rewrite(CALENDAR, text, US)


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
    actual = rewrite(calendar, layout.format(day), US)

    assert [p.lstrip("0") for p in expected.split("/")] == [
        p.lstrip("0") for p in actual.split("/")
    ]


@given(st.text(max_size=30))
def test_any_text_is_read_or_refused(text):
    """No text makes it fail in another way."""
    with suppress(UnreadableDateError):
        rewrite(CALENDAR, text, US)


@given(st.integers(1900, 2099))
def test_years_in_words(number):
    """A year written in words reads back."""
    for thousand in (False, True):
        words = ENGLISH.year(number, like="thousand" if thousand else "")
        value = ENGLISH.value(words.replace("hundred", "00").split())
        assert value == number or number % 100 == 0


@given(st.integers(1, 31))
def test_days_in_words(number):
    """Ordinals end as their cardinals begin."""
    assert ENGLISH.cardinal(number).split()[:-1] == ENGLISH.ordinal(number).split()[:-1]


@pytest.mark.parametrize(
    ("text", "day"),
    [("1929", date(1929, 1, 1)), ("March 1929", date(1929, 3, 1)), ("3/4/29", date(2029, 3, 4))],
)
def test_the_days_of_a_mention(text, day):
    """Missing parts are the first; what cannot be read gives none."""
    assert days_of(CALENDAR, text, US) == {day}
    assert days_of(CALENDAR, "soon", US) == frozenset()
