"""The demo's mart: loads the sample feed into DuckDB, releases it, and runs five queries."""

from __future__ import annotations

import shutil
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.syntax import Syntax
from rich.table import Table

from adapter.cli.mart.release import plan_of, source_of
from adapter.cli.mart.setup import store_of, today
from adapter.config.mart import Mart, MartRelease
from adapter.config.section import FOLDER
from adapter.mart.landing import land
from adapter.mart.loading.entries import entry, released
from adapter.mart.maps import read_maps
from adapter.mart.release import mart as of_mart
from adapter.mart.release.engine import connect
from adapter.mart.release.publish import publish
from adapter.mart.store.protocol import Lane
from adapter.rules.folder import Folder, shipped
from adapter.transports.protocol import Channel

if TYPE_CHECKING:
    from rich.console import Console

    from adapter.cli.demo.feed import Outcomes
    from adapter.mart.store.protocol import Store

QUESTIONS = Path(__file__).resolve().parents[2] / "demo" / "questions.toml"
NAME = "demo"
QUASI = ("patient.sex", "encounter.class")
MOST_ROWS = 12


def show_mart(console: Console, outcomes: Outcomes, out: Path) -> None:
    """Load the released messages, make a mart release, and print questions, SQL and answers."""
    folder = out / "mart"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    mart = _settings(folder)
    gate = mart.release
    with store_of(mart) as store:
        _load(store, outcomes)
        plan = plan_of(store, mart, NAME, "the demo", "")
        made = publish(source_of(store, gate, Folder(shipped("rules"))), plan, gate.folder)
        of_mart.record(store, gate.folder, plan, made)
    tables = gate.folder / NAME
    console.print(f"[bold]{made.persons} persons are in the release[/] {tables}")
    _ask(console, tables, folder)


def _settings(folder: Path) -> Mart:
    """Return the mart's default settings, as if the settings file were in the folder."""
    token = FOLDER.set(folder.resolve())
    try:
        return Mart(project=NAME, release=MartRelease(quasi_identifiers=QUASI))
    finally:
        FOLDER.reset(token)


def _load(store: Store, outcomes: Outcomes) -> None:
    """Load the released records, as ``deid-adapter mart load`` does from Kafka."""
    assert outcomes.broker is not None
    records = outcomes.broker.records(Channel.RELEASED.value)
    maps, day = read_maps(None), today()
    lane = Lane(Channel.RELEASED.value, 0)
    entries = [entry(released(record), lambda r: land(r, maps), day) for record in records]
    store.commit(entries, store.take([lane])[0], len(records))


def _ask(console: Console, tables: Path, folder: Path) -> None:
    questions: list[dict[str, Any]] = tomllib.loads(QUESTIONS.read_text("utf-8"))["question"]
    with connect(folder / "questions.duckdb") as connection:
        for number, question in enumerate(questions, 1):
            query = question["query"].strip()
            console.print(f"\n[bold]{number}. {question['text']}[/]")
            console.print(
                Syntax(query.replace("{folder}", NAME), "sql", background_color="default")
            )
            found = connection.execute(query.replace("{folder}", str(tables).replace("'", "''")))
            console.print(_answer([c[0] for c in found.description], found.fetchall()))


def _answer(columns: list[str], rows: list[tuple[Any, ...]]) -> Table:
    table = Table()
    for column in columns:
        table.add_column(column)
    for row in rows[:MOST_ROWS]:
        table.add_row(*("" if value is None else str(value) for value in row))
    return table
