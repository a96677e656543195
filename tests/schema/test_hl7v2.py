"""The shipped HL7 v2 tables: what the generator makes, and what the standard's tables say."""

from __future__ import annotations

import csv
import json
import tomllib
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest

from adapter.schema import hl7v2

if TYPE_CHECKING:
    from pathlib import Path

FOLDER = "rules/schema"


@pytest.fixture(scope="module")
def tables(repository: Path) -> dict[str, Any]:
    """The shipped tables."""
    return json.loads((repository / FOLDER / "hl7v2.json").read_bytes())


def types(rows: dict[str, Any]) -> dict[str, str]:
    """Number -> last datatype of a segment's fields or a datatype's components."""
    return {number: row[1][-1][1] for number, row in rows.items()}


def test_the_shipped_tables_are_the_generated_ones(tables):
    """Building the tables again gives the shipped file."""
    pytest.importorskip("hl7apy")
    assert tables == hl7v2.build()


def test_every_field_is_known_with_the_same_datatypes(tables, shared_data):
    """All fields of an independent extract are there, each with the datatypes it lists."""
    with (shared_data.parent / "schema" / "v2_fields.csv").open(encoding="utf-8") as file:
        listed = {
            (row["segment"], row["field"]): set(row["datatypes"].split("/"))
            for row in csv.DictReader(file)
        }
    built = {
        (segment, number): {datatype for _, datatype in row[1]}
        for segment, rows in tables["fields"].items()
        for number, row in rows.items()
    }
    assert listed.keys() == built.keys()
    differing = {key: listed[key] ^ built[key] for key in listed if listed[key] != built[key]}
    assert {"CM", "wd"} == set().union(*differing.values())


def test_withdrawn_fields_keep_their_datatype(tables):
    """Fields withdrawn in 2.7 have the type they had, for they are still sent."""
    pid = types(tables["fields"]["PID"])
    assert {number: pid[number] for number in ("2", "4", "9", "19", "20")} == {
        "2": "CX",
        "4": "CX",
        "9": "XPN",
        "19": "ST",
        "20": "DLN",
    }


def test_gaps_of_the_dictionary_are_filled(tables):
    """Rows that the dictionary lacks in later versions stay: EVN-1, OBR-14, XTN.1."""
    assert types(tables["fields"]["EVN"])["1"] == "ID"
    assert "14" in tables["fields"]["OBR"]
    assert types(tables["datatypes"]["XTN"])["1"] == "ST"


def test_types_are_listed_from_the_version_they_begin_with(tables):
    """A row says when each type began, oldest first, and never twice the same in a row."""
    order = {version: rank for rank, version in enumerate(tables["versions"])}
    for group in ("fields", "datatypes"):
        for owner, rows in tables[group].items():
            for number, (name, changes) in rows.items():
                ranks = [order[version] for version, _ in changes]
                kinds = [kind for _, kind in changes]
                place = (owner, number)
                assert (place, sorted(set(ranks))) == (place, ranks)
                assert not any(a == b for a, b in pairwise(kinds)), place
                assert name or group == "datatypes", place


def test_the_tables_say_where_they_come_from(repository):
    """source.toml names the file, its generator, origin and licence."""
    entry = tomllib.loads((repository / FOLDER / "source.toml").read_text("utf-8"))["hl7v2"]
    assert (repository / FOLDER / entry["file"]).is_file()
    assert {"file", "command", "generator", "origin", "licence", "columns"} <= entry.keys()


def test_the_shipped_code_tables_are_the_generated_ones(repository):
    """Building the code tables again gives the shipped file."""
    pytest.importorskip("hl7apy")
    shipped = json.loads((repository / FOLDER / "hl7v2-tables.json").read_bytes())
    assert shipped == hl7v2.tables()
    assert {"F", "M"} <= set(shipped["codes"][shipped["places"]["PID-8"][0]].split("\n"))
