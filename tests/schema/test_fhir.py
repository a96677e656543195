"""The FHIR tables: what the generator makes, and that the shipped files are what it makes."""

from __future__ import annotations

import json

import pytest

from adapter.schema.fhir import Table, bindings, build, render

VERSIONS = ("R4", "R4B", "R5", "STU3")


@pytest.fixture(scope="module")
def shipped(repository) -> dict[str, Table]:
    """The tables under rules/schema by version."""
    folder = repository / "rules" / "schema"
    return {v: json.loads((folder / f"fhir-{v}.json").read_text("utf-8")) for v in VERSIONS}


@pytest.mark.parametrize("version", VERSIONS)
def test_tables_agree_with_the_reference_types(shared_data, shipped, version):
    """Every element of the reference type maps has the same type and repetition."""
    path = shared_data.parent / "schema" / f"fhir_types_{version}.json"
    expected = {
        (name, key): (found[0], bool(found[1]))
        for name, elements in json.loads(path.read_text("utf-8")).items()
        for key, found in elements.items()
    }
    actual = {
        (name, key): (kind.partition("?")[0].rstrip("!*"), "*" in kind)
        for name, elements in shipped[version].items()
        for key, kind in elements.items()
    }
    assert expected == actual


def test_requirements_are_marked(shipped):
    """Required elements and required choices are marked, in R4 too, which has no models."""
    for version in ("R4", "R4B"):
        table = shipped[version]
        assert table["Observation"]["status"] == "code!"
        assert table["Observation"]["code"] == "CodeableConcept!"
        assert table["MedicationRequest"]["medicationReference"] == "Reference?medication"
        assert table["Patient"]["name"] == "HumanName*"
    assert shipped["R4"]["MedicinalProduct"]["name"] == "MedicinalProductName*!"


@pytest.mark.slow
def test_shipped_tables_are_the_generated_ones(repository, shipped):
    """The generator, run on the shipped R4 types, gives the shipped files byte for byte."""
    pytest.importorskip("fhir.resources")
    types = {
        name: {key: [k.partition("?")[0].rstrip("!*"), int("*" in k)] for key, k in row.items()}
        for name, row in shipped["R4"].items()
    }
    for version, table in build(types).items():
        path = repository / "rules" / "schema" / f"fhir-{version}.json"
        assert path.read_text("utf-8") == render(table), version


@pytest.mark.slow
def test_bindings_are_the_codes_that_the_specification_lists(repository):
    """Codes of elements of types, resources and backbone elements, without the signs for more."""
    pytest.importorskip("fhir.resources")
    made = bindings()
    assert {"official", "usual", "maiden"} <= set(made["HumanName"]["use"].split())
    assert {"filler-order", "order"} <= set(made["ServiceRequest"]["intent"].split())
    assert {"female", "male"} <= set(made["PatientContact"]["gender"].split())
    assert not [codes for row in made.values() for codes in row.values() if "+" in codes]
    assert (repository / "rules" / "schema" / "bindings.json").read_text("utf-8") == render(made)
