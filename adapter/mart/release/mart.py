"""A release of what a store holds: its resources, counts and earlier releases as a plan needs them.

It makes no difference which database the store is: the current resources are read into DuckDB.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.mart.current import current_resources
from adapter.mart.release.files import manifests
from adapter.mart.release.plan import Day, Earlier, Plan, Refused, Resource
from adapter.mart.release.publish import Made, steward_record
from adapter.mart.release.report.quality import HELD
from adapter.mart.release.resources import ACTIVE
from adapter.mart.store.protocol import ReleaseRow

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from adapter.mart.store.protocol import Store

SOURCE = "{topic}"


def resources_of(store: Store) -> Iterator[Resource]:
    """All current resources, each with its person."""
    for person, now in current_resources(store):
        yield Resource(now.resource_type, now.resource_id, person, ACTIVE, now.body)


def days_of(store: Store, output: str = SOURCE) -> tuple[Day, ...]:
    """Messages by day of loading, source, kind and outcome.

    ``output`` is the setting ``kafka.output``: what was released to "hl7.in.deid" and what was held
    of "hl7.in" are of one source.
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
    """What could not be mapped."""
    return tuple(Refused(r.place, r.code, r.count) for r in store.rejects())


def keys_of(store: Store) -> str:
    """The keys of the mart's surrogates, separated by commas."""
    return ",".join(store.keys())


def earlier_of(store: Store, folder: Path) -> tuple[Earlier, ...]:
    """The releases that were made before: those the store knows, then others in the folder.

    A release whose maker was stopped before the store had kept it is in the folder alone.
    """
    kept = {release.name: release.key_id for release in store.releases()}
    found = {made["name"]: made["key"] for made in manifests(folder) if made["name"] not in kept}
    return tuple(Earlier(name, key_id) for name, key_id in (kept | found).items())


def record(store: Store, plan: Plan, made: Made) -> None:
    """Have the store keep that the release was made, what is in it, and who approved it."""
    store.release(
        ReleaseRow(
            name=plan.name,
            released_on=plan.day,
            key_id=plan.key_id,
            persons=made.persons,
            approved_by=plan.approved_by,
            manifest=steward_record(made),
        )
    )
