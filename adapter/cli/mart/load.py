"""``deid-adapter mart load``."""

from __future__ import annotations

import asyncio
import gc
import signal
from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from adapter.cli.mart.setup import Config, store_of, today
from adapter.cli.terminal import say
from adapter.config.settings import Settings, load_settings
from adapter.errors import RuleError
from adapter.mart.landing import land
from adapter.mart.loading.audited import AuditSource
from adapter.mart.loading.folders import Opened, source_of
from adapter.mart.loading.kafka import KafkaSource
from adapter.mart.loading.loader import Loader
from adapter.mart.loading.source import Batch, Source
from adapter.mart.maps import read_maps
from adapter.mart.store.protocol import Store
from adapter.rules.formats import codecs_of
from adapter.runtime.service import YOUNG, split_by


def load(
    config: Config,
    *,
    folders: Annotated[
        list[Path] | None,
        typer.Option(
            "--from",
            help="Folder of sanitized files or of a replay, with its manifest.",
            file_okay=False,
            exists=True,
        ),
    ] = None,
    name: Annotated[
        str | None, typer.Option("--name", help="Name of the backfill; default: the folder's name.")
    ] = None,
    audit: Annotated[
        list[Path] | None,
        typer.Option(
            "--audit",
            help="Audit records (JSON lines) from which to count held messages.",
            dir_okay=False,
            exists=True,
        ),
    ] = None,
    follow: Annotated[
        bool, typer.Option("--follow", help="Keep loading from the topics until stopped.")
    ] = False,
    accept_gap: Annotated[
        bool,
        typer.Option(
            "--accept-gap", help="Continue even if records were deleted before they were loaded."
        ),
    ] = False,
) -> None:
    """Load folders, or the output topics to their current ends; with --follow, both in turn.

    It can be stopped and restarted at any time: each message counts once.
    """
    settings = load_settings(config)
    own = settings.mart
    topical: list[Source] = []
    if follow or not (folders or audit):
        topics = (*(own.topics or _released_to(settings)), *([own.audit] if own.audit else ()))
        topical.append(
            KafkaSource(
                settings.kafka, topics, own.batch_records, follow=follow, accept_gap=accept_gap
            )
        )
    split = split_by(codecs_of(settings))
    with store_of(own) as store:
        opened = Opened(split, store.keys, own.batch_records)
        sources = [source_of(folder, name, opened) for folder in folders or ()]
        audits = [AuditSource(file, own.batch_records) for file in audit or ()]
        try:
            asyncio.run(_load(settings, store, [*sources, *audits, *topical]))
        finally:
            gc.unfreeze()  # or DuckDB reports what is still frozen at the exit as leaked


def _released_to(settings: Settings) -> tuple[str, ...]:
    topics = tuple(map(settings.kafka.released_to, settings.kafka.topics))
    if not topics:
        raise RuleError("mart.topics", "is empty, and so is kafka.topics; list the topics to load")
    return topics


async def _load(settings: Settings, store: Store, sources: list[Source]) -> None:
    stop, maps = asyncio.Event(), read_maps(settings.rules.folder)
    gc.freeze()
    gc.set_threshold(YOUNG)
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    totals: Counter[str] = Counter()

    def report(batch: Batch, new: int) -> None:
        totals["records"] += len(batch.records)
        totals["new"] += new

    for source in sources:
        loader = Loader(
            source,
            store,
            lambda record: land(record, maps),
            today,
            report,
            stop.is_set,
            source.lane.topic if isinstance(source, AuditSource) else settings.mart.audit,
        )
        try:
            await loader.run()
        finally:
            await source.close()
            say(f"{totals['records']} records read, {totals['new']} of them new", err=True)
        if stop.is_set():
            return
