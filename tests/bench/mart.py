"""The mart: loading into each store beside a bare COPY of the same rows, in the same run.

``python -m tests.bench.mart [--aims]``. Of each batch both ways are timed, one after the other, so
that what else the machine does meets both; the figure is the ratio of the two sums.
"""

from __future__ import annotations

import datetime as dt
import io
import json
import random
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from adapter.mart.landing import land
from adapter.mart.loading.entries import entry
from adapter.mart.maps import read_maps
from adapter.mart.store.protocol import Entry, Lane, MessageRow
from adapter.mart.store.registry import open_store
from adapter.mart.store.rows import message_rows, person_rows
from adapter.mart.versions import (
    Landed,
    Op,
    Released,
    Version,
    canonical,
    digest,
    number_key,
    resource_id,
)
from adapter.pipeline.process import process
from adapter.runtime.service import LoadRuleset
from adapter.types import Position, Record, Release
from tests.bench.messages import ADT, ORU
from tests.corpus.runs import settings
from tests.postgres import postgres

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

BATCH, BATCHES = 5_000, 6
RESULTS = 4
"""Observations per message, beside its Patient, Encounter and DiagnosticReport."""
DAY = dt.date(2026, 11, 22)
PROCESSED = 60
MOST = 0.15
"""Largest share of the time of `process` that landing and storing may take."""
AIMS = {"postgresql first": 0.35, "duckdb first": 0.14, "duckdb corrections": 0.35}


def feed(first: int, *, corrected: bool) -> Iterator[Entry]:
    """Yield a batch of messages; corrections have the same resources and new message ids."""
    dice = random.Random(first)
    for number in range(first, first + BATCH):
        patient = dice.randrange(20_000)
        kinds = ["Patient", "Encounter", "DiagnosticReport", *["Observation"] * RESULTS]
        versions = tuple(
            _version(kind, index, patient, number, corrected=corrected)
            for index, kind in enumerate(kinds)
        )
        numbers = ((number_key(f"MRN{patient}"), number_key(f"SSN{patient}")),)
        own = digest(f"{number}{corrected}")
        row = MessageRow(own, "hl7.in.deid", 0, number, DAY, ruleset="r" * 64, key_id="s1")
        yield Entry(row, Landed(versions, numbers, format="hl7v2", kind="ORU^R01"))


def _version(kind: str, index: int, patient: int, number: int, *, corrected: bool) -> Version:
    natural = f"{patient}" if kind == "Patient" else f"{patient}|{number}|{index}"
    own, subject = resource_id(kind, natural), number_key(f"MRN{patient}")
    body = {
        "resourceType": kind,
        "id": own,
        "status": "corrected" if corrected else "final",
        "subject": {"reference": f"Patient/{subject}"},
        "code": {"coding": [{"system": "http://loinc.org", "code": "2345-7"}], "text": "Glucose"},
        "effectiveDateTime": "2024-03-01T10:00:00+01:00",
        "valueQuantity": {"value": number % 300, "unit": "mg/dL", "code": "mg/dL"},
    }
    return Version(kind, own, subject, Op.REPLACE, canonical(body), index)


class DuckCopy:
    """COPY of CSV files into tables of a DuckDB file."""

    def __init__(self, folder: Path) -> None:
        import duckdb  # noqa: PLC0415 - an extra

        self.folder = folder
        self.connection = duckdb.connect(str(folder / "bare.duckdb"))
        self.made: set[str] = set()

    def copy(self, tables: dict[str, str]) -> None:
        """Copy the rows of some tables, in one transaction."""
        paths = {name: self.folder / f"{name}.csv" for name in tables}
        for name, text in tables.items():
            paths[name].write_text(text, "utf-8")
        start = time.perf_counter()
        self.connection.execute("BEGIN")
        for name, path in paths.items():
            self.connection.execute(f"COPY {name} FROM '{path}' (NULL '\\N')")
        self.connection.execute("COMMIT")
        self.seconds = time.perf_counter() - start

    def make(self, statement: str) -> None:
        """Create a table without keys."""
        self.connection.execute(statement)


class PostgresCopy:
    """COPY FROM STDIN into tables of a PostgreSQL."""

    def __init__(self, url: str) -> None:
        import psycopg  # noqa: PLC0415 - an extra

        self.connection = psycopg.connect(url)

    def make(self, statement: str) -> None:
        """Create a table without keys."""
        self.connection.execute(statement)
        self.connection.commit()

    def copy(self, tables: dict[str, str]) -> None:
        """Copy the rows of some tables, in one transaction."""
        blocks = {name: text.encode() for name, text in tables.items()}
        start = time.perf_counter()
        for name, block in blocks.items():
            with (
                self.connection.cursor() as cursor,
                cursor.copy(f"COPY {name} FROM STDIN (FORMAT CSV, NULL '\\N')") as target,
            ):
                target.write(block)
        self.connection.commit()
        self.seconds = time.perf_counter() - start


def bare_tables(bare: DuckCopy | PostgresCopy, columns: dict[str, Sequence[str]]) -> None:
    """Create the tables that rows are copied into: all columns, no key, no index."""
    whole = {"part", "seq", "idx", "keyless", "n", "days"}
    for name, names in columns.items():
        typed = ", ".join(f"{c} {'bigint' if c in whole else 'varchar'}" for c in names)
        bare.make(f"CREATE TABLE {name} ({typed})")


def as_csv(columns: dict[str, Sequence[object]]) -> str:
    """The same rows as CSV."""
    text = io.StringIO()
    for row in zip(*columns.values(), strict=True):
        text.write(",".join(map(_field, row)) + "\n")
    return text.getvalue()


def _field(value: object) -> str:
    if value is None:
        return "\\N"
    return str(value) if isinstance(value, int) else json.dumps(str(value)).replace('\\"', '""')


def ratio(name: str, url: str, bare: DuckCopy | PostgresCopy) -> Iterator[tuple[str, float]]:
    """Yield messages per second of both ways, for first versions and for corrections."""
    store = open_store(url, "bench")
    (taken,) = store.take([Lane("hl7.in.deid", 0)])
    made = False
    for what, corrected in (("first", False), ("corrections", True)):
        loading = copying = 0.0
        for number in range(BATCHES):
            entries = list(feed(number * BATCH, corrected=corrected))
            tables = {"message": message_rows(entries), **person_rows(entries)}
            tables = {table: columns for table, columns in tables.items() if columns["message_id"]}
            if not made:
                bare_tables(bare, {table: list(columns) for table, columns in tables.items()})
                made = True
            texts = {table: as_csv(columns) for table, columns in tables.items()}
            bare.copy(texts)
            copying += bare.seconds
            start = time.perf_counter()
            assert BATCH == store.commit(entries, taken, (number + 1) * BATCH)
            loading += time.perf_counter() - start
        messages = BATCH * BATCHES
        rate, bare_rate = messages / loading, messages / copying
        print(f"  {name} {what:12} {rate:9,.0f} messages/s  bare COPY {bare_rate:9,.0f}", end="")
        print(f"  ratio {copying / loading:.2f}")
        yield f"{name} {what}", copying / loading
    store.close()


def shares(url: str) -> Iterator[tuple[str, float]]:
    """Yield the CPU share of landing and storing a message, relative to de-identifying it."""
    rules, maps = LoadRuleset(settings())().ruleset, read_maps()
    store = open_store(url, "bench")
    for name, raw in (("1 KB ADT", ADT), ("300-word ORU", ORU)):
        record, lane = Record(raw, Position("bench", 0, 0)), Lane(name, 0)
        spent = []
        for _ in range(1 + PROCESSED):
            start = time.process_time()
            release = process(record, rules)
            spent.append(time.process_time() - start)
        assert isinstance(release, Release)
        (taken,) = store.take([lane])
        start = time.process_time()
        entries = [
            entry(
                Released(release.value, digest(f"{name}{n}"), name, 0, n),
                lambda released: land(released, maps),
                DAY,
            )
            for n in range(BATCH)
        ]
        assert BATCH == store.commit(entries, taken, BATCH)
        own, whole = (time.process_time() - start) / BATCH, sum(spent[1:]) / PROCESSED
        print(f"  {name:14} process {whole * 1e3:6.2f} ms of CPU, mart {own * 1e3:5.2f} ms", end="")
        print(f"  share {own / whole:.2f}")
        yield f"{name} share", own / whole
    store.close()


def main() -> None:
    """Print the ratios; with --aims, fail where one misses its aim."""
    found: dict[str, float] = {}
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        duckdb = f"duckdb:///{folder / 'mart.duckdb'}"
        print(f"mart: {BATCH * BATCHES} messages of {3 + RESULTS} resources, batches of {BATCH}")
        found |= dict(ratio("duckdb", duckdb, DuckCopy(folder)))
        found |= dict(shares(f"duckdb:///{folder / 'shares.duckdb'}"))
        url, _ = stack.enter_context(postgres())
        found |= dict(ratio("postgresql", url, PostgresCopy(url)))
    if "--aims" in sys.argv:
        assert not [name for name, aim in AIMS.items() if found[name] < aim]
        assert not [name for name, of in found.items() if name.endswith("share") and of > MOST]


if __name__ == "__main__":
    main()
