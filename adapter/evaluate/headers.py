"""Structured fields that accompany an annotated text, as a message would carry them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from adapter.errors import RuleError
from adapter.phrases.extract import extract
from adapter.types import Action, Handling, Label, Message, TextSegment

if TYPE_CHECKING:
    from collections.abc import Mapping

    from adapter.phrases.common_words import WordList
    from adapter.types import Extraction


class Place(NamedTuple):
    """Path and datatype of a field in an HL7 v2 message, and its action in the field policy."""

    path: str
    datatype: str
    action: Action


def _place(path: str, datatype: str, role: str, part: str, label: Label) -> Place:
    scope = {"patient": "message", "kin": "segment"}.get(role, "repetition")
    return Place(path, datatype, Action(Handling.SURROGATE, label, role, part, scope))


FIELDS: dict[str, Place] = {
    "patient_family": _place("PID-5.1.1", "XPN.1.1", "patient", "family", Label.PATIENT),
    "patient_given": _place("PID-5.2", "XPN.2", "patient", "given", Label.PATIENT),
    "patient_middle": _place("PID-5.3", "XPN.3", "patient", "middle", Label.PATIENT),
    "patient_suffix": _place("PID-5.4", "XPN.4", "patient", "suffix", Label.PATIENT),
    "patient_alias": _place("PID-9.1.1", "XPN.1.1", "patient", "full", Label.PATIENT),
    "patient_dob": _place("PID-7.1", "TS.1", "patient", "birthdate", Label.DATE),
    "patient_sex": Place("PID-8", "IS", Action(Handling.KEEP, None, "patient", "sex", "message")),
    "mrn": _place("PID-3.1", "CX.1", "patient", "id", Label.MEDICALRECORD),
    "ssn": _place("PID-19", "ST", "patient", "id", Label.SSN),
    "account": _place("PID-18.1", "CX.1", "patient", "id", Label.ACCOUNT),
    "health_plan_id": _place("IN1-49.1", "CX.1", "patient", "id", Label.HEALTHPLAN),
    "phone_home": _place("PID-13.1", "XTN.1", "patient", "phone", Label.PHONE),
    "phone_work": _place("PID-14.1", "XTN.1", "patient", "phone", Label.PHONE),
    "email": _place("PID-13.4", "XTN.4", "patient", "email", Label.EMAIL),
    "street": _place("PID-11.1.1", "XAD.1.1", "patient", "street", Label.STREET),
    "city": _place("PID-11.3", "XAD.3", "patient", "city", Label.CITY),
    "state": _place("PID-11.4", "XAD.4", "patient", "state", Label.STATE),
    "zip": _place("PID-11.5", "XAD.5", "patient", "zip", Label.ZIP),
    "country": _place("PID-11.6", "XAD.6", "patient", "country", Label.COUNTRY),
    "kin_family": _place("NK1-2.1.1", "XPN.1.1", "kin", "family", Label.PATIENT),
    "kin_given": _place("NK1-2.2", "XPN.2", "kin", "given", Label.PATIENT),
    "kin_phone": _place("NK1-5.1", "XTN.1", "kin", "phone", Label.PHONE),
    "attending_family": _place("PV1-7.2.1", "XCN.2.1", "attending", "family", Label.DOCTOR),
    "attending_given": _place("PV1-7.3", "XCN.3", "attending", "given", Label.DOCTOR),
    "attending_id": _place("PV1-7.1", "XCN.1", "attending", "id", Label.IDNUM),
    "referring_family": _place("PV1-8.2.1", "XCN.2.1", "referring", "family", Label.DOCTOR),
    "referring_given": _place("PV1-8.3", "XCN.3", "referring", "given", Label.DOCTOR),
    "facility": _place("PV1-3.4.1", "PL.4.1", "facility", "org", Label.HOSPITAL),
}
"""Key of a header -> the field of an HL7 v2 message that carries the value."""

VISIT = Place("MSH-7.1", "TS.1", Action(Handling.SHIFT, Label.DATE, None, "date", "message"))
"""The field of the visit date, which is the date of the message."""


def check_meta(meta: object, place: str) -> None:
    """Check the structured fields beside a text.

    Raises:
        RuleError: they are no object, or a field's value is no text.
    """
    if not isinstance(meta, dict):
        raise RuleError(place, "has a meta that is not an object")
    for key in (*FIELDS, "visit_date"):
        if not isinstance(meta.get(key) or "", str):
            raise RuleError(place, f"has a meta.{key} that is not a text")


def from_header(meta: Mapping[str, str], words: WordList) -> Extraction:
    """Return the trusted phrases of a message with these structured fields.

    ``meta`` has the keys of `FIELDS` and "visit_date" (YYYY-MM-DD); others are ignored.
    """
    places = {**FIELDS, "visit_date": VISIT}
    sent = [(place, meta[key]) for key, place in places.items() if meta.get(key)]
    segments = tuple(TextSegment(p.path, p.path, p.datatype, text) for p, text in sent)
    message = Message("hl7v2", "header", segments, None)
    return extract(message, [place.action for place, _ in sent], words)
