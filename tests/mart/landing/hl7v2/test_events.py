"""Trigger events of registration: visits, persons, merges."""

from __future__ import annotations

import pytest

from adapter.mart.maps import read_maps
from adapter.mart.versions import Merge, Op, Parting, Reject, number_key
from tests.mart.landing.feed import PATIENT, VISIT, adt, current, landed, message, only, oru, result

OWN, OTHER = (number_key("40088213"),), (number_key("50099324"),)
MOVED = VISIT.replace("4N^412^A", "ICU^1^B")
LEFT = VISIT + "|20240317120000"


def location(*messages):
    """The identifiers of the visit's first location."""
    found = current(*messages)
    key = found["Encounter"][0]["location"][0]["location"]["reference"].partition("/")[2]
    (place,) = [body for body in found["Location"] if body["id"] == key]
    return [item["value"] for item in place["identifier"]]


def test_an_admission_is_a_visit():
    """Class, status, time and number of PV1."""
    found = only("Encounter", adt("A01"))
    assert ("IMP", "in-progress") == (found["class"]["code"], found["status"])
    assert {"start": "2024-03-11T14:15:00Z"} == found["period"]
    assert "V40077213" == found["identifier"][0]["value"]


def test_an_update_keeps_what_it_does_not_send():
    """A08 changes what is sent; the explicit null removes."""
    update = adt("A08", visit=VISIT.replace("CAR", '""'))
    found = only("Encounter", adt("A01"), update)
    assert "serviceType" not in found
    assert "period" in found


def test_a_discharge_ends_the_visit():
    """A03 finishes it, and gives its end."""
    found = only("Encounter", adt("A01"), adt("A03", visit=LEFT))
    assert ("finished", "2024-03-17T12:00:00Z") == (found["status"], found["period"]["end"])


def test_a_cancelled_discharge_takes_the_end_away():
    """After A13 the visit goes on."""
    found = only("Encounter", adt("A01"), adt("A03", visit=LEFT), adt("A13"))
    assert "in-progress" == found["status"]
    assert {"start": "2024-03-11T14:15:00Z"} == found["period"]


@pytest.mark.parametrize("event", ["A11", "A27", "A38"])
def test_a_cancelled_visit_is_entered_in_error(event):
    """It stays on record, and a result that names it does not revive it."""
    later = message("ORU^R01", PATIENT, VISIT, "OBR|1|P4471|F88120|2^x", result())
    found = only("Encounter", adt("A01"), adt(event), later)
    assert "entered-in-error" == found["status"]
    assert "IMP" == found["class"]["code"]


def test_an_admission_after_a_cancelled_one_is_one():
    """The visit number is used again, and the visit is stated anew."""
    assert "in-progress" == only("Encounter", adt("A01"), adt("A11"), adt("A01"))["status"]


def test_a_cancelled_transfer_returns_to_the_location_before():
    """A12 says where, or leaves it to the version before."""
    moved = [adt("A01"), adt("A02", visit=MOVED)]
    assert ["ICU", "1", "B"] == location(*moved)
    assert ["4N", "412", "A"] == location(*moved, adt("A12"))
    silent = adt("A12", visit=VISIT.replace("4N^412^A", ""))
    assert ["4N", "412", "A"] == location(*moved, silent)


def test_deletions_delete():
    """A23 removes the visit, A29 the person, until they are sent again."""
    assert "Encounter" not in current(adt("A01"), adt("A23"))
    assert "Patient" not in current(adt("A01"), adt("A29"))
    assert "Patient" in current(adt("A01"), adt("A29"), adt("A28"))


@pytest.mark.parametrize("event", ["A18", "A30", "A34", "A36", "A39", "A40", "A46", "A47"])
def test_merges_name_two_numbers(event):
    """The number of MRG is from now on that of PID."""
    (found,) = landed(adt(event, "MRG|71199325^^^SITE^MR"))
    assert (Merge(number_key("71199325"), number_key("40088213")),) == found.merges


def test_linked_patients_are_one_person():
    """A24 names two patients who are one, A37 two who are not."""
    other = PATIENT.replace("40088213", "50099324")
    linked, unlinked = landed(
        message("ADT^A24", PATIENT, other), message("ADT^A37", PATIENT, other)
    )
    assert (OWN + OTHER,) == linked.numbers
    assert (OWN, OTHER) == unlinked.numbers
    assert (Parting(OWN, OTHER),) == unlinked.partings
    assert () == linked.partings == unlinked.rejects


def pid(*numbers, old=""):
    """A PID with chart numbers in its list, and the number that older versions have before it."""
    listed = "~".join(f"{number}^^^SITE^MR" for number in numbers)
    return f"PID|1|{old}|{listed}||Lindgren^Halvar"


@pytest.mark.parametrize(
    ("new", "prior"),
    [
        (pid("50099324", old="40088213"), "MRG|50099324^^^SITE^MR|||71199325"),
        (pid("50099324", "40088213"), "MRG|50099324^^^SITE^MR~71199325^^^SITE^MR"),
    ],
)
def test_numbers_that_move_leave_whoever_had_them(new, prior):
    """A43: what PID-3 and MRG-1 share goes to the patient whom PID names beside it."""
    (found,) = landed(message("ADT^A43", new, prior))
    assert ((Parting(OTHER),), (), ()) == (found.partings, found.merges, found.rejects)
    assert {*OWN, *OTHER} in map(set, found.numbers)


def test_several_moves_in_one_message():
    """Each PID has its own MRG."""
    one, two = pid("50099324", "40088213"), pid("61100435", "40088213")
    priors = [f"MRG|{number}^^^SITE^MR" for number in ("50099324", "61100435")]
    (found,) = landed(message("ADT^A43", one, priors[0], two, priors[1]))
    assert (Parting(OTHER), Parting((number_key("61100435"),))) == found.partings


@pytest.mark.parametrize(
    ("event", "segments"),
    [
        ("A37", [PATIENT]),
        ("A37", [PATIENT, PATIENT]),
        ("A37", [pid("40088213", "50099324"), pid("50099324", "61100435")]),
        ("A43", [PATIENT, "MRG|71199325^^^SITE^MR"]),
        ("A43", [PATIENT, "MRG|40088213^^^SITE^MR"]),
        ("A43", ["PID|1", "MRG|40088213^^^SITE^MR"]),
        ("A43", ["MRG|40088213^^^SITE^MR"]),
        ("A44", [PATIENT, "MRG|71199325^^^SITE^MR"]),
        ("A44", [PATIENT, "MRG|71199325^^^SITE^MR||0000"]),
        ("A44", [PATIENT, "MRG|40088213^^^SITE^MR||AC884411"]),
        ("A44", [PATIENT]),
    ],
)
def test_a_move_that_does_not_say_what_is_counted(event, segments):
    """Nothing is parted or moved by a message that does not tell from whom, what or to whom."""
    (found,) = landed(message(f"ADT^{event}", *segments))
    assert ((), Reject(event, "event-unmapped")) == (found.partings, found.rejects[0])
    assert "Account" not in {version.resource_type for version in found.versions}


def test_a_moved_visit_is_no_merge():
    """A45 moves a visit to another patient: two persons stay two, the visit follows."""
    moved = adt("A45", "MRG|71199325^^^SITE^MR||||V40077213")
    before = message("ADT^A01", PATIENT.replace("40088213", "71199325"), VISIT)
    (_, after) = landed(before, moved)
    assert () == after.merges
    found = only("Encounter", before, moved)
    (number,) = read_maps().numbers.of_person([("MR", "40088213")])
    assert f"Patient/{number}" == found["subject"]["reference"]


def test_a_visit_that_another_replaces_is_in_error():
    """A42 and A50 give a visit another number; the one before is no visit any more."""
    moved = adt("A50", "MRG|40088213^^^SITE^MR||||V11122233")
    earlier = adt("A01", visit=VISIT.replace("V40077213", "V11122233"))
    statuses = {body["status"] for body in current(earlier, moved)["Encounter"]}
    assert {"entered-in-error", "in-progress"} == statuses


def test_two_patients_of_a_message_are_two():
    """Each PID begins a patient; visits and results after it are theirs."""
    other = PATIENT.replace("40088213", "50099324")
    (found,) = landed(message("ADT^A17", PATIENT, VISIT, other, VISIT.replace("V4", "V5")))
    visits = [v for v in found.versions if v.resource_type == "Encounter"]
    assert 2 == len({v.subject for v in visits})


def test_a_patient_without_number_is_the_messages():
    """Two such messages are not one person."""
    nameless = "PID|1||^^^SITE^MR||Doe^Jane"
    first, second = landed(*[message("ADT^A01", nameless)] * 2)
    assert first.versions[0].subject != second.versions[0].subject
    assert () == first.numbers


def test_a_mentioned_patient_is_merged_with_what_is_known():
    """A laboratory's short PID takes nothing away."""
    short = oru(result()).replace(b"||19530218|M", b"")
    assert "male" == only("Patient", adt("A01"), short)["gender"]
    assert Op.MERGE is landed(short)[0].versions[0].op


def test_a_visit_without_number_is_one_for_each_patient():
    """Results that name no visit do not make one each."""
    bare = message("ORU^R01", PATIENT, "PV1|1|I", "OBR|1|P4471|F88120|2^x", result())
    assert 1 == len(current(bare, bare.replace(b"P4471|F88120", b"P5582|F99231"))["Encounter"])
