"""Code maps are generated from the guide's concept maps, and those that are shipped are these."""

from __future__ import annotations

import tomllib

import pytest
from typer.testing import CliRunner

from adapter.cli import app
from adapter.errors import RuleError
from adapter.rules.folder import shipped
from adapter.schema.code_maps import MAPS, render
from tests.checks.folders import checks

HEADINGS = (
    "HL7 v2,,,Condition,,,HL7 FHIR,,,,,\nCode,Text,Code System,,,,Code,,Display,Code System,,\n"
)


@pytest.fixture
def guide(tmp_path):
    """A folder of the guide's form, in which one map says something."""
    for title in MAPS.values():
        (tmp_path / f"HL7 Concept Map_ {title} - Sheet1.csv").write_text(HEADINGS)
    return tmp_path


def made(guide, *rows):
    """What rows of the map of marital states become."""
    path = guide / "HL7 Concept Map_ MaritalStatus - Sheet1.csv"
    path.write_text(HEADINGS + "\n".join(rows))
    return tomllib.loads(render(guide))["codes"]["MaritalStatus"]


def test_the_shipped_maps_are_the_guides():
    """The command over the guide gives the file that is shipped, byte for byte."""
    folder = checks("v2-to-fhir/mappings/codesystems")
    assert (shipped("rules") / "mart" / "hl7v2" / "codes.toml").read_text("utf-8") == render(folder)


def test_the_command_writes_the_file(guide, tmp_path):
    """It takes the folder and the file."""
    out = tmp_path / "codes.toml"
    command = ["schema", "codes", str(guide), "--out", str(out)]
    assert 0 == CliRunner().invoke(app, command, catch_exceptions=False).exit_code
    assert render(guide) == out.read_text()


def test_targets_have_the_systems_that_are_not_the_commonest(guide):
    """A code system of most targets is said once; FHIR's own fixed codes have none."""
    rows = ["A,,T,,,,x,,,urn:a,,", "B,,T,,,,y,shown,,urn:a,,", "C,,T,,,,z,,,urn:b,,"]
    found = made(guide, *rows, "D,,T,,,,w,,,http://hl7.org/fhir/x,,")
    assert {"system": "urn:a", "A": "x", "B": "y|shown", "C": "z||urn:b", "D": "w"} == found


def test_rows_that_say_nothing_are_left_out(guide):
    """No target, no code, a condition; of a code that is there twice the first counts."""
    rows = ["A,,T,,,,,,,,,", ",,,,,,x,,,,,", "B,,T,IF X,,,x,,,,,"]
    assert {"C<": "1"} == made(guide, *rows, "C<,,T,,,,1,,,,,", "C<,,T,,,,2,,,,,")


@pytest.mark.parametrize("row", ["A,,T", "A\x01,,T,,,,x,,,,,"])
def test_a_map_of_another_form_is_refused(guide, row):
    """Columns that are missing, and characters that no code has."""
    with pytest.raises(RuleError):
        made(guide, row)


def test_a_map_that_is_missing_is_named(guide):
    """The error has the file."""
    (guide / "HL7 Concept Map_ NameType - Sheet1.csv").unlink()
    with pytest.raises(RuleError, match=r"NameType - Sheet1\.csv: cannot be read"):
        render(guide)
