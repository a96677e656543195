"""``deid-adapter mart release``."""

from __future__ import annotations

import tomllib
from functools import partial
from typing import Annotated, Any

import typer

from adapter.cli.mart.setup import Config, store_of, today
from adapter.cli.terminal import say
from adapter.config.mart import Mart, MartRelease
from adapter.config.settings import load_settings
from adapter.mart.omop.tables import read_rules
from adapter.mart.release import mart as released
from adapter.mart.release.files import alone
from adapter.mart.release.mart import Settled
from adapter.mart.release.plan import Plan
from adapter.mart.release.postgres import ReleaseSchema
from adapter.mart.release.publish import Source, publish
from adapter.mart.store.protocol import Store
from adapter.mart.views.folder import read_views
from adapter.rules.digest import mart_digest
from adapter.rules.folder import Folder, shipped


def release(
    config: Config,
    name: Annotated[str, typer.Argument(help="A letter, then letters, digits, - and _.")],
    approved_by: Annotated[str, typer.Option("--approved-by", help="Who approved the release.")],
    accept: Annotated[
        str,
        typer.Option(
            "--accept", help="Reason for accepting the risk of another release under the same key."
        ),
    ] = "",
) -> None:
    """Make a release for researchers: tables that passed the gate, with their reports.

    A release is written completely or not at all, and no other release is changed.
    """
    settings = load_settings(config)
    own = settings.mart.release
    rules = settings.rules.folder or shipped("rules")
    with store_of(settings.mart) as store, alone(own.folder):
        if _settle(store, settings.mart, name):
            return
        plan = plan_of(store, settings.mart, name, approved_by, accept)
        source = source_of(store, own, Folder(rules), settings.kafka.output)
        made = publish(source, plan, own.folder, schema_of(own, name))
        released.record(store, own.folder, plan, made)
    say(f"{made.persons} persons, {len(made.manifest['views'])} tables")
    _tell(own, name)


def _settle(store: Store, mart: Mart, name: str) -> bool:
    """Complete or undo interrupted releases; return whether this one was thereby completed."""
    own = mart.release
    settled = released.settle(store, own.folder, mart.project, partial(schema_of, own))
    for each in settled:
        what = "is now complete" if each.completed else "has been undone"
        say(f"release {each.name} had been interrupted and {what}", err=True)
    if Settled(name, completed=True) not in settled:
        return False
    _tell(own, name)
    return True


def plan_of(store: Store, mart: Mart, name: str, approved_by: str, accept: str) -> Plan:
    """Return the plan of a release from the settings."""
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
    """Return the source of a release; ``output`` is the setting ``kafka.output``."""
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
        rules=mart_digest(rules.path),
    )


def schema_of(own: MartRelease, name: str) -> ReleaseSchema | None:
    """Return the database schema of a release, or None if the settings name no database."""
    return None if own.url is None else ReleaseSchema(name, own.url, own.role)


def _tell(own: MartRelease, name: str) -> None:
    say(f"{own.folder / name / 'index.html'} describes its contents")
