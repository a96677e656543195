"""FHIR: every element the schema knows has a verdict, identities none that keeps them."""

from __future__ import annotations

import re

import pytest

from adapter.errors import RuleError
from adapter.types import Action, Handling, Label

PERSONAL = {
    "HumanName": ("family", "given", "text"),
    "Address": ("line", "city", "state", "postalCode", "text", "district"),
    "ContactPoint": ("value",),
    "Identifier": ("value",),
    "Reference": ("reference",),
    "Annotation": ("authorString", "text"),
    "Narrative": ("div",),
}
DROPPED = {
    "AuditEvent.entity.detail.value",
    "AuditEvent.entity.detail.valueBase64Binary",
    "AuditEvent.entity.query",
    "Device.udi.carrierAIDC",
    "Device.udi.carrierHRF",
    "Device.udiCarrier.carrierAIDC",
    "Device.udiCarrier.carrierHRF",
    "Endpoint.header",
    "Location.description",
    "Location.position.altitude",
    "Location.position.latitude",
    "Location.position.longitude",
    "Parameters.parameter.valueBase64Binary",
    "Subscription.channel.header",
    "Subscription.criteria",
    "Subscription.filterBy.value",
    "Subscription.parameter.value",
    "Task.input.valueBase64Binary",
    "Task.output.valueBase64Binary",
    "Transport.input.valueBase64Binary",
    "Transport.output.valueBase64Binary",
    "VerificationResult.attestation.proxyIdentityCertificate",
    "VerificationResult.attestation.sourceIdentityCertificate",
    "VerificationResult.validator.identityCertificate",
}
"""All that is dropped although the schema knows it, ids of elements apart."""
US_CORE = "http://hl7.org/fhir/us/core/StructureDefinition"
CORE = "http://hl7.org/fhir/StructureDefinition"
RACE = f"Patient.extension{{{US_CORE}/us-core-race}}"
SECRET = "extension{http://vendor.example/secret}"
WHERE = f"Patient.address.extension{{{CORE}/geolocation}}"


def resources(vocabulary):
    """Types that stand at the top of a message."""
    return sorted(
        name for name, elements in vocabulary.types.items() if "implicitRules" in elements
    )


def places(vocabulary, kind, path, depth=0):
    """Every (element path, type) below a resource; a type that contains itself is entered once."""
    for name, kinds in vocabulary.types.get(kind, {}).items():
        if name in {"extension", "modifierExtension", "contained"} or depth > 8:
            continue
        element = f"{path}.{name}"
        for inner in kinds:
            yield element, kind, inner
            if inner in vocabulary.types and inner.startswith(kind) and inner != kind:
                yield from places(vocabulary, inner, element, depth + 1)


def test_every_primitive_of_the_schema_has_a_rule(policy, vocabulary):
    """No element of any version can fall between the rules."""
    known = {
        kind
        for elements in vocabulary.types.values()
        for kinds in elements.values()
        for kind in kinds
    }
    primitives = {kind for kind in known if kind[0].islower()}
    assert set() == primitives - set(policy.fhir.primitives)


def test_every_element_is_reached(policy, vocabulary):
    """Each element of each resource of STU3, R4, R4B and R5 has a verdict; few are dropped."""
    verdicts = {
        element: policy.verdict("fhir", element, inner).handling
        for kind in resources(vocabulary)
        for element, _, inner in places(vocabulary, kind, kind)
        if inner[0].islower()
    }
    assert len(verdicts) > 4500
    dropped = {e for e, handling in verdicts.items() if handling is Handling.DROP}
    assert {element for element in dropped if not element.endswith(".id")} == DROPPED


def test_personal_types_are_never_kept(policy, vocabulary):
    """Wherever a name, address, telephone, number, reference or note stands, it does not pass."""
    kept = [
        f"{element}.{leaf}"
        for kind in resources(vocabulary)
        for element, _, inner in places(vocabulary, kind, kind)
        for leaf in PERSONAL.get(inner, ())
        if policy.verdict("fhir", f"{element}.{leaf}", f"{inner}.{leaf}").handling is Handling.KEEP
    ]
    assert kept == []


def test_dates_pass_only_in_definitions(policy, vocabulary):
    """A date or time of a resource about care is shifted or dropped."""
    definitions = {owner for owner, name in policy.fhir.elements if name == "*"}
    kept = [
        element
        for kind in resources(vocabulary)
        for element, _, inner in places(vocabulary, kind, kind)
        if inner in {"date", "dateTime", "instant"}
        and kind not in definitions
        and policy.verdict("fhir", element, inner).handling is Handling.KEEP
    ]
    assert kept == ["Immunization.education.publicationDate"]


@pytest.mark.parametrize(
    ("element", "datatype"),
    [
        ("Observation.code.coding.code", "Coding.code"),
        ("Observation.code.text", "CodeableConcept.text"),
        ("Observation.valueQuantity.value", "Quantity.value"),
        ("Observation.valueQuantity.unit", "Quantity.unit"),
        ("Observation.interpretation.coding.display", "Coding.display"),
        ("Observation.referenceRange.low.value", "Quantity.value"),
        ("Observation.referenceRange.text", "string"),
        ("Observation.component.valueInteger", "integer"),
        ("Condition.code.coding.code", "Coding.code"),
        ("MedicationRequest.dosageInstruction.doseAndRate.doseQuantity.value", "Quantity.value"),
        ("MedicationRequest.dosageInstruction.timing.repeat.frequency", "positiveInt"),
        ("Immunization.lotNumber", "string"),
        ("Patient.maritalStatus.text", "CodeableConcept.text"),
        ("StructureDefinition.date", "dateTime"),
        ("ValueSet.compose.include.concept.display", "string"),
        (f"{RACE}.extension{{ombCategory}}.valueCoding.display", "Coding.display"),
        (f"{RACE}.url", "Extension.url"),
        (
            f"Patient._birthDate.extension{{{CORE}/data-absent-reason}}.valueCode",
            "Extension.valueCode",
        ),
    ],
)
def test_clinical_content_is_kept(policy, element, datatype):
    """Codes, values, units, doses and texts of value sets pass."""
    assert Handling.KEEP is policy.verdict("fhir", element, datatype).handling


def test_addresses_are_kept_nowhere(policy, vocabulary):
    """Wherever an address stands, of a definition too, its value decides: a site's is replaced."""
    kept = [
        element
        for kind in resources(vocabulary)
        for element, _, inner in places(vocabulary, kind, kind)
        if inner in {"uri", "url", "canonical", "oid", "uuid"}
        and policy.verdict("fhir", element, inner).handling is Handling.KEEP
    ]
    assert kept == []


def test_ids_of_definitions_are_numbers_too(policy):
    """A reference to a definition and the definition's id get the same surrogate."""
    assert policy.verdict("fhir", "ValueSet.id", "id").part == "id"
    assert Handling.KEEP is policy.verdict("fhir", "StructureMap.group.name", "id").handling


@pytest.mark.parametrize(
    ("element", "datatype"),
    [
        ("Observation.valueString", "string"),
        ("Observation.note.text", "Annotation.text"),
        ("Condition.code.text", "CodeableConcept.text"),
        ("DiagnosticReport.conclusion", "string"),
        ("MedicationRequest.dosageInstruction.text", "Dosage.text"),
        ("Patient.text.div", "xhtml"),
        ("Patient.text.div@alt", "xhtml"),
        ("PlanDefinition.text.div", "xhtml"),
        ("QuestionnaireResponse.item.item.answer.valueString", "string"),
        ("DiagnosticReport.result.display", "Reference.display"),
    ],
)
def test_free_text_is_scanned(policy, element, datatype):
    """Notes, narratives and what clinicians type are looked through."""
    assert Handling.SCAN is policy.verdict("fhir", element, datatype).handling


@pytest.mark.parametrize(
    ("element", "datatype", "expected"),
    [
        ("Patient.name.family", "HumanName.family", ("PATIENT", "patient", "family", "segment")),
        ("Patient.id", "id", ("IDNUM", "patient", "id", "segment")),
        (
            "Patient.identifier.value",
            "Identifier.value",
            ("MEDICALRECORD", "patient", "id", "segment"),
        ),
        (
            "Patient.contact.name.given",
            "HumanName.given",
            ("PATIENT", "kin", "given", "repetition"),
        ),
        (
            "Patient.identifier.assigner.display",
            "Reference.display",
            ("ORGANIZATION", "organization", "org", "repetition"),
        ),
        (
            "Observation.subject.display",
            "Reference.display",
            ("PATIENT", "patient", "full", "repetition"),
        ),
        (
            "Observation.subject.reference",
            "Reference.reference",
            ("IDNUM", "patient", "reference", "repetition"),
        ),
        (
            "Observation.performer.display",
            "Reference.display",
            ("DOCTOR", "staff", "full", "repetition"),
        ),
        (
            "Encounter.serviceProvider.display",
            "Reference.display",
            ("HOSPITAL", "facility", "org", "repetition"),
        ),
        ("Practitioner.name.text", "HumanName.text", ("DOCTOR", "staff", "full", "segment")),
        ("Organization.name", "string", ("HOSPITAL", "facility", "org", "segment")),
        ("Device.serialNumber", "string", ("DEVICE", "device", "id", "segment")),
        ("Coverage.subscriberId", "string", ("HEALTHPLAN", "insured", "id", "segment")),
        ("Condition.onsetAge.value", "Age.value", ("AGE", None, "age", "message")),
        ("Bundle.entry.fullUrl", "uri", ("IDNUM", None, "reference", "message")),
        (
            "AuditEvent.agent.network.address",
            "string",
            ("IPADDR", "organization", "ip", "repetition"),
        ),
        (
            f"Patient.extension{{{CORE}/patient-mothersMaidenName}}.valueString",
            "Extension.valueString",
            ("PATIENT", "kin", "family", "segment"),
        ),
        (
            f"Patient.extension{{{CORE}/patient-birthPlace}}.valueAddress.city",
            "Address.city",
            ("CITY", "patient", "city", "segment"),
        ),
    ],
)
def test_identities_become_surrogates(policy, element, datatype, expected):
    """Names, places, numbers and references say whose they are, and how far they reach."""
    label, role, part, scope = expected
    action = Action(Handling.SURROGATE, Label(label), role, part, scope)
    assert action == policy.verdict("fhir", element, datatype)


@pytest.mark.parametrize(
    ("element", "role", "part"),
    [
        ("Patient.birthDate", "patient", "birthdate"),
        (
            f"Patient._birthDate.extension{{{CORE}/patient-birthTime}}.valueDateTime",
            "patient",
            "birthdate",
        ),
        ("RelatedPerson.birthDate", "kin", "birthdate"),
        ("Observation.effectiveDateTime", None, "date"),
        ("Patient.meta.lastUpdated", None, "date"),
    ],
)
def test_dates_are_shifted(policy, element, role, part):
    """Birth dates with their owner, all others as dates."""
    action = policy.verdict("fhir", element, "date")
    assert (Handling.SHIFT, role, part) == (action.handling, action.role, action.part)


@pytest.mark.parametrize(
    ("element", "datatype"),
    [
        ("Patient.shoeSize", "?"),
        (f"Patient.{SECRET}.url", "Extension.url"),
        (f"Patient.{SECRET}.valueCode", "Extension.valueCode"),
        (f"Patient.{SECRET}.valueDate", "Extension.valueDate"),
        (f"Patient.{SECRET}.valueMarkdown", "Extension.valueMarkdown"),
        (f"Patient.{SECRET}.valueAddress.state", "Address.state"),
        (f"Patient.{SECRET}.valueSignature.data", "Signature.data"),
        (f"Patient.{SECRET}.valueReference.reference", "Reference.reference"),
        (f"{WHERE}.extension{{latitude}}.valueDecimal", "Extension.valueDecimal"),
        ("Patient.address.extension{ombCategory}.valueCode", "Extension.valueCode"),
        ("Patient.photo.data", "Attachment.data:image/png"),
        ("Location.position.latitude", "decimal"),
        ("Provenance.signature.data", "Signature.data"),
        ("Patient.contact.id", "string"),
        ("Patient.text.div#comment", "xhtml"),
        ("Patient.text.div@onclick", "xhtml"),
    ],
)
def test_what_is_not_listed_is_dropped(policy, element, datatype):
    """Unknown elements and extensions, coordinates, pictures, signatures, comments do not pass."""
    assert Action(Handling.DROP) == policy.verdict("fhir", element, datatype)


@pytest.mark.parametrize(
    ("element", "datatype", "role", "part"),
    [
        (f"{SECRET}.valueHumanName.family", "HumanName.family", "mentioned", "family"),
        (f"modifierE{SECRET[1:]}.valueHumanName.text", "HumanName.text", "mentioned", "full"),
        (
            f"{SECRET}.extension{{who}}.valueHumanName.given",
            "HumanName.given",
            "mentioned",
            "given",
        ),
        (f"{SECRET}.valueContactPoint.value", "ContactPoint.value", "mentioned", "phone"),
        (f"{SECRET}.valueAddress.line", "Address.line", "mentioned", "street"),
        (f"{SECRET}.valueIdentifier.value", "Identifier.value", "mentioned", "id"),
        (f"{SECRET}.valueAnnotation.authorString", "Annotation.authorString", "author", "full"),
        (f"{SECRET}.valueSignature.who.display", "Reference.display", "author", "full"),
        (f"{SECRET}.valueString", "Extension.valueString", None, "full"),
        (f"{SECRET}.valueReference.display", "Reference.display", None, "full"),
        (f"contact.name.{SECRET}.valueString", "Extension.valueString", None, "full"),
        (f"{RACE[8:]}.extension{{note}}.valueString", "Extension.valueString", None, "full"),
    ],
)
def test_what_a_dropped_extension_says_of_its_value_is_known(policy, element, datatype, role, part):
    """Names, numbers and addresses are dropped as such; a text may be a name of nobody known."""
    action = policy.verdict("fhir", f"Patient.{element}", datatype)
    assert (Handling.DROP, role, part) == (action.handling, action.role, action.part)


def test_a_site_opens_its_extensions(build):
    """An overlay allows an extension by URL, simple or made of others."""
    site = 'format = "fhir"\n[extensions]\n"http://a/b" = "keep"\n"http://a/c" = { x = "kin full" }'
    opened = build(site)
    simple = opened.verdict(
        "fhir", "Patient.extension{http://a/b}.valueString", "Extension.valueString"
    )
    inner = opened.verdict(
        "fhir", "Patient.extension{http://a/c}.extension{x}.valueString", "Extension.valueString"
    )
    assert Handling.KEEP is simple.handling
    assert (inner.role, inner.part) == ("kin", "full")


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ('format = "fhir"\n[Patient]\nnmae = "patient"', 3, "Patient.nmae is not a FHIR element"),
        ('format = "fhir"\n[Pateint]\nname = "patient"', 2, "Pateint is not a FHIR type"),
        (
            'format = "fhir"\n[Patient]\n"contact.foo" = "kin"',
            3,
            "Patient.contact.foo is not a FHIR element",
        ),
        ('format = "fhir"\n[Patient]\nname = "keep drop"', 3, "'drop' is a second handling"),
        ('format = "fhir"\n[extensions]\n"http://a" = "keepp"', 3, "unknown word 'keepp'"),
    ],
)
def test_a_rule_that_cannot_be_honoured_refuses_to_start(build, text, line, problem):
    """The error names file and line, and what is wrong."""
    with pytest.raises(RuleError) as refused:
        build(text)
    assert f"site-1.toml:{line}" == refused.value.place
    assert re.match(re.escape(problem), refused.value.problem)
