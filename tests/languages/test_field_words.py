"""Words of structured fields: from the files of all languages, by what they mean."""

from __future__ import annotations

import pytest

from adapter.errors import RuleError
from adapter.languages.field_words import FieldWords
from adapter.languages.titles import Titles
from tests.wording import FIELDS


def of(**tables):
    """The words of one toy language."""
    return FieldWords.of(Titles(), {"qx": tables})


def test_abbreviations_of_streets_are_read_both_ways():
    """An abbreviation that two words share is read as the first of them."""
    words = of(addresses={"short": {"street": "st", "saint": "st"}, "long": {"av": "avenue"}})
    assert {"st": "street", "av": "avenue"} == words.long
    assert {"street", "saint", "st", "av"} == words.streets


def test_an_abbreviation_of_two_words_is_no_clear_street():
    """It may be the other word; part words are those that stay and have an abbreviation."""
    short = {"street": "st", "saint": "st", "lane": "ln", "north": "n"}
    words = of(addresses={"short": short, "kinds": "st ln", "kept": "north n of"})
    assert {"st"} == words.unclear_streets
    assert {"st", "street", "ln", "lane", "saint"} == words.kinds_of_street
    assert {"north", "n"} == words.directions


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("c/o Mensah", "Mensah"),
        ("Attn: Mensah", "Mensah"),
        ("z. Hd. Mensah", "Mensah"),
        ("Beifang", "Beifang"),
    ],
)
def test_words_before_a_person_stand_at_the_beginning(text, left):
    """With their marks, and not as the beginning of a name."""
    found = FIELDS.care.match(text)
    assert left == text[found.end() if found else 0 :]


@pytest.mark.parametrize(
    ("text", "left"),
    [("#4 88 Kwame Lane", "88 Kwame Lane"), ("Apt 4", ""), ("Flat Rock Road", "Flat Rock Road")],
)
def test_a_unit_before_a_street_has_a_number(text, left):
    """A word for a unit may also be part of a name."""
    found = FIELDS.unit_led.match(text)
    assert left == text[found.end() if found else 0 :]


def test_a_legal_form_is_no_part_of_a_persons_name():
    """Two letters may be initials, three and more name an organisation."""
    words = of(organisations={"legal": "co gmbh"})
    assert {"gmbh"} == words.organisations
    assert {"co", "gmbh"} == words.generic


@pytest.mark.parametrize(
    ("text", "left"),
    [("Mensah Labs, Inc.", "Mensah Labs"), ("Kwame GmbH", "Kwame"), ("Inc", "Inc")],
)
def test_a_legal_form_stands_behind_a_name(text, left):
    """In any case, with or without a dot."""
    assert left == FIELDS.legal.sub("", text)


def test_a_language_that_says_nothing_has_no_such_words():
    """Nothing is then a unit, a legal form or a tail."""
    words = of()
    assert "Rooms Inc Apt 4" == words.unit.sub("", words.legal.sub("", "Rooms Inc Apt 4"))


@pytest.mark.parametrize(
    ("tables", "problem"),
    [
        ({"names": {"heroes": "x"}}, "unknown keys"),
        ({"organisations": {"words": 3}}, "must be a string or a list"),
        ({"addresses": {"short": {"street": 1}}}, "short must be a table of words"),
    ],
)
def test_a_table_not_of_the_format_is_refused(tables, problem):
    """The error names the file and what is wrong with it."""
    with pytest.raises(RuleError, match=problem) as error:
        of(**tables)
    assert "languages/qx.toml" in str(error.value)


@pytest.mark.parametrize(
    ("text", "main", "extension"),
    [
        ("832-555-0167 x22", "832-555-0167", "22"),
        ("832-555-0167x22", "832-555-0167", "22"),
        ("832-555-0167 ext. 221", "832-555-0167", "221"),
        ("0851 5550123 Durchwahl 44", "0851 5550123", "44"),
        ("617 30 45 82 extensión 12", "617 30 45 82", "12"),
        ("01 23 45 67 89 poste 12", "01 23 45 67 89", "12"),
    ],
)
def test_extensions_in_the_words_of_all_languages(text, main, extension):
    """What follows the number of a telephone is told by a word or a mark."""
    found = FIELDS.extension.search(text)
    assert (main, extension) == (text[: found.start()], found[1])
    assert FIELDS.extended.search(text)


@pytest.mark.parametrize(
    ("text", "town", "code"),
    [
        ("Augusta WI 54722", "Augusta", "54722"),
        ("Guelph ON N1G 2W1", "Guelph", "N1G 2W1"),
        ("94032 Passau", "Passau", "94032"),
        ("CH-8001 Wil", "Wil", "8001"),
    ],
)
def test_postal_codes_stand_before_or_behind_a_town(text, town, code):
    """As the languages' countries write them."""
    found = FIELDS.locality.fullmatch(text)
    assert (town, code) == (
        found["behind"] or found["town"],
        found["first"] or found["zip"],
    )


def test_a_language_has_ten_digits():
    """A row of words for each digit, or none."""
    with pytest.raises(RuleError, match="digits must have 10 rows"):
        of(addresses={"digits": ["null", "eins"]})
    assert of().digits == ()
