"""Texts about another message: an acknowledgement names no patient in a field of its own."""

from __future__ import annotations

import json

import pytest

from adapter.pipeline.process import process
from adapter.types import Position, Record
from tests.corpus.runs import ruleset

HEAD = "MSH|^~\\&|A|B|C|D|20240101||ACK^A01^ACK|1|P|2.5.1\r"


def _acknowledged(text):
    raw = f"{HEAD}MSA|AE|CTL1|{text}\rERR||PID^1^5|204^Unknown Key Identifier^HL70357|E||||{text}\r"
    outcome = process(Record(raw.encode(), Position("ack", 0, 0)), ruleset())
    return outcome.value.decode()


@pytest.mark.parametrize(
    "text",
    [
        "KUROIWADA MASATSUGU was refused",
        "Refused: Mbekezeli, Sizwenkosi",
        "okonjo thaddeus unknown",
    ],
)
def test_a_name_in_an_acknowledgement_goes(text):
    """A word that is none drops the text: no field says whose name it may be."""
    released = _acknowledged(text).lower()
    names = ("kuroiwada", "masatsugu", "mbekezeli", "sizwenkosi", "okonjo", "thaddeus")
    assert not any(name in released for name in names)


@pytest.mark.parametrize(
    "text", ["Message accepted", "Required field missing: PID-5", "Duplicate message control id"]
)
def test_what_a_receiver_says_stays(text):
    """Ordinary words of an error stay."""
    assert _acknowledged(text).count(text) == 2


@pytest.mark.parametrize(
    ("display", "stays"),
    [
        ("Data type error", True),
        ("Data type error in RSL440812", False),
        ("Data type error: wife Mbekezeli", False),
    ],
)
def test_codes_of_errors_are_read_so_too(display, stays):
    """The text of a code is a receiver's own, whatever table the code is of."""
    code = f"102^{display}^HL70357"
    raw = f"{HEAD}MSA|AE|CTL1||||{code}\rERR||OBX^2^5|{code}|E\r"
    released = process(Record(raw.encode(), Position("ack", 0, 0)), ruleset()).value.decode()
    assert (code in released) is stays
    assert not any(text in released for text in ("RSL440812", "Mbekezeli"))
    assert "102^" in released


def test_outcomes_of_operations_are_read_strictly():
    """The diagnostics of an OperationOutcome are such a text."""
    issue = {"severity": "error", "code": "invalid", "diagnostics": "KUROIWADA MASATSUGU refused"}
    raw = json.dumps({"resourceType": "OperationOutcome", "issue": [issue]}).encode()
    outcome = process(Record(raw, Position("ack", 0, 0)), ruleset())
    assert b"KUROIWADA" not in outcome.value


def test_what_an_audit_event_is_about_is_read_strictly():
    """Name and detail of an AuditEvent's entity may name a person of whom it has no resource."""
    entity = {
        "name": "Kuroiwadan",
        "detail": [{"type": "why", "valueString": "neighbor Mbekezeli"}],
    }
    known = {
        "name": "Medication record",
        "detail": [{"type": "why", "valueString": "routine audit"}],
    }
    event = {
        "resourceType": "AuditEvent",
        "type": {"code": "rest"},
        "recorded": "2024-03-01T08:00:00Z",
        "agent": [{"requestor": True}],
        "source": {"observer": {"display": "x"}},
        "entity": [entity, known],
    }
    outcome = process(Record(json.dumps(event).encode(), Position("audit", 0, 0)), ruleset())
    released = outcome.value.decode()
    assert not any(name in released for name in ("Kuroiwadan", "Mbekezeli"))
    assert all(text in released for text in ("Medication record", "routine audit"))


def test_what_people_call_a_group_is_read_strictly():
    """A group's own name is words of the field; a word that is none may be somebody's name."""
    members = {"resourceType": "Group", "type": "person", "actual": True}
    for name, stays in (("Diabetes education group", True), ("Mbekezeli", False)):
        raw = json.dumps({**members, "name": name}).encode()
        released = process(Record(raw, Position("group", 0, 0)), ruleset()).value.decode()
        assert (name in released) is stays
