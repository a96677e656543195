"""What the rules say of languages: calendars, numbers, ages, titles and context, compiled."""

from __future__ import annotations

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.errors import RuleError
from adapter.languages import Words
from adapter.normalize.folding import fold
from adapter.rules.folder import shipped
from tests.wording import WORDS

FILES = sorted((shipped("rules") / "languages").glob("*.toml"))
TABLES = {file.stem: tomllib.loads(file.read_text("utf-8")) for file in FILES}


@pytest.mark.parametrize("code", TABLES)
def test_every_form_of_a_month_is_one_in_its_language(code):
    """Names and abbreviations read back, and a month in a form's length is of the language."""
    months = WORDS.calendars[code].months
    for form, (at, _) in months.forms.items():
        assert at == WORDS.index_of(form, "month", code)
        assert fold(WORDS.sibling(form, "month", at, code)) in months.forms


def test_abbreviations_may_be_no_fixed_number_of_letters():
    """Where a language lists them, an abbreviated month is written so."""
    table = {
        "months": "janvier février mars avril mai juin juillet août"
        " septembre octobre novembre décembre",
        "months_short": "janv févr mars avr mai juin juil août sept oct nov déc",
    }
    words = Words.of({"en": TABLES["en"], "qx": {"calendar": table}})
    assert "juil" == words.sibling("oct", "month", 6, "qx")
    assert "juillet" == words.sibling("octobre", "month", 6, "qx")


def test_two_letters_are_a_weekday_in_their_own_language_only():
    """In English text "mo" is no Monday."""
    assert 0 == WORDS.index_of("mo", "weekday", "de")
    assert WORDS.index_of("mo", "weekday", "en") is None


def test_a_word_of_several_languages_is_of_the_texts_own():
    """German texts write "April" on as Germans do, and others as English ones."""
    assert "Mai" == WORDS.sibling("april", "month", 4, "de")
    assert "May" == WORDS.sibling("april", "month", 4, "es")


@given(st.integers(0, 99))
def test_cardinals_read_back(number):
    """A number below a hundred is what its words say."""
    english = WORDS.counting("en")
    assert number == english.value(english.cardinal(number).split())


def test_several_numbers_side_by_side_are_no_number():
    """Month, day and year that are said one after another have no common value."""
    english = WORDS.counting("en")
    assert english.value("six eleven fifty seven".split()) is None
    assert english.value("two thousand twenty four".split()) == 2024


@pytest.mark.parametrize(
    ("number", "suffix"), [(1, "st"), (2, "nd"), (3, "rd"), (11, "th"), (112, "th"), (21, "st")]
)
def test_ordinal_numbers_have_the_suffix_of_their_digits(number, suffix):
    """The first pattern of the digits that matches tells it."""
    assert suffix == WORDS.spelling("th", "en").suffix(number)


def test_a_titles_place_tells_whether_it_stays():
    """Titles stay in front of a name, degrees behind it, particles inside it."""
    titles = WORDS.titles
    assert titles.stays("herr", leads=True, last=False)
    assert not titles.stays("herr", leads=True, last=True)
    assert titles.stays("md", leads=False, last=True)
    assert not titles.stays("von", leads=False, last=True)


@pytest.mark.parametrize(
    ("table", "problem"),
    [
        ({"calendar": {"months": "a b"}}, "words of months must be those of 12 months"),
        ({"calendar": {"moons": "a b"}}, r"unknown keys \['moons'\]"),
        ({"calendar": {"holidays": {"13-01": "x"}}}, "13-01 is not MM-DD"),
        (
            {"calendar": {"holidays": {"01-01": "x"}, "well_known": ["Y", "Z"]}},
            "not one of the holidays",
        ),
        ({"calendar": {"holidays": {"01-01": "x"}}}, "at least two"),
        ({"calendar": {"patterns": {"time": ["("]}}}, "does not compile"),
        ({"calendar": {"fillers": 3}}, "must be a string or a list"),
        ({"calendar": "x"}, "calendar is not a table"),
        ({"numbers": {"units": "one two"}}, "units must have 20 words"),
        ({"ages": {"letters": {"d": "dayz"}}}, "letters"),
        ({"titles": {"lords": "x"}}, "unknown keys"),
        ({"context": {"telex": "x"}}, "unknown keys"),
    ],
)
def test_a_file_not_of_the_format_is_refused(table, problem):
    """The error names the file and what is wrong with it."""
    with pytest.raises(RuleError, match=problem) as error:
        Words.of({"en": TABLES["en"], "qx": table})
    assert "languages/qx.toml" in str(error.value)


def test_a_language_may_say_nothing_of_its_words():
    """Every table may be left out; texts are then read by the words of the others."""
    words = Words.of({"en": TABLES["en"], "qx": {}})
    assert 2 == words.index_of("march", "month", "qx")
    assert "first" == words.counting("qx").ordinal(1)
