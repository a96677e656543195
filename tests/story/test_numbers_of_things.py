"""Numbers of orders, specimens and visits in fields and in texts."""

from __future__ import annotations

import json

import pytest

from adapter.pipeline.process import process
from adapter.types import Position, Record
from tests.corpus.runs import ruleset

HEAD = (
    "MSH|^~\\&|LAB|MERCY|EHR|MERCY|20240311101500||ORU^R01|M1|P|2.5.1\r"
    "PID|1||84713926^^^MRC^MR||Thibodeaux^Marisol||19740923|F\r"
)


def lines(segments, note):
    """The segments of a released message with these segments and a note."""
    raw = f"{HEAD}{segments}\rOBX|1|TX|8251-1^Note^LN|1|{note}||||||F\r"
    return process(Record(raw.encode(), Position("in", 0, 0)), ruleset()).value.decode().split("\r")


@pytest.mark.parametrize("number", ["77Q418823", "418823", "A1B2C3D"])
@pytest.mark.parametrize(
    ("segments", "field"),
    [
        ("ORC|RE|{}", 2),
        ("ORC|RE||{}^LAB", 3),
        ("SPM|1|{}^^||BLD", 2),
        ("TXA|1|CN|TX|||||||||{}", 12),
        ("OBR|1|||24331-1^Lipid panel^LN||||||||||||||{}", 18),
    ],
)
def test_field_and_text_agree(number, segments, field):
    """The surrogate of the field is in the text, in every layout."""
    found = lines(
        segments.format(number), f"hemolyzed ({number}); Re: {number} seen, barcode *{number}*"
    )
    new = found[2].split("|")[field].split("^")[0]
    assert new != number
    assert f"hemolyzed ({new}); Re: {new} seen, barcode *{new}*" == found[3].split("|")[5]


@pytest.mark.parametrize(
    ("number", "note"),
    [
        ("12345", "WBC 12345"),
        ("COVID19", "COVID-19 negative"),
        ("METFORMIN500", "on metformin 500 mg"),
        ("24331-1", "see 24331-1"),
        ("150000", "platelets 150000"),
    ],
)
def test_a_generic_number_takes_nothing_from_the_text(number, note):
    """Words, codes and counts stay, although an order has them as its number."""
    found = lines(f"ORC|RE|{number}\rOBR|1|||24331-1^Lipid panel^LN", note)
    assert "24331-1^Lipid panel^LN" == found[3].split("|")[4]
    assert note == found[4].split("|")[5]


def test_identifiers_of_fhir_resources_agree_with_texts():
    """Identifiers of a request, a specimen and a search are in the text what they are there."""
    bundle = {
        "resourceType": "Bundle",
        "type": "transaction",
        "entry": [
            {
                "resource": {
                    "resourceType": "ServiceRequest",
                    "status": "active",
                    "intent": "order",
                    "identifier": [{"value": "77Q418823"}],
                    "note": [{"text": "again: 77Q418823, 418824; (A1B2C3D)"}],
                },
                "request": {
                    "method": "POST",
                    "url": "ServiceRequest",
                    "ifNoneExist": "identifier=A1B2C3D",
                },
            },
            {"resource": {"resourceType": "Specimen", "accessionIdentifier": {"value": "418824"}}},
        ],
    }
    outcome = process(Record(json.dumps(bundle).encode(), Position("in", 0, 0)), ruleset())
    first, second = json.loads(outcome.value)["entry"]
    request, number = first["resource"], second["resource"]["accessionIdentifier"]["value"]
    searched = first["request"]["ifNoneExist"].removeprefix("identifier=")
    order = request["identifier"][0]["value"]
    assert f"again: {order}, {number}; ({searched})" == request["note"][0]["text"]
    assert {order, number, searched}.isdisjoint({"77Q418823", "418824", "A1B2C3D"})
