"""Creates a release: runs the views and the gate, writes the reports, and publishes atomically."""

from __future__ import annotations

import hashlib
import json
import secrets
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from adapter.mart.omop.files import write_omop
from adapter.mart.omop.tables import VERSION
from adapter.mart.release import files, pending
from adapter.mart.release.columns import FREE_TEXT, LeftOut
from adapter.mart.release.disclosure import classified
from adapter.mart.release.engine import connect
from adapter.mart.release.gate import CELLS, Passed, pass_gate
from adapter.mart.release.pending import Pending
from adapter.mart.release.plan import Plan, check_key, check_plan, under_same_key
from adapter.mart.release.report.counts import single
from adapter.mart.release.report.dictionary import dictionary
from adapter.mart.release.report.page import page
from adapter.mart.release.report.pictures import cell_histogram, distributions, messages_by_kind
from adapter.mart.release.report.quality import published, quality
from adapter.mart.release.resources import fill
from adapter.mart.release.risk import diversity, rare
from adapter.mart.release.tables import Table, make_tables, years_only
from adapter.mart.store.protocol import ReleaseRow

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    import duckdb

    from adapter.mart.omop.tables import Rules
    from adapter.mart.release.plan import Day, Refused, Resource
    from adapter.mart.release.postgres import ReleaseSchema
    from adapter.mart.views.definitions import Definition

PAGE = "index.html"
REPORTS = ("dictionary", "quality", "risk")


@dataclass(frozen=True, slots=True)
class Source:
    """The input of a release.

    ``schema`` and ``left_out`` are the rules ``schema/fhir-R4.json`` and ``mart/released.toml``;
    ``omop`` are those of ``mart/omop``, which add tables of the OMOP CDM.
    """

    resources: Iterable[Resource] = field(repr=False)
    views: Sequence[Definition]
    schema: Mapping[str, Mapping[str, str]] = field(repr=False)
    left_out: Mapping[str, Any] = field(repr=False)
    days: Sequence[Day] = ()
    refused: Sequence[Refused] = ()
    omop: Rules | None = field(default=None, repr=False)
    vocabularies: Path | None = None
    rules: str = ""
    """Digest of the mart's rules and code."""


@dataclass(frozen=True, slots=True)
class Made:
    """A finished release: the steward's record, with exact counts."""

    manifest: dict[str, Any]
    quality: dict[str, Any]
    persons: int


def publish(
    source: Source,
    plan: Plan,
    folder: Path,
    schema: ReleaseSchema | None = None,
) -> Made:
    """Create a release in a new folder, with its tables as Parquet files or in a ``schema``.

    Its pending record (`adapter.mart.release.pending`) remains until the store records the release.

    Raises:
        RuleError: the plan, a view or the gate refuses; nothing is published.
    """
    check_plan(plan)
    with (
        files.new_folder(folder, plan.name) as target,
        files.work_folder(folder, plan.name) as work,
        connect(work / "release.duckdb") as connection,
    ):
        tables = _tables(connection, source, plan)
        plan = classified(tables, plan)
        passed = pass_gate(connection, tables, plan)
        exact = quality(source.days, source.refused, tables)
        report = _report(connection, tables, plan, passed, exact)
        report["manifest"]["rules"] = source.rules
        if schema is None:
            files.write_tables(connection, tables, target)
        if source.omop is not None:
            write_omop(
                connection, source.omop, _cdm_source(source, plan), source.vocabularies, target
            )
        _write_reports(target, report)
        files.durable(target)
        made = Made(report["manifest"], exact, passed.persons)
        digest = hashlib.sha256((target / files.MANIFEST).read_bytes()).hexdigest()
        row, in_schema = row_of(plan, made), schema is not None
        pending.note(folder, Pending(row, plan.project, digest, in_schema))
        if schema is not None:
            _write_schema(schema, connection, tables, folder, digest)
    return made


def _write_schema(
    schema: ReleaseSchema,
    connection: duckdb.DuckDBPyConnection,
    tables: Sequence[Table],
    folder: Path,
    digest: str,
) -> None:
    """Publish the tables; on failure, remove the record if they are certainly not published."""
    try:
        schema.write(connection, tables, digest)
    except BaseException:
        if not schema.has(digest):
            pending.forget(folder, schema.name)
        raise


def row_of(plan: Plan, made: Made) -> ReleaseRow:
    """Return the store's row of a release: approval, manifest and exact quality report."""
    return ReleaseRow(
        name=plan.name,
        released_on=plan.day,
        key_id=plan.key_id,
        persons=made.persons,
        approved_by=plan.approved_by,
        manifest=json.dumps({"manifest": made.manifest, "quality": made.quality}, sort_keys=True),
    )


def _cdm_source(source: Source, plan: Plan) -> dict[str, Any]:
    """Return the row of the table cdm_source; only name and day are informative."""
    return {
        "cdm_source_name": plan.name,
        "cdm_source_abbreviation": plan.name[:25],
        "cdm_holder": plan.project or plan.name,
        "source_release_date": plan.day,
        "cdm_release_date": plan.day,
        "cdm_version": VERSION,
        "cdm_version_concept_id": 0,
        "vocabulary_version": "site" if source.vocabularies else "none",
    }


def _tables(connection: duckdb.DuckDBPyConnection, source: Source, plan: Plan) -> tuple[Table, ...]:
    fill(connection, source.resources)
    left_out, salt = LeftOut(source.left_out), secrets.token_hex(16)
    tables = make_tables(connection, source.views, source.schema, left_out, salt)
    check_key(plan, years_only=years_only(connection, tables))
    return tables


def _report(
    connection: duckdb.DuckDBPyConnection,
    tables: Sequence[Table],
    plan: Plan,
    passed: Passed,
    exact: dict[str, Any],
) -> dict[str, Any]:
    shown = published(exact, plan)
    return {
        "manifest": _manifest(tables, plan, passed),
        "risk": _risk(connection, tables, plan, passed),
        "quality": shown,
        "dictionary": dictionary(connection, tables, plan),
        "distributions": distributions(connection, plan),
        "cells": cell_histogram(passed.sizes),
        "kinds": messages_by_kind(shown),
    }


def _manifest(tables: Sequence[Table], plan: Plan, passed: Passed) -> dict[str, Any]:
    return {
        "name": plan.name,
        "id": secrets.token_hex(16),  # distinguishes any two releases
        "project": plan.project,
        "day": plan.day.isoformat(),
        "approved_by": plan.approved_by,
        "key": plan.key_id,
        "persons": single(passed.persons, plan.minimum, plan.rounding),
        "minimum_cell": plan.minimum,
        "rounding": plan.rounding,
        "views": {table.name: _digest(table) for table in tables},
        "files": {},
    }


def _digest(table: Table) -> str:
    """Return the digest of a view's query, which is equal for the same view in two releases."""
    return hashlib.sha256(table.view.sql.encode()).hexdigest()


def _risk(
    connection: duckdb.DuckDBPyConnection, tables: Sequence[Table], plan: Plan, passed: Passed
) -> dict[str, Any]:
    count = len(plan.quasi_identifiers)
    return {
        "quasi_identifiers": list(plan.quasi_identifiers),
        "minimum_cell": plan.minimum,
        "cells": passed.cells,
        "k": passed.k,
        "l": diversity(connection, CELLS, count, tables, plan.sensitive),
        "suppressed": {
            name: single(n, plan.minimum, plan.rounding) for name, n in passed.suppressed
        },
        "not_judged": {
            name: single(n, plan.minimum, plan.rounding)
            for name, n in rare(connection, tables, passed.judged, plan.minimum).items()
        },
        "free_text": [
            f"{table.name}.{column.name}"
            for table in tables
            for column in table.split.released
            if column.fhir in FREE_TEXT
        ],
        "earlier": under_same_key(plan),
        "acceptance": plan.acceptance,
    }


def _write_reports(folder: Path, report: dict[str, Any]) -> None:
    for name in REPORTS:
        files.write_json(folder, f"{name}.json", report[name])
    report["manifest"]["files"] = files.digests(folder)
    (folder / PAGE).write_text(page(report), "utf-8")
    report["manifest"]["files"] = files.digests(folder)
    files.write_json(folder, files.MANIFEST, report["manifest"])
