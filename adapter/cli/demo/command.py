"""``deid-adapter demo``: runs a sample feed through the production runner and shows the results."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from adapter.cli.demo.feed import Outcomes, feed, through_kafka, through_memory
from adapter.cli.demo.mart import show_mart
from adapter.cli.demo.report import show
from adapter.cli.review.setup import extra
from adapter.cli.setup import RecallOption, rules


def demo(
    out: Annotated[Path, typer.Option(help="Output folder.")] = Path("out/demo"),
    kafka: Annotated[
        str | None,
        typer.Option(
            metavar="HOST:PORT", help="Use this Kafka broker instead of the one in memory."
        ),
    ] = None,
    mart: Annotated[
        bool, typer.Option("--mart", help="Also load a research mart and run five queries on it.")
    ] = False,
    review: Annotated[
        bool, typer.Option("--review", help="Serve the review console with the feed instead.")
    ] = False,
    recall: RecallOption = None,
) -> None:
    """Run the adapter on about 200 sample messages and show before and after, side by side."""
    if (mart or review) and kafka:
        raise typer.BadParameter(
            "--mart and --review work with the demo in memory only, not with --kafka"
        )
    console = Console()
    messages = feed()
    if review:
        with extra():
            from adapter.cli.demo.review import serve_review  # noqa: PLC0415 - an extra
        serve_review(console, messages, out)
        return
    way = f"through Kafka at {kafka}" if kafka else "through the embedded broker"
    console.print(f"[bold]{len(messages)} sample messages {way}[/] ...")
    start = time.perf_counter()
    said = rules(recall=recall)
    run = (
        through_kafka(messages, kafka, out, said) if kafka else through_memory(messages, out, said)
    )
    outcomes: Outcomes = asyncio.run(run)
    outcomes.seconds = time.perf_counter() - start
    outcomes.write(out)
    show(console, outcomes, out)
    if mart:
        show_mart(console, outcomes, out)
    if outcomes.status or len(outcomes.done) < len(messages):
        raise typer.Exit(1)
