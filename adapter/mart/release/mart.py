"""Reads the input of a release from a store: resources, counts and earlier releases.

The store may be in any database, because the current resources are read into DuckDB.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from adapter.errors import RuleError
from adapter.mart.current import current_resources
from adapter.mart.release.files import complete, discard, manifests
from adapter.mart.release.pending import Pending, forget, noted
from adapter.mart.release.plan import Day, Earlier, Plan, Refused, Resource
from adapter.mart.release.publish import Made, row_of
from adapter.mart.release.report.quality import HELD
from adapter.mart.release.resources import ACTIVE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from adapter.mart.release.postgres import ReleaseSchema
    from adapter.mart.store.protocol import Store

SOURCE = "{topic}"


def resources_of(store: Store) -> Iterator[Resource]:
    """Yield all current resources, each with its person."""
    for person, now in current_resources(store):
        yield Resource(now.resource_type, now.resource_id, person, ACTIVE, now.body)


def days_of(store: Store, output: str = SOURCE) -> tuple[Day, ...]:
    """Return the counts of messages by loading day, source, kind and outcome.

    ``output`` is the setting ``kafka.output``, so that messages released to "hl7.in.deid" and held
    from "hl7.in" are counted under one source.
    """
    prefix, _, suffix = output.partition(SOURCE)
    return tuple(
        Day(
            count.landed.isoformat(),
            count.topic
            if count.outcome == HELD
            else count.topic.removeprefix(prefix).removesuffix(suffix),
            count.kind or count.format,
            count.outcome,
            count.messages,
            count.keyless_results,
            f"{count.stage}/{count.code}" if count.outcome == HELD else "",
        )
        for count in store.counts()
    )


def refused_of(store: Store) -> tuple[Refused, ...]:
    """Return the counts of values that could not be mapped."""
    return tuple(Refused(r.place, r.code, r.count) for r in store.rejects())


def keys_of(store: Store) -> str:
    """Return the ids of the keys of the mart's surrogates, separated by commas."""
    return ",".join(store.keys())


def earlier_of(store: Store, folder: Path) -> tuple[Earlier, ...]:
    """Return the earlier releases: those in the store, then others in the folder.

    A release that was interrupted before the store recorded it is only in the folder.
    """
    known = {release.name: release.key_id for release in store.releases()}
    found = {made["name"]: made["key"] for made in manifests(folder) if made["name"] not in known}
    return tuple(Earlier(name, key_id) for name, key_id in (known | found).items())


def record(store: Store, folder: Path, plan: Plan, made: Made) -> None:
    """Record a release in the store, with its contents and approval; remove its pending record."""
    store.release(row_of(plan, made))
    forget(folder, plan.name)


@dataclass(frozen=True, slots=True)
class Settled:
    """An interrupted release: completed if it was published, otherwise undone."""

    name: str
    completed: bool


def settle(
    store: Store, folder: Path, project: str, schema_of: Callable[[str], ReleaseSchema | None]
) -> tuple[Settled, ...]:
    """Complete or undo the project's interrupted releases.

    No other release may be in progress in the folder. ``schema_of`` returns the schema of a release
    according to the settings, None if they name no database.

    Raises:
        RuleError: it is unknown whether a release is published, or its reports are missing.
    """
    own = [each for each in noted(folder) if each.project == project]
    return tuple(_settled(store, folder, each, schema_of(each.row.name)) for each in own)


def _settled(store: Store, folder: Path, pending: Pending, schema: ReleaseSchema | None) -> Settled:
    name = pending.row.name
    named = (folder / name).exists()
    published = named or (pending.in_schema and _in_schema(pending, schema))
    if published and not named:
        _named(folder, name)
    if published and name not in {release.name for release in store.releases()}:
        store.release(pending.row)
    discard(folder, name)
    forget(folder, name)
    return Settled(name, published)


def _in_schema(pending: Pending, schema: ReleaseSchema | None) -> bool:
    if schema is None:
        problem = f"is not set, and release {pending.row.name} was being written to a database"
        raise RuleError("mart.release.url", problem)
    return schema.has(pending.digest)


def _named(folder: Path, name: str) -> None:
    try:
        complete(folder, name)
    except FileNotFoundError:
        problem = "its schema exists but its reports are gone; drop the schema"
        raise RuleError(f"release {name}", problem) from None
