"""A sentence in a place for a code is read as free text; codes are not."""

from __future__ import annotations

import pytest

from adapter.pipeline.process import process
from adapter.types import Position, Record, Release
from tests.corpus.runs import ruleset

HEAD = "MSH|^~\\&|A|B|C|D|20240511||ORU^R01|1|P|2.5.1\rPID|1||7712345^^^H^MR||Brandvold^Osmund|\r"
PLACES = [
    "AL1|1|DA|{}",
    "DG1|1||{}",
    "DG1|1||{}^^L",
    "OBR|1|||X^Panel^L||||||||{}",
    "OBX|1|CWE|NOTE^Note^L||{}||||||F",
    "OBX|1|CWE|NOTE^Note^L||^^^{}||||||F",
    "OBX|1|CE|{}||1||||||F",
    "ACC||{}",
]


def _released(place: str, text: str) -> str:
    raw = f"{HEAD}{place.format(text)}\r".encode()
    outcome = process(Record(raw, Position("in", 0, 0)), ruleset())
    assert isinstance(outcome, Release), outcome
    return outcome.value.decode()


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("bit phlebotomist Kasimira Fennimole yesterday", "Kasimira"),
        ("Svetla refused meds", "Svetla"),
        ("per RN Svetla, pt is agitated", "Svetla"),
        ("DANGER: pt bit phlebotomist Kasimira Fennimole on arrival", "Kasimira"),
    ],
)
def test_a_name_in_a_sentence_in_the_place_of_a_code_is_replaced(place, text, name):
    """What is no code is text, and is read like a note."""
    assert name not in _released(place, text)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(
    "code",
    [
        "HVB7",
        "CHEST PAIN NOS",
        "Type 2 diabetes mellitus",
        "Beta hemolytic strep group A",
        "Crohn's disease of colon",
        "Gram positive cocci in pairs",
    ],
)
def test_codes_and_terms_in_the_place_of_a_code_stay(place, code):
    """Short local codes stay, and so do terms that a sender writes instead of a code."""
    assert place.format(code) in _released(place, code)


@pytest.mark.parametrize(
    "name",
    [
        "Alinity m Resp-4-Plex_Abbott Molecular Inc.",
        "Multiplex Assay_Centers for Disease Control and Prevention (CDC)",
        "Ellume COVID-19 Home Test",
        "POST 12H CFST:MCNC:PT:SER/PLAS:QN",
        "IHE PDQ Query",
    ],
)
def test_names_of_products_and_methods_stay(name):
    """A method of OBX-17 in capitalised words, or joined by signs, is read as before."""
    place = f"OBX|1|NM|94500-6^SARS-CoV-2^LN||1||||||F||||||{name}"
    assert name in _released("{}", place)


FHIR = (
    '{"resourceType":"Condition","code":{"text":"asthma"},"bodySite":[{"coding":[{"system":'
    '"http://snomed.info/sct","code":"39607008","display":"Lung structure"}],"text":"%s"}]}'
)


def _site(text: str) -> str:
    outcome = process(Record((FHIR % text).encode(), Position("in", 0, 0)), ruleset())
    assert isinstance(outcome, Release), outcome
    return outcome.value.decode()


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (
            "Lung structure; lives above a shop at 14 Cinder Lane, Todmorden OL14 7QX",
            "Todmorden",
        ),
        ("Mrs Okonkwo of Quince Hollow", "Quince Hollow"),
    ],
)
def test_a_display_that_tells_of_somebody_is_read_as_a_text(text, name):
    """A long display with an unknown word, or one with a title before a name, is no term."""
    assert name not in _site(text)


def test_a_long_display_of_known_words_is_none():
    """A term of any length stays as it is."""
    text = "Structure of left lower lobe of lung and adjacent parts of the pleura"
    assert text in _site(text)
