"""Names: one string to parts; what is no name."""

from __future__ import annotations

from dataclasses import replace

import pytest

from adapter.phrases.names import (
    family_name,
    initials_apart,
    is_file,
    meaningful,
    misplaced_name,
    name_in_id,
    parse,
    pieces,
)
from tests.wording import FIELDS, word_list

WORDS = replace(
    word_list(("grace", "summary", "discharge", "quibble", "called"), ("blood",)),
    dictionary=frozenset({"grace", "quibble"}),
    names=frozenset({"grace", "ngozi"}),
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Smith, John A", (("family", "Smith"), ("given", "John"), ("middle", "A"))),
        ("JOHN SMITH", (("given", "JOHN"), ("family", "SMITH"))),
        ("Okafor", (("family", "Okafor"),)),
        ("van der Berg, Anna", (("family", "van der Berg"), ("given", "Anna"))),
        ("Anna van der Berg", (("given", "Anna"), ("family", "van der Berg"))),
        ("Maria de la Cruz", (("given", "Maria"), ("family", "de la Cruz"))),
        ("Lopez-Garcia^Ana", (("family", "Lopez-Garcia"), ("given", "Ana"))),
    ],
)
def test_whole_names_are_split(text, expected):
    """Commas put the family name first; particles belong to the family name behind them."""
    assert expected == parse(text, FIELDS)


def test_titles_suffixes_and_degrees_are_told_apart():
    """Dr., MD and Jr are parts of their own, never names."""
    parts = parse("Dr. John A. Smith Jr, MD", FIELDS)
    names = {"given": "John", "middle": "A", "family": "Smith"}
    assert names == {part: text for part, text in parts if part in names}
    assert {"Dr.", "Jr", "MD"} == {text for part, text in parts if part not in names}


def test_the_field_of_a_doctorate_is_a_title_behind_one_only():
    """Small letters and a point tell "Dr. med." and "Dr. rer. nat."; Med is also a given name."""
    parts = parse("Dr. rer. nat. Ida Holm", FIELDS)
    assert {"given": "Ida", "family": "Holm"} == {p: text for p, text in parts if p != "prefix"}
    assert dict(parse("Med Holm", FIELDS))["given"] == "Med"
    assert dict(parse("Dr. Med Holm", FIELDS))["given"] == "Med"


@pytest.mark.parametrize("text", ["Ida Holm, RPh", "Ida Holm, PharmD", "Ida Holm, PhD"])
def test_a_degree_in_mixed_case_behind_a_comma_is_no_given_name(text):
    """What is before the comma is the whole name."""
    names = {part: name for part, name in parse(text, FIELDS) if part in ("given", "family")}
    assert names == {"given": "Ida", "family": "Holm"}


def test_a_nickname_in_quotes_is_a_second_given_name():
    """Robert "Bob" Smith has two given names."""
    given = [text for part, text in parse('Robert "Bob" Smith', FIELDS) if part == "given"]
    assert ["Robert", "Bob"] == given


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("UNKNOWN", ""),
        ("N/A", ""),
        ("BABY BOY", ""),
        ("BABY BOY SMITH", "SMITH"),
        ("12345", ""),
        ("hl7", ""),
        ("Ngozi", "Ngozi"),
        ("J.", "J"),
    ],
)
def test_words_that_stand_for_no_name_are_none(text, expected):
    """Placeholders, relations and numbers name nobody."""
    assert expected == meaningful(text, FIELDS)


@pytest.mark.parametrize(
    ("family", "given", "expected"),
    [
        ("Child", "Robert", "Child"),
        ("FRIEND", "ANNA", "FRIEND"),
        ("Child", "", ""),
        ("CHILD", "BOY", ""),
        ("Child", "R", ""),
        ("Unknown", "Robert", ""),
        ("BABY BOY SMITH", "", "SMITH"),
        ("Smith", "", "Smith"),
    ],
)
def test_a_placeholder_beside_a_given_name_may_be_a_family_name(family, given, expected):
    """Mr. Robert Child is called so; "CHILD^BOY" and "Unknown^Robert" name no family."""
    assert expected == family_name(family, given, FIELDS)


def test_compound_names_have_pieces():
    """A double name comes apart at blanks and hyphens; one word has no pieces."""
    assert ("Garcia", "Lopez") == pieces("Garcia-Lopez")
    assert ("Mary", "Ann") == pieces("Mary Ann")
    assert () == pieces("O'Brien")


@pytest.mark.parametrize(
    ("text", "family"),
    [("PASTOR, MARIA", "PASTOR"), ("DO, MINH", "DO"), ("Lord, Ann", "Lord"), ("Dr., Ann", "Ann")],
)
def test_a_title_before_the_comma_is_the_family_name(text, family):
    """Families are called Pastor, Lord or Do; "Dr." is nobody's name."""
    assert family == dict(parse(text, FIELDS))["family"]


def test_the_words_of_every_language_are_read():
    """Which language a message is in is not known when its fields are read."""
    assert "" == meaningful("UNBEKANNT", FIELDS)
    assert (("family", "Okafor"), ("prefix", "geb.")) == parse("Okafor geb.", FIELDS)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("HOLM, CASIMIR", {"family": "HOLM", "given": "CASIMIR"}),
        ("HOLM C", {"family": "HOLM", "given": "C"}),
        ("VAN DER HOLM C", {"family": "VAN DER HOLM", "given": "C"}),
        ("CASIMIR HOLM", {"given": "CASIMIR", "family": "HOLM"}),
        ("DR HOLM", {"family": "HOLM", "prefix": "DR"}),
        ("HOLM MD", {"family": "HOLM", "degree": "MD"}),
        ("C.HOLM", {"given": "C", "family": "HOLM"}),
        ("HOLM_C", {"family": "HOLM", "given": "C"}),
        ("H1234 HOLM", {"family": "HOLM"}),
    ],
)
def test_a_name_in_the_place_of_an_id_is_read(text, expected):
    """Also behind a number, and with marks of user names between its words."""
    assert dict(name_in_id(text, FIELDS)) == expected


@pytest.mark.parametrize(
    "text",
    ["12345", "H1234", "cholm", "HOLM", "12345 MD", "1234 TX", "MERCY HOSPITAL LAB", "C.H.", "_"],
)
def test_an_id_is_no_name(text):
    """Numbers, codes behind them, organisations, initials, and single words, which name users."""
    assert name_in_id(text, FIELDS) == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("OKAFOR NGOZI", {"given": "OKAFOR", "family": "NGOZI"}),
        ("Okafor, Ngozi", {"family": "Okafor", "given": "Ngozi"}),
        ("OKAFOR N", {"family": "OKAFOR", "given": "N"}),
        ("N OKAFOR", {"given": "N", "family": "OKAFOR"}),
        ("Mrs Okafor", {"prefix": "Mrs", "family": "Okafor"}),
        ("Grace Okafor", {"given": "Grace", "family": "Okafor"}),
        ("okafor_ngozi_ds.rtf", {"given": "okafor", "family": "ngozi"}),
        ("Discharge-OKAFOR-NGOZI-2024.pdf", {"given": "OKAFOR", "family": "NGOZI"}),
    ],
)
def test_a_name_in_the_place_of_a_number_is_read(text, expected):
    """In either order, with an initial or title, or in the name of a file."""
    assert expected == dict(misplaced_name(text, WORDS))
    assert is_file(text) == ("." in text)


@pytest.mark.parametrize(
    "text",
    ["OKAFOR", "Okafor called", "BLOOD BANK", "GRACE QUIBBLE", "okafor nkem", "A B", "OKAFOR 123",
     "Okafor Hospital", "UNKNOWN", "ngozi.okafor@lakes-hosp.org",
     "GEN_REPORTS.pdf", "discharge_summary.pdf", "12345678", ""],
)  # fmt: skip
def test_words_in_the_place_of_a_number_are_no_name(text):
    """Not one word alone, not common or medical words, not an organisation, not a number."""
    assert not misplaced_name(text, WORDS)


@pytest.mark.parametrize(
    ("text", "givens", "expected"),
    [
        ("Quistgaard S.", (), (("family", "Quistgaard"), ("given", "S"))),
        ("Quistgaard S K", (), (("family", "Quistgaard"), ("given", "S"), ("middle", "K"))),
        ("Kitty O., RN", {"kitty"}, (("given", "Kitty"), ("degree", "RN"))),
        ("Mary Ann S.", (), (("given", "Mary"), ("middle", "Ann"))),
        ("S. Quistgaard", (), (("given", "S"), ("family", "Quistgaard"))),
        ("Quistgaard, S.", (), (("family", "Quistgaard"), ("given", "S"))),
        ("J. S.", (), (("given", "J"), ("family", "S"))),
    ],
)
def test_an_initial_at_the_end_is_no_family_name(text, givens, expected):
    """The word before it is one, unless the message has it as a given name."""
    assert initials_apart(parse(text, FIELDS), givens) == expected
