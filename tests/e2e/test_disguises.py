"""Laws: a known value in disguise is replaced or holds its message, in every place of it."""

from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adapter.pipeline.process import process
from adapter.types import Position, Record, Release
from tests.corpus.runs import ruleset
from tests.e2e.disguises import disguised, seen

FAMILIES = ("Okonjo", "Wisniewski", "O'Brien", "García-Marquez", "Featherstonehaugh", "Ndlovu")
GIVENS = ("Thaddeus", "Ngozi", "Guadalupe", "Zsófia", "Kwabena", "Siobhán")
CHART, PHONE, STREET = "90817263", "2185550143", "2207 Quarrystone Lane"
NUMBERS = (CHART, PHONE)
DIGITS = "zero one two three four five six seven eight nine".split()


@pytest.fixture(scope="module")
def rules():
    """The shipped rules under a fixed key."""
    return ruleset()


def hl7(family, given, place, text):
    """A result whose note, name of test or comment is ``text``."""
    for mark, escape in (("\\", "\\E\\"), ("&", "\\T\\"), ("|", "\\F\\"), ("^", "\\S\\"),
                         ("~", "\\R\\"), ("\n", "\\.br\\")):  # fmt: skip
        text = text.replace(mark, escape)
    note = text if place == "OBX-5" else "Seen today."
    name = text if place == "OBX-3.2" else "Note"
    comment = text if place == "NTE-3" else "Nothing more."
    return "\r".join([
        "MSH|^~\\&|LAB|HOSP|EHR|HOSP|20240314101500||ORU^R01|MSG1|P|2.5.1||||||UNICODE UTF-8",
        f"PID|1||{CHART}^^^HOSP^MR||{family}^{given}||19530218|F|||{STREET}^^Duluth^MN||{PHONE}",
        "OBR|1|||1^Note^L",
        f"OBX|1|TX|1^{name}^L||{note}||||||F",
        f"NTE|1||{comment}",
        "",
    ]).encode()  # fmt: skip


def fhir(family, given, place, text):
    """A Bundle of a patient and an observation whose note, value or code is ``text``."""
    marked = text if place == "div" else "Seen today."
    observation = {
        "resourceType": "Observation",
        "status": "final",
        "code": {"text": text if place == "code" else "Note"},
        "subject": {"reference": "Patient/p1"},
        "valueString": text if place == "value" else "fine",
        "note": [{"text": text if place == "note" else "Nothing more."}],
        "text": {
            "status": "generated",
            "div": f'<div xmlns="http://www.w3.org/1999/xhtml"><p>{marked}</p></div>',
        },
    }
    patient = {
        "resourceType": "Patient",
        "id": "p1",
        "identifier": [{"type": {"coding": [{"code": "MR"}]}, "value": CHART}],
        "name": [{"family": family, "given": [given]}],
        "telecom": [{"system": "phone", "value": "(218) 555-0143"}],
        "address": [{"line": [STREET], "city": "Duluth", "state": "MN"}],
    }
    entries = [{"resource": patient}, {"resource": observation}]
    bundle = {"resourceType": "Bundle", "type": "collection", "entry": entries}
    return json.dumps(bundle, ensure_ascii=False).encode()


PLACES = [(hl7, "OBX-5"), (hl7, "NTE-3"), (hl7, "OBX-3.2"), (fhir, "note"), (fhir, "value"),
          (fhir, "code"), (fhir, "div")]  # fmt: skip
SENTENCES = ("{}", "Call {} tomorrow.", "spoke with {} at length", "Re: {}, stable.")


def stays(rules, raw, value):
    """Whether a released message still shows a value."""
    outcome = process(Record(raw, Position("in", 0, 0)), rules)
    if not isinstance(outcome, Release):
        return False
    return seen(value) in seen(outcome.value.decode())


@pytest.mark.parametrize(("build", "place"), PLACES)
@pytest.mark.parametrize("between", [" ", "-", ", "])
def test_no_number_is_left_in_words(rules, build, place, between):
    """Digit by digit, wherever a reader would write it down."""
    words = between.join(DIGITS[int(digit)] for digit in CHART)
    raw = build("Okonjo", "Thaddeus", place, f"chart {words} on file")
    assert not stays(rules, raw, words)


@st.composite
def misread(draw):
    """A number with letters that look like its digits, and perhaps with marks between."""
    number = draw(st.sampled_from(NUMBERS))
    letters = [
        draw(st.sampled_from({"0": "0Oo", "1": "1lI"}.get(digit, digit))) for digit in number
    ]
    at = draw(st.sampled_from((3, 4, len(number))))
    return "".join(letters[:at]) + draw(st.sampled_from(" -.")) + "".join(letters[at:])


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(misread(), st.sampled_from(PLACES), st.sampled_from(SENTENCES))
def test_no_number_is_left_with_letters_for_digits(rules, number, where, sentence):
    """As scanners and typists write it, wherever it stands."""
    build, place = where
    raw = build("Okonjo", "Thaddeus", place, sentence.format(number))
    assert not stays(rules, raw, number)


@st.composite
def planted(draw):
    """A message with a value in disguise, and the value."""
    family, given = draw(st.sampled_from(FAMILIES)), draw(st.sampled_from(GIVENS))
    names = (family, given, f"{given} {family}", f"{family}, {given}")
    value = draw(st.sampled_from((*names, *NUMBERS, STREET)))
    build, place = draw(st.sampled_from(PLACES))
    text = draw(st.sampled_from(SENTENCES)).format(draw(disguised(value)))
    return build(family, given, place, text), value


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(planted())
def test_no_disguise_hides_a_known_value(rules, case):
    """Names, numbers and streets under any of the disguises, in text and kept places."""
    raw, value = case
    assert not stays(rules, raw, value)


@pytest.mark.slow
@settings(max_examples=3000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(planted())
def test_no_disguise_hides_a_known_value_at_length(rules, case):
    """The same, many times."""
    raw, value = case
    assert not stays(rules, raw, value)
