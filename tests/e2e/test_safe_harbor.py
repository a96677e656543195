"""The eighteen kinds of identifiers of 45 CFR 164.514(b)(2)(i), each in fields and in free text."""

from __future__ import annotations

import json
from functools import cache

import pytest

from adapter.pipeline.process import process
from adapter.types import Position, Record, Release
from tests.corpus.runs import ruleset

PATIENT = (
    "PID|1||40018822^^^MRN^MR~7725510^^^HEALTH^MC||Abernathy^Rosalind^Jean||19301102|F|||"
    "14 Orchard Bluff Rd^^Ashland^WI^54806^USA^H^^Chequamegon County||(715) 555-0142^PRN^PH"
    "~^NET^Internet^roz.a@mailbox.example||en|M||V7700121^^^ACCT^AN|472-81-9035|B6603-1120^WI"
)
FIELDS = (
    r"MSH|^~\&|REG|Quillfeather Hospital|EHR|Q|20240310170500||ORU^R01|M1|P|2.5.1",
    PATIENT,
    "NK1|1|Abernathy^Dale|HUS||(715) 555-0143",
    "OBR|1|||11506-3^Note^LN",
)
NOTE = {
    "A": ("Pt Rosalind Abernathy here with husband Dale.", ["Rosalind", "Abernathy", "Dale"]),
    "B": ("Lives at 14 Orchard Bluff Rd, Ashland, WI 54806.", ["Orchard", "Ashland", "54806"]),
    "C": (
        "Admitted 03/11/2024, a 93 year old born 11/02/1930.",
        ["03/11", "93 year", "11/02", "1930"],
    ),
    "D": ("Phone: (715) 555-0142.", ["555-0142"]),
    "E": ("Fax: (715) 555-0188.", ["555-0188"]),
    "F": ("E-mail roz.a@mailbox.example.", ["roz.a", "mailbox"]),
    "G": ("SSN 472-81-9035.", ["472-81", "9035"]),
    "H": ("MRN: 40018822.", ["40018822"]),
    "I": ("Member ID: 7725510.", ["7725510"]),
    "J": ("Account number V7700121.", ["7700121"]),
    "K": ("Driver's license B6603-1120.", ["B6603", "1120"]),
    "L": ("VIN 1HGCM82633A004352, plate: WXK 4417.", ["A004352", "4417"]),
    "M": ("Pacemaker serial number PJN-778213.", ["778213"]),
    "N": ("See https://portal.quillfeather.example/roz.", ["portal.quill"]),
    "O": ("Logged in from IP 203.0.114.77.", ["203.0.114.77"]),
    "P": ("Fingerprint ID FPX-66120934.", ["66120934"]),
    "R": ("Study subject number SUBJ-90217.", ["90217"]),
}
"""By paragraph: what a note says, and what of it may not come out."""


@cache
def sanitized() -> str:
    """The message with all of it, by the rules of `safe-harbor`."""
    rows = [f"OBX|{at}|TX|N||{text}||||||F" for at, (text, _) in enumerate(NOTE.values(), 1)]
    raw = "\r".join((*FIELDS, *rows)).encode()
    outcome = process(Record(raw, Position("test", 0, 0)), ruleset("safe-harbor"))
    assert isinstance(outcome, Release)
    assert outcome.value is not None
    return outcome.value.decode()


@pytest.mark.parametrize("paragraph", NOTE)
def test_identifiers_are_gone(paragraph):
    """Nothing of what the paragraph lists is left, in fields or in the note."""
    _, values = NOTE[paragraph]
    assert [] == [value for value in values if value in sanitized()]


def test_b_leaves_states_and_three_digits():
    """(B): states stay, ZIP codes by their first three digits."""
    address = sanitized().split("\r")[1].split("|")[11].split("^")
    assert ("WI", "54800") == tuple(address[3:5])


def test_c_leaves_years_alone():
    """(C): of dates the year, of ages over 89 the category of 90 and more."""
    patient = sanitized().split("\r")[1].split("|")
    assert 4 == len(patient[7])
    assert "90" in sanitized()


def test_q_photographs_are_dropped():
    """(Q): a photograph does not come out, whatever is in it."""
    photo = {"contentType": "image/png", "data": "iVBORw0KGgo="}
    patient = {"resourceType": "Patient", "id": "p", "photo": [photo], "gender": "male"}
    record = Record(json.dumps(patient).encode(), Position("test", 0, 0))
    outcome = process(record, ruleset("safe-harbor"))
    assert isinstance(outcome, Release)
    assert outcome.value is not None
    assert "photo" not in json.loads(outcome.value)
