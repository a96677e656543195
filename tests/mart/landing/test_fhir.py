"""FHIR resources and Bundles land with the mart's ids and references."""

from __future__ import annotations

import json

import pytest

from adapter.errors import DecodeError
from adapter.mart.folding import fold
from adapter.mart.landing.fhir import land_resource
from adapter.mart.maps import read_maps
from adapter.mart.versions import Merge, Op, Reject, number_key, patient_key, resource_id

KEY = "ab" * 16
NUMBERS = read_maps().numbers


def landed(resource):
    """What a resource lands as."""
    return land_resource(json.dumps(resource).encode(), KEY, NUMBERS)


def entry(resource, url=None, method=None):
    """An entry of a Bundle."""
    found = {"resource": resource} | ({"fullUrl": url} if url else {})
    return found | ({"request": {"method": method, "url": "x"}} if method else {})


def bundle(*entries, kind="transaction"):
    """A Bundle of entries."""
    return {"resourceType": "Bundle", "type": kind, "entry": list(entries)}


def test_a_patients_numbers_are_one_person():
    """Logical id and chart number of a Patient are linked, the family's insurance number is not."""
    identifiers = [
        {"type": {"coding": [{"code": "MR"}]}, "value": "40-088-213"},
        {"type": {"coding": [{"code": "HC"}]}, "value": "55512"},
    ]
    found = landed({"resourceType": "Patient", "id": "p7", "identifier": identifiers})
    assert ((patient_key("p7"), number_key("40088213")),) == found.numbers
    assert patient_key("p7") == found.versions[0].resource_id == found.versions[0].subject


def test_references_become_the_marts():
    """Patients are named by their number key, others by the digest of their id."""
    body = {
        "resourceType": "Observation",
        "id": "o1",
        "subject": {"reference": "https://example.org/fhir/Patient/p7/_history/3"},
        "encounter": {"reference": "Encounter/e1"},
        "hasMember": [{"reference": "#contained"}],
    }
    (version,) = landed(body).versions
    found = json.loads(version.body)
    assert f"Patient/{patient_key('p7')}" == found["subject"]["reference"]
    assert f"Encounter/{resource_id('Encounter', 'id|e1')}" == found["encounter"]["reference"]
    assert "#contained" == found["hasMember"][0]["reference"]
    assert patient_key("p7") == version.subject
    assert version.resource_id == found["id"] == resource_id("Observation", "id|o1")


def test_a_bundle_resolves_its_own_addresses():
    """A reference to an entry's fullUrl is one to its resource, id or not."""
    patient = entry({"resourceType": "Patient"}, "urn:uuid:1")
    result = {"resourceType": "Observation", "subject": {"reference": "urn:uuid:1"}}
    versions = landed(bundle(patient, entry(result, "urn:uuid:2"))).versions
    assert versions[0].subject == versions[1].subject


def test_requests_say_what_is_done():
    """DELETE deletes, PUT replaces, a PATCH cannot be mapped and is counted."""
    put = entry({"resourceType": "Observation", "id": "o1"}, method="PUT")
    delete = {"request": {"method": "DELETE", "url": "Observation/o1"}}
    patch = {"request": {"method": "PATCH", "url": "Observation/o1"}, "resource": {"a": 1}}
    found = landed(bundle(put, delete, patch))
    assert [Op.REPLACE, Op.DELETE] == [version.op for version in found.versions]
    assert 1 == len({version.resource_id for version in found.versions})
    assert (Reject("Bundle.entry.request PATCH", "request-unmapped"),) == found.rejects
    assert fold(found.versions) is None


def test_links_of_patients_are_merges():
    """A replaced Patient is its successor's; see-also is the same person without an order."""
    links = [
        {"other": {"reference": "Patient/new"}, "type": "replaced-by"},
        {"other": {"reference": "Patient/older"}, "type": "replaces"},
        {"other": {"reference": "Patient/too"}, "type": "seealso"},
    ]
    found = landed({"resourceType": "Patient", "id": "p", "link": links})
    own = patient_key("p")
    assert (Merge(own, patient_key("new")), Merge(patient_key("older"), own)) == found.merges
    assert (own, patient_key("too")) in found.numbers


def test_a_conditional_reference_names_a_number():
    """A search by identifier is the patient of that number."""
    body = {"resourceType": "Condition", "subject": {"reference": "Patient?identifier=urn:x|81-5"}}
    assert number_key("815") == landed(body).versions[0].subject


def test_bundles_in_bundles_land():
    """Entries of an inner Bundle are entries."""
    inner = bundle(entry({"resourceType": "Patient", "id": "p"}), kind="collection")
    assert 1 == len(landed(bundle(entry(inner))).versions)


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        (b"[" * 100_000, "too-deep"),
        (b'{"resourceType":"Patient","gender":"\\ud800"}', "charset-invalid"),
        (b'{"resourceType":"Patient","multipleBirthInteger":NaN}', "not-json"),
        (b'{"resourceType":"Patient","multipleBirthInteger":1e999}', "not-json"),
        (b'{"resourceType":"<script>"}', "not-fhir"),
    ],
)
def test_what_no_store_can_keep_is_refused(raw, code):
    """Nesting without end, half a character and numbers that are none do not land."""
    with pytest.raises(DecodeError) as raised:
        land_resource(raw, KEY, NUMBERS)
    assert code == raised.value.code


def test_what_is_about_nobody_is_counted():
    """A MessageHeader says nothing of a patient."""
    found = landed({"resourceType": "MessageHeader", "id": "m"})
    assert (Reject("MessageHeader", "resource-unmapped"),) == found.rejects
