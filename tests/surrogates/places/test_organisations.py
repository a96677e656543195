"""Organisations, named places and jobs."""

from __future__ import annotations

import re

import pytest

from adapter.surrogates import SurrogateOptions, compile_surrogates
from adapter.surrogates.case import unaccented
from adapter.types import Label, Span, TextSegment
from tests.wording import WORDS

NAME = r"[A-Z][a-z]+"


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("Tamarack Regional Medical Center", f"{NAME} Regional Medical Center"),
        ("KELOWNA GENERAL", "[A-Z]+ GENERAL"),
        ("Blood Bank of Delmarva", f"{NAME} Bank of {NAME}"),
        ("Great Big Blue School", f"{NAME} {NAME} School"),
        ("St. Luke's Hospital", f"St. {NAME}'s Hospital"),
        ("9th Ward", r"\d+(st|nd|rd|th) Ward"),
        ("Forest Park Elementary", f"{NAME} Elementary"),
        ("GENERAL MOTORS SILVERADO", "[A-Z]+ MOTORS [A-Z]+"),
        ("Harbour City Tropicana", f"{NAME} City {NAME}"),
        ("Medical Center of Dunmore", f"Medical Center of {NAME}"),
        ("Cardiac Care Unit 4", r"Cardiac Care Unit \d"),
        ("The Ridge", f"The {NAME}"),
        ("Clinic", NAME),
        ("Los", NAME),
        ("FAC01", r"[A-Z]{3}\d\d"),
        ("York County", f"{NAME} County"),
        ("electric boat", "[a-z]+"),
        ("AMC", "[A-Z]{3}"),
    ],
)
def test_the_kind_stays(render, text, shape):
    """Words of kind stay, all others go, letter case is kept."""
    surrogate = render(text, Label.HOSPITAL)

    assert re.fullmatch(shape, surrogate)
    assert text != surrogate


def test_short_form_agrees(render):
    """A name without its kind is the beginning of the whole one."""
    whole = render("Tamarack Regional Medical Center", Label.HOSPITAL, "facility:1", "{org}")

    assert whole.split()[0] == render("Tamarack", Label.HOSPITAL)


def test_acronym_follows_the_name(render):
    """An acronym of a known name is made of the surrogate's initials."""
    whole = render("Tamarack Regional Medical Center", Label.HOSPITAL)
    expected = "".join(word[0] for word in whole.split())

    assert expected == render("TRMC", Label.HOSPITAL, "facility:1", "{org:acronym}")


@pytest.mark.parametrize(("text", "case"), [("electrician", str.lower), ("LPN", str.upper)])
def test_profession(render, tables, text, case):
    """A job becomes another of the table, in the same case."""
    surrogate = render(text, Label.PROFESSION)

    assert surrogate.lower() in tables["en-occupation"]
    assert case(surrogate) == surrogate


@pytest.mark.parametrize("text", ["electrician", "heavy equipment operator", "union clerk", "LPN"])
def test_the_article_before_a_profession_still_agrees(render, text):
    """A vowel for a vowel, a consonant for a consonant; "union" begins with one."""
    new = render(text, Label.PROFESSION).lower()
    assert ("electrician" == text) == (new[0] in "aeiou" and not new.startswith(("uni", "eu")))


@pytest.mark.parametrize(
    ("language", "text", "around"),
    [
        ("de", "Lehrerin", "ehemalige Lehrerin, müde"),
        ("es", "albañil", "trabaja de albañil"),
        ("fr", "infirmière", "infirmière à la retraite"),
        ("fr", "institutrice", "institutrice, retraitee"),
    ],
)
def test_a_profession_is_of_the_language_of_its_message(draw_job, tables, language, text, around):
    """A French job becomes another French one, without accents where the text has none."""
    forms = {form for line in tables[f"{language}-occupation"] for form in line.split("\t")}
    if around.isascii():
        forms = set(map(unaccented, forms))
    assert draw_job(language, text, around) in forms


def test_no_profession_stays_for_want_of_its_accents(key, tables, extraction):
    """What is drawn with accents may be the text's own word without them."""
    few = {**tables, "de-occupation": ("Bäcker", "Glöckner", "Köhler", "Küfer", "Töpfer")}
    made = compile_surrogates(few, WORDS, key, SurrogateOptions())
    renderer = made.renderer(extraction, frozenset(), language="de")
    for word in ("Baecker", "Gloeckner", "Koehler", "Kuefer", "Toepfer"):
        span = Span(0, len(word), Label.PROFESSION, "crf", 1.0, 0)
        within = TextSegment("NTE[1].3", "NTE-3", "FT", word)
        assert word != renderer.render(word, span, within)


@pytest.fixture
def draw_job(surrogates, extraction):
    """What renders an occupation in a text of a language."""

    def draw(language, text, around):
        renderer = surrogates.renderer(extraction, frozenset(), language=language)
        start = around.index(text)
        span = Span(start, start + len(text), Label.PROFESSION, "crf", 1.0, 0)
        return renderer.render(text, span, TextSegment("NTE[1].3", "NTE-3", "FT", around))

    return draw
