"""``deid-adapter review import`` and ``sample``: adds messages, and draws samples to read."""

from __future__ import annotations

import asyncio
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from adapter.cli.review.setup import Config, store_of
from adapter.cli.terminal import say
from adapter.config.settings import Settings, load_settings
from adapter.errors import RuleError
from adapter.methods.induction.tables import CONTEXTS, TERMS, read_tables
from adapter.review.figures.intervals import plan
from adapter.review.induced import propose
from adapter.review.intake import Intake, Taken, sample_recall, sample_uncertain
from adapter.review.sources import held_records, topic_records
from adapter.review.store.store import Store
from adapter.rules.compile import load_ruleset


class By(StrEnum):
    """Measures of a mention's uncertainty."""

    MARGIN = "margin"
    ENTROPY = "entropy"


def import_(
    config: Config,
    files: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[FILE...]", help="Files or folders of messages.", exists=True),
    ] = None,
    *,
    quarantine: Annotated[
        bool, typer.Option("--quarantine", help="Import the settings' quarantine.")
    ] = False,
    topic: Annotated[
        bool, typer.Option("--topic", help="Import the settings' input topics up to now.")
    ] = False,
    induced: Annotated[
        Path | None,
        typer.Option(help="Folder written by `induce`: its terms become proposals.", exists=True),
    ] = None,
    lang: Annotated[str, typer.Option(help="With --induced: language of the terms.")] = "en",
    limit: Annotated[
        int, typer.Option(min=1, help="Maximum number of records from each source.")
    ] = 100_000,
) -> None:
    """Import messages into the console, sealed; known messages are skipped."""
    if not (files or quarantine or topic or induced):
        raise RuleError("review import", "needs files, --quarantine, --topic or --induced")
    settings = load_settings(config)
    with store_of(settings) as store:
        if induced is not None:
            say(f"{_propose(store, induced, lang)} terms proposed", err=True)
        if not (files or quarantine or topic):
            return
        intake = Intake(store, load_ruleset(settings), settings.review.days)
        taken = [
            intake.message(file.read_bytes(), file.name) for file in _files(files or [], limit)
        ]
        if quarantine:
            taken += asyncio.run(_held(settings, intake, limit))
        if topic:
            taken += asyncio.run(_topic(settings, intake, limit))
    added, known = (sum(getattr(each, name) for each in taken) for name in ("added", "known"))
    say(f"{added} messages added, {known} already present", err=True)


def _propose(store: Store, folder: Path, language: str) -> int:
    tables = {name: (folder / name).read_bytes() for name in (TERMS, CONTEXTS)}
    return propose(store, read_tables(tables), language)


def _files(paths: list[Path], limit: int) -> list[Path]:
    found = [
        file
        for path in paths
        for file in (sorted(p for p in path.rglob("*") if p.is_file()) if path.is_dir() else [path])
    ]
    return found[:limit]


async def _held(settings: Settings, intake: Intake, limit: int) -> list[Taken]:
    return [intake.held(*each) async for each in held_records(settings, limit)]


async def _topic(settings: Settings, intake: Intake, limit: int) -> list[Taken]:
    return [intake.message(*each) async for each in topic_records(settings, limit)]


def sample(
    config: Config,
    *,
    recall: Annotated[
        int, typer.Option(min=0, help="Number of messages to be read blind, each by two people.")
    ] = 0,
    uncertain: Annotated[int, typer.Option(min=0, help="Number of mentions to ask about.")] = 0,
    by: Annotated[By, typer.Option(help="Measure of uncertainty.")] = By.ENTROPY,
    seed: Annotated[int, typer.Option(help="Seed of the random sample.")] = 0,
    plan_for: Annotated[
        float | None,
        typer.Option("--plan", help="Only print how much must be read to demonstrate this recall."),
    ] = None,
    truth: Annotated[float, typer.Option(help="With --plan: the assumed true recall.")] = 0.99,
    mentions: Annotated[float, typer.Option(help="With --plan: mentions per message.")] = 52,
) -> None:
    """Draw messages for recall, at random within strata, and the least certain mentions."""
    if plan_for is not None:
        _plan(plan_for, truth, mentions)
        return
    if not recall and not uncertain:
        raise RuleError("review sample", "needs --recall, --uncertain or --plan")
    with store_of(load_settings(config)) as store:
        if recall:
            say(f"{sample_recall(store, recall, seed)} messages to read, each by two people")
        if uncertain:
            say(f"{sample_uncertain(store, uncertain, by.value)} mentions to ask about")


def _plan(shown: float, truth: float, mentions: float) -> None:
    try:
        needed = plan(shown, truth, mentions)
    except ValueError as error:
        raise RuleError("--plan", str(error)) from None
    say(
        f"about {needed.mentions} mentions in {needed.messages} messages, to demonstrate"
        f" a recall of {shown} if the true recall is {truth}"
    )
