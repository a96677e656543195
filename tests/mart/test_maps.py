"""The mapping tables are read from a rules folder."""

from __future__ import annotations

import pytest

from adapter.errors import RuleError
from adapter.mart.maps import read_maps


def test_shipped_tables_are_read():
    """Patients and results have theirs."""
    assert {"Patient", "Observation"} <= read_maps().map.keys()


def test_a_file_that_is_no_toml_is_named(tmp_path):
    """The error says which file it is."""
    folder = tmp_path / "mart" / "hl7v2"
    folder.mkdir(parents=True)
    (folder / "broken.toml").write_text("[")
    with pytest.raises(RuleError, match=r"broken\.toml"):
        read_maps(tmp_path)


def test_tables_that_do_not_say_whose_numbers_are_whose_are_refused(tmp_path):
    """Without them the account of a family would make it one person."""
    folder = tmp_path / "mart" / "hl7v2"
    folder.mkdir(parents=True)
    (folder / "patient.toml").write_text('[numbers]\nchart = [["MR"]]\n')
    with pytest.raises(RuleError, match="which numbers are a person's own"):
        read_maps(tmp_path)
