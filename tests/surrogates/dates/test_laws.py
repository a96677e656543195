"""Laws of the dates of one subject: distances, times of day and layouts stay, whatever they are."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from adapter.surrogates import SurrogateOptions, compile_surrogates
from adapter.surrogates.dates.shift import parsed
from adapter.types import Entity, Extraction, Label, Span, TextSegment
from tests.wording import WORDS

DAYS = st.dates(date(1935, 1, 2), date(2029, 12, 31))
SUBJECTS = st.integers(1, 10**9).map("id:{}".format)


def _months(code):
    return WORDS.calendars[code].months.names


def _days(code):
    return WORDS.calendars[code].weekdays.names


FIELDS = {
    "DT": lambda d: f"{d:%Y%m%d}",
    "TS.1": lambda d: f"{d:%Y%m%d%H%M%S}.123+0100",
    "date": lambda d: f"{d:%Y-%m-%d}",
    "instant": lambda d: f"{d:%Y-%m-%dT%H:%M:%S}.120Z",
}
TEXTS = {
    "en": (
        lambda d: f"{d:%m/%d/%Y}",
        lambda d: f"{d:%m-%d-%Y}",
        lambda d: f"{d:%m%d%Y}",
        lambda d: f"{d:%m/%d/%Y} {d:%H:%M}",
        lambda d: f"{d:%d-%b-%Y}".upper(),
        lambda d: f"{d:%d%b%Y}",
        lambda d: f"{d:%B} {d.day}, {d.year}",
        lambda d: f"{d:%A}, {d:%B} {d.day}, {d.year}",
        lambda d: f"{d:%a} {d:%m/%d/%Y}",
        lambda d: f"{d.day} {d:%B} {d.year}",
        lambda d: f"{d:%Y-%m-%dT%H:%M:%S}Z",
        lambda d: f"{d:%G-W%V-%u}",
        lambda d: f"{d:%Y%m%d}",
    ),
    "es": (
        lambda d: f"{d:%d/%m/%Y}",
        lambda d: f"{d.day} de {_months('es')[d.month - 1]} de {d.year}",
        lambda d: f"{_days('es')[d.weekday()]}, {d.day} de {_months('es')[d.month - 1]}, {d.year}",
        lambda d: f"{d:%d%m%Y}",
    ),
    "de": (
        lambda d: f"{d:%d.%m.%Y}",
        lambda d: f"{d.day}. {_months('de')[d.month - 1]} {d.year}",
        lambda d: f"{_days('de')[d.weekday()][:2]}., {d:%d.%m.%Y}",
        lambda d: f"{d:%d.%m.%Y}, {d:%H:%M} Uhr",
    ),
}  # fmt: skip
LAYOUTS = st.tuples(
    st.sampled_from(list(FIELDS)),
    st.sampled_from([(code, form) for code, forms in TEXTS.items() for form in forms]),
)


class Story:
    """The surrogates of one message of a subject."""

    def __init__(self, surrogates, subject, language="en", now="20240601"):
        entity = Entity("patient", "patient", Label.PATIENT, subject)
        extraction = Extraction((entity,), (), {}, subject, now)
        order = "mdy" if language == "en" else "dmy"
        self.renderer = surrogates.renderer(extraction, frozenset(), order, language)

    def text(self, text):
        """The surrogate of a mention in free text that has accents."""
        segment = TextSegment("OBX-5", "OBX-5", "TX", f"{text} é")
        return self.renderer.render(text, Span(0, len(text), Label.DATE, "x"), segment)

    def field(self, text, datatype):
        """The surrogate of a field."""
        segment = TextSegment("F", "F", datatype, text)
        return self.renderer.render(text, Span(0, len(text), Label.DATE, "field"), segment)


def bare(text):
    """The text with numbers without their leading zeros, which a layout may or may not have."""
    return re.sub(r"\b0(?=\d\b)", "", text)


def moment(day, clock):
    """A day with a time of day."""
    return datetime(day.year, day.month, day.day, clock // 60, clock % 60)  # noqa: DTZ001


@given(SUBJECTS, st.tuples(DAYS, DAYS), st.integers(0, 1439), LAYOUTS)
def test_distance_and_time_of_day_stay_over_layouts(surrogates, subject, days, clock, layouts):
    """A field and a mention of two days keep the days between them, and their layouts whole."""
    (one, other), (datatype, (language, layout)) = days, layouts
    story = Story(surrogates, subject, language)
    field = story.field(FIELDS[datatype](moment(one, clock)), datatype)
    shift = parsed(field) - one
    assert shift
    assert field == FIELDS[datatype](moment(one + shift, clock)).replace("+0100", "+0000")
    assert bare(story.text(layout(moment(other, clock)))) == bare(
        layout(moment(other + shift, clock))
    )


@given(SUBJECTS, DAYS, st.integers(1, 25))
def test_distance_stays_within_a_range(surrogates, subject, first, length):
    """Both ends of a range move by the same days."""
    story, last = Story(surrogates, subject), first + timedelta(length)
    shift = parsed(story.field("20240101", "DT")) - date(2024, 1, 1)
    text = story.text(f"{first:%m/%d/%Y} - {last:%m/%d/%Y}")
    assert text == f"{first + shift:%m/%d/%Y} - {last + shift:%m/%d/%Y}"


@given(SUBJECTS, DAYS, DAYS)
def test_coarse_dates_keep_their_distance(surrogates, subject, one, other):
    """Months of a subject keep the months between them, years the years."""
    story = Story(surrogates, subject)
    years = [int(story.field(f"{d:%Y}", "DT")) for d in (one, other)]
    months = [story.field(f"{d:%Y-%m}", "date") for d in (one, other)]
    numbers = [int(m[:4]) * 12 + int(m[5:]) for m in months]
    assert other.year - one.year == years[1] - years[0]
    assert (other.year - one.year) * 12 + other.month - one.month == numbers[1] - numbers[0]


@given(SUBJECTS, st.integers(1, 9), st.sampled_from(["both", "earlier", "later"]))
def test_never_the_identity(tables, key, subject, weeks, direction):
    """No subject's dates stay where they are; a shift of whole weeks keeps weekdays."""
    options = SurrogateOptions(min_days=1, max_days=7 * weeks, multiple=7, direction=direction)
    story = Story(compile_surrogates(tables, WORDS, key, options), subject)
    days = (parsed(story.field("20240101", "DT")) - date(2024, 1, 1)).days
    assert days
    assert days % 7 == 0
    assert {"earlier": days < 0, "later": days > 0, "both": True}[direction]
    assert "Monday" == story.text("Monday")
    assert "MWF" == story.text("MWF")


@given(SUBJECTS, st.sampled_from(["20200110", "20240601", "20251231"]))
def test_the_shift_is_the_subjects_in_every_message(surrogates, subject, now):
    """The date of the message, its language and what came before change nothing."""
    fresh, other = Story(surrogates, subject), Story(surrogates, subject, "de", now)
    other.text("Tuesday")
    assert fresh.field("20230314", "DT") == other.field("20230314", "DT")


@given(SUBJECTS, st.integers(1996, 2028).filter(lambda y: y % 4 == 0))
def test_leap_days(surrogates, subject, year):
    """29 February moves to a real day, the same one in field and text."""
    story = Story(surrogates, subject)
    day = parsed(story.field(f"{year}0229", "DT"))
    assert f"{day:%m/%d/%Y}" == story.text(f"02/29/{year}")
    assert story.field(f"{year}-02-29", "date") == f"{day:%Y-%m-%d}"


@pytest.mark.parametrize("age", [0, 3, 29])
@given(SUBJECTS, DAYS)
def test_newborns_stay_as_old(surrogates, age, subject, born):
    """Birth date and day of the message move together: an age in days stays true."""
    assume(born.year > 1940)
    now = born + timedelta(age)
    entity = Entity("patient", "patient", Label.PATIENT, subject,
                    (("birthdate", f"{born:%Y%m%d}"),))  # fmt: skip
    renderer = surrogates.renderer(
        Extraction((entity,), (), {}, subject, f"{now:%Y%m%d}"), frozenset()
    )
    days = [
        parsed(renderer.render(f"{d:%Y%m%d}", Span(0, 8, Label.DATE, "field", entity="patient")))
        for d in (born, now)
    ]
    said = renderer.render(f"{age} days old", Span(0, 11, Label.AGE, "x"))
    assert (f"{age} days old", age) == (said, (days[1] - days[0]).days)
