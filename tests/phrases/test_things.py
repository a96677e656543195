"""Numbers of things: which are looked for in texts, and in which forms."""

from __future__ import annotations

import pytest

from adapter.phrases.things import THING, specific, thing
from adapter.types import Action, Handling, Label, TextSegment
from tests.wording import word_list

WORDS = word_list(ordinary=frozenset({"covid", "baby"}), medical=frozenset({"metformin", "lab"}))
NUMBER = Action(Handling.SURROGATE, Label.IDNUM, part="id")
KEPT = Action(Handling.KEEP)


def leaf(text, action=NUMBER, datatype="EI.1", path="ORC-2.1"):
    """A segment and its action."""
    return TextSegment(path, path, datatype, text), action


def sought(*leaves):
    """The texts that are looked for."""
    found = thing(*zip(*leaves, strict=True), WORDS)
    return [phrase.text for phrase in found.phrases] if found else []


@pytest.mark.parametrize(
    ("text", "forms"),
    [
        ("77Q418823", ["77q418823", "77418823"]),
        ("418823", ["418823"]),
        ("41882", ["41882"]),
        ("A1B2C3D", ["a1b2c3d"]),
        ("S24-1187", ["s241187", "241187"]),
        ("0000418823", ["0000418823", "418823"]),
        ("ORD20240310", ["ord20240310"]),
    ],
)
def test_a_specific_number_is_looked_for(text, forms):
    """As sent, without zeros and, if long, its digits; a day among its digits is no number."""
    assert sorted(forms) == sorted(sought(leaf(text)))


@pytest.mark.parametrize(
    "text",
    [
        *("1", "4188", "12345", "GLU", "QXZRTB", "150000", "12500", "1.2.840.113619.2.55"),
        *("20240310", "202403100845", "20240310084500", "20240310084500123"),
    ],
)
def test_a_number_that_texts_have_by_chance_is_not_looked_for(text):
    """Short numbers, words, days and times, round counts, and name spaces."""
    assert [] == sought(leaf(text))


@pytest.mark.parametrize("text", ["COVID19", "Metformin 500", "LAB123", "SARSCOV2"])
def test_a_word_with_few_digits_is_not_specific(text):
    """Fillers that are made of the name of the test or drug."""
    assert not specific(text, WORDS)


@pytest.mark.parametrize("text", ["LAB41882", "QX7123", "BABY-204417"])
def test_a_word_with_many_digits_is_specific(text):
    """The name of the kind of number may be a part of it."""
    assert specific(text, WORDS)


def test_a_number_that_is_a_code_of_the_message_is_not_looked_for():
    """A site that numbers its orders by test; the code of the test stays."""
    code = leaf("57021-8", KEPT, "CWE.1", "OBR-4.1")
    assert [] == sought(leaf("57021-8"), code)
    assert [] == sought(leaf("570218"), code)
    assert ["57021881"] == sought(leaf("57021881"), code)


def test_other_values_are_no_numbers_of_things():
    """Numbers of persons have an owner, FHIR's logical ids may be words, and a profile may keep."""
    staff = Action(Handling.SURROGATE, Label.IDNUM, "staff", "id")
    kept = Action(Handling.KEEP, Label.IDNUM, part="id")
    others = (leaf("418823", staff), leaf("vitamin-b12345", datatype="id"), leaf("418823", kept))
    assert thing(*zip(*others, strict=True), WORDS) is None


@pytest.mark.parametrize(
    "text",
    [
        "identifier=77Q418823",
        "Patient?identifier=http://mrn.example/main|77Q418823&_count=5",
        "identifier=urn:oid:1.2%7C77Q418823,other",
    ],
)
def test_a_search_by_identifier_has_a_number(text):
    """With and without the identifier's system; other parameters are none."""
    reference = Action(Handling.SURROGATE, Label.IDNUM, part="reference")
    assert ["77q418823", "77418823"] == sought(leaf(text, reference, "string"))
    assert [] == sought(leaf("Patient?name=77Q418823", reference, "string"))


def test_all_numbers_belong_to_one_entity():
    """Each value once, in order, so that a message of many orders has no entity for each."""
    found = thing(*zip(leaf("77Q418823"), leaf("1"), leaf("77Q418823"), strict=True), WORDS)
    assert (("id", "77Q418823"), ("id", "1")) == found.entity.parts
    assert {THING} == {phrase.entity for phrase in found.phrases}
