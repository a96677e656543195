"""FHIR references."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from adapter.surrogates import Surrogates


@pytest.mark.parametrize(
    ("text", "layout"),
    [
        ("Patient/4088213", "Patient/{}"),
        ("http://server/fhir/Patient/4088213", "http://server/fhir/Patient/{}"),
        ("Patient?identifier=http://mrn.org|4088213", "Patient?identifier=http://mrn.org|{}"),
        ("Patient?identifier=urn%3Aoid%3A1.2%7C4088213", "Patient?identifier=urn%3Aoid%3A1.2%7C{}"),
        ("Patient?_id=4088213&active=4088213", "Patient?_id={0}&active={0}"),
        ("Observation?patient=Patient/4088213", "Observation?patient=Patient/{}"),
        ("#4088213", "#{}"),
        ("urn:oid:4088213", "urn:oid:{}"),
        ("Patient?_id=4088213&birthdate=ge1953-02-18", "Patient?_id={}&birthdate=ge1953"),
    ],
)
def test_only_the_value_is_replaced(surrogates: Surrogates, text, layout):
    """The id in a reference gets the surrogate it has alone; all else stays."""
    assert layout.format(surrogates.identifier("4088213")) == surrogates.identifier(text)


def test_history_is_replaced_too(surrogates):
    """The version of a versioned reference is replaced as well."""
    expected = f"Patient/{surrogates.identifier('12')}/_history/{surrogates.identifier('34')}"

    assert expected == surrogates.identifier("Patient/12/_history/34")


@pytest.mark.parametrize(
    "text",
    ["http://hl7.org/fhir/StructureDefinition/patient", "https://site.org/ValueSet/sex",
     "http://loinc.org", "http://terminology.hl7.org/CodeSystem/v3-ActCode|1.0"],
)  # fmt: skip
def test_definitions_stay(surrogates, text):
    """Canonical addresses of definitions are no identifiers."""
    assert text == surrogates.identifier(text)


@pytest.mark.parametrize("text", ["Smith/4088213", "TC/22/11873"])
def test_other_texts_with_slashes_are_numbers(surrogates, text):
    """What does not begin with a resource type is replaced wholly."""
    old, new = text.split("/"), surrogates.identifier(text).split("/")

    assert old[0] != new[0]
    assert old[-1] != new[-1]
