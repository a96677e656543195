"""Invented HL7 v2 messages, landed and folded, for the tests of both."""

from __future__ import annotations

import json

from adapter.mart.folding import fold
from adapter.mart.landing import land
from adapter.mart.maps import read_maps
from adapter.mart.versions import Released

HEADER = "MSH|^~\\&|APP|SITE|MART|SITE|20240311142233||{kind}|M{number}|P|2.5.1"
PATIENT = "PID|1||40088213^^^SITE^MR||Lindgren^Halvar||19530218|M"
VISIT = "PV1|1|I|4N^412^A|||||||CAR|||||||||V40077213|||||||||||||||||||||||||20240311141500"
ORDER = "OBR|1|P4471|F88120|24323-8^Panel^LN|||20240317160000|||||||||||||||20240317165200|||F"


def message(kind, *segments, number=1):
    """The bytes of a message of a type and event, such as "ADT^A01"."""
    lines = [HEADER.format(kind=kind, number=number), *segments]
    return "".join(f"{line}\r" for line in lines).encode()


def landed(*messages, headers=()):
    """What each message lands as; their places are their order."""
    maps = read_maps()
    return [
        land(Released(raw, f"{at:032x}", "hl7.out", 0, at, headers=headers), maps)
        for at, raw in enumerate(messages)
    ]


def current(*messages):
    """The current resources after messages, bodies by type."""
    versions = {}
    for one in landed(*messages):
        for version in one.versions:
            key = (version.resource_type, version.resource_id)
            versions.setdefault(key, []).append(version)
    found = {}
    for (kind, _), of_one in versions.items():
        if (now := fold(of_one)) is not None:
            found.setdefault(kind, []).append(json.loads(now.body))
    return found


def only(kind, *messages):
    """The one current resource of a type."""
    (found,) = current(*messages)[kind]
    return found


def result(status="F", value="8.1", *, code="718-7^Hemoglobin^LN", units="g/dL^^UCUM"):
    """An OBX of a number."""
    return f"OBX|1|NM|{code}|1|{value}|{units}|12-16|L|||{status}|||20240317160000"


def oru(*segments, number=1):
    """A laboratory message about the patient's order."""
    return message("ORU^R01^ORU_R01", PATIENT, ORDER, *segments, number=number)


def adt(event, *segments, visit=VISIT, number=1):
    """A message of registration about the patient's visit."""
    return message(f"ADT^{event}", f"EVN|{event}", PATIENT, visit, *segments, number=number)
