"""``deid-adapter spark``: sanitizes an archive on Apache Spark, into Parquet."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from adapter.cli.terminal import say
from adapter.config.settings import load_settings
from adapter.errors import CODES, RuleError, SparkError
from adapter.spark.sanitize import ENCRYPTED, need_spark, sanitize
from adapter.spark.shared import shared_memory

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyspark.sql import SparkSession

OURS = {
    ENCRYPTED: "true",
    "spark.sql.execution.arrow.maxRecordsPerBatch": "256",
    "spark.python.worker.reuse": "true",
}
"""Options of the command's own session: encrypted spill, and few messages at once in a worker."""


def spark(
    source: Annotated[str, typer.Argument(help="Archive: a URL that Spark reads.")],
    out: Annotated[str, typer.Option("--out", help="Output folder; must not exist.")],
    *,
    config: Annotated[
        Path, typer.Option("--config", "-c", help="Settings file (TOML).", exists=True)
    ],
    partition: Annotated[
        str, typer.Option("--partition", help="Records processed in one task: by lane or patient.")
    ] = "lane",
    knowledge: Annotated[
        str, typer.Option("--knowledge", help="as-of, hindsight or none.")
    ] = "as-of",
    tasks: Annotated[
        int | None, typer.Option("--tasks", help="Number of tasks; default: the session's.", min=1)
    ] = None,
    kind: Annotated[str, typer.Option("--format", help="Format of the archive.")] = "parquet",
    master: Annotated[
        str | None, typer.Option("--master", help="Spark's master; default: spark-submit's.")
    ] = None,
) -> None:
    """De-identify an archive on Spark; the result is Parquet, by outcome."""
    need_spark()
    settings = load_settings(config, transport="files")
    session = _session(master, OURS | shared_memory(settings))
    try:
        df = session.read.format(kind).load(source)
        result = sanitize(df, settings, partition, knowledge, tasks=tasks, told=_told)
        result.write.partitionBy("outcome").parquet(out)
        counted = session.read.parquet(out).groupBy("outcome").count().collect()
    except (RuleError, SparkError):
        raise
    except Exception as error:  # noqa: BLE001 - Spark's exceptions have pages of text
        raise failure(error) from None
    finally:
        session.stop()
    for row in sorted(counted):
        say(f"{row['count']} {row.outcome}", err=True)


def _session(master: str | None, options: Mapping[str, str]) -> SparkSession:
    from pyspark.sql import SparkSession  # noqa: PLC0415 - of the extra 'spark'

    builder: Any = SparkSession.builder.appName("deid-adapter")
    if master:
        builder = builder.master(master)
    for name, value in options.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


def _told(name: str, count: int) -> None:
    say(f"{name}: {count}", err=True)


def failure(error: Exception) -> Exception:
    """Return a Spark failure as an error: with a task's code, else with the exception's type."""
    code = re.search(r"SparkError: spark/([a-z-]+)", str(error))
    if code and code[1] in CODES["spark"]:
        return SparkError(code[1])
    named = getattr(error, "getCondition", lambda: None)() or type(error).__name__
    return RuleError("spark", f"failed ({named}); see Spark's own logs")
