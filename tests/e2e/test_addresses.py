"""Addresses in whole messages: a site's are replaced everywhere alike, in every profile."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from adapter.pipeline.process import process
from adapter.types import Position, Record, Release
from tests.corpus.runs import ruleset

CASE = Path(__file__).parents[1] / "golden" / "fhir" / "site-addresses" / "in.json"
PROFILES = ("research", "safe-harbor", "limited-dataset", "gdpr-pseudonymised")
PLANTED = "https://okonjo.harrowgate.example/thaddeus/90817263?name=okonjo#thaddeus"
WORDS = ("okonjo", "harrowgate", "thaddeus", "90817263")


def released(text, profile="research"):
    """The released text of a message."""
    outcome = process(Record(text.encode(), Position("in", 0, 0)), ruleset(profile))
    assert isinstance(outcome, Release), outcome
    return outcome.value.decode()


@pytest.mark.parametrize("profile", PROFILES)
def test_nothing_of_the_site_is_left(profile):
    """No word or number of host, path, search, fragment, OID or UUID of the site survives."""
    new = released(CASE.read_text("utf-8"), profile).lower()

    left = [word for word in (*WORDS, "4711", "21f7f8de", "dghpcy", "ep-1", "9443") if word in new]
    assert [] == left


def test_references_stay_joined():
    """Ids, references, full URLs and searches of a Bundle still agree."""
    bundle = json.loads(released(CASE.read_text("utf-8")))
    patient, observation = (entry["resource"] for entry in bundle["entry"][:2])
    entry = bundle["entry"][0]
    url = f"{entry['fullUrl'].rpartition('/Patient/')[0]}/Patient/{patient['id']}"
    number = patient["identifier"][0]
    search = f"identifier={number['system']}|{number['value']}"

    assert url == entry["fullUrl"] == observation["subject"]["reference"]
    assert patient["link"][0]["other"]["reference"].startswith(f"{url}/_history/")
    assert [f"Patient?{search}", search] == [entry["request"][k] for k in ("url", "ifNoneExist")]
    version = patient["meta"]["versionId"]
    assert f"Patient/{patient['id']}/_history/{version}" == entry["response"]["location"]
    assert f'W/"{version}"' == entry["response"]["etag"] == entry["request"]["ifMatch"]
    assert patient["id"] == f"mrn-{number['value']}"


def test_what_publishers_give_out_stays():
    """Profiles, code systems and systems of national numbers are those of the original."""
    new = released(CASE.read_text("utf-8"))

    for address in ("us-core-patient", "//loinc.org", "sid/us-ssn", "//unitsofmeasure.org",
                    "CodeSystem/endpoint-connection-type"):  # fmt: skip
        assert address in new


def test_hl7_and_fhir_name_one_system():
    """A host and an OID of HL7 v2 are those of the FHIR systems."""
    adt = (
        "MSH|^~\\&|A|B|C|D|20240314||ADT^A01|1|P|2.5\rPID|1||90817263^^^MAIN&mrn.harrowgate.example"
        "&DNS^MR~5^^^X&2.16.840.1.113883.3.4711.12&ISO^PI||Okonjo^Thaddeus\r"
    )
    number, other = (
        rep.split("^")[3].split("&")[1]
        for rep in released(adt).split("PID|")[1].split("|")[2].split("~")
    )
    patient = json.loads(released(CASE.read_text("utf-8")))["entry"][0]["resource"]

    assert patient["identifier"][0]["system"].startswith(f"http://{number}/")
    assert f"urn:oid:{other}" == patient["identifier"][1]["system"]


RESOURCES = (
    {"resourceType": "Questionnaire", "id": "okonjo", "url": PLANTED, "version": "1",
     "status": "draft", "derivedFrom": [PLANTED], "item": [{"linkId": "1", "type": "string",
     "definition": PLANTED}]},
    {"resourceType": "ValueSet", "id": "thaddeus", "url": PLANTED, "status": "draft",
     "compose": {"include": [{"system": PLANTED, "valueSet": [PLANTED]}]}},
    {"resourceType": "StructureDefinition", "id": "okonjo", "url": PLANTED, "name": "X",
     "status": "draft", "kind": "resource", "abstract": False, "type": PLANTED,
     "baseDefinition": PLANTED},
    {"resourceType": "PlanDefinition", "status": "draft", "library": [PLANTED],
     "relatedArtifact": [{"type": "citation", "url": PLANTED}]},
    {"resourceType": "Consent", "status": "active", "policy": [{"authority": PLANTED,
     "uri": PLANTED}], "scope": {"coding": [{"system": PLANTED, "code": "x"}]}},
    {"resourceType": "Provenance", "policy": [PLANTED], "recorded": "2024-03-14T10:00:00Z",
     "target": [{"reference": PLANTED}], "agent": [{"who": {"reference": PLANTED}}]},
    {"resourceType": "Task", "status": "ready", "intent": "order", "instantiatesUri": PLANTED,
     "implicitRules": PLANTED, "instantiatesCanonical": PLANTED},
    {"resourceType": "MessageHeader", "eventUri": PLANTED, "definition": PLANTED,
     "source": {"endpoint": PLANTED, "name": "x"}, "destination": [{"endpoint": PLANTED}]},
    {"resourceType": "Observation", "status": "final", "code": {"text": "x"},
     "meta": {"source": PLANTED, "profile": [PLANTED], "tag": [{"system": PLANTED}]},
     "valueQuantity": {"value": 1, "system": PLANTED, "code": "g"}},
    {"resourceType": "Patient", "extension": [{"url": PLANTED, "valueUri": PLANTED}],
     "photo": [{"url": PLANTED}], "telecom": [{"system": "url", "value": PLANTED}]},
    {"resourceType": "ImagingStudy", "status": "available", "subject": {"reference": PLANTED},
     "series": [{"uid": "1.2.840.113619.90817263", "modality": {"code": "CT"},
     "instance": [{"uid": "1.2.840.113619.90817263.1", "sopClass": {"code": "1"}}]}]},
    {"resourceType": "Bundle", "type": "history", "link": [{"relation": "next", "url": PLANTED}],
     "entry": [{"fullUrl": PLANTED, "request": {"method": "GET", "url": PLANTED}}]},
)  # fmt: skip


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("resource", RESOURCES, ids=lambda r: r["resourceType"])
def test_planted_addresses_never_pass(resource, profile):
    """Whatever resource an address of a site stands in, no word of it is released."""
    outcome = process(Record(json.dumps(resource).encode(), Position("in", 0, 0)), ruleset(profile))
    new = outcome.value.decode().lower() if isinstance(outcome, Release) else ""

    assert [] == [word for word in WORDS if word in new]
