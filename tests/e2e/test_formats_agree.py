"""One person is one surrogate, whatever format tells of them."""

from __future__ import annotations

import base64
import datetime as dt
import json

import pytest

from adapter.cli.demo.feed import MESSAGES
from adapter.pipeline.process import process
from adapter.types import Position, Record, Release
from tests.corpus.runs import ruleset

PATIENTS = ("01", "02", "03", "06", "11", "14", "23")


@pytest.fixture(scope="module")
def rules():
    """The shipped rules under a fixed key."""
    return ruleset()


def released(name, rules):
    """A sample message's released bytes, as text."""
    raw = next(MESSAGES.glob(name)).read_bytes()
    outcome = process(Record(raw, Position("in", 0, 0)), rules)
    assert isinstance(outcome, Release), outcome
    return outcome.value.decode()


def fields(text, name):
    """The fields of the first segment of a name."""
    return next(line for line in text.splitlines() if line.startswith(name)).split("|")


@pytest.mark.parametrize("number", PATIENTS)
def test_hl7_and_fhir_agree(rules, number):
    """Name, number, birth date, address and kin of a patient are the same in ADT and Bundle."""
    adt = released(f"hl7/p{number}-1-*", rules)
    bundle = json.loads(released(f"fhir/p{number}-bundle.json", rules))
    resources = [entry["resource"] for entry in bundle["entry"]]
    patient, kin = (next(r for r in resources if r["resourceType"] == kind) for kind in KINDS)
    pid, nk1 = fields(adt, "PID"), fields(adt, "NK1")
    assert pid[5].split("^")[:2] == [patient["name"][0]["family"], patient["name"][0]["given"][0]]
    assert pid[3].split("^")[0] == patient["identifier"][0]["value"]
    assert pid[7] == patient["birthDate"].replace("-", "")
    assert pid[11].split("^")[0] == patient["address"][0]["line"][0]
    assert nk1[2].split("^")[:2] == [kin["name"][0]["family"], kin["name"][0]["given"][0]]


KINDS = ("Patient", "RelatedPerson")


@pytest.mark.parametrize("number", PATIENTS)
def test_messages_of_a_patient_agree(rules, number):
    """All messages of a patient carry the same name and number, and doctors keep theirs."""
    seen = set()
    doctors = set()
    for path in sorted(MESSAGES.glob(f"hl7/p{number}-*.hl7")):
        text = released(f"hl7/{path.name}", rules)
        pid = fields(text, "PID")
        seen.add((pid[3].split("^")[0], *pid[5].split("^")[:2], pid[7]))
        if "PV1|" in text:
            doctors.add(tuple(fields(text, "PV1")[7].split("^")[:3]))
    assert len(seen) == 1
    assert len(doctors) == 1


@pytest.mark.parametrize("number", ["04", "05", "08"])
def test_the_note_in_the_attachment_names_the_same_patient(rules, number):
    """The surrogate of Patient.name stands in the decoded document of the same Bundle."""
    bundle = json.loads(released(f"fhir/p{number}-bundle.json", rules))
    resources = [entry["resource"] for entry in bundle["entry"]]
    (patient,) = (r for r in resources if r["resourceType"] == "Patient")
    names = {n for name in patient["name"] for n in (name.get("family"), *name["given"]) if n}
    texts = [
        base64.b64decode(form["data"]).decode()
        for r in resources
        for form in (
            *r.get("presentedForm", ()),
            *(content["attachment"] for content in r.get("content", ())),
        )
    ]
    assert texts
    assert any(name in text for name in names for text in texts)


def test_intervals_are_kept_over_formats(rules):
    """The days between an ADT's event and a Bundle's encounter are those of the originals."""

    def days(adt, bundle):
        start = dt.date.fromisoformat(fields(adt, "EVN")[2][:8])
        encounter = next(
            e["resource"] for e in json.loads(bundle)["entry"]
            if e["resource"]["resourceType"] == "Encounter"
        )  # fmt: skip
        return (dt.date.fromisoformat(encounter["period"]["end"][:10]) - start).days

    def original(name):
        return next(MESSAGES.glob(name)).read_text("utf-8")

    names = "hl7/p06-1-*", "fhir/p06-bundle.json"
    assert days(*map(original, names)) == days(*(released(name, rules) for name in names))
