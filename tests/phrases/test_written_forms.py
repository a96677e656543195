"""Written forms: what each part of an entity is looked for as."""

from __future__ import annotations

import pytest

from adapter.normalize.notation import LOST
from adapter.phrases.common_words import parse_nicknames
from adapter.phrases.written_forms import phrases_of
from adapter.types import Label
from tests.wording import word_list

WORDS = word_list(
    ordinary=frozenset({"rose", "hill", "may", "long", "two", "harbors", "general"}),
    medical=frozenset({"graves"}),
    nicknames=parse_nicknames("robert\tbob\nrobert\trob\n"),
)


def forms(*values, role="patient"):
    """Phrases of an entity as {text: (form, ordinary)}."""
    found = phrases_of("x", role, tuple(values), WORDS)
    return {phrase.text: (phrase.form, phrase.ordinary) for phrase in found}


def test_a_person_is_looked_for_by_each_name_and_by_both():
    """Given and family name alone, together in both orders, and by nickname."""
    found = forms(("family", "Okafor", Label.PATIENT), ("given", "Robert", Label.PATIENT))
    assert {
        "Okafor": ("{family}", False),
        "Robert": ("{given}", False),
        "bob": ("{given:nickname}", False),
        "rob": ("{given:nickname}", False),
        "Robert Okafor": ("{given} {family}", False),
        "Okafor, Robert": ("{family}, {given}", False),
    } == found


def test_a_word_is_looked_for_without_its_accented_letters():
    """Names and towns of one word, if enough is left; not words of other scripts."""
    assert ("{family}", False) == forms(("family", "Müller", Label.PATIENT))[f"M{LOST}ller"]
    assert f"N{LOST}{LOST}ez" in forms(("family", "Núñez", Label.PATIENT))
    assert f"K{LOST}ln" in forms(("city", "Köln", Label.CITY))
    for name in ("Muller", "Öz", "Иванов", "Ōé"):
        assert not any(LOST in text for text in forms(("family", name, Label.PATIENT)))
    assert f"Pe{LOST}a" in forms(("family", "de la Peña", Label.PATIENT))


def test_a_further_value_of_a_part_is_numbered():
    """An alias is a value of the same part with its number."""
    found = forms(("family", "Okafor", Label.PATIENT), ("family", "Mensah", Label.PATIENT))
    assert ("{family#1}", False) == found["Mensah"]


def test_common_words_and_short_names_need_context():
    """Names that are words of the language, or very short, are marked ordinary."""
    found = forms(("family", "Hill", Label.PATIENT), ("given", "Rose", Label.PATIENT))
    assert found["Hill"][1]
    assert found["Rose Hill"][1]
    assert forms(("family", "Graves", Label.PATIENT))["Graves"][1]
    assert forms(("family", "Ng", Label.PATIENT))["Ng"][1]


def test_compound_names_are_looked_for_in_pieces():
    """Each word of a double name counts, particles do not."""
    found = forms(("family", "de la Cruz-Okafor", Label.PATIENT))
    assert {"Cruz", "Okafor"} == {text for text in found if ":piece" in found[text][0]}


@pytest.mark.parametrize("text", ["UNKNOWN", "BABY BOY", "N/A", "M", ""])
def test_placeholders_give_no_certain_phrase(text):
    """What names nobody is never looked for by itself."""
    assert all(ordinary for _, ordinary in forms(("family", text, Label.PATIENT)).values())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("40-88-213", {"4088213"}),
        ("0071-5529", {"00715529", "715529"}),
        ("V00881920", {"v00881920", "00881920", "881920"}),
        ("0000000", set()),
        ("2.16.840.1.113883.4.6", set()),
    ],
)
def test_numbers_are_looked_for_with_and_without_zeros_and_letters(text, expected):
    """An id gives itself, its digits, and both without leading zeros; fillers and OIDs nothing."""
    assert expected == set(forms(("id", text, Label.MEDICALRECORD)))


@pytest.mark.parametrize(
    ("text", "stem"), [("17.447.190-8", "17447190"), ("20-06447190-3", "6447190")]
)
def test_numbers_are_looked_for_without_their_check_digit(text, stem):
    """A number whose check digit is behind a hyphen has a form without it."""
    assert stem in forms(("id", text, Label.IDNUM))


def test_the_last_four_of_a_social_security_number_need_context():
    """Four digits alone prove nothing."""
    assert ("{id:last4}", True) == forms(("id", "318-44-0927", Label.SSN))["0927"]


def test_numbers_of_places_must_be_telling():
    """A code of a facility is no trusted phrase, a long number is."""
    assert {} == forms(("id", "LAB1", Label.IDNUM), role="facility")
    assert {"33d2215033"} <= set(forms(("id", "33D2215033", Label.IDNUM), role="facility"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("@haverkamp", {"haverkamp"}),
        ("haverkamp_w", {"haverkamp_w"}),
        ("whaverk77", {"whaverk77"}),
        ("@home", set()),
        ("none", set()),
        ("ext. 4471", set()),
    ],
)
def test_a_handle_in_the_field_of_a_telephone_number_is_a_user_name(text, expected):
    """Behind an "@" or with a digit or an underline; a word alone says nothing."""
    found = phrases_of("x", "patient", (("phone", text, Label.PHONE),), WORDS)
    assert dict.fromkeys(expected, Label.USERNAME) == {p.text: p.label for p in found}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(218) 555-0171", {"2185550171", "5550171"}),
        ("1-218-555-0171 x44", {"12185550171", "2185550171", "5550171"}),
        ("+44 1558 700912", {"441558700912", "01558700912", "1558700912"}),
        ("+34 617304582", {"34617304582", "0617304582", "617304582"}),
        ("+47 482 91 736", {"4748291736", "048291736", "48291736"}),
        ("00351 917304582", {"351917304582", "0917304582", "917304582"}),
        ("+41 (0)79 482 91 73", {"41794829173", "410794829173", "0794829173", "794829173"}),
        ("(+358) 40 482 9173", {"358404829173", "0404829173", "404829173"}),
        ("+1 (218) 555-0171", {"12185550171", "2185550171", "5550171"}),
        ("+290 22730", {"29022730"}),
        ("0664/4829173", {"06644829173", "6644829173"}),
        ("617304582", {"617304582"}),
        ("000", set()),
    ],
)
def test_telephone_numbers_lose_country_and_extension(text, expected):
    """North American numbers are also looked for by their last seven digits."""
    found = forms(("phone", text, Label.PHONE))
    assert expected == {text for text, (_, ordinary) in found.items() if not ordinary}


def test_the_last_four_digits_of_a_telephone_number_need_a_context():
    """Four digits may be any number."""
    assert forms(("phone", "(218) 555-0171", Label.PHONE))["0171"] == ("{phone:last4}", True)
    assert forms(("phone", "+34 617304582", Label.PHONE))["4582"] == ("{phone:last4}", True)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Grünackerstraße 31", {"gruenackerstrasse 31", "gruenacker str"}),
        ("Gruenackerstr. 31", {"grunackerstr. 31", "grunacker strase"}),
        ("Skjærgårdsveien 8", {"skjaergaardsveien", "skjaergaards v"}),
    ],
)
def test_a_street_is_looked_for_with_letters_written_as_two(text, expected):
    """As keyboards without these letters write it, and the other way round."""
    assert expected <= set(forms(("street", text, Label.STREET)))


def test_a_town_with_two_vowels_is_no_shorter_word():
    """Of Baar, "bar" would be found everywhere."""
    assert {"Baar"} == set(forms(("city", "Baar", Label.CITY)))
    assert {"Köln", "koeln"} <= set(forms(("city", "Köln", Label.CITY)))


def test_an_email_address_gives_a_user_name():
    """What stands before the @ is looked for too, unless it is a common word."""
    found = phrases_of("x", "patient", (("email", "ngozi.o77@example.org", Label.EMAIL),), WORDS)
    assert [
        ("ngozi.o77@example.org", Label.EMAIL),
        ("ngozi.o77", Label.USERNAME),
    ] == [(phrase.text, phrase.label) for phrase in found]


def test_a_birth_date_is_looked_for_in_the_usual_layouts():
    """Numeric both ways round, two-digit years, month names and ordinals."""
    found = forms(("birthdate", "1953-02-08", Label.DATE))
    expected = {"19530208", "1953 02 08", "02 08 1953", "2 8 53", "8 2 1953", "feb 8 1953"}
    expected |= {"8 february 1953", "february 8 th 1953", "08 feb 1953"}
    assert expected <= set(found)
    assert {"{birthdate}"} == {form for form, _ in found.values()}


def test_only_a_birth_date_is_looked_for_as_six_digits():
    """Any other date of a message would equal a count or a code by chance too often."""
    compact = {"020853", "080253", "530208", "02081953", "08021953"}
    assert compact <= set(forms(("birthdate", "1953-02-08", Label.DATE)))
    assert compact.isdisjoint(forms(("deathdate", "1953-02-08", Label.DATE)))


def test_a_year_alone_is_no_birth_date_to_look_for():
    """A partial date would match any text of that year."""
    assert {} == forms(("birthdate", "1953", Label.DATE))


def test_a_street_is_looked_for_with_and_without_unit_and_suffix():
    """Suffixes are read long and short; the unit may be missing."""
    found = set(forms(("street", "2207 Ravine Ln Apt 4", Label.STREET)))
    assert {"2207 Ravine Ln Apt 4", "2207 Ravine Ln", "2207 ravine lane", "2207 Ravine"} <= found


def test_an_organisation_is_looked_for_by_short_name_and_acronym():
    """Generic tails and legal forms may be missing; three letters make an acronym."""
    values = (("org", "Brigham and Women's Hospital", Label.HOSPITAL),)
    found = forms(*values, role="facility")
    assert ("{org:acronym}", False) == found["BWH"]
    assert ("{org:short}", False) == found["Brigham and Women's"]


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("Saint Mungolio Hospital", "Mungolio"),
        ("Community Health of Zarnowiec", "Zarnowiec"),
        ("The Vandelay-Ostrov Clinic of North Road", "Vandelay"),
    ],
)
def test_an_organisation_is_looked_for_by_its_telling_word(name, word):
    """People say "Mungolio" for the hospital; generic words and common ones tell nothing."""
    found = forms(("org", name, Label.HOSPITAL), role="facility")
    assert ("{org:short}", False) == found[word]
    assert {"Saint", "Community", "Health", "North", "Road"}.isdisjoint(found)


def test_an_oid_gives_no_number_to_look_for():
    """It names a name space, however it is written as a URN."""
    for urn in ("2.16.840.1.113883.19.5", "urn:oid:2.16.840.1.113883.19.5"):
        assert {} == forms(("id", urn, Label.IDNUM), role="facility")
    assert {} == forms(("id", "urn:uuid:2.16.840.1.113883.19.5", Label.IDNUM), role="facility")


def test_generic_names_of_organisations_need_context():
    """A "General Hospital" could be any."""
    found = forms(("org", "General Hospital", Label.HOSPITAL), role="facility")
    assert found["General Hospital"][1]


def test_a_town_that_is_a_common_word_needs_context():
    """Codes of states and towns of common words prove nothing alone."""
    assert forms(("city", "Two Harbors", Label.CITY))["Two Harbors"][1]
    assert not forms(("city", "Duluth", Label.CITY))["Duluth"][1]
    assert forms(("state", "MN", Label.STATE))["MN"][1]


def test_a_postal_code_of_nine_digits_gives_its_first_five():
    """ZIP+4 is also looked for as ZIP."""
    assert {"55616-1234", "55616"} == set(forms(("zip", "55616-1234", Label.ZIP)))


def test_nicknames_go_both_ways_but_not_across():
    """Bob is Robert, Robert is Rob, Bob is not Rob."""
    table = parse_nicknames("robert\tbob\nrobert\trob\n")
    assert {"robert": ("bob", "rob"), "bob": ("robert",), "rob": ("robert",)} == table


@pytest.mark.parametrize(
    ("name", "capitals"), [("Παπαδημητράκης", "ΠΑΠΑΔΗΜΗΤΡΆΚΗΣ"), ("Weiß", "WEISS")]
)
def test_capitals_that_compare_as_another_word_are_looked_for(name, capitals):
    """Greek capitals look like Latin letters, small ones do not; a sharp s has two letters."""
    assert capitals in forms(("family", name, Label.PATIENT))
