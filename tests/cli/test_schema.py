"""``deid-adapter schema build``."""

from __future__ import annotations

import pytest

from adapter.rules.folder import shipped


@pytest.mark.slow
def test_the_shipped_tables_are_the_generated_ones(invoke, tmp_path):
    """The command gives the tables that are shipped, byte for byte; R4 stays without its source."""
    assert 0 == invoke("schema", "build", "--out", tmp_path).exit_code
    made = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    versions = {"fhir-STU3.json", "fhir-R4B.json", "fhir-R5.json"}
    names = {"hl7v2.json", "hl7v2-tables.json", "bindings.json", *versions}
    assert names == set(made)
    assert made == {name: (shipped("rules") / "schema" / name).read_bytes() for name in made}


def test_the_extra_that_is_missing_is_named(invoke, tmp_path, monkeypatch):
    """Without the libraries of the tables nothing is written."""
    monkeypatch.setattr("adapter.cli.schema.find_spec", lambda _name: None)
    refused = invoke("schema", "build", "--out", tmp_path / "out")
    assert "needs the extra 'schema'" in str(refused.exception)
    assert not (tmp_path / "out").exists()
