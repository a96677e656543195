"""Runs the tests in the mapping tables: segments, and the expected elements of their resources."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from adapter.mart.landing.hl7v2 import land_message

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from adapter.mart.landing.hl7v2.tables import Tables

_HEADER = "MSH|^~\\&|||||20240311142233||{kind}|1|P|2.5.1"


def run_tests(tables: Tables) -> tuple[int, list[tuple[str, str]]]:
    """Run the tests of all tables; return their number, and (file, problem) of each failure."""
    failures = [
        (str(test["file"]), problem) for test in tables.tests for problem in _problems(test, tables)
    ]
    return len(tables.tests), failures


def _problems(test: Mapping[str, Any], tables: Tables) -> Iterator[str]:
    lines = [_HEADER.format(kind=test["kind"]), *test["message"]]
    landed = land_message("\r".join(lines).encode(), "0" * 32, tables)
    bodies: dict[str, Any] = {}
    for version in landed.versions:
        bodies.setdefault(version.resource_type, json.loads(version.body) if version.body else {})
    for path, expected in test["expect"].items():
        found = _at(bodies, path.split("."))
        if found != expected:
            yield f"{path} is {found!r}, not {expected!r}"


def _at(value: Any, names: list[str]) -> Any:
    """Return the value at a path; lists stand for their first item."""
    for name in names:
        if isinstance(value, list):
            value = value[0] if value else None
        value = value.get(name) if isinstance(value, dict) else None
    return value
