"""OBX-5 by the datatype of OBX-2."""

from __future__ import annotations

import pytest

from tests.mart.landing.feed import only, oru

G = {"unit": "g/dL"}
LOCAL = "https://terminology.hl7.org/CodeSystem-v2-0396.html#v2-0396-99zzzorL"


@pytest.mark.parametrize(
    ("datatype", "sent", "element", "expected"),
    [
        ("NM", "8.1", "valueQuantity", {"value": 8.1, **G}),
        ("NM", "<5", "valueQuantity", {"value": 5, "comparator": "<", **G}),
        ("NM", "positive", "valueString", "positive"),
        ("SN", ">^100", "valueQuantity", {"value": 100, "comparator": ">", **G}),
        (
            "SN",
            "^1^:^128",
            "valueRatio",
            {"numerator": {"value": 1, **G}, "denominator": {"value": 128, **G}},
        ),
        ("SN", "^2^-^4", "valueRange", {"low": {"value": 2, **G}, "high": {"value": 4, **G}}),
        ("SN", "^2^+", "valueString", "2 +"),
        ("SN", "<>^1^-^2", "valueString", "<> 1 - 2"),
        ("ST", "a \\T\\ b", "valueString", "a & b"),
        ("TX", "a^b~c", "valueString", "a^b\nc"),
        (
            "CE",
            "1^yes^L",
            "valueCodeableConcept",
            {"coding": [{"code": "1", "display": "yes", "system": LOCAL}]},
        ),
        ("IS", "Y", "valueCodeableConcept", {"coding": [{"code": "Y"}]}),
        ("DT", "20240317", "valueDateTime", "2024-03-17"),
        ("TM", "1600", "valueTime", "16:00:00"),
        ("NR", "1^10", "valueRange", {"low": {"value": 1}, "high": {"value": 10}}),
        ("DR", "2024^2025", "valuePeriod", {"start": "2024", "end": "2025"}),
        ("VR", "1", "valueString", "1"),
        ("??", "as sent", "valueString", "as sent"),
    ],
)
def test_a_value_has_the_type_that_is_sent(datatype, sent, element, expected):
    """Each datatype has its element; numbers and structured numerics take the unit of OBX-6."""
    found = only("Observation", oru(f"OBX|1|{datatype}|1^x^LN||{sent}|g/dL|||||F"))
    assert expected == found[element]


@pytest.mark.parametrize("datatype", ["XPN", "XAD", "XTN", "XCN"])
def test_a_person_is_no_result(datatype):
    """Names, addresses and telephones in OBX-5 are left out, and counted."""
    found = only("Observation", oru(f"OBX|1|{datatype}|1^x^LN||Doe^Jane||||||F"))
    assert not [name for name in found if name.startswith("value")]


def test_a_result_that_was_not_asked_says_so():
    """OBX-11 N and X are reasons of absence."""
    found = only("Observation", oru("OBX|1||1^x^LN||||||||N"))
    assert ("unknown", "not-asked") == (
        found["status"],
        found["dataAbsentReason"]["coding"][0]["code"],
    )
