"""The keys of the mart are equal where the adapter says two values are one."""

from __future__ import annotations

import pytest

from adapter.mart.versions import (
    Released,
    Version,
    canonical,
    named_by,
    number_key,
    patient_key,
    person_id,
    resource_id,
)


def test_a_number_has_one_key_however_it_is_written():
    """Case, dashes and spaces make no other number, as in the adapter."""
    assert number_key("MRN-00 81") == number_key("mrn0081")
    assert number_key("81") != number_key("82")
    assert "" == number_key(" - ")


@pytest.mark.parametrize(
    "reference",
    ["7a", "Patient/7a", "https://example.org/fhir/Patient/7a", "Patient/7a/_history/2"],
)
def test_a_patients_id_has_one_key_in_every_reference(reference):
    """A logical id and all references to it are one, and none is a number of a chart."""
    assert patient_key("7a") == patient_key(reference)
    assert number_key("7a") != patient_key(reference)


def test_a_records_key_names_a_number_or_an_id():
    """Whatever a key is, whoever it may name is found; a key without letters names nobody."""
    assert (number_key("7a"), patient_key("7a")) == named_by("Patient/7a") == named_by("7-A")
    assert () == named_by("--")


def test_ids_are_32_hexadecimal_digits():
    """Ids of resources and persons have 128 bits; a person's is that of the least number."""
    assert 32 == len(resource_id("Patient", "1")) == len(person_id(frozenset("b")))
    assert person_id(frozenset("ab")) == person_id(frozenset("a"))
    assert resource_id("Patient", "1") != resource_id("Encounter", "1")


def test_canonical_json_is_one_text():
    """The order of members does not count; letters stay letters."""
    assert '{"a":"é","b":1}' == canonical({"b": 1, "a": "é"})


def test_a_repr_shows_no_text():
    """Neither bodies nor values of records appear in a repr."""
    record = Released(b"Quillfeather", "00", "out", 0, 1, b"Quillfeather", (("h", b"Quill"),))
    version = Version("Patient", "00", None, "replace", "Quillfeather")
    assert "Quill" not in repr((record, version))
