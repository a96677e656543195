"""Compare landed HL7 v2 messages, seen through the shipped views, with the FHIR expected of them.

A folder holds pairs: ``x.hl7`` beside ``x.fhir``, a Bundle. For each resource expected, the columns
that the shipped views take of it are compared with those of the resource that landing makes.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import duckdb

from adapter.codecs.hl7v2.framing import split_hl7v2
from adapter.mart.folding import fold
from adapter.mart.landing import land
from adapter.mart.maps import read_maps
from adapter.mart.versions import Released
from adapter.mart.views import CompiledView, compile_view, read_definition
from adapter.rules.folder import Folder, shipped
from tests.checks.reasons import reason_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    Row = dict[str, Any]

TABLE = "CREATE TABLE resource (resource_type VARCHAR, body VARCHAR, pair INTEGER)"
ABSENT = "(no such resource)"
_KEY = re.compile(r"(\w+)_id")


@dataclass(frozen=True)
class Difference:
    """One column that differs: where, and both values (of the folder's own examples)."""

    pair: str
    view: str
    column: str
    expected: object
    found: object


def views() -> list[CompiledView]:
    """The shipped views; the pair's number is carried with each row."""
    schema = Folder(shipped("rules")).schema["fhir"]["R4"]
    files = sorted((shipped("rules") / "mart" / "views").glob("*.json"))
    definitions = (read_definition(json.loads(f.read_bytes()), f.name) for f in files)
    return [compile_view(d, schema, "resource", ("pair",)) for d in definitions]


def expected(file: Path) -> list[Row]:
    """The resources of an expected Bundle, or the one that is expected."""
    sent = json.loads(file.read_bytes())
    if sent.get("resourceType") != "Bundle":
        return [sent]
    return [entry["resource"] for entry in sent.get("entry", ()) if "resource" in entry]


def landed(file: Path) -> list[Row]:
    """The current resources after a file's messages, the only ones in the mart."""
    maps = read_maps()
    by_key: dict[tuple[str, str], list[Any]] = {}
    for number, frame in enumerate(split_hl7v2(file.read_bytes())):
        record = Released(frame.value, f"{number:032x}", "pair", 0, number)
        for version in land(record, maps).versions:
            by_key.setdefault((version.resource_type, version.resource_id), []).append(version)
    current = (fold(versions) for versions in by_key.values())
    return [json.loads(resource.body) for resource in current if resource is not None]


def rows(
    resources: Iterable[tuple[int, Row]], shown: Iterable[CompiledView]
) -> dict[str, dict[int, list[Row]]]:
    """Rows of each view by the number of their pair."""
    found: dict[str, dict[int, list[Row]]] = {}
    with duckdb.connect() as connection:
        connection.execute(TABLE)
        connection.executemany(
            "INSERT INTO resource VALUES (?, ?, ?)",
            [[body["resourceType"], json.dumps(body), pair] for pair, body in resources],
        )
        for view in shown:
            result = connection.execute(view.sql)
            names = [column[0] for column in result.description]
            for values in result.fetchall():
                row = dict(zip(names, values, strict=True))
                found.setdefault(view.name, {}).setdefault(row.pop("pair"), []).append(row)
    return found


def _same(column: str, wanted: object, found: object) -> bool:
    """Whether two values are equal; of a key, whether there is one on both sides."""
    if _KEY.fullmatch(column):
        return found is not None
    if isinstance(wanted, int | float) and isinstance(found, int | float):
        return math.isclose(wanted, found)
    return wanted == found


def _valued(row: Row, view: str) -> dict[str, object]:
    return {n: v for n, v in row.items() if v is not None and n != f"{view}_id"}


def matched(wanted: list[Row], found: list[Row], view: str) -> Iterator[tuple[Row, Row | None]]:
    """Each expected row with the one found most like it; a taken one only if none is left."""
    left = list(found)
    for row in wanted:
        valued = _valued(row, view)
        best = max(
            left or found,
            key=lambda other: sum(_same(n, v, other[n]) for n, v in valued.items()),
            default=None,
        )
        if best is not None and best in left:
            left.remove(best)
        yield row, best


def compared(
    name: str, view: str, wanted: list[Row], found: list[Row]
) -> tuple[int, list[Difference], Counter[str]]:
    """How many columns are expected, those that differ, and what is found beside them."""
    count, differences, beside = 0, [], Counter[str]()
    for row, other in matched(wanted, found, view):
        for column, value in _valued(row, view).items():
            count += 1
            if other is None:
                differences.append(Difference(name, view, column, value, ABSENT))
            elif not _same(column, value, other[column]):
                differences.append(Difference(name, view, column, value, other[column]))
        if other is not None:
            extra = _valued(other, view).keys() - _valued(row, view).keys()
            beside.update(f"{view}.{column}" for column in extra)
    return count, differences, beside


def main(folder: Path) -> int:
    """Print every difference with its reason, if our rule intends it, and what is equal."""
    files = sorted(file for file in folder.rglob("*.hl7") if file.with_suffix(".fhir").is_file())
    shown = views()
    wanted = rows(
        ((n, r) for n, f in enumerate(files) for r in expected(f.with_suffix(".fhir"))), shown
    )
    found = rows(((n, r) for n, f in enumerate(files) for r in landed(f)), shown)
    total, differences, beside = 0, [], Counter[str]()
    for view, by_pair in wanted.items():
        for number, expected_rows in by_pair.items():
            name = str(files[number].relative_to(folder).with_suffix(""))
            count, differing, more = compared(
                name, view, expected_rows, found.get(view, {}).get(number, [])
            )
            total += count
            differences += differing
            beside += more
    unexplained = _print(differences, beside)
    print(f"{len(files)} pairs, {len(differences)} columns differ, {unexplained} without a reason")
    print(f"{total - len(differences)} of {total} expected columns equal")
    return 0 if total and not unexplained else 1


def _print(differences: list[Difference], beside: Counter[str]) -> int:
    unexplained = 0
    for item in differences:
        reason = reason_of(item.view, item.column, item.expected, item.found)
        unexplained += reason is None
        values = f"expected {item.expected!r}, found {item.found!r}"
        print(f"{item.pair}: {item.view}.{item.column}: {values}: {reason or 'NO REASON'}")
    for column, count in sorted(beside.items()):
        print(f"beside what is expected: {column} ({count})")
    return unexplained
