"""Makes messages with a readable number, and canaries that no release may contain."""

from __future__ import annotations

import json
import re
from typing import NamedTuple

NOTE = "Mr Quillfeather was seen in clinic and feels well. Call Mrs. Quillfeather with results."
CANARIES = re.compile(rb"quillfeather|MRN77", re.IGNORECASE)
"""Strings that no byte leaving the adapter may contain."""
DOCTORS = ("Haldorsen", "Vavassourey", "Montrosier", "Abernethick", "Sandovarez")
"""Ordering doctors; a note names one whom only earlier messages of other patients name."""
NUMBER = re.compile(rb'\|\|(\d+)\|mg/dL|"value": ?(\d+)')
POISON = 50
"""Every fiftieth message is malformed."""


class Sent(NamedTuple):
    """A message to write to the input topic."""

    key: bytes
    value: bytes
    headers: tuple[tuple[str, bytes], ...]


def _note(patient: int) -> str:
    return f"{NOTE} {DOCTORS[(patient + 2) % len(DOCTORS)]} reviewed."


def hl7v2(number: int, patient: int) -> bytes:
    """Return an ORU^R01 whose only number is that of the message."""
    doctor = patient % len(DOCTORS)
    return "\r".join(
        (
            f"MSH|^~\\&|LAB|H1|EHR|H2|20240102||ORU^R01^ORU_R01|C{number}|P|2.5",
            f"PID|1||MRN77{patient:03d}^^^H1^MR||QUILLFEATHER^JOHN||19600102|M",
            f"OBR|1|||24356-8^Urinalysis^LN{'|' * 12}88123{doctor}^{DOCTORS[doctor]}^Runa",
            f"OBX|1|NM|2345-7^Glucose^LN||{number}|mg/dL|||||F",
            f"OBX|2|TX|18842-5^Note^LN||{_note(patient)}||||||F",
            "",
        )
    ).encode()


def fhir(number: int, patient: int) -> bytes:
    """Return an Observation whose only number is that of the message."""
    return json.dumps(
        {
            "resourceType": "Observation",
            "status": "final",
            "code": {"coding": [{"system": "http://loinc.org", "code": "2345-7"}]},
            "subject": {"reference": f"Patient/MRN77{patient:03d}"},
            "valueQuantity": {"value": number, "unit": "mg/dL"},
            "note": [{"text": _note(patient)}],
        }
    ).encode()


def message(number: int, patients: int = 40) -> Sent:
    """Return the number-th message; every fiftieth is malformed."""
    patient = number % patients
    make = (hl7v2, fhir)[number // patients % 2]
    poisoned = number % POISON == 0
    value = b"no message of Quillfeather" if poisoned else make(number, patient)
    return Sent(f"MRN77{patient:03d}".encode(), value, (("patient", b"Quillfeather"),))


def long(number: int, size: int, patient: int = 7) -> Sent:
    """Return an ORU^R01 with a note of about ``size`` bytes."""
    text = b"Seen on 3 May 2021 in ward 5 and discharged home in good spirits. "
    note = b"feels well. " + text * (size // len(text))
    value = hl7v2(number, patient).replace(b"feels well.", note)
    return Sent(f"MRN77{patient:03d}".encode(), value, ())


def number_of(value: bytes) -> int | None:
    """Return the number in a message, sent or released; None if it is malformed."""
    match = NUMBER.search(value)
    return int(match[1] or match[2]) if match else None
