"""``deid-adapter mart release``."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from adapter.cli.mart.setup import Config, store_of, today
from adapter.cli.terminal import say
from adapter.config.mart import Mart, MartRelease
from adapter.config.settings import load_settings
from adapter.errors import RuleError
from adapter.mart.omop.tables import read_rules
from adapter.mart.release import mart as released
from adapter.mart.release.plan import Plan
from adapter.mart.release.postgres import write_schema
from adapter.mart.release.publish import Made, Source, publish
from adapter.mart.release.tables import Table
from adapter.mart.store.protocol import Store
from adapter.mart.views.folder import read_views
from adapter.rules.folder import Folder, shipped

if TYPE_CHECKING:
    import duckdb

    Write = Callable[[duckdb.DuckDBPyConnection, Sequence[Table]], None]


def release(
    config: Config,
    name: Annotated[str, typer.Argument(help="Letters, digits, - and _.")],
    approved_by: Annotated[str, typer.Option("--approved-by", help="Who has approved it.")],
    accept: Annotated[
        str,
        typer.Option("--accept", help="Why the risk of another release under one key is accepted."),
    ] = "",
) -> None:
    """Make a release for researchers: tables behind the gate, with their reports.

    It is there whole or not at all, and no other release is touched.
    """
    settings = load_settings(config)
    rules = settings.rules.folder or shipped("rules")
    with store_of(settings.mart) as store:
        plan = plan_of(store, settings.mart, name, approved_by, accept)
        source = source_of(store, settings.mart.release, Folder(rules), settings.kafka.output)
        made = publish(
            source, plan, settings.mart.release.folder, writer(settings.mart.release, name)
        )
        released.record(store, plan, made)
    _tell(made, settings.mart.release, name)


def plan_of(store: Store, mart: Mart, name: str, approved_by: str, accept: str) -> Plan:
    """The plan of a release by the settings."""
    own = mart.release
    return Plan(
        name=name,
        approved_by=approved_by,
        day=today(),
        key_id=released.keys_of(store),
        quasi_identifiers=own.quasi_identifiers,
        sensitive=own.sensitive,
        minimum=own.minimum_cell,
        rounding=own.rounding,
        project=mart.project,
        acceptance=accept,
        earlier=released.earlier_of(store, own.folder),
    )


def source_of(
    store: Store, own: MartRelease, rules: Folder, output: str = released.SOURCE
) -> Source:
    """What a release is made from; ``output`` is the setting ``kafka.output``."""
    left_out: dict[str, Any] = tomllib.loads(
        (rules.path / "mart" / "released.toml").read_text("utf-8")
    )
    return Source(
        resources=released.resources_of(store),
        views=read_views([rules.path / "mart" / "views", *own.views]),
        schema=rules.schema["fhir"]["R4"],
        left_out=left_out,
        days=released.days_of(store, output),
        refused=released.refused_of(store),
        omop=read_rules(rules.path / "mart" / "omop") if own.omop else None,
        vocabularies=own.vocabularies,
    )


def writer(own: MartRelease, name: str) -> Write | None:
    """What puts the tables into PostgreSQL, if that is where they go.

    Raises:
        RuleError: its library is not installed.
    """
    if own.url is None:
        return None
    try:
        import psycopg  # noqa: PLC0415 - an extra
    except ImportError:
        raise RuleError("mart.release.url", "PostgreSQL needs the extra mart") from None
    url = own.url

    def write(connection: duckdb.DuckDBPyConnection, tables: Sequence[Table]) -> None:
        try:
            with psycopg.connect(url) as target:
                write_schema(connection, tables, target, name, own.role)
        except psycopg.Error as error:  # its text may quote a row
            raise RuleError("mart.release.url", f"PostgreSQL: {type(error).__name__}") from None

    return write


def _tell(made: Made, own: MartRelease, name: str) -> None:
    say(f"{made.persons} persons, {len(made.manifest['views'])} tables")
    say(f"{own.folder / name / 'index.html'} tells what is in it")
