"""How far mentions of dates reach: weekdays, times of day, zones, neighbours of a range."""

from __future__ import annotations

import pytest

from adapter.surrogates.dates.extent import ZONE, reach, runs
from adapter.types import Label, Span
from tests.wording import WORDS, custom


def spans(marked):
    """Text and spans of "seen [3/14/24] by {Lee}": dates in brackets, names in braces."""
    text, found, opened = "", [], 0
    for character in marked:
        if character in "[{":
            opened = len(text)
        elif character in "]}":
            label = Label.DATE if character == "]" else Label.DOCTOR
            found.append(Span(opened, len(text), label, "x"))
        else:
            text += character
    return text, tuple(found)


def reached(marked, language="en", *, years=False, offsets="normalise"):
    """The texts of the spans as far as they reach."""
    text, found = spans(marked)
    return [
        text[s.start : s.end]
        for s in reach(text, found, custom("mdy", language), years=years, offsets=offsets)
    ]


@pytest.mark.parametrize(
    ("marked", "language", "expected"),
    [
        ("el martes, [14 de marzo]", "es", ["martes", "14 de marzo"]),
        ("am Dienstag, den [14. März]", "de", ["Dienstag", "14. März"]),
        ("Di., [14.03.]", "de", ["Di., 14.03."]),
        ("seen Tuesday the [14th]", "en", ["Tuesday the 14th"]),
        ("vuelve el martes", "es", ["martes"]),
        ("kommt am Dienstag wieder", "de", ["Dienstag"]),
        ("[3/14/24] 10:15 EDT", "en", ["3/14/24", "EDT"]),
        ("{Domingo} vive", "es", ["Domingo"]),
        ("Navidad, [25 de diciembre]", "es", ["Navidad", "25 de diciembre"]),
        ("[25.12.2023] (Weihnachten)", "de", ["25.12.2023", "Weihnachten"]),
        ("[25.12.2023] (Christtag, Nikolaus)", "de", ["25.12.2023"]),
        ("[06.12.2023] (Nikolaus)", "de", ["06.12.2023 (Nikolaus"]),
        ("im Winter [2023]", "de", ["Winter 2023"]),
        ("[Mother's Day] 5/12 seen", "en", ["Mother's Day 5/12"]),
        ("ingresa en Nochebuena", "es", ["Nochebuena"]),
        ("del 14 al [20 de marzo]", "es", ["14 al 20 de marzo"]),
        ("gave 14 and [3/20]", "en", ["3/20"]),
    ],
)
def test_weekdays_and_zones(marked, language, expected):
    """A weekday moves with the date behind it, and alone where rules do not mark it."""
    assert expected == reached(marked, language)


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        ("[2024-03-14]T10:15:00-0400 x", ["2024-03-14T10:15:00-0400"]),
        ("[3/14/2024]10:15:00 x", ["3/14/202410:15:00"]),
        ("[3/14/24] at 3pm EST x", ["3/14/24 at 3pm EST"]),
        ("[3-14-2024] 0915 x", ["3-14-2024 0915"]),
        ("10:15 EDT on [Tuesday] x", ["10:15 EDT on Tuesday"]),
        ("[3/14/2024] 1200 mL", ["3/14/2024"]),
        ("[14.03.2024], 10:15 Uhr x", ["14.03.2024, 10:15 Uhr"]),
        ("[3/14/24] 10:{15}", ["3/14/24", "15"]),
        ("BP 120/80 [3/14/24] stable", ["3/14/24"]),
    ],
)
def test_times_of_day_go_where_only_years_stay(marked, expected):
    """A time of day beside a date is part of it then; a volume is none, others' spans stay."""
    assert expected == reached(marked, years=True, offsets="drop")


def test_nothing_is_added_where_offsets_stay():
    """Zones and lone weekdays are added only where they are rewritten."""
    assert ["3/14/24"] == reached("[3/14/24] 10:15 EDT", offsets="keep")


def test_added_spans_say_what_they_are():
    """A zone is a span of its own source, beside the dates in the text's order."""
    text, found = spans("at 10:15 EDT on [Tuesday]")
    assert [ZONE, "x"] == [
        s.source for s in reach(text, found, custom(), years=False, offsets="normalise")
    ]


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        ("[March 14] through [20, 2024]", [0, 0]),
        ("vom [13.] bis zum [24.10.2023]", [4, 4]),
        ("[3] y [5 de mayo]", [0, 0]),
        ("[3/14] labs and [3/20]", []),
        ("[3/14] {Lee} [3/20]", []),
    ],
)
def test_mentions_of_one_range(marked, expected):
    """Mentions with only a word or mark of a range between them are read together."""
    text, found = spans(marked)
    told = runs(text, found, WORDS)
    assert expected == [told[s.start][0] for s in found if s.start in told]


def test_runs_are_bounded():
    """A list without end is read in pieces, so that its cost stays linear."""
    text, found = spans(", ".join(["[3/14/2024]"] * 400))
    assert max(end - start for start, end in runs(text, found, WORDS).values()) <= 200
