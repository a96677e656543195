"""Extraction: structured fields to entities, identities and owners."""

from __future__ import annotations

import pytest

from adapter.errors import PhraseError
from adapter.phrases import extract as module
from adapter.phrases.extract import extract
from adapter.phrases.groups import container
from adapter.types import Action, Handling, Label, Message, TextSegment
from tests.wording import word_list

WORDS = word_list()
SCOPES = {"patient": "message", "kin": "segment", "guarantor": "segment"}


def leaf(path, text, role=None, part=None, label=None, *, scope=None, datatype="ST"):
    """A segment and its action."""
    element = path.replace("[2]", "")
    kind = Handling.SURROGATE if label else Handling.KEEP
    scope = scope or SCOPES.get(role, "repetition")
    return TextSegment(path, element, datatype, text), Action(kind, label, role, part, scope)


def run(*leaves, kind="hl7v2"):
    """Extraction of leaves."""
    segments = tuple(segment for segment, _ in leaves)
    return extract(Message(kind, "", segments, None), [action for _, action in leaves], WORDS)


def patient(family="Okafor", given="Ngozi", mrn="12345678"):
    """A patient's usual fields."""
    return [
        leaf("PID-3.1", mrn, "patient", "id", Label.MEDICALRECORD),
        leaf("PID-5.1", family, "patient", "family", Label.PATIENT),
        leaf("PID-5.2", given, "patient", "given", Label.PATIENT),
    ]


def test_fields_of_a_role_become_one_entity():
    """The patient's fields make one entity, whose parts keep their order and paths their owner."""
    found = run(*patient(), leaf("PID-8", "F", "patient", "sex"))
    (entity,) = found.entities
    assert ("patient", "patient", "id:12345678", "F") == (
        entity.id,
        entity.role,
        entity.identity,
        entity.sex,
    )
    assert (("id", "12345678"), ("family", "Okafor"), ("given", "Ngozi")) == entity.parts
    assert {"PID-3.1": "patient", "PID-5.1": "patient", "PID-5.2": "patient"} == found.owners
    assert "id:12345678" == found.subject


def test_segments_and_repetitions_part_entities():
    """Two NK1 are two relatives; repetitions of a field are different doctors."""
    found = run(
        leaf("NK1-2.1", "Mensah", "kin", "family", Label.PATIENT),
        leaf("NK1[2]-2.1", "Boateng", "kin", "family", Label.PATIENT),
        leaf("PV1-7.2", "Park", "attending", "family", Label.DOCTOR),
        leaf("PV1-7[2].2", "Voss", "attending", "family", Label.DOCTOR),
    )
    assert ["kin:1", "kin:2", "attending:1", "attending:2"] == [e.id for e in found.entities]
    assert "attending:2" == found.owners["PV1-7[2].2"]


def test_one_doctor_in_several_roles_is_one_entity():
    """Attending and ordering with the same name are the same person."""
    found = run(
        leaf("PV1-7.2", "Park", "attending", "family", Label.DOCTOR),
        leaf("PV1-7.3", "Min", "attending", "given", Label.DOCTOR),
        leaf("OBR-16.2", "PARK", "ordering", "family", Label.DOCTOR),
        leaf("OBR-16.3", "MIN", "ordering", "given", Label.DOCTOR),
    )
    assert ["attending:1"] == [e.id for e in found.entities]
    assert "attending:1" == found.owners["OBR-16.2"]


def test_staff_keep_their_identity_with_and_without_number():
    """A doctor's surrogate follows the name, whether or not a message sends an id."""
    name = [
        leaf("PV1-7.2", "Park", "attending", "family", Label.DOCTOR),
        leaf("PV1-7.3", "Min", "attending", "given", Label.DOCTOR),
    ]
    number = leaf("PV1-7.1", "1093847265", "attending", "id", Label.IDNUM)
    assert run(*name).entities[0].identity == run(number, *name).entities[0].identity


def test_a_guarantor_who_is_the_patient_is_the_patient():
    """The same name, and nothing that says otherwise, is one person."""
    guarantor = [
        leaf("GT1-3.1", "OKAFOR", "guarantor", "family", Label.PATIENT),
        leaf("GT1-3.2", "NGOZI", "guarantor", "given", Label.PATIENT),
    ]
    assert "patient" == run(*patient(), *guarantor).owners["GT1-3.1"]
    other = leaf("GT1-8", "19500101", "guarantor", "birthdate", Label.DATE)
    born = leaf("PID-7", "19800101", "patient", "birthdate", Label.DATE)
    assert "guarantor:1" == run(*patient(), born, *guarantor, other).owners["GT1-3.1"]


def test_the_chart_number_is_the_best_identity():
    """A repetition of type MR beats other numbers, whatever the order."""
    found = run(
        leaf("PID-3.1", "777001", "patient", "id", Label.IDNUM),
        leaf("PID-3.5", "SS", datatype="CX.5"),
        leaf("PID-3[2].1", "00123-45", "patient", "id", Label.MEDICALRECORD),
        leaf("PID-3[2].5", "MR", datatype="CX.5"),
    )
    assert "id:12345" == found.subject


@pytest.mark.parametrize(
    ("family", "given", "first"),
    [
        ("Okafor", "Ngozi Ada", ("okafor", "ngozi")),
        ("Baby Girl of Okafor", "Twin B", ("okafor", "b")),
    ],
)
def test_the_first_message_knows_the_first_words_of_names(family, given, first):
    """They are known as later messages recall them, without the placeholders before them."""
    (entity,) = run(*patient(family, given)).entities
    assert first == tuple(words[0] for _, words in entity.earlier)


def test_a_patient_without_number_is_known_by_name_and_birth_date():
    """Fillers are no numbers."""
    found = run(
        *patient(mrn="00000000"),
        leaf("PID-7", "19530218", "patient", "birthdate", Label.DATE),
    )
    assert "name:okafor|ngozi|19530218" == found.subject


def test_a_reference_by_id_or_name_is_the_patient():
    """FHIR references to the patient resource belong to its entity, before or behind it."""
    found = run(
        leaf("/entry/0/resource/subject/reference", "Patient/p1", "patient", "reference",
             Label.IDNUM, scope="segment"),
        leaf("/entry/1/resource/id", "p1", "patient", "id", Label.IDNUM, scope="segment"),
        leaf("/entry/1/resource/name/0/family", "Okafor", "patient", "family", Label.PATIENT,
             scope="segment"),
        kind="fhir",
    )  # fmt: skip
    assert ["patient"] == [entity.id for entity in found.entities]
    assert "patient" == found.owners["/entry/0/resource/subject/reference"]


def test_without_a_patient_there_is_no_subject():
    """A message about nobody has neither subject nor date."""
    found = run(leaf("MFE-4", "LAB"))
    assert (None, None, ()) == (found.subject, found.reference, found.entities)


def test_the_message_date_is_when_it_was_sent():
    """MSH-7 dates a message, before the observation and the visit."""
    dates = [leaf("PV1-44", "20240101"), leaf("OBR-7", "20240102"), leaf("MSH-7", "202401031200")]
    assert "20240103" == run(*dates).reference
    assert "20240102" == run(*dates[:2]).reference


def test_name_spaces_vouch_for_nothing():
    """An assigning authority gets an identity and an owner, but no phrase."""
    found = run(leaf("PID-3.4.1", "MAINLAB", "authority", "id", Label.IDNUM))
    assert () == found.phrases
    assert "authority:1" == found.owners["PID-3.4.1"]


def test_a_string_that_names_an_organisation_is_no_person():
    """An author may be a department or a link."""
    found = run(leaf("/author/0/display", "Radiology Department", "author", "full", Label.DOCTOR))
    assert {"org"} == {part for part, _ in found.entities[0].parts}


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Dr. Casimir Kvistombrook", {"prefix", "given", "family"}),
        ("Prof. Kvistombrook", {"prefix", "family"}),
        ("Dr. Kvistombrook Clinic", {"org"}),
        ("Casimir Kvistombrook", {"org"}),
    ],
)
def test_a_titled_person_in_an_organisations_place_is_staff(text, parts):
    """A title tells a person from a company; a word for an institution outweighs it."""
    found = run(leaf("/providedBy/display", text, "facility", "org", Label.HOSPITAL))
    assert parts == {part for part, _ in found.entities[0].parts}
    assert ("facility" if parts == {"org"} else "staff") == found.entities[0].role


@pytest.mark.parametrize(
    ("path", "scope", "expected"),
    [
        ("NK1[2]-2.1.1", "segment", "NK1[2]"),
        ("PV1-7[2].3", "repetition", "PV1-7[2]"),
        ("PID-8", "repetition", "PID-8"),
        ("/entry/2/resource/name/0/family", "segment", "/entry/2/resource"),
        ("/name/0/family", "segment", ""),
        ("/contained/1/name/0/family", "segment", "/contained/1"),
        ("/contact/0/name/given/0", "repetition", "/contact/0"),
        ("/contact/0/telecom/1/value", "repetition", "/contact/0"),
        ("/performer/1/display", "repetition", "/performer/1"),
        ("OBX-5.5!cda:a/b/name/given", "repetition", "OBX-5.5!cda:a/b/name"),
        ("OBX-5.5!cda:a/b/name/given", "segment", "OBX-5.5!"),
    ],
)
def test_a_container_is_what_one_entity_fills(path, scope, expected):
    """Segments, resources, repetitions and array items hold one entity each."""
    assert expected == container(path, scope)


def test_too_many_phrases_hold_the_message(monkeypatch):
    """A message that would give more phrases than are bearable is refused."""
    monkeypatch.setattr(module, "MOST_PHRASES", 3)
    with pytest.raises(PhraseError, match="too-many"):
        run(*patient())


def test_a_users_name_that_is_an_organisations_is_the_organisations():
    """A laboratory sent in the place of a doctor's id is looked for as a laboratory only."""
    found = run(
        *patient(),
        leaf("OBX-23.1", "ELLMORA Limited", "facility", "org", Label.HOSPITAL),
        leaf("ORC-12.1", "ELLMORA", "ordering", "id", Label.IDNUM),
        leaf("OBR-16.1", "JDOEX", "ordering", "id", Label.IDNUM),
    )
    labels = {(phrase.text, phrase.label) for phrase in found.phrases}
    assert ("ELLMORA", Label.HOSPITAL) in labels
    assert ("ELLMORA", Label.USERNAME) not in labels
    assert ("JDOEX", Label.USERNAME) in labels


def test_a_name_in_a_field_of_numbers_is_looked_for():
    """Whether the field is somebody's telephone number or the number of a thing."""
    found = run(
        leaf("IN3-16.1", "OKAFOR NGOZI", "insurer-contact", "phone", Label.PHONE),
        leaf("OBR-19", "C MENSAH", None, "id", Label.IDNUM),
        leaf("OBR-20", "L4471829", None, "id", Label.IDNUM),
        leaf("PID-2.1", "OBI", "authority", "id", Label.IDNUM),
    )
    texts = {phrase.text for phrase in found.phrases if phrase.label is Label.PATIENT}
    assert {"OKAFOR", "NGOZI", "MENSAH"} <= texts
    assert {"IN3-16.1": Label.PATIENT, "OBR-19": Label.PATIENT} == found.labels
    assert set(found.labels) <= set(found.owners)


def test_a_message_without_date_has_that_of_its_resource():
    """A slot's or an administration's, unless the message says when it was sent."""
    start, sent = leaf("Slot.start", "2024-08-02T09:00:00Z"), leaf("Bundle.timestamp", "2024-08-05")
    assert "20240802" == run(start).reference
    assert "20240805" == run(start, sent).reference
