"""The OMOP export against the CDM's own definition and the OHDSI data quality checks."""

from __future__ import annotations

import csv
import datetime as dt
import json
import re

import duckdb
import pytest

from adapter.errors import RuleError
from adapter.mart.omop.tables import make_omop, read_rules
from adapter.mart.release.columns import LeftOut
from adapter.mart.release.plan import Resource
from adapter.mart.release.resources import fill
from adapter.mart.release.tables import make_tables
from tests.checks.folders import checks
from tests.mart.release.sample import LEFT_OUT, RULES, SCHEMA, VIEWS, hospital

DAY = dt.date(2026, 11, 22)
SOURCE = {
    "cdm_source_name": "stroke-1",
    "cdm_source_abbreviation": "stroke",
    "cdm_holder": "nobody",
    "source_release_date": DAY,
    "cdm_release_date": DAY,
    "cdm_version": "v5.4",
    "cdm_version_concept_id": 0,
    "vocabulary_version": "none",
}
TABLES = tuple(read_rules(RULES / "mart" / "omop").columns)


def exported(resources, vocabularies=None):
    """A connection with the OMOP tables of resources."""
    connection = duckdb.connect()
    fill(connection, resources)
    make_tables(connection, VIEWS, SCHEMA, LeftOut(LEFT_OUT), "salt")
    make_omop(connection, read_rules(RULES / "mart" / "omop"), SOURCE, vocabularies)
    return connection


def synthea():
    """The resources of the sample of ten patients."""
    for file in sorted(checks("synthea-10-patients").glob("[A-Z]*.ndjson")):
        for line in file.read_text("utf-8").splitlines():
            body = json.loads(line)
            named = body.get("subject") or body.get("patient") or {"reference": body["id"]}
            person = named["reference"].removeprefix("Patient/")
            yield Resource(body["resourceType"], body["id"], person, "active", line)


@pytest.fixture(scope="module")
def cdm():
    """The export of the sample of ten patients."""
    connection = exported(synthea())
    yield connection
    connection.close()


def test_the_tables_are_those_of_the_cdm(cdm):
    """Each table has the columns of the CDM's definition, in order, with its types and rules."""
    folder = checks("omop-cdm-5.4", "inst", "ddl", "5.4", "duckdb")
    text = (folder / "OMOPCDM_duckdb_5.4_ddl.sql").read_text("utf-8")
    cdm.execute("CREATE SCHEMA official")
    cdm.execute(text.replace("@cdmDatabaseSchema", "official").replace("varchar(MAX)", "varchar"))

    def described(schema):
        return cdm.execute(
            "SELECT table_name, column_name, data_type, is_nullable FROM duckdb_columns()"
            " WHERE schema_name = ? AND list_contains(?, table_name)"
            " ORDER BY table_name, column_index",
            [schema, list(TABLES)],
        ).fetchall()

    assert described("official") == described("omop")


def test_primary_keys_hold(cdm):
    """The CDM's primary keys can be added to the exported tables."""
    folder = checks("omop-cdm-5.4", "inst", "ddl", "5.4", "duckdb")
    text = (folder / "OMOPCDM_duckdb_5.4_primary_keys.sql").read_text("utf-8")
    found = re.findall(r"@cdmDatabaseSchema\.(\w+) .*?PRIMARY KEY \((\w+)\)", text)
    own = [(table, key) for table, key in found if table in TABLES]
    assert len(own) == len(TABLES) - 2  # neither death nor cdm_source has one
    for table, key in own:
        query = f"SELECT count(*) - count(DISTINCT {key}) FROM omop.{table}"
        assert (0,) == cdm.execute(query).fetchone(), table


JUDGED = {
    "isRequired": "field_is_not_nullable",
    "cdmDatatype": "field_cdm_datatype",
    "isPrimaryKey": "field_is_primary_key",
    "isForeignKey": "is_foreign_key",
    "plausibleStartBeforeEnd": "field_plausible_start_before_end",
    "plausibleAfterBirth": "field_plausible_after_birth",
    "plausibleBeforeDeath": "field_plausible_before_death",
}
MACROS = (
    "ISNUMERIC(x) AS CASE WHEN TRY_CAST(x AS DOUBLE) IS NULL THEN 0 ELSE 1 END",
    "CHARINDEX(part, whole) AS instr(whole, part)",
    "DATEADD(part, n, day) AS day + to_days(n)",
)


CHOICE = re.compile(r"\{'(\w+)' (?:IN \(([^)]*)\)|== '(\w+)')\}\s*\?\s*\{(.*?)\}")


def judge(connection, check, row):
    """Rows that violate a check of the data quality dashboard, by its own query."""
    folder = checks("ohdsi-dqd", "inst", "sql", "sql_server")
    text = (folder / f"{JUDGED[check]}.sql").read_text("utf-8")
    text = re.sub(r"/\*\*+.*?\*\*+/", "", text, flags=re.DOTALL)
    text = re.sub(r"\{@cohort[^}]*\}\s*\?\s*\{.*?\}", "", text, flags=re.DOTALL)
    for name, value in row.items():
        if name not in JUDGED:
            text = text.replace(f"@{name}", value)
    text = CHOICE.sub(lambda m: m[4] if m[1] in (m[2] or m[3]) else "", text)
    text = re.sub(r"@\w*[sS]chema", "omop", text).replace("COUNT_BIG", "COUNT")
    text = text.replace("DATEADD(day,", "DATEADD('day',").replace("'0' +", "'0' ||")
    return connection.execute(text).fetchone()[0]


def fields(check):
    """The exported fields that a check is for, with what the dashboard says of them."""
    folder = checks("ohdsi-dqd", "inst", "csv")
    with (folder / "OMOP_CDMv5.4_Field_Level.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            table = row["cdmTableName"].lower()
            foreign = check == "isForeignKey" and row["fkTableName"].lower() not in TABLES
            wanted = "integer" if check == "cdmDatatype" else "Yes"
            if table in TABLES and row[check] == wanted and not foreign:
                yield {**row, "cdmTableName": table}


@pytest.mark.parametrize("check", JUDGED)
def test_the_data_quality_checks_find_nothing(cdm, check):
    """Types, required fields, keys and dates have no violation by the checks' own queries."""
    for macro in MACROS:
        cdm.execute(f"CREATE OR REPLACE TEMP MACRO {macro}")
    found = {}
    for row in fields(check):
        violations = judge(cdm, check, row)
        found[f"{row['cdmTableName']}.{row['cdmFieldName'].lower()}"] = violations
    assert found
    if check == "plausibleBeforeDeath":  # the sample has a few records after death
        assert sum(found.values()) < 100
    else:
        assert {} == {name: n for name, n in found.items() if n}


def test_ids_are_ranks_of_hashes():
    """Ids do not follow the order of loading: the same resources in another order have others."""
    resources = hospital(60)
    orders = []
    for some in (resources, resources[::-1]):
        with exported(some) as connection:
            rows = connection.execute(
                "SELECT person_id, visit_occurrence_id, visit_start_date"
                " FROM omop.visit_occurrence ORDER BY ALL"
            ).fetchall()
        orders.append(rows)
    assert orders[0] == orders[1]
    days = [row[2] for row in sorted(orders[0], key=lambda row: row[1])]
    assert days != sorted(days)


def test_source_values_are_filled():
    """Without vocabularies concepts are 0, and the source value says what was sent."""
    with exported(hospital(30)) as connection:
        rows = connection.execute(
            "SELECT DISTINCT condition_concept_id, condition_source_concept_id,"
            " condition_source_value IS NULL, visit_occurrence_id IS NULL"
            " FROM omop.condition_occurrence"
        ).fetchall()
    assert [(0, 0, False, False)] == rows


def test_a_sites_vocabularies(tmp_path):
    """With CONCEPT and CONCEPT_RELATIONSHIP codes have source and standard concepts."""
    concept = "concept_id\tvocabulary_id\tconcept_code\tstandard_concept\tinvalid_reason\n"
    concept += "45\tICD10CM\tI10\t\t\n90\tSNOMED\t38341003\tS\t\n"
    relation = "concept_id_1\tconcept_id_2\trelationship_id\tinvalid_reason\n45\t90\tMaps to\t\n"
    (tmp_path / "CONCEPT.csv").write_text(concept, "utf-8")
    (tmp_path / "CONCEPT_RELATIONSHIP.csv").write_text(relation, "utf-8")
    system = '"code": "I10", "system": "http://hl7.org/fhir/sid/icd-10-cm"'
    coded = [r._replace(body=r.body.replace('"code": "I10"', system)) for r in hospital(30)]
    with exported(coded, tmp_path) as connection:
        rows = connection.execute(
            "SELECT DISTINCT condition_source_concept_id, condition_concept_id"
            " FROM omop.condition_occurrence WHERE condition_source_value = 'I10'"
        ).fetchall()
    assert [(45, 90)] == rows


def test_vocabularies_that_are_not_there(tmp_path):
    """A folder without the files is an error that names the file."""
    with pytest.raises(RuleError, match=r"CONCEPT\.csv does not exist"):
        exported([], tmp_path)
