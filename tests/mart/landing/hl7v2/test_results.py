"""Results, orders and specimens of laboratory messages."""

from __future__ import annotations

import pytest

from tests.mart.landing.feed import ORDER, PATIENT, current, landed, message, only, oru, result


def test_a_result_has_what_its_fields_say():
    """Code, value with its unit, range, interpretation, status and time."""
    found = only("Observation", oru(result()))
    unit = {"unit": "g/dL", "code": "g/dL", "system": "http://unitsofmeasure.org"}
    assert {"value": 8.1} | unit == found["valueQuantity"]
    assert "http://loinc.org" == found["code"]["coding"][0]["system"]
    assert ["12-16"] == [item["text"] for item in found["referenceRange"]]
    assert "L" == found["interpretation"][0]["coding"][0]["code"]
    assert ("final", "2024-03-17T16:00:00Z") == (found["status"], found["effectiveDateTime"])


@pytest.mark.parametrize(
    ("status", "expected", "value"),
    [("C", "corrected", 9.2), ("A", "amended", 9.2), ("F", "final", 9.2), ("X", "cancelled", 9.2)],
)
def test_a_correction_replaces_the_result(status, expected, value):
    """A result of the same order, code and sub-id takes the place of the one before."""
    found = only("Observation", oru(result("P")), oru(result(status, "9.2")))
    assert (expected, value) == (found["status"], found["valueQuantity"]["value"])


@pytest.mark.parametrize("status", ["D", "W"])
def test_a_deleted_or_wrong_result_stays_on_record(status):
    """It is entered in error, and what was sent is still there."""
    found = only("Observation", oru(result("F")), oru(result(status, "")))
    assert ("entered-in-error", 8.1) == (found["status"], found["valueQuantity"]["value"])


def test_a_result_that_becomes_final_keeps_its_value():
    """Status U is sent without the value, which is that of the version before."""
    found = only("Observation", oru(result("P")), oru(result("U", "")))
    assert ("final", 8.1) == (found["status"], found["valueQuantity"]["value"])


def test_a_text_of_several_rows_is_one_result_and_a_note():
    """Rows of one code are one text; it is a document of the same order besides."""
    rows = [f"OBX|{n}|TX|11490-0^Summary^LN|1|line {n}||||||F" for n in (1, 2, 3)]
    found = current(oru(*rows))
    assert ["line 1\nline 2\nline 3"] == [body["valueString"] for body in found["Observation"]]
    (note,) = found["DocumentReference"]
    (content,) = note["content"]
    assert "line 1\nline 2\nline 3" == content["attachment"]["extension"][0]["valueString"]


def test_several_answers_are_components():
    """The first repetition is the value, the others are components with the same code."""
    row = "OBX|1|CWE|75325-1^Symptom^LN||1^cough^L~2^fever^L||||||F"
    found = only("Observation", oru(row))
    assert "1" == found["valueCodeableConcept"]["coding"][0]["code"]
    (other,) = found["component"]
    assert "2" == other["valueCodeableConcept"]["coding"][0]["code"]
    assert found["code"] == other["code"]


def test_equal_results_of_one_message_are_two():
    """The same code and sub-id twice under one order are told apart by their order."""
    rows = [result(value="1"), result(value="2")]
    assert 2 == len(current(oru(*rows))["Observation"])


def test_a_report_refers_to_its_group():
    """Report, request, results and specimen of one order refer to each other."""
    found = current(oru(result(), "SPM|1|S771^S772||119297000^Blood^SCT"))
    (report,) = found["DiagnosticReport"]
    members = {"basedOn": "ServiceRequest", "result": "Observation", "specimen": "Specimen"}
    for element, kind in members.items():
        assert [f"{kind}/{found[kind][0]['id']}"] == [item["reference"] for item in report[element]]


def test_a_note_belongs_to_what_is_before_it():
    """NTE after OBX is the result's, after OBR the request's."""
    found = current(oru("NTE|1||of the order", result(), "NTE|1||of the result~and more"))
    assert ["of the order"] == [note["text"] for note in found["ServiceRequest"][0]["note"]]
    assert "of the result" == found["Observation"][0]["note"][0]["text"]


@pytest.mark.parametrize(
    ("order", "status"),
    [
        ("ORC|NW|P4471", "active"),
        ("ORC|CA|P4471", "active"),
        ("ORC|OC|P4471", "revoked"),
        ("ORC|SC|P4471||| CM", "completed"),
        ("ORC|RE|P4471|||CA", "revoked"),
    ],
)
def test_order_control_and_status_are_the_requests(order, status):
    """ORC-5 says the status, without it ORC-1 does."""
    assert status == only("ServiceRequest", message("ORM^O01", PATIENT, order, ORDER))["status"]


def test_a_completed_order_is_not_reopened_by_its_results():
    """A result message without a status of the order leaves it as it is."""
    done = message("ORM^O01", PATIENT, "ORC|SC|P4471|F88120||CM", ORDER)
    assert "completed" == only("ServiceRequest", done, oru(result()))["status"]


def test_an_order_without_detail_is_an_order():
    """A cancellation may name nothing but the order's number."""
    found = only("ServiceRequest", message("ORM^O01", PATIENT, "ORC|OC|P4471"))
    assert "revoked" == found["status"]


def test_numbers_of_five_characters_are_the_patients_own():
    """Short order numbers come again with other patients, and name no order of theirs."""
    other = PATIENT.replace("40088213", "50099324")
    short = "OBR|1|17|18|24323-8^Panel^LN|||20240317160000"
    first, second = landed(
        message("ORU^R01", PATIENT, short, result()), message("ORU^R01", other, short, result())
    )
    ids = [{v.resource_id for v in one.versions} for one in (first, second)]
    assert not ids[0] & ids[1]


CULTURE = "OBR|1|P4471|F88120|630-4^Culture^LN|||20240317060000||||||||||||||||||F"
ORGANISM = "OBX|1|CE|630-4^Culture^LN|{}|{}^Organism^SCT||||||F"


def susceptibility(sub_id, parent="P4471^F88120"):
    """An order of susceptibilities of the organism with a sub-id."""
    named = f"630-4&Culture&LN^{sub_id}^Organism"
    return f"OBR|2|P4471|F88120|29576-6^Panel^LN|||20240317060000{'|' * 18}F|{named}|||{parent}"


@pytest.mark.parametrize(
    ("sub_id", "parent", "organism"),
    [
        ("1", "P4471^F88120", "112283007"),
        ("2", "P4471&WARD^F88120&LAB", "53326005"),
        ("2", "", "53326005"),
        ("3", "P4471^F88120", None),
        ("1", "P4471^F99999", None),
    ],
)
def test_a_susceptibility_follows_from_its_organism(sub_id, parent, organism):
    """OBR-26 and OBR-29 name a result of the message; one that is not there is not made up."""
    rows = [CULTURE, ORGANISM.format(1, 112283007), ORGANISM.format(2, 53326005)]
    rows += [susceptibility(sub_id, parent), "OBX|1|ST|18864-9^Ampicillin^LN||resistant||||||F"]
    found = current(message("ORU^R01", PATIENT, *rows))["Observation"]
    named = {f"Observation/{each['id']}": each for each in found}
    (own,) = [each for each in found if each.get("valueString") == "resistant"]
    parents = [named[each["reference"]] for each in own.get("derivedFrom", ())]
    codes = [each["valueCodeableConcept"]["coding"][0]["code"] for each in parents]
    assert ([organism] if organism else []) == codes


def test_a_result_without_a_time_has_its_orders():
    """OBX-14 counts where it is sent, else OBR-7; an order without results has none."""
    own, other = current(oru(result(), "OBX|2|NM|2823-3^K^LN||4.1|mmol/L|||||F"))["Observation"]
    assert "2024-03-17T16:00:00Z" == own["effectiveDateTime"] == other["effectiveDateTime"]
    later = result().replace("20240317160000", "20240318")
    assert "2024-03-18" == only("Observation", oru(later))["effectiveDateTime"]
