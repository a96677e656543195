"""``deid-adapter mart report``."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from adapter.cli.mart.setup import Config, store_of
from adapter.cli.terminal import say
from adapter.config.settings import load_settings
from adapter.mart.release.mart import days_of, refused_of
from adapter.mart.release.report.quality import quality


def report(
    config: Config,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the whole report as JSON.")
    ] = False,
) -> None:
    """Print how many messages were consumed, released and held, and what could not be mapped.

    The counts are exact: they are for the steward, not for researchers.
    """
    settings = load_settings(config)
    with store_of(settings.mart) as store:
        found = quality(days_of(store, settings.kafka.output), refused_of(store), ())
    if as_json:
        say(json.dumps(found, indent=2, ensure_ascii=False))
        return
    for row in [*found["messages"], {**found["total"], "day": "all"}]:
        say(_line(row))
    say(f"{found['results_without_key']:10} results without order number")
    for hold in found["holds"]:
        say(f"{hold['times']:10} held {hold['reason']}")
    for reject in found["rejects"]:
        say(f"{reject['times']:10} {reject['code']} at {reject['place']}")


def _line(row: dict[str, Any]) -> str:
    counts = f"{row['consumed']:10} consumed {row['released']:10} released {row['held']:8} held"
    return f"{row['day']:10} {row['source']:20} {row['kind']:12} {counts}"
