"""Diagnoses, allergies, procedures, medication, immunizations and documents."""

from __future__ import annotations

import base64

import pytest

from tests.mart.landing.feed import PATIENT, VISIT, adt, current, landed, message, only

DRUG = "70618^Penicillin^RXNORM"


def text_of(body):
    """The text of a document's first content."""
    return body["content"][0]["attachment"]["extension"][0]["valueString"]


def test_a_diagnosis_is_a_condition_of_the_visit():
    """Code and visit of DG1; sent again, it is the same one."""
    row = "DG1|1||I50.23^Acute heart failure^I10C|||A"
    found = only("Condition", adt("A01", row), adt("A08", row))
    assert "http://hl7.org/fhir/sid/icd-10-cm" == found["code"]["coding"][0]["system"]
    assert found["encounter"]["reference"].startswith("Encounter/")


def test_a_deleted_diagnosis_is_entered_in_error():
    """DG1-21 D is the sender's own deletion."""
    row = "DG1|1||I50.23^x^I10|||A" + "|" * 15 + "D"
    coding = only("Condition", adt("A01", row))["verificationStatus"]["coding"][0]
    assert "entered-in-error" == coding["code"]


@pytest.mark.parametrize("row", ["AL1|1|DA|{drug}|SV|Hives", "IAM|1|DA|{drug}|SV|Hives|A"])
def test_an_allergy_has_category_and_severity(row):
    """AL1 and IAM say the same."""
    found = only("AllergyIntolerance", adt("A01", row.format(drug=DRUG)))
    assert (["medication"], "high") == (found["category"], found["criticality"])
    assert "severe" == found["reaction"][0]["severity"]


def test_a_procedure_has_code_and_time():
    """PR1 of a visit."""
    found = only("Procedure", adt("A01", "PR1|1||33533^Bypass^C4||20240312090000"))
    assert ("completed", "2024-03-12T09:00:00Z") == (found["status"], found["performedDateTime"])


def test_an_order_of_a_drug_is_one_as_asked_for_and_as_dispensed():
    """RXE adds to RXO of the same order."""
    dispensed = f"RXE||{DRUG}|150||mg"
    rows = ["ORC|NW|P4471^W|F88120^P", f"RXO|{DRUG}|100||mg", dispensed, "RXR|IV"]
    found = only("MedicationRequest", message("RDE^O11", PATIENT, *rows))
    (dosage,) = found["dosageInstruction"]
    assert {"value": 150, "unit": "mg"} == dosage["doseAndRate"][0]["doseQuantity"]
    assert "active" == found["status"]
    stopped = message("RDE^O11", PATIENT, "ORC|DC|P4471^W", dispensed)
    again = message("RDE^O11", PATIENT, *rows)
    assert "stopped" == only("MedicationRequest", again, stopped)["status"]


def test_a_dose_that_was_given_is_an_administration():
    """RXA outside VXU; completion RE is not done."""
    dose = f"RXA|0|1|20240312090000||{DRUG}|5|mg|||||||||||||RE"
    rows = ["ORC|RE|P4471|F88120", dose]
    found = only("MedicationAdministration", message("RAS^O17", PATIENT, *rows))
    assert ("not-done", 5) == (found["status"], found["dosage"]["dose"]["value"])


def test_an_immunization_is_of_its_own_order():
    """RXA in VXU; the next ORC adds nothing to the one before, D is entered in error."""
    dose = "RXA|0|1|20240312||115^Tdap^CVX|0.5|mL^^UCUM||||||||LOT7|20271231|PMC^Maker^MVX|||CP|{}"
    rows = ["ORC|RE|IZ-001|IZ-001", dose.format("A"), "ORC|RE|IZ-002|IZ-002", dose.format("D")]
    found = current(message("VXU^V04", PATIENT, *rows))["Immunization"]
    assert ["completed", "entered-in-error"] == [body["status"] for body in found]
    assert 2 == len(found[0]["identifier"])
    unit = {"unit": "mL", "code": "mL", "system": "http://unitsofmeasure.org"}
    assert {"value": 0.5} | unit == found[0]["doseQuantity"]


def test_a_document_has_its_text_and_status():
    """TXA with OBX rows; a later message of its number edits it, T11 cancels it."""
    head = "TXA|1|DS^Discharge summary||20240317||||||||D771^SITE|||||AU||AV"
    rows = [f"OBX|{n}|TX|11490-0^Summary^LN|1|line {n}" for n in (1, 2)]
    first = message("MDM^T02", PATIENT, VISIT, head, *rows)
    found = only("DocumentReference", first)
    assert ("current", "final") == (found["status"], found["docStatus"])
    assert "line 1\nline 2" == text_of(found)
    assert found["context"]["encounter"][0]["reference"].startswith("Encounter/")
    cancelled = message("MDM^T11", PATIENT, VISIT, head)
    found = only("DocumentReference", first, cancelled)
    assert ("entered-in-error", "line 1\nline 2") == (found["status"], text_of(found))


def test_encapsulated_data_is_read():
    """Base64 text is a text; other data stays as it is."""
    data = base64.b64encode(b"a letter").decode()
    rows = [
        "TXA|1|DS||||||||||D771",
        f"OBX|1|ED|1^x||SITE^TEXT^PLAIN^Base64^{data}",
        "OBX|2|ED|2^y||SITE^IM^JPEG^Base64^AAAA",
    ]
    contents = only("DocumentReference", message("MDM^T02", PATIENT, *rows))["content"]
    assert "a letter" == contents[0]["attachment"]["extension"][0]["valueString"]
    assert {"contentType": "im/jpeg", "data": "AAAA"} == contents[1]["attachment"]


def test_fields_without_a_line_are_counted():
    """A segment, a field and a code that no table knows are counted by their places."""
    (found,) = landed(adt("A01", "GT1|1|x", "AL1|1|??|1^x||||later", "ZPI|1|2"))
    places = {(reject.place, reject.code) for reject in found.rejects}
    assert ("GT1", "segment-unmapped") in places
    assert ("ZPI", "segment-unmapped") in places
    assert ("AL1-2", "value-unmapped") in places
    assert ("AL1-7", "field-unmapped") in places


def test_what_is_told_of_a_vaccination_refers_to_it():
    """Components of a combination and eligibility, by OBX after RXA, are its own and no other's."""
    dose = "RXA|0|1|20240312||{}^Vaccine^CVX|0.5|mL^^UCUM"
    part = "OBX|1|CE|30956-7^Component^LN|{}|{}^Vaccine^CVX||||||F"
    rows = ["ORC|RE||IZ-001", dose.format(110), part.format(1, 107), part.format(2, 45)]
    rows += ["ORC|RE||IZ-002", dose.format(141), part.format(1, 141)]
    found = current(message("VXU^V04", PATIENT, *rows))
    kinds = {
        f"Immunization/{each['id']}": each["vaccineCode"]["coding"][0]["code"]
        for each in found["Immunization"]
    }
    told = [
        (each["valueCodeableConcept"]["coding"][0]["code"], kinds[each["partOf"][0]["reference"]])
        for each in found["Observation"]
    ]
    assert [("107", "110"), ("45", "110"), ("141", "141")] == told


def test_a_refused_vaccination_is_not_done():
    """RXA-20 RE with the reason of RXA-18; an amount of 999 is none."""
    dose = f"RXA|0|1|20240312||03^MMR^CVX|999||{'|' * 10}00^Parental decision^NIP002||RE"
    found = only("Immunization", message("VXU^V04", PATIENT, "ORC|RE||IZ-003", dose))
    assert "not-done" == found["status"]
    assert "Parental decision" == found["statusReason"]["coding"][0]["display"]
    assert "doseQuantity" not in found


@pytest.mark.parametrize("kind", ["RDE^O11", "RDS^O13", "RAS^O17", "OMP^O09"])
def test_a_pharmacys_order_without_detail_is_its_prescription(kind):
    """A cancellation by ORC alone stops the prescription, and makes no order of another kind."""
    asked = message("RDE^O11", PATIENT, "ORC|NW|P4471|F88120", f"RXE||{DRUG}|100||mg")
    found = current(asked, message(kind, PATIENT, "ORC|DC|P4471|F88120"))
    (prescription,) = found["MedicationRequest"]
    assert ("stopped", DRUG[:5]) == (
        prescription["status"],
        prescription["medicationCodeableConcept"]["coding"][0]["code"],
    )
    assert "ServiceRequest" not in found


def test_what_was_dispensed_is_of_its_prescription():
    """RXD after RXE; each dispense is one of its own, sent again the same one."""
    rows = ["ORC|RE|P4471|F88120", f"RXE||{DRUG}|100||mg"]
    first = f"RXD|1|{DRUG}|20240312100000|14|TAB^^UCUM||D9913"
    second = f"RXD|2|{DRUG}|20240326100000|14|TAB^^UCUM||D9914"
    sent = [message("RDS^O13", PATIENT, *rows, row) for row in (first, second, first)]
    found = current(*sent)
    (prescription,) = found["MedicationRequest"]
    assert ["2024-03-12T10:00:00Z", "2024-03-26T10:00:00Z"] == [
        each["whenHandedOver"] for each in found["MedicationDispense"]
    ]
    for each in found["MedicationDispense"]:
        reference = f"MedicationRequest/{prescription['id']}"
        assert [{"reference": reference}] == each["authorizingPrescription"]


APPOINTMENT = "SCH|P4471|F88120{}"


def test_an_appointment_is_booked_moved_and_cancelled():
    """SCH, AIS and AIP of one appointment; a cancellation keeps what was known of it."""
    rows = [PATIENT, "RGS|1|A", "AIS|1|A|OV^Visit^L|20240320{}", "AIP|1|A|5521^Sand^Ida"]
    booked, moved = (
        message(kind, APPOINTMENT.format(""), *(row.format(time) for row in rows))
        for kind, time in (("SIU^S12", "1000"), ("SIU^S13", "1130"))
    )
    assert "booked" == only("Appointment", booked)["status"]
    cancelled = message("SIU^S15", APPOINTMENT.format(""), PATIENT)
    found = only("Appointment", booked, moved, cancelled)
    assert ("cancelled", "2024-03-20T11:30:00Z") == (found["status"], found["start"])
    assert ["Patient", "Practitioner"] == [
        each["actor"]["reference"].partition("/")[0] for each in found["participant"]
    ]
    again = message("SIU^S14", APPOINTMENT.format("|" * 23 + "Noshow"), *rows)
    assert "noshow" == only("Appointment", booked, again)["status"]


@pytest.mark.parametrize(
    ("kind", "action"), [("PPR^PC1", "DE"), ("PPR^PC3", "AD")], ids=["action", "event"]
)
def test_a_deleted_problem_is_entered_in_error(kind, action):
    """PRB-1 or the event says so; before, the problem has the status of PRB-14."""
    row = "PRB|{}|20240312|I10^Hypertension^I10C|P4471||||||||||Resolved^x^L"
    known = message("PPR^PC1", PATIENT, row.format("AD"))
    assert "resolved" == only("Condition", known)["clinicalStatus"]["coding"][0]["code"]
    found = only("Condition", known, message(kind, PATIENT, row.format(action)))
    assert "entered-in-error" == found["verificationStatus"]["coding"][0]["code"]
