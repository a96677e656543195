"""Ages over 89 in numeric results are capped where the profile caps ages."""

from __future__ import annotations

import json

import pytest

from adapter.pipeline.process import process
from adapter.types import Position, Record
from tests.corpus.runs import ruleset

HEAD = "MSH|^~\\&|A|B|C|D|20240101||ORU^R01|1|P|2.5.1\rPID|1||123456^^^H^MR||Doe^Jane||19800101|F\r"


def _result(question, value, unit="", profile="research"):
    line = f"OBX|1|NM|{question}||{value}|{unit}||||F\r"
    raw = (HEAD + "OBR|1||5|24331-1^Lipid^LN\r" + line).encode()
    outcome = process(Record(raw, Position("ages", 0, 0)), ruleset(profile))
    return outcome.value.decode().split("\r")[-2].split("|")[5]


@pytest.mark.parametrize(
    ("question", "value", "unit", "expected"),
    [
        ("30525-0^Age^LN", "93", "a^year^UCUM", "90"),
        ("30525-0^Age^LN", "64", "a^year^UCUM", "64"),
        ("77^Patient age^L", "101", "", "90"),
        ("77^Age^L", "101", "d", "101"),
        ("777-3^Platelets^LN", "150000", "10*3/uL", "150000"),
        ("2345-7^Glucose^LN", "93", "mg/dL", "93"),
        ("77^Average dosage^L", "93", "mg", "93"),
    ],
)
def test_ages_in_results(question, value, unit, expected):
    """A number is an age by its question, by code or by words, unless its unit is shorter."""
    assert _result(question, value, unit) == expected


def test_ages_stay_where_the_profile_keeps_them():
    """A limited dataset keeps ages."""
    assert _result("30525-0^Age^LN", "93", "a", "limited-dataset") == "93"


def test_ages_in_quantities():
    """A quantity of FHIR that answers a question for an age stays a number."""
    observation = {
        "resourceType": "Observation",
        "status": "final",
        "code": {"coding": [{"system": "http://loinc.org", "code": "30525-0"}]},
        "valueQuantity": {"value": 93, "unit": "years", "code": "a"},
    }
    raw = json.dumps(observation).encode()
    outcome = process(Record(raw, Position("ages", 0, 0)), ruleset())
    assert json.loads(outcome.value)["valueQuantity"]["value"] == 90


@pytest.mark.parametrize("value", ["1709251200", "1709251200000"])
def test_epoch_seconds_do_not_stay(value):
    """Seconds and milliseconds since 1970 are no measured value."""
    assert value not in _result("77^Collected^L", value)
