"""References: the resource that one names says who its display names."""

from __future__ import annotations

import pytest

from adapter.phrases.links import attributed
from adapter.phrases.subjects import message_subjects
from adapter.types import Action, Handling, Label, Message, TextSegment
from tests.wording import word_list

PATIENT = "urn:uuid:7d0835a5-4625-4d04-b0ca-f7d8b0feefe7"
STAFF = Action(Handling.SURROGATE, Label.DOCTOR, "staff", "full", "repetition")
PLACE = Action(Handling.SURROGATE, Label.HOSPITAL, "facility", "org", "repetition")
ADDRESS = Action(Handling.SURROGATE, Label.IDNUM, "staff", "reference", "repetition")
SUBJECT = Action(Handling.SURROGATE, Label.IDNUM, "patient", "reference", "repetition")
FAMILY = Action(Handling.SURROGATE, Label.PATIENT, "patient", "family", "segment")
NUMBER = Action(Handling.SURROGATE, Label.MEDICALRECORD, "patient", "id", "segment")


def leaf(path, element, datatype, text):
    """A segment of a resource."""
    return TextSegment(path, element, datatype, text)


def entry(number, kind, family, action=FAMILY):
    """The address and the family name of a resource in a Bundle, with their actions."""
    own = f"/entry/{number}"
    return [
        (leaf(f"{own}/fullUrl", "Bundle.entry.fullUrl", "uri", f"{PATIENT}{number}"), ADDRESS),
        (
            leaf(
                f"{own}/resource/name/0/family", f"{kind}.name.family", "HumanName.family", family
            ),
            action,
        ),
    ]


def reference(place, to, display, action=STAFF):
    """A reference with a display, and their actions."""
    element = "Appointment.participant.actor"
    return [
        (leaf(f"{place}/reference", f"{element}.reference", "Reference.reference", to), ADDRESS),
        (leaf(f"{place}/display", f"{element}.display", "Reference.display", display), action),
    ]


def roles(*pairs):
    """The role and label of the last value after attribution."""
    segments = tuple(segment for segment, _ in pairs)
    found = attributed(Message("fhir", "Bundle", segments, None), [action for _, action in pairs])
    return found[-1].role, found[-1].label, found[-1].part


ACTOR = "/entry/1/resource/participant/0/actor"


@pytest.mark.parametrize(
    "to", [f"{PATIENT}0", "Patient/12", "https://x.example/fhir/Patient/12/_history/2"]
)
@pytest.mark.parametrize("action", [STAFF, PLACE])
def test_the_display_of_a_reference_to_a_patient_names_the_patient(to, action):
    """Whether a type or the address of a Bundle's entry says that the resource is a Patient."""
    pairs = [*entry(0, "Patient", "Okafor"), *reference(ACTOR, to, "Okafor", action)]
    assert ("patient", Label.PATIENT, "full") == roles(*pairs)


@pytest.mark.parametrize(
    ("to", "action", "expected"),
    [
        ("Practitioner/7", STAFF, ("staff", Label.DOCTOR, "full")),
        ("Practitioner/7", PLACE, ("staff", Label.DOCTOR, "full")),
        ("Organization/7", PLACE, ("facility", Label.HOSPITAL, "org")),
        (f"{PATIENT}9", STAFF, ("staff", Label.DOCTOR, "full")),
    ],
)
def test_only_a_person_in_the_place_of_an_organisation_is_staff(to, action, expected):
    """References to staff, organisations and unknown resources keep the owner of their element."""
    assert expected == roles(*reference(ACTOR, to, "Holm", action))


def test_a_dropped_display_of_a_person_is_a_name():
    """The display of a reference in an unknown extension names somebody if its type is that."""
    dropped = Action(Handling.DROP, part="full")
    pairs = reference(ACTOR, "RelatedPerson/7", "Okafor", dropped)
    assert ("mentioned", Label.PATIENT, "full") == roles(*pairs)
    assert (None, None, "full") == roles(*reference(ACTOR, "Location/7", "Okafor", dropped))


def test_another_patient_in_a_resource_is_not_its_subject():
    """The subject of a resource is its patient, although another patient takes part in it."""
    pairs = [
        *entry(0, "Patient", "Okafor"),
        *entry(2, "Patient", "Lindgren"),
        *reference(ACTOR, f"{PATIENT}0", "Okafor"),
        (
            leaf(
                "/entry/1/resource/subject/reference",
                "Encounter.subject.reference",
                "Reference.reference",
                f"{PATIENT}2",
            ),
            SUBJECT,
        ),
    ]
    for number, chart in ((0, "4711001"), (2, "4711002")):
        path = f"/entry/{number}/resource/identifier/0/value"
        pairs.append((leaf(path, "Patient.identifier.value", "Identifier.value", chart), NUMBER))
    message = Message("fhir", "Bundle", tuple(segment for segment, _ in pairs), None)
    actions = attributed(message, [action for _, action in pairs])
    found = message_subjects(message, actions, word_list().fields)
    own = found.subjects
    assert own[f"{ACTOR}/display"] == own["/entry/2/resource/name/0/family"]
    assert own["/entry/0/resource/name/0/family"] != own["/entry/2/resource/name/0/family"]


@pytest.mark.parametrize(
    ("to", "expected"),
    [
        ("Patient/12", ("patient", Label.PATIENT, "full")),
        ("Practitioner/12", ("staff", Label.DOCTOR, "full")),
        ("RelatedPerson/12", ("kin", Label.PATIENT, "full")),
        ("Person/12", ("mentioned", Label.PATIENT, "full")),
        ("Condition/12", (None, None, None)),
    ],
)
def test_a_display_in_a_place_for_anything_is_the_name_of_the_person_referred_to(to, expected):
    """The item of a list may be a patient or a disease."""
    assert roles(*reference("/entry/0/item", to, "HOLM IDA", Action(Handling.SCAN))) == expected
