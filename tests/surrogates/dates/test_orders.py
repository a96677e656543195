"""Order of day and month: a known date, the text's other dates, dots, and the usual order."""

from __future__ import annotations

from datetime import date

import pytest

from adapter.surrogates.dates.orders import known_days, order_of, votes
from adapter.types import Entity, Extraction, Label, Span, TextSegment

KNOWN = known_days([date(1976, 4, 5), date(2024, 3, 1)])


def order(mention, text="", usual="mdy", known=KNOWN):
    """The order of a mention in a text."""
    return order_of(mention, votes(f"{mention} {text}", known), known, usual)


@pytest.mark.parametrize(
    "mention",
    [
        *("05/04/1976", "5-4-76", "05.04.1976", "01/03/2024", "05 - 04 - 1976", "5/4/'76"),
        *("5. 4. 1976", "05 04 1976", "5 \u2013 4 \u2013 1976", "01-03-2024 - 02-03-2024"),
    ],
)
def test_a_known_date_decides_its_own_order(mention):
    """A date that is known in one reading only is read so, whatever the default."""
    assert order(mention) == "dmy"


def test_a_known_date_with_the_month_first_stays_so_with_dots():
    """An American birth date with dots is still recognised."""
    assert order("04.05.1976", usual="dmy") == "mdy"


def test_a_known_date_decides_for_the_text():
    """Other dates of the text are read like the one that is known."""
    assert order("02/03/2020", "born 05/04/1976") == "dmy"
    assert order("02/03/2020", "born 04/05/1976", usual="dmy") == "mdy"


def test_dates_with_dots_have_the_day_first():
    """Dots are German or Swiss, unless the text's other dates with dots say otherwise."""
    assert order("02.03.2020") == "dmy"
    assert order("02.03.2020", "seen 02/14/2020") == "dmy"
    assert order("02.03.2020", "seen 02.14.2020") == "mdy"


def test_dates_of_one_reading_decide_for_the_text():
    """A day above 12 shows the order of the text's other dates."""
    assert order("02/03/2020", "seen 14/02/2020") == "dmy"
    assert order("02/03/2020", "seen 02/14/2020", usual="dmy") == "mdy"


@pytest.mark.parametrize("beside", ["05.59.69.12.77", "10-44-7118", "06/42/19"])
def test_telephones_and_numbers_decide_nothing(beside):
    """A part of a longer number, or one that is no day of a month, is no date."""
    assert order("05/05/2025", beside, usual="dmy") == "dmy"


@pytest.mark.parametrize("usual", ["dmy", "mdy"])
def test_otherwise_the_usual_order_counts(usual):
    """A date that nothing explains, or that is known in both readings, has the usual order."""
    assert order("02/03/2020", usual=usual) == usual
    assert order("04/04/1976", usual=usual) == usual


@pytest.mark.parametrize(
    ("country", "home", "expected"),
    [
        ("DEU", None, "dmy"), ("GBR", "USA", "dmy"), ("USA", "GBR", "mdy"), (None, "GBR", "dmy"),
        (None, "United Kingdom", "dmy"), ("CAN", None, "mdy"), ("UNK", None, "mdy"),
    ],
)  # fmt: skip
def test_the_country_decides_before_the_default(surrogates, country, home, expected):
    """MSH-17, else the patient's country, decides in a text whose language does not."""
    parts = (("country", home),) if home else ()
    patient = Entity("patient", "patient", Label.PATIENT, "id:1", parts)
    extraction = Extraction((patient,), (), {}, "id:1", "20240601", country=country)
    renderer = surrogates.renderer(extraction, frozenset())
    day, month = (3, 1) if expected == "dmy" else (1, 3)
    field = TextSegment("F", "F", "DT", f"2020{month:02d}{day:02d}")
    text = TextSegment("OBX-5", "OBX-5", "TX", "03/01/2020")
    shifted = renderer.render(field.text, Span(0, 8, Label.DATE, "field"), field)
    written = renderer.render(text.text, Span(0, 10, Label.DATE, "x"), text)
    year, month, day = shifted[:4], shifted[4:6], shifted[6:]
    assert written == (f"{day}/{month}/{year}" if expected == "dmy" else f"{month}/{day}/{year}")


def test_a_surrogate_with_dots_is_a_date_too(surrogates):
    """The day of a surrogate comes first where that of the original does."""
    for number in range(40):
        extraction = Extraction((), (), {}, f"id:{number}", "20240601")
        text = TextSegment("OBX-5", "OBX-5", "TX", "geb. 5.4.1976")
        renderer = surrogates.renderer(extraction, frozenset())
        new = renderer.render("5.4.1976", Span(5, 13, Label.DATE, "x"), text)
        day, month, year = map(int, new.split("."))
        assert date(year, month, day)
