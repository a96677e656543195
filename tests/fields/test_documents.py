"""Documents inside messages: whole texts, mark-up, C-CDA by path."""

from __future__ import annotations

import pytest

from adapter.types import Action, Handling, Label

ROOT = "cda:ClinicalDocument/"
PATIENT = ROOT + "recordTarget/patientRole/"
SECTION = ROOT + "component/structuredBody/component/section/"
OBSERVATION = SECTION + "entry/observation/"


@pytest.mark.parametrize("element", ["text", "html", "rtf"])
@pytest.mark.parametrize("form", ["hl7v2", "fhir", "text"])
def test_texts_are_scanned_in_every_format(policy, element, form):
    """Readable documents are free text wherever they are embedded."""
    assert Handling.SCAN is policy.verdict(form, element, f"document.{element}").handling


@pytest.mark.parametrize(
    ("element", "label", "role", "part"),
    [
        (PATIENT + "patient/name/given", "PATIENT", "patient", "given"),
        (PATIENT + "id/@extension", "MEDICALRECORD", "patient", "id"),
        (PATIENT + "id/@root", "IDNUM", "authority", "id"),
        (PATIENT + "addr/streetAddressLine", "STREET", "patient", "street"),
        (PATIENT + "telecom/@value", "PHONE", "patient", "phone"),
        (PATIENT + "patient/guardian/guardianPerson/name/family", "PATIENT", "kin", "family"),
        (PATIENT + "providerOrganization/name", "HOSPITAL", "facility", "org"),
        (ROOT + "author/assignedAuthor/assignedPerson/name", "DOCTOR", "author", "full"),
    ],
)
def test_parties_of_a_cda_become_surrogates(policy, element, label, role, part):
    """The nearest party above a leaf owns it."""
    action = policy.verdict("hl7v2", element, "cda")
    assert (Handling.SURROGATE, Label(label), role, part) == (
        action.handling, action.label, action.role, action.part
    )  # fmt: skip


@pytest.mark.parametrize(
    ("element", "handling"),
    [
        (PATIENT + "patient/birthTime/@value", Handling.SHIFT),
        (OBSERVATION + "effectiveTime/low/@value", Handling.SHIFT),
        (OBSERVATION + "value/@value", Handling.KEEP),
        (OBSERVATION + "value/@unit", Handling.KEEP),
        (OBSERVATION + "code/@code", Handling.KEEP),
        (OBSERVATION + "code/originalText", Handling.SCAN),
        (ROOT + "component/structuredBody/component/section/text/table/tr/td", Handling.SCAN),
        (OBSERVATION + "low/@value", Handling.DROP),
        (ROOT + "sdtc:unheardOf/@secret", Handling.DROP),
        (SECTION + "text/#tag", Handling.DROP),
        (SECTION + "text/#comment", Handling.DROP),
    ],
)
def test_contents_of_a_cda(policy, element, handling):
    """Values pass, dates shift, narrative is scanned, the unknown is dropped."""
    assert handling is policy.verdict("fhir", element, "cda").handling


@pytest.mark.parametrize(
    ("element", "handling"),
    [
        ("html@alt", Handling.SCAN), ("html@href", Handling.SURROGATE),
        ("html@colspan", Handling.KEEP), ("html#comment", Handling.DROP),
        ("html#script", Handling.DROP), ("html@data-mrn", Handling.DROP),
    ],
)  # fmt: skip
def test_markup_beside_the_text(policy, element, handling):
    """What a reader sees is scanned, addresses are replaced, scripts and comments dropped."""
    assert handling is policy.verdict("fhir", element, "document.html").handling


def test_unreadable_documents_follow_the_profile(policy):
    """What no codec can read is dropped, or held where a profile says so; never passed."""
    datatype = "ED.5:application/pdf"
    assert Action(Handling.DROP) == policy.verdict("hl7v2", "OBX-5.5", datatype)
    assert Action(Handling.DROP) == policy.verdict("fhir", "Binary.data", "Binary.data:?")
