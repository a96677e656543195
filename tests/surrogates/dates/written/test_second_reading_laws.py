"""Laws of mentions of dates: whatever stands together in one, no true day is left in it."""

from __future__ import annotations

import re
from datetime import date, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapter.normalize.folding import fold
from adapter.surrogates.dates.shift import Calendar
from adapter.surrogates.dates.written.completion import complete
from adapter.surrogates.dates.written.layouts import WrittenDate, written_dates
from adapter.surrogates.dates.written.text import rewrite
from adapter.surrogates.dates.written.tokens import ROMAN, UnreadableDateError, tokens
from tests.wording import WORDS, custom

ENGLISH = WORDS.counting("en")
NOW = date(2024, 6, 1)
SHIFTS = st.integers(-365, 365).filter(bool)
DAYS = st.dates(date(1935, 1, 2), date(2029, 12, 31))


def month(code, day):
    """The name of a day's month."""
    return WORDS.calendars[code].months.names[day.month - 1]


def weekday(code, day):
    """The name of a day of the week."""
    return WORDS.calendars[code].weekdays.names[day.weekday()]


LAYOUTS = {
    "en": (
        lambda d: f"{d.month}/{d.day}/{d.year}",
        lambda d: f"{d:%m-%d-%Y}",
        lambda d: f"{d:%Y-%m-%d}",
        lambda d: f"{d:%Y_%m_%d}",
        lambda d: f"{d:%Y%m%d}",
        lambda d: f"{d:%Y%m%dT101500Z}",
        lambda d: f"{d:%Y}-{d:%j}",
        lambda d: f"day {d.timetuple().tm_yday} of {d.year}",
        lambda d: f"{d:%G-W%V-%u}",
        lambda d: f"{d.day}.{ROMAN[d.month - 1].upper()}.{d.year}",
        lambda d: f"{d:%d%b%Y}".upper(),
        lambda d: f"{month('en', d)} {d.day}, {d.year}",
        lambda d: f"{weekday('en', d)}, {month('en', d)} {d.day}, {d.year}",
        lambda d: f"{d.day} {month('en', d)} {d.year}",
        lambda d: f"{month('en', d)} the {ENGLISH.ordinal(d.day)} {ENGLISH.year(d.year)}",
        lambda d: f"{d:%m/%d/}\n{d.year}",
        lambda d: f"{d:%m/%d/%Y} 10:15",
        lambda d: f"{d:%m/%d/%Y}10:15",
    ),
    "es": (
        lambda d: f"{d:%d/%m/%Y}",
        lambda d: f"{d.day} de {month('es', d)} de {d.year}",
        lambda d: f"{weekday('es', d)}, {d.day} de {month('es', d)} de {d.year}",
        lambda d: f"{d.day}-{ROMAN[d.month - 1].upper()}-{d.year}",
        lambda d: f"dia {d.timetuple().tm_yday} de {d.year}",
    ),
    "de": (
        lambda d: f"{d:%d.%m.%Y}",
        lambda d: f"{d.day}. {month('de', d)} {d.year}",
        lambda d: f"{weekday('de', d)}, den {d.day}. {month('de', d)} {d.year}",
        lambda d: f"Tag {d.timetuple().tm_yday} des Jahres {d.year}",
    ),
}  # fmt: skip
JOINTS = {
    "en": (" - ", " to ", " thru ", " through ", " until ", " and ", ", "),
    "es": (" - ", " al ", " hasta ", " y "), "de": (" - ", " bis ", " und "),
}  # fmt: skip
CUSTOMS = {"en": custom("mdy", "en"), "es": custom("dmy", "es"), "de": custom("dmy", "de")}
FORMS = st.sampled_from([(code, form) for code, forms in LAYOUTS.items() for form in forms])
SIDES = st.sampled_from(
    ["{holiday}, {day}", "{holiday} {day}", "{day}, {holiday}", "{day} ({holiday})"]
)


def read(text, custom, now=NOW):
    """Every day that a mention names, as its parser reads it."""
    folded = fold(text)
    found = tokens(folded, WORDS, custom.language)
    atoms = [WrittenDate(a.slots) for a in written_dates(found, folded, custom.order, WORDS)]
    complete(atoms, Calendar(0, now))
    found = [(a.year, a.month, a.day) for a in atoms if "day" in a.slots]
    for atom in atoms:
        if "yearday" in atom.slots:
            new = date(atom.year, 1, 1) + timedelta(atom.slots["yearday"].value - 1)
            found.append((new.year, new.month, new.day))
    return found


def rendered(text, shift, custom):
    """The surrogate of a mention; a mention that is refused is none."""
    try:
        return rewrite(Calendar(shift, NOW), text, custom)
    except UnreadableDateError:
        return "[date]"


def parts(day):
    """Year, month and day."""
    return day.year, day.month, day.day


@st.composite
def mentions(draw):
    """A mention of one day, or of a range, with or without a holiday beside it."""
    code, form = draw(FORMS)
    day = draw(DAYS)
    text, days = form(day), [day]
    if draw(st.booleans()):
        last = day + timedelta(draw(st.integers(1, 40)))
        text, days = f"{text}{draw(st.sampled_from(JOINTS[code]))}{form(last)}", [day, last]
    if draw(st.booleans()):
        holiday = draw(st.sampled_from(sorted(WORDS.calendars[code].holidays)))
        text = draw(SIDES).format(holiday=holiday.title(), day=text)
    return code, text, days


def shows_no_true_day(mention, shift):
    """Every day reads as the true one moved, or the mention is gone."""
    code, text, days = mention
    new = rendered(text, shift, CUSTOMS[code])
    if new == "[date]":
        return
    expected = [parts(day + timedelta(shift)) for day in days]
    found = read(new, CUSTOMS[code])
    assert not [day for day in found if day not in expected], "a day that no shift explains"
    assert "\n" in text or len(found) == len(read(text, CUSTOMS[code]))


@given(mentions(), SHIFTS)
def test_no_true_day_stays_in_a_mention(mention, shift):
    """Layouts, ranges and holidays in three languages: what is left reads as moved days only."""
    shows_no_true_day(mention, shift)


@pytest.mark.slow
@settings(max_examples=3000, deadline=None)
@given(mentions(), SHIFTS)
def test_no_true_day_stays_in_many_mentions(mention, shift):
    """The same over thousands of mentions."""
    shows_no_true_day(mention, shift)


@given(FORMS, DAYS, SHIFTS)
def test_single_dates_are_never_refused(form, day, shift):
    """A date alone in a known layout has a surrogate, which reads as the day moved."""
    code, layout = form
    new = rendered(layout(day), shift, CUSTOMS[code])
    moved = day + timedelta(shift)
    if re.search("W[0-9]{2}", new):
        assert f"{moved:%G-W%V-%u}" == new
    else:
        assert [parts(moved)] == read(new, CUSTOMS[code])


def is_years_only(mention):
    """What stays of a mention is its years, however many."""
    code, text, days = mention
    new = rendered(text, None, CUSTOMS[code])
    assert re.fullmatch(r"\[date\]|[0-9]{4}s?(?:-[0-9]{4}s?)*", new)
    if new != "[date]":
        assert {day.year for day in days} <= set(map(int, re.findall("[0-9]{4}", new)))


@given(mentions())
def test_nothing_but_years_stays_where_only_years_may(mention):
    """Under years only a mention is one year or several: no time, weekday, week or holiday."""
    is_years_only(mention)


@pytest.mark.slow
@settings(max_examples=3000, deadline=None)
@given(mentions())
def test_nothing_but_years_stays_of_many_mentions(mention):
    """The same over thousands of mentions."""
    is_years_only(mention)
