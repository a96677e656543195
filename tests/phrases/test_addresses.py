"""Written forms of addresses: lines, towns behind them, persons and homes before them."""

from __future__ import annotations

import pytest

from adapter.phrases.addresses import address
from adapter.phrases.common_words import WordList
from adapter.phrases.places import town
from adapter.types import Label
from tests.wording import CUES, ENGLISH_DATES, FIELDS

WORDS = WordList(
    FIELDS,
    (ENGLISH_DATES,),
    CUES,
    ordinary=frozenset(
        {"park", "cherry", "hill", "lange", "county", "house", "bahnhof", "delivery"}
    ),
    names=frozenset({"washington", "lincoln"}),
)


def forms(text):
    """The forms of an address as {text in lower case: whether it is marked ordinary}."""
    found = {}
    for written, _, _, ordinary in address(text, "street", WORDS):
        found.setdefault(written.lower(), ordinary)
    return found


@pytest.mark.parametrize(
    "text",
    [
        "88 Ottergate Lane Augusta WI 54722",
        "88 Ottergate Lane\nAugusta, WI 54722",
        "88 Ottergate Lane; Augusta",
        "88 Ottergate Lane, Augusta",
        "#4 88 Ottergate Lane",
        "Apt 4, 88 Ottergate Lane",
        "88 Ottergate Lane Apt 4 Augusta WI",
        "88 Ottergate Ln NW",
        "Quimbleton House, 88 Ottergate Lane",
    ],
)
def test_a_street_is_found_in_the_value_of_a_whole_address(text):
    """Whatever parts the lines, with a unit before or behind, and with the town behind."""
    found = forms(text)
    expected = ("88 ottergate lane", "88 ottergate", "ottergate lane", "ottergate ln", "ottergate")
    assert [False] * len(expected) == [found.get(line) for line in expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ottergateweg 88", {"ottergate weg", "ottergate w", "ottergate weg 88"}),
        ("Ottergatestr. 88 a", {"ottergate strase", "ottergate strasse", "ottergate str 88"}),
        ("Ottergatestraße 88, 94032 Passau", {"ottergate str", "passau"}),
        ("Ottergater Weg 88", {"ottergater weg", "ottergater"}),
        ("Calle Ottergate 88, 3º B", {"calle ottergate", "c/ ottergate", "ottergate 88"}),
        ("C/Ottergate nº 88", {"calle ottergate 88", "c/ ottergate", "ottergate"}),
        ("88 rue Ottergate", {"rue ottergate", "ottergate"}),
        ("Oude Ottergaterweg 88", {"ottergaterweg", "ottergaterw", "ottergaterweg 88"}),
        ("Rua Visconde de Ottergate, 88", {"ottergate", "rua visconde de ottergate"}),
        ("Piazza Sant'Ottergatetto 8", {"ottergatetto", "ottergatetto 8"}),
        ("Av. Hipólito Ottergate 88", {"ottergate 88"}),
        ("8 ch. de la Côte-aux-Ottergates", {"côte-aux-ottergates", "ottergates"}),
        ("88 bis rue Ottergate", {"88 rue ottergate", "rue ottergate"}),
    ],
)
def test_a_street_is_looked_for_without_its_number_in_every_order(text, expected):
    """The number may stand behind, the kind before the name or at the end of its word."""
    found = forms(text)
    assert expected <= {line for line, ordinary in found.items() if not ordinary}


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("88 Washington Street", "washington street"),
        ("88 Park Lane", "park lane"),
        ("12 Lincoln Ave", "lincoln avenue"),
        ("Bahnhofstraße 5", "bahnhof str"),
        ("Lange Straße 5", "lange str"),
    ],
)
def test_a_common_name_is_looked_for_only_with_its_kind_of_street(text, line):
    """A word that many texts have, or a name that many have, tells nothing alone."""
    found = forms(text)
    assert line in found
    assert {"washington", "park", "lincoln", "bahnhof", "lange", "lange 5"}.isdisjoint(found)


def test_a_street_of_common_words_needs_context():
    """Its line without a number is marked ordinary, the one with a number is not."""
    found = forms("88 Park Lane")
    assert (True, False) == (found["park lane"], found["88 park lane"])
    assert "county road" not in forms("County Road 88")


def test_a_saint_before_a_hyphen_is_abbreviated_or_written_out():
    """Before a hyphen "St" is a saint, whatever else it may stand for."""
    assert "rue st-isidore" in forms("1144 rue Saint-Isidore")
    assert "rue saint-isidore" in forms("1144 rue St-Isidore")


def test_a_saint_is_no_street():
    """An abbreviation of two words ends a street only if nothing else does."""
    found = forms("88 St Marys Lane St Louis MO 63101")
    assert {"st marys lane", "st louis", "63101"} <= found.keys()
    assert {"louis", "88 st"}.isdisjoint(found)
    assert "ottergate street" in forms("88 Ottergate St Augusta")


def test_the_town_behind_a_street_has_its_own_labels():
    """Town, state and postal code are looked for as such."""
    found = {
        w: label for w, _, label, _ in address("88 Ottergate Lane Augusta WI 54722", "x", WORDS)
    }
    assert (Label.CITY, Label.STATE, Label.ZIP) == tuple(map(found.get, ("Augusta", "WI", "54722")))
    assert {"Passau", "94032"} <= {
        w for w, *_ in address("Ottergateweg 88 94032 Passau", "x", WORDS)
    }


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("c/o Zbigniewska", "zbigniewska"),
        ("C/O Zbigniewska, Anna", "zbigniewska"),
        ("c/o Anna Zbigniewska 88 Ottergate Lane", "anna zbigniewska"),
        ("z. Hd. Frau Zbigniewska", "zbigniewska"),
        ("bei Zbigniewska", "zbigniewska"),
        ("Attn: Zbigniewska", "zbigniewska"),
        ("c/o Zbigniewska Hospital", "zbigniewska"),
        ("Zbigniewska Manor Nursing Home", "zbigniewska manor"),
        ("Quimbleton House", "quimbleton"),
    ],
)
def test_a_person_or_home_in_an_address_is_looked_for_by_name(text, name):
    """Who somebody lives with, and the home somebody lives in."""
    assert forms(text)[name] is False


@pytest.mark.parametrize("text", ["Apt 5B", "PO Box 123", "Washington House", "General Delivery"])
def test_an_address_without_names_gives_no_word_alone(text):
    """Units, post boxes and homes with a common name are looked for as they are."""
    assert {text.lower()} == set(forms(text))


def test_a_street_with_a_preposition_is_no_person():
    """A name with only a number behind it is a street's."""
    assert {"bei der ottergate", "ottergate"} <= forms("Bei der Ottergate 5").keys()


def test_a_hospital_in_the_place_of_a_town_is_looked_for_by_its_short_name():
    """A birthplace may be a hospital."""
    found = {written for written, *_ in town("Szczebrzeszyn Hospital", "city", WORDS)}
    assert {"Szczebrzeszyn Hospital", "Szczebrzeszyn"} == found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("88 Ottergate Ridge Rd", {"88 ottergate rdg", "ottergate rdg rd", "ottergate rdg"}),
        ("88 Ottergate Rdg Rd", {"88 ottergate ridge", "ottergate ridge road"}),
        ("12 North Ottergate Blvd", {"12 n ottergate"}),
        ("12 N. Ottergate Blvd", {"12 north ottergate"}),
        ("1180 County Road 47", {"county road 47", "county rd 47"}),
        ("RR 2 Box 118", {"rr 2 bx 118"}),
        ("88 Cherry Rd", {"cherry rd", "cherry road"}),
    ],
)
def test_other_words_of_a_street_are_abbreviated_too(text, expected):
    """Words of the name, directions and numbered roads, with and without the house's number."""
    found = forms(text)
    assert [] == [line for line in expected if found.get(line) is not False]


def test_an_abbreviated_road_needs_its_place():
    """A number behind "CR" may be a laboratory's result; other kinds behind a word are clear."""
    assert forms("1180 County Road 47")["cr 47"]
    assert forms("88 Cherry Lane")["cherry lane"]
