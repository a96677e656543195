"""Generated patients, and the messages that tell of them.

Names and towns come from the very tables that surrogates are drawn from: where a surrogate can meet
a real value, it does so here.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hypothesis import strategies as st

from adapter.rules.folder import shipped

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

VIN_WEIGHTS = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)
VIN_VALUES = dict(
    zip("ABCDEFGHJKLMNPRSTUVWXYZ", (1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 7, 9, *range(2, 10)),
        strict=True)
)  # fmt: skip


def luhn(number: str) -> bool:
    """ISO/IEC 7812-1: every second digit from the right doubled, its digits summed."""
    doubled = (int(d) * (1 + place % 2) for place, d in enumerate(reversed(number)))
    return sum(sum(divmod(value, 10)) for value in doubled) % 10 == 0


def npi(number: str) -> bool:
    """45 CFR 162.406: Luhn over the prefix 80840 and the ten digits."""
    return len(number) == 10 and number[0] in "12" and luhn("80840" + number)


def nhs(number: str) -> bool:
    """NHS Data Dictionary: weights ten to two and the digit itself make a multiple of eleven."""
    return sum(int(d) * (10 - place) for place, d in enumerate(number[:9])) % 11 == (
        -int(number[9]) % 11
    )


def vin(number: str) -> bool:
    """49 CFR 565.15: the ninth character is the weighted sum modulo eleven."""
    values = (int(c) if c.isdigit() else VIN_VALUES[c] for c in number)
    rest = sum(v * w for v, w in zip(values, VIN_WEIGHTS, strict=True)) % 11
    return number[8] == "0123456789X"[rest]


def completed(valid, head: str, tail: str = "") -> str | None:
    """The number with the one character between head and tail that makes it valid, if any."""
    numbers = (f"{head}{digit}{tail}" for digit in "0123456789X" if digit != "X" or tail)
    return next((number for number in numbers if valid(number)), None)


def _table(name: str) -> SearchStrategy[str]:
    lines = (shipped("rules") / "surrogates" / name / "items.txt").read_text("utf-8").splitlines()
    return st.sampled_from([line.split("\t")[0] for line in lines])


def _digits(count: int, first: str = "0123456789") -> SearchStrategy[str]:
    return st.tuples(st.sampled_from(first), st.text("0123456789", min_size=count - 1,
                     max_size=count - 1)).map("".join)  # fmt: skip


def _valid(valid, heads: SearchStrategy[str], tail: int = 0) -> SearchStrategy[str]:
    tails = _digits(tail) if tail else st.just("")
    return st.builds(completed, st.just(valid), heads, tails).filter(bool)


@dataclass(frozen=True)
class Person:
    """Somebody's real values."""

    family: str
    given: str
    middle: str
    town: str
    number: str
    social: str
    phone: str
    mail: str


FAMILIES = _table("en-family").map(str.title)
GIVEN = st.one_of(_table("en-given-female"), _table("en-given-male")).map(str.title)
PERSONS = st.builds(
    Person,
    family=FAMILIES,
    given=GIVEN,
    middle=GIVEN,
    town=_table("us-city").map(str.title),
    number=_digits(8, "123456789"),
    social=st.builds("{}-{}-{}".format, _digits(3, "1234578"), _digits(2, "123"), _digits(4, "12")),
    phone=st.builds("({}){}-{}".format, _digits(3, "23456789"), _digits(3, "2346789"), _digits(4)),
    mail=st.builds("{}.{}@{}.com".format, GIVEN.map(str.lower), FAMILIES.map(str.lower),
                   st.sampled_from(["clinic", "mail", "hospital"])),
)  # fmt: skip


@dataclass(frozen=True)
class Numbers:
    """Numbers with check digits."""

    npi: str
    nhs: str
    card: str
    vin: str


NUMBERS = st.builds(
    Numbers,
    npi=_valid(npi, _digits(9, "12")),
    nhs=_valid(nhs, _digits(9, "3456789")),
    card=_valid(luhn, _digits(15, "45")),
    vin=_valid(vin, st.text("BCDFGHJKLMNPRSTVWXZ", min_size=8, max_size=8), 8),
)


def hl7(patient: Person, kin: Person, doctor: Person, numbers: Numbers) -> bytes:
    """An ORU with all of them in fields, and the patient in its note too."""
    p, k, d, n = patient, kin, doctor, numbers
    kind = "11490-0^Discharge summary^LN"
    pid = (
        "PID|1|", f"{p.number}^^^LAKESIDE^MR~{n.nhs}^^^NHS^NH", "",
        f"{p.family}^{p.given}^{p.middle}", "|19530218|F||",
        f"88 Birch Hollow Rd^^{p.town}^MN^55616^USA^H", "",
        f"{p.phone}^PRN^PH~^NET^Internet^{p.mail}", "|||", f"{n.card}^^^LAKESIDE^AN", p.social,
    )  # fmt: skip
    notes = (
        f"Name: {p.family}, {p.given}   MRN {p.number}   SSN {p.social}   NHS number {n.nhs}",
        f"Mr. {p.given} {p.family} of {p.town}, call {p.phone} or {p.mail}. VIN {n.vin}.",
        f"Dr. {d.family} (NPI {n.npi}) spoke with {k.given} {k.family}, {k.phone}.",
    )
    lines = (
        "MSH|^~\\&|APP|LAKESIDE|EHR|LAKESIDE|20240311142233||ORU^R01^ORU_R01|M1|P|2.5.1",
        "|".join(pid),
        f"NK1|1|{k.family}^{k.given}|DAU^Daughter|12 Canal St^^{k.town}^MN^55802|{k.phone}",
        f"PV1|1|I|4N^412^A|E|||{n.npi}^{d.family}^{d.given}^^^Dr",
        f"OBR|1|P4471|F88120|{kind}|||20240317160000",
        *(f"OBX|{row}|TX|{kind}|1|{note}||||||F" for row, note in enumerate(notes, 1)),
    )
    return "".join(f"{line}\r" for line in lines).encode()


def fhir(patient: Person, kin: Person, doctor: Person, numbers: Numbers) -> bytes:
    """A Bundle with the same people and numbers, and the same note."""
    note = hl7(patient, kin, doctor, numbers).decode().split("|1|Name: ")[1].partition("|")[0]
    resources = [
        {
            "resourceType": "Patient",
            "id": patient.number,
            "identifier": [
                {"system": "urn:oid:2.16.840.1.113883.19.5", "value": patient.number},
                {"system": "http://hl7.org/fhir/sid/us-ssn", "value": patient.social},
                {"system": "https://fhir.nhs.uk/Id/nhs-number", "value": numbers.nhs},
            ],
            **_person(patient),
        },
        {
            "resourceType": "RelatedPerson",
            "patient": {"reference": f"Patient/{patient.number}"},
            **_person(kin),
        },
        {
            "resourceType": "Practitioner",
            "identifier": [{"system": "http://hl7.org/fhir/sid/us-npi", "value": numbers.npi}],
            "name": _person(doctor)["name"],
        },
        {
            "resourceType": "Device",
            "serialNumber": numbers.vin,
            "patient": {"reference": f"Patient/{patient.number}"},
        },
        {
            "resourceType": "Account",
            "status": "active",
            "identifier": [{"value": numbers.card}],
            "description": f"Name: {note}",
        },
    ]
    entries = [{"resource": resource} for resource in resources]
    bundle = {"resourceType": "Bundle", "type": "collection", "entry": entries}
    return json.dumps(bundle, indent=2).encode()


def _person(person: Person) -> dict:
    return {
        "name": [{"family": person.family, "given": [person.given, person.middle]}],
        "telecom": [
            {"system": "phone", "value": person.phone},
            {"system": "email", "value": person.mail},
        ],
        "address": [{"line": ["88 Birch Hollow Rd"], "city": person.town, "state": "MN"}],
    }
