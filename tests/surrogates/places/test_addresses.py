"""Places that agree with each other."""

from __future__ import annotations

import re

import pytest

from adapter.surrogates import SurrogateOptions, Surrogates, compile_surrogates
from adapter.types import Label, Span, TextSegment
from tests.wording import WORDS


@pytest.fixture
def rows(tables):
    """City -> rows of (state, ZIP3) of the table."""
    found = {}
    for line in tables["us-city"]:
        city, state, area = line.split("\t")
        found.setdefault(city, set()).add((state, area))
    return found


def test_address_of_a_patient_agrees(render, rows):
    """City, state and ZIP of one entity are one row."""
    city = render("Two Harbors", Label.CITY, "patient")
    state = render("MN", Label.STATE, "patient")
    area = render("55616-1234", Label.ZIP, "patient")

    assert re.fullmatch(r"\d{5}-\d{4}", area)
    assert (state, area[:3]) in rows[city]


def test_state_names_agree_with_codes(render, tables):
    """The name of a state is that of the abbreviation."""
    pair = f"{render('MN', Label.STATE)}\t{render('Minnesota', Label.STATE)}"

    assert pair in tables["us-state"]


def test_neighbours_in_text_agree(surrogates: Surrogates, extraction, rows):
    """A state and ZIP behind a city that no field names follow that city."""
    renderer = surrogates.renderer(extraction, frozenset())
    segment = TextSegment("OBX-5", "OBX-5", "TX", "lives in Bayfield, WI 54814 now")

    def run(text, label):
        start = segment.text.index(text)
        return renderer.render(text, Span(start, start + len(text), label, "x"), segment)

    city, state, area = (
        run("Bayfield", Label.CITY), run("WI", Label.STATE), run("54814", Label.ZIP),
    )  # fmt: skip

    assert (state, area[:3]) in rows[city]


def test_whole_address(render, rows):
    """An address in one text is replaced piece by piece, as its parts are alone."""
    text = "12 Autumn Hill Rd Apt 4B, Two Harbors, MN 55616, USA"
    line, city, area, country = render(text, Label.STREET).split(", ")

    assert render("12 Autumn Hill Rd Apt 4B", Label.STREET) == line
    assert render("Two Harbors", Label.CITY) == city
    assert (area[:2], area[3:6]) in rows[city]
    assert "USA" == country


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("12 Autumn Hill Rd Apt 4B", r"[1-9]\d [A-Z][a-z]+ Rd Apt \d[A-Z]"),
        ("3307 PINE GROVE ROAD", r"\d{4} [A-Z]+ ROAD"),
        ("P.O. Box 1117", r"P\.O\. Box \d{4}"),
        ("Hwy 12", r"Hwy \d\d"),
        ("N. 14th St", r"N\. \d\d(st|nd|rd|th) St"),
        ("Ross Alley", r"[A-Z][a-z]+ Alley"),
        ("Stockton", r"[A-Z][a-z]+"),
        ("2600 Oakland\nAve", r"\d{4} [A-Z][a-z]+\nAve"),
    ],
)
def test_streets_keep_their_kind(render, text, shape):
    """Kind, unit and direction stay; numbers and names do not."""
    surrogate = render(text, Label.STREET)

    assert re.fullmatch(shape, surrogate)
    assert text != surrogate


def test_zip3(tables, key, extraction):
    """The Safe Harbor option leaves three digits, and of restricted areas none."""
    options = SurrogateOptions(dates="year", zip="zip3", places="state")
    renderer = compile_surrogates(tables, WORDS, key, options).renderer(extraction, frozenset())
    texts = ("55416", "55416-1234", "55616", "03601", "20301", "SE5 9NR")
    *areas, british = (renderer.render(t, Span(0, len(t), Label.ZIP, "field")) for t in texts)

    assert ["55400", "55400", "00000", "00000", "00000"] == areas
    assert re.fullmatch(r"[A-Z]{2}\d \d[A-Z]{2}", british)
    assert "SE5 9NR" != british
    assert "MN" == renderer.render("MN", Span(0, 2, Label.STATE, "field"))
    assert "12 Zzz" != renderer.render("12 Zzz", Span(0, 6, Label.STATE, "field"))


LIMITED = SurrogateOptions(dates="keep", zip="keep", ages="keep", places="town")


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Two Harbors", Label.CITY),
        ("Two Harbors, MN 55616", Label.CITY),
        ("MN", Label.STATE),
        ("Ontario", Label.STATE),
        ("55616-1234", Label.ZIP),
        ("Ethiopia", Label.COUNTRY),
        ("18 Feb 1930", Label.DATE),
        ("94", Label.AGE),
    ],
)
def test_a_limited_data_set_keeps_towns_dates_and_ages(tables, key, extraction, text, label):
    """What 45 CFR 164.514(e)(2) does not list stays as it is."""
    renderer = compile_surrogates(tables, WORDS, key, LIMITED).renderer(extraction, frozenset())
    assert text == renderer.render(text, Span(0, len(text), label, "field"))


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Weatherby", Label.CITY),
        ("June", Label.DATE),
        ("20117744", Label.DATE),
        ("4471209", Label.ZIP),
        ("Quillon", Label.STATE),
        ("Victoria", Label.STATE),
        ("Mary", Label.STATE),
        ("Quillon", Label.COUNTRY),
    ],
)
def test_a_limited_data_set_keeps_nothing_that_may_be_a_name(tables, key, extraction, text, label):
    """In text a tagger may take a name or number for a place or date: only sure ones stay."""
    renderer = compile_surrogates(tables, WORDS, key, LIMITED).renderer(extraction, frozenset())
    assert text != renderer.render(text, Span(0, len(text), label, "crf"))


def test_a_limited_data_set_keeps_no_street(tables, key, extraction):
    """The street is replaced, the town of the same address stays."""
    renderer = compile_surrogates(tables, WORDS, key, LIMITED).renderer(extraction, frozenset())
    text = "12 Autumn Hill Rd, Two Harbors, MN 55616"
    line, rest = renderer.render(text, Span(0, len(text), Label.STREET, "field")).split(", ", 1)
    assert ("Two Harbors, MN 55616", True) == (rest, line != "12 Autumn Hill Rd")


@pytest.mark.parametrize(
    ("text", "shape"),
    [("Ethiopia", r"[A-Z][a-z][A-Za-z ]+"), ("DEU", "[A-Z]{3}"), ("DE", "[A-Z]{2}"),
     ("GHANA", r"[A-Z ]+")],
)  # fmt: skip
def test_countries_keep_their_form(render, text, shape):
    """A country becomes another in the same form."""
    surrogate = render(text, Label.COUNTRY)

    assert re.fullmatch(shape, surrogate)
    assert text != surrogate


@pytest.mark.parametrize("text", ["US", "USA", "United States", "U.S."])
def test_home_stays(render, text):
    """All surrogate cities lie in the USA, and so does a real one."""
    assert text == render(text, Label.COUNTRY)


def test_city_in_no_state_of_its_name(surrogates: Surrogates, extraction, tables):
    """A known city is never moved within its own state."""
    renderer = surrogates.renderer(extraction, frozenset())
    states = {}
    for line in tables["us-city"]:
        states.setdefault(line.split("\t")[0], set()).add(line.split("\t")[1])
    named = {line.split("\t")[0] for line in tables["us-city"][::10]}
    same = [
        city
        for city in named
        if renderer._localities().row(city.lower().replace(" ", "")).state in states[city]
    ]

    assert [] == same


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("lives in Bayfield, WI 54814 now", "WI"),
        ("moved from Portland, Oregon 97201", "OR"),
        ("home in Montpelier, VT 05602", "VT"),
        ("stays in Washington, DC 20001", "DC"),
    ],
)
def test_states_may_stay_and_towns_and_areas_are_of_them(tables, key, extraction, text, state):
    """With ``places = "state"`` town and ZIP are others, the ZIP of an area of the true state."""
    options = SurrogateOptions(places="state")
    renderer = compile_surrogates(tables, WORDS, key, options).renderer(extraction, frozenset())
    segment = TextSegment("OBX-5", "OBX-5", "TX", text)
    match = re.search(r"(?:in|from) (?P<city>\w+), (?P<state>\w+) (?P<zip>\d{5})", text)
    assert match
    labels = {"city": Label.CITY, "state": Label.STATE, "zip": Label.ZIP}
    city, kept, area = (
        renderer.render(match[name], Span(*match.span(name), label, "x"), segment)
        for name, label in labels.items()
    )
    areas = {row.split("\t")[2] for row in tables["us-city"] if row.split("\t")[1] == state}
    assert match["state"] == kept
    assert match["city"] != city
    assert match["zip"] != area
    assert area[:3] in areas
