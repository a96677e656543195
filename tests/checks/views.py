"""Run ViewDefinition tests of the form of the SQL-on-FHIR v2 test suite, and say what differs."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import duckdb

from adapter.errors import RuleError
from adapter.mart.views import compile_view, read_definition
from adapter.rules.folder import Folder, shipped

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SCHEMA = Folder(shipped("rules")).schema["fhir"]["R4"]
SHAREABLE = "shareable"


@dataclass(frozen=True)
class Case:
    """One test of a file, with the resources that the file gives to all its tests."""

    file: str
    title: str
    tags: tuple[str, ...]
    resources: tuple[dict[str, Any], ...]
    test: dict[str, Any]


def cases(folder: Path) -> Iterator[Case]:
    """All tests of a folder's files, in order."""
    for file in sorted(folder.rglob("*.json")):
        suite = json.loads(file.read_bytes())
        if not isinstance(suite, dict) or "tests" not in suite:
            continue
        for test in suite["tests"]:
            yield Case(
                file.stem,
                test["title"],
                tuple(test.get("tags", ())),
                tuple(suite.get("resources", ())),
                test,
            )


def difference(case: Case) -> str:
    """How the outcome differs from what is expected; "" if it does not."""
    wants_error = case.test.get("expectError", False)
    try:
        columns, rows = run(case)
    except (RuleError, duckdb.Error) as error:
        return "" if wants_error else f"error: {error}"
    if wants_error:
        return f"no error, but {len(rows)} rows"
    return _compared(case.test, columns, rows)


def run(case: Case) -> tuple[list[str], list[tuple[Any, ...]]]:
    """Columns and rows of a case's view over its resources."""
    view = compile_view(read_definition(case.test["view"], f"{case.file}.json"), SCHEMA)
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE resource (resource_type VARCHAR, body VARCHAR)")
        for resource in case.resources:
            row = [resource["resourceType"], json.dumps(resource)]
            connection.execute("INSERT INTO resource VALUES (?, ?)", row)
        found = connection.execute(view.sql)
        return [column[0] for column in found.description], found.fetchall()


def _compared(test: dict[str, Any], columns: list[str], rows: list[tuple[Any, ...]]) -> str:
    if "expectColumns" in test and test["expectColumns"] != columns:
        return f"columns {columns}, expected {test['expectColumns']}"
    if "expectCount" in test and test["expectCount"] != len(rows):
        return f"{len(rows)} rows, expected {test['expectCount']}"
    if "expect" not in test:
        return ""
    found = sorted(_form(dict(zip(columns, row, strict=True))) for row in rows)
    expected = sorted(_form(row) for row in test["expect"])
    return "" if found == expected else f"rows {found}, expected {expected}"


def _form(row: dict[str, Any]) -> str:
    """A row as text, equal for equal rows; a column without value is as one that is not there."""
    shown = {name: _rounded(value) for name, value in row.items() if value is not None}
    return json.dumps(shown, sort_keys=True, default=str)


def _rounded(value: object) -> object:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value
    return int(value) if math.isclose(value, round(value)) else round(value, 9)


def main(folder: Path) -> int:
    """Print what differs, and how many tests of each tag agree."""
    outcomes = [(case, difference(case)) for case in cases(folder)]
    for case, problem in outcomes:
        if problem:
            print(f"{case.file}: {case.title} [{', '.join(case.tags)}]: {problem}")
    for tag in sorted({tag for case, _ in outcomes for tag in case.tags}):
        marked = [problem for case, problem in outcomes if tag in case.tags]
        print(f"{marked.count('')} of {len(marked)} {tag}")
    agreed = sum(not problem for _, problem in outcomes)
    print(f"{agreed} of {len(outcomes)} tests agree")
    return 0 if agreed == len(outcomes) and outcomes else 1
