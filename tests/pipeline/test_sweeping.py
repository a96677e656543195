"""Kept places are swept for what the leak check looks for, but not what tells how to read them."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime

import pytest

from adapter.pipeline.process import process
from adapter.types import Position, Record, Release
from tests.corpus.runs import ruleset


def released(raw: str) -> str:
    """The text that is released."""
    outcome = process(Record(raw.encode(), Position("t", 0, 0)), ruleset())
    assert isinstance(outcome, Release), outcome
    return outcome.value.decode()


CODES = {
    "MSH-9": ("ORU", "ORU^R01^ORU_R01"),
    "MSH-9.3": ("ORU_R01", "ORU^R01^ORU_R01"),
    "MSH-18": ("ASCII", "ASCII"),
    "MSH-15": ("AL", "|AL|NE|"),
    "OBX-2": ("NM", "|NM|"),
}


@pytest.mark.parametrize("name", [name for name, _ in CODES.values()])
@pytest.mark.parametrize("version", ["2.1", "2.3", "2.5.1", "2.8"])
def test_codes_that_say_how_to_read_a_message_stay(name, version):
    """Somebody called like a message type, charset or datatype leaves the header as it is."""
    out = released(
        f"MSH|^~\\&|LAB|NORTH|EHR|NORTH|20240314||ORU^R01^ORU_R01|M1|P|{version}|||AL|NE|USA|ASCII\r"
        f"PID|1||4410273^^^NORTH^MR||{name}^Quillon^Invalid {name}||19500102|M\r"
        "OBR|1|||24331-1^Lipid panel^LN|||20240314\r"
        "OBX|1|NM|2093-3^Cholesterol^LN||180|mg/dL|||||F\r"
        f"NTE|1||Seen: Mr. {name}, Quillon.\r"
    )
    header, patient, _, result, note = out.rstrip("\r").split("\r")
    assert "|ORU^R01^ORU_R01|" in header
    assert header.endswith("|AL|NE|USA|ASCII")
    assert result.startswith("OBX|1|NM|2093-3^")
    assert f"|{name}^" not in patient
    assert f"Mr. {name}" not in note


def test_such_a_code_counts_only_in_its_own_place():
    """The same word anywhere else is the name."""
    out = released(
        "MSH|^~\\&|LAB|NORTH|EHR|NORTH|20240314||ORU^R01|M1|P|2.5|||AL|NE|USA|ASCII\r"
        "PID|1||4410273^^^NORTH^MR||ASCII^Quillon||19500102|M\r"
        "OBX|1|CWE|9000-1^Finding^LN||1^seen ASCII today^L||||||F\r"
    )
    header, _, result = out.rstrip("\r").split("\r")
    assert header.endswith("|ASCII")
    assert "ASCII" not in result


@pytest.mark.parametrize("word", ["WYKTECH", "Okonjo", "BRELWICK"])
@pytest.mark.parametrize("tail", [" - Testing Release T5.6.7.MIS Interface Device", " HCIS", ""])
def test_a_word_known_as_an_organisation_and_as_a_name_goes_from_doubtful_places(word, tail):
    """An account named as its program is swept wherever the leak check would look for it."""
    entries = [
        {"resourceType": "Organization", "id": "o1", "name": f"{word} Facility Author"},
        {"resourceType": "Location", "id": "l1", "name": f"{word} Facility Author"},
        {"resourceType": "Practitioner", "id": "p1", "name": [{"family": word.upper()}]},
        {
            "resourceType": "Device",
            "id": "d1",
            "manufacturer": word + tail,
            "type": {"coding": [{"system": "http://snomed.info/sct", "display": word + tail}]},
            "version": [{"value": word + tail}],
        },
    ]
    bundle = {"resourceType": "Bundle", "type": "collection"}
    raw = json.dumps({**bundle, "entry": [{"resource": entry} for entry in entries]})
    assert word.lower() not in released(raw).lower()


def results(*rows):
    """The result segments released with a patient born on 23 September 1974."""
    out = released(
        "MSH|^~\\&|LAB|NORTH|EHR|NORTH|20240314||ORU^R01|M1|P|2.5.1\r"
        "PID|1||4410273^^^NORTH^MR||Okonjo^Quillon||19740923|M\r"
        "OBR|1|||24331-1^Lipid panel^LN|||20240314\r" + "".join(f"{row}\r" for row in rows)
    )
    return out.rstrip("\r").split("\r")[3:]


@pytest.mark.parametrize(
    "row",
    [
        "OBX|1|NM|1^x^L||{}",
        "OBX|1|CE|{}^x^L||1",
        "OBX|1|CE|1^x^L||{}^^L",
        "OBX|1|CE|1^x^L||{}^^RXNORM",
        "OBX|1|CE|1^x^L||QO{}^^L",
        "DG1|1||{}^^L",
        "DG1|1||OKOQUI{}^^L",
        "OBX|1|TX|1^x^L||Okonjo, Quillon {} M",
    ],
)
@pytest.mark.parametrize("layout", ["%m%d%y", "%d%m%y", "%y%m%d"])
def test_a_birth_date_of_six_digits_is_shifted_in_its_layout(row, layout):
    """In codes, whatever system they name, in numbers without a unit and in texts."""
    (out,) = results(row.format(date(1974, 9, 23).strftime(layout)))
    before, _, after = row.partition("{}")
    new = out.removesuffix(after)[-6:]
    assert date(1974, 9, 23) != datetime.strptime(new, layout).replace(tzinfo=UTC).date()
    if "Okonjo" not in row:
        assert before + new + after == out


@pytest.mark.parametrize(
    "row",
    [
        "OBX|1|NM|777-3^Platelets^LN||092374|/uL",
        "OBX|1|TX|1^x^L||platelets 092374 /uL at 09:23:14",
    ],
)
def test_counts_that_equal_a_birth_date_stay(row):
    """Six digits are no evidence where a unit of measure explains them."""
    assert [row] == results(row)


@pytest.mark.parametrize("question", ["dob mmddyy", "DOB", "birth date"])
def test_an_answer_to_a_question_for_a_birth_date_may_lack_its_leading_zero(question):
    """A number field drops the zero of 092374; what remains cannot be shifted and goes."""
    assert [f"OBX|1|NM|1^{question}^L||"] == results(f"OBX|1|NM|1^{question}^L||92374")


def coded(
    family: str, given: str, display: str, element: str = "Observation", code: str = ""
) -> str:
    """The display that is released beside a patient of that name."""
    coding = {"system": "http://snomed.info/sct", "code": code or "256262001", "display": display}
    concept = {"coding": [coding]}
    goal = {"resourceType": "Goal", "target": [{"measure": concept}]}
    about = goal if element == "Goal" else {"resourceType": element, "code": concept}
    entries = [
        {"resourceType": "Patient", "name": [{"family": family, "given": [given]}]},
        {**about, "status": "final"} if element == "Observation" else about,
    ]
    bundle = {"resourceType": "Bundle", "type": "collection"}
    raw = json.dumps({**bundle, "entry": [{"resource": entry} for entry in entries]})
    last = json.loads(released(raw))["entry"][1]["resource"]
    found = last["target"][0]["measure"] if element == "Goal" else last["code"]
    return str(found["coding"][0].get("display", ""))


@pytest.mark.parametrize(
    ("family", "display"),
    [
        ("Rose", "Rose pollen"),
        ("Wheat", "Allergy to wheat"),
        ("Lewis", "Lewis a antigen"),
        ("Holter", "Holter electrocardiogram monitoring"),
    ],
)
def test_a_published_term_keeps_a_word_that_is_the_patient_s_name(family, display):
    """A common word or an eponym in the display of a valid code names nobody."""
    assert coded(family, "Quillon", display) == display


@pytest.mark.parametrize(
    ("family", "given", "display"),
    [
        ("Rose", "Mary", "Mary Rose pollen"),
        ("Johnson", "Robert", "Diabetes mellitus - Johnson"),
        ("Johnson", "Robert", "Johnson, diabetes"),
        ("Smith", "Robert", "Diet for Smith"),
        ("Beck", "Anna", "Beck"),
        ("Quillermont", "Anna", "Quillermont disease"),
    ],
)
def test_a_display_that_names_the_patient_is_no_term(family, given, display):
    """A name beside another, behind a mark or a cue, alone, or in no list of words goes."""
    assert family not in coded(family, given, display)


def test_a_name_in_the_display_of_a_code_that_is_not_valid_goes():
    """What is beside a code that its system cannot have is read like a local display."""
    assert "Rose" not in coded("Rose", "Quillon", "Rose pollen", code="256262002")


def test_the_display_of_a_published_code_stays_in_any_element():
    """A term is the same in an element that the field policy scans."""
    display = "SARS-CoV-2 RNA in Respiratory specimen by NAA with probe detection"
    assert coded("Okonjo", "Quillon", display, "Goal") == display
