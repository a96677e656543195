"""Views against the official tests of SQL-on-FHIR v2, the views of others, and bad views."""

from __future__ import annotations

import json

import duckdb
import pytest

from adapter.errors import RuleError
from adapter.mart.views import compile_view, read_definition
from adapter.mart.views.running import failures
from tests.checks.folders import checks
from tests.checks.views import SCHEMA, SHAREABLE, cases, difference

PATIENTS = [
    {
        "resourceType": "Patient",
        "id": "a",
        "active": True,
        "birthDate": "1950-02-03",
        "_birthDate": {"extension": [{"url": "u:time", "valueDateTime": "1950-02-03T04:05:06Z"}]},
        "name": [{"family": "Ame", "given": ["Bo", None, "Cy"]}, {"family": "It's"}],
        "extension": [{"url": "u:size", "valueDecimal": 1.5}],
        "contact": [{"telecom": [{"value": "1"}, {"value": "2"}]}, {"telecom": [{"value": "3"}]}],
    },
    {"resourceType": "Patient", "id": "b", "multipleBirthInteger": 2},
]


def create_table(connection, view):
    """Make a table of a view's rows, under the view's name; how many rows there are."""
    with failures(view):
        connection.execute(f'CREATE TABLE "{view.name}" AS {view.sql}')
        return connection.execute(f'SELECT count(*) FROM "{view.name}"').fetchone()[0]


def rows(select, resources=PATIENTS, **more):
    """The rows of a view, those of the first resource first."""
    view = {"resource": "Patient", "select": select, **more}
    compiled = compile_view(read_definition(view, "view.json"), SCHEMA)
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE resource (resource_type VARCHAR, body VARCHAR)")
        for resource in resources:
            row = [resource["resourceType"], json.dumps(resource)]
            connection.execute("INSERT INTO resource VALUES (?, ?)", row)
        create_table(connection, compiled)
        return connection.execute(f"FROM {compiled.name}").fetchall()


def values(path, **more):
    """What an expression gives for each patient."""
    return [row[0] for row in rows([{"column": [{"name": "v", "path": path, **more}]}])]


def test_the_official_tests_agree():
    """All shareable tests and all experimental ones give the expected rows, columns and errors."""
    found = {
        (case.file, case.title): difference(case)
        for case in cases(checks("sql-on-fhir-v2", "tests"))
    }
    assert {} == {name: problem for name, problem in found.items() if problem}
    tagged = [c for c in cases(checks("sql-on-fhir-v2", "tests")) if SHAREABLE in c.tags]
    assert len(tagged) >= 123


COUNTS = {
    "condition_flat": 555,
    "diagnostic_report_flat": 0,
    "encounter_flat": 1215,
    "immunization_flat": 161,
    "location_flat": 44,
    "medication_request_flat": 1745,
    "observation_flat": 0,
    "organization_flat": 43,
    "patient_flat": 165,
    "practitioner_flat": 43,
    "practitioner_role_flat": 43,
    "procedure_flat": 2056,
}
"""Rows over the sample: of patients a row for each name, given name and identifier."""


def test_the_views_of_others_give_a_row_for_each_resource():
    """Twelve flat views of another project compile, and run over 7,000 resources."""
    sample = checks("synthea-10-patients")
    folder = checks("fhir-data-pipes", "docker", "config", "views")
    found = {}
    with duckdb.connect() as connection:
        connection.execute(
            "CREATE TABLE resource AS"
            " SELECT json_extract_string(line, '$.resourceType') AS resource_type, line AS body"
            " FROM (SELECT unnest(string_split(content, chr(10))) AS line FROM read_text(?))"
            " WHERE length(line) > 2",
            [f"{sample}/[A-Z]*.ndjson"],
        )
        for file in sorted(folder.glob("*.json")):
            view = read_definition(json.loads(file.read_bytes()), file.name)
            compiled = compile_view(view, SCHEMA)
            found[compiled.name] = create_table(connection, compiled)
    assert found == COUNTS


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("name.first().given.count()", [2, 0]),
        ("name.where($index = 1).family", ["It's", None]),
        ("name.last().family = 'It\\'s'", [True, None]),
        ("name.family contains 'Ame'", [True, False]),
        ("'Ame' in name.family", [True, False]),
        ("name.given.skip(1).first()", ["Cy", None]),
        ("name.given.take(1)", ["Bo", None]),
        ("(name.given | name.given).count()", [2, 0]),
        ("contact.telecom.value.count()", [3, 0]),
        ("contact.telecom.all(value.exists())", [True, True]),
        ("multipleBirth is integer", [False, True]),
        ("(multipleBirth as integer) + 1", [None, 3]),
        ("multipleBirth.ofType(boolean)", [None, None]),
        ("extension('u:size').value.ofType(decimal) * 2", [3.0, None]),
        ("birthDate.extension('u:time').exists()", [True, False]),
        ("birthDate.substring(0, 4).toInteger() div 100", [19, None]),
        ("iif(active, 'yes', 'no')", ["yes", "no"]),
        ("active.not()", [False, None]),
        ("active xor true", [False, None]),
        ("active implies false", [False, None]),
        ("0.1 + 0.2 = 0.3", [True, True]),
        ("1 / 0", [None, None]),
        ("-3 + 5 * 2 - 1", [6, 6]),
        ("'a' & {} & 'b'", ["ab", "ab"]),
        ("'A' ~ 'a'", [True, True]),
        ("birthDate > @1949-12-31", [True, None]),
        ("Patient.id", ["a", "b"]),
        ("%resource.id", ["a", "b"]),
        ("name.select(family.length()).first()", [3, None]),
        ("name.given.join(id)", ["BoaCy", ""]),
        ("'aGk='.decode('base64') & '!!'.decode('base64')", ["hi", "hi"]),
    ],
)
def test_expressions(path, expected):
    """Operators and functions beyond the official tests give what FHIRPath says."""
    assert expected == values(path)


def test_nested_iterations_multiply():
    """Siblings are crossed, children repeat their parents, and an empty one may keep its row."""
    select = [
        {"column": [{"name": "id", "path": "id"}]},
        {
            "forEachOrNull": "contact",
            "column": [{"name": "n", "path": "%rowIndex"}],
            "select": [
                {"forEachOrNull": "telecom", "column": [{"name": "value", "path": "value"}]}
            ],
        },
        {"forEach": "extension", "column": [{"name": "url", "path": "url"}]},
    ]
    assert [("a", 0, "1", "u:size"), ("a", 0, "2", "u:size"), ("a", 1, "3", "u:size")] == rows(
        select
    )


def test_repeat_within_an_iteration():
    """What repeats below each element of an iteration is found for that element alone."""
    tree = {"linkId": "1", "item": [{"linkId": "1.1", "item": [{"linkId": "1.1.1"}]}]}
    other = {"linkId": "2", "item": [{"linkId": "2.1"}]}
    answer = {"resourceType": "QuestionnaireResponse", "id": "q", "item": [tree, other]}
    select = [
        {
            "forEach": "item",
            "column": [{"name": "top", "path": "linkId"}],
            "select": [{"repeat": ["item"], "column": [{"name": "below", "path": "linkId"}]}],
        }
    ]
    found = rows(select, [answer], resource="QuestionnaireResponse")
    assert [("1", "1.1"), ("1", "1.1.1"), ("2", "2.1")] == found


def test_carried_columns_come_first():
    """Columns of the relation, like the person, are in each row before those of the view."""
    view = read_definition({"resource": "Patient", "select": [NAMES]}, "view.json")
    compiled = compile_view(view, SCHEMA, "(FROM t)", carried=["person_id"])
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE t (resource_type VARCHAR, person_id INT, body VARCHAR)")
        connection.execute("INSERT INTO t VALUES ('Patient', 7, ?)", [json.dumps(PATIENTS[0])])
        assert [(7, "Ame"), (7, "It's")] == connection.execute(compiled.sql).fetchall()


NAMES = {"forEach": "name", "column": [{"name": "family", "path": "family"}]}


def test_tags_give_types_of_the_database():
    """ansi/type makes a DATE of an ISO date, and nothing of a year alone."""
    column = {
        "name": "born",
        "path": "birthDate",
        "tag": [{"name": "ansi/type", "value": "DATE"}],
    }
    years = [{"resourceType": "Patient", "birthDate": "1950"}]
    assert ["1950-02-03", "None"] == [str(row[0]) for row in rows([{"column": [column]}])]
    assert [(None,)] == rows([{"column": [column]}], years)


def bad(**view):
    """The place and problem of a view that is refused."""
    with pytest.raises(RuleError) as caught:
        rows(view.pop("select", [NAMES]), **view)
    return str(caught.value)


COLUMN = {"name": "v", "path": "id"}


@pytest.mark.parametrize(
    ("view", "message"),
    [
        ({"select": [{"column": [{**COLUMN, "path": "a..b"}]}]},
         "view.json: select[0].column[0].path: column 3: expected a name, found '.'"),
        ({"select": [{"column": [{**COLUMN, "path": "id.fly()"}]}]},
         "view.json: select[0].column[0].path: no function fly()"),
        ({"select": [{"column": [{**COLUMN, "path": "id.where()"}]}]},
         "view.json: select[0].column[0].path: where() takes 1 to 1 arguments"),
        ({"select": [{"column": [{**COLUMN, "path": "%x"}]}]},
         "view.json: select[0].column[0].path: %x is not defined"),
        ({"select": [{"column": [COLUMN, COLUMN]}]},
         "view.json: select[0]: column v is defined twice"),
        ({"select": [{"column": [{**COLUMN, "name": "a b"}]}]},
         "view.json: select[0].column[0].name: must be a name of letters, digits and underscores"),
        ({"select": [{"column": [COLUMN], "forEach": "a", "repeat": ["b"]}]},
         "view.json: select[0]: may have only one of forEach, repeat"),
        ({"select": []}, "view.json: has no select"),
        ({"resource": None}, "view.json: resource: is missing"),
        ({"where": [{"path": "name.family"}]},
         "view.json: where[0].path: not a condition: its value is not a boolean"),
        ({"where": [{"path": "unheardOf"}]}, ""),
        ({"select": [{"column": [{**COLUMN, "path": "name.family"}]}]},
         "view.json: select[0].column[0].path: more than one value where one is needed"),
        ({"select": [{"column": [{**COLUMN, "path": "(" * 99 + "id" + ")" * 99}]}]},
         "view.json: select[0].column[0].path: column 61: nested too deeply, found '('"),
        ({"select": [{"column": [{**COLUMN, "tag": [{"name": "ansi/type", "value": "BLOB"}]}]}]},
         "view.json: select[0].column[0].path: ansi/type 'BLOB' is not supported"),
    ],
)  # fmt: skip
def test_bad_views_name_file_and_place(view, message):
    """A view that cannot be compiled, or fails on the data, says where and shows no data."""
    if message:
        assert message == bad(**view)
    else:
        assert [] == rows([NAMES], **view)


@pytest.mark.parametrize("name", ["a'b", 'a"b', "a`b", "'; DROP TABLE resource; --"])
def test_texts_stay_texts(name):
    """Quotes in expressions, constants and descriptions reach SQL as text only."""
    escaped = name.replace("\\", "\\\\").replace("'", "\\'")
    constant = [{"name": "c", "valueString": name}]
    select = [{"column": [{"name": "v", "path": f"'{escaped}' = %c"}]}]
    assert [(True,), (True,)] == rows(select, constant=constant)


@pytest.mark.parametrize("path", ["name.given.join({})", "(true).join(id)", "id.join('{0}')"])
def test_any_separator_joins(path):
    """A separator may be a text, an expression, or empty."""
    assert 2 == len(values(path))


def test_another_projects_copy_of_the_tests_agrees():
    """An earlier state of the official tests, with a type that FHIR does not have, agrees too."""
    folder = checks("fhir-data-pipes", "pipelines", "common", "src", "test", "resources")
    found = {
        (case.file, case.title): difference(case) for case in cases(folder / "sql-on-fhir-v2-tests")
    }
    assert len(found) >= 100
    assert {} == {name: problem for name, problem in found.items() if problem}
