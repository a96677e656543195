"""`sanitize`: from a data frame of records to one of released and held records, on Spark 4.

All records of a patient must be in one task, in order. If rows were mapped one by one, most
messages would not get the same bytes as on a single machine, for lack of facts about the patients.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from adapter.errors import RuleError
from adapter.spark.job import job
from adapter.spark.patients import COMPONENT, by_component
from adapter.spark.rows import INPUT, NEEDED, OUTPUT, ddl
from adapter.spark.tasks import InHindsight, Lanes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyspark.sql import DataFrame

    from adapter.config.settings import Settings
    from adapter.spark.job import Job

Told = Callable[[str, int], None]
"""Callback (name, count) for counts along the way; they contain no text of a message."""
ENCRYPTED = "spark.io.encryption.enabled"
WIRES = (("spark.authenticate", "spark.network.crypto.enabled"), ("spark.ssl.rpc.enabled",))
"""Groups of settings that encrypt Spark's network if all of a group are on. ``spark.ssl.enabled``
is not enough: it does not encrypt messages between processes (Spark 4.0, Security, SSL)."""
LANE = ("topic", "partition")
SWEEP = "sweep"
"""Column with the pass over a component: 0 to learn, 1 to settle."""


def sanitize(
    df: DataFrame,
    settings: Settings,
    partition: str = "lane",
    knowledge: str = "as-of",
    *,
    tasks: int | None = None,
    told: Told = lambda _name, _count: None,
) -> DataFrame:
    """De-identify a data frame of records.

    Input columns: ``topic``, ``partition``, ``offset``, ``value``, and optionally ``key``,
    ``headers`` (an array of structs of key and value) and ``timestamp`` (a timestamp, or ms since
    the epoch). The result has these columns and ``id``, ``outcome`` ("released" or "held"),
    ``stage`` and ``code``; the value of a held record is its sealed envelope.

    With ``partition`` "lane", each topic's partition is read by one task in order of offsets, and
    every byte equals that of a live run. With "patient", a first pass (which begins at once) finds
    the records that belong together, which are then read by one task; ``told`` is called with the
    numbers of pairs, of components, and of records of the largest component. ``tasks`` is the
    number of partitions of the result; None: ``spark.sql.shuffle.partitions``.

    Raises:
        RuleError: Spark or its extra is not installed, a setting cannot be applied, a column is
        missing, or Spark's spill would not be encrypted.
        SparkError: patients have too many numbers for the driver.
    """
    need_spark()
    what = job(settings, partition, knowledge)
    refuse_clear_spill(dict(df.sparkSession.sparkContext.getConf().getAll()))
    given = columns(df)
    tasks = tasks or int(df.sparkSession.conf.get("spark.sql.shuffle.partitions"))
    if partition == "lane":
        return by_lane(given, tasks, LANE).mapInArrow(Lanes(what), ddl(OUTPUT))
    given = by_component(given, what, told)
    return _by_patient(given, what, tasks).mapInArrow(
        InHindsight(what, (COMPONENT, SWEEP))
        if what.knowledge == "hindsight"
        else Lanes(what, (COMPONENT,)),
        ddl(OUTPUT),
    )


def _by_patient(df: DataFrame, what: Job, tasks: int) -> DataFrame:
    """Return rows with each component in one task; in hindsight twice, first for learning."""
    from pyspark.sql import functions as sql  # noqa: PLC0415 - of the extra 'spark'

    if what.knowledge != "hindsight":
        return by_lane(df, tasks, (COMPONENT,))
    twice = df.withColumn(SWEEP, sql.explode(sql.array(sql.lit(0), sql.lit(1))))
    return by_lane(twice, tasks, (COMPONENT,), SWEEP)


def need_spark() -> None:
    """Check that PySpark and PyArrow are installed.

    Raises:
        RuleError: one of them is not installed.
    """
    try:
        import pyarrow as pa  # noqa: F401, PLC0415
        import pyspark.sql  # noqa: F401, PLC0415
    except ImportError:
        raise RuleError("spark", "needs the extra 'spark' (pip install '.[spark]')") from None


def refuse_clear_spill(conf: Mapping[str, str]) -> None:
    """Refuse a Spark that would write messages, or the keys of its spill, in clear text.

    Raises:
        RuleError: an encryption is off.
    """
    local = conf.get("spark.master", "").startswith("local")
    if not _on(conf, ENCRYPTED):
        raise RuleError(ENCRYPTED, "must be true: Spark spills original messages to disk")
    if not local and not any(all(_on(conf, name) for name in names) for names in WIRES):
        must = "must be true: Spark sends the keys of its spill over the network"
        raise RuleError(" and ".join(WIRES[0]), must)


def _on(conf: Mapping[str, str], name: str) -> bool:
    return conf.get(name, "false").lower() == "true"


def columns(df: DataFrame) -> DataFrame:
    """Return the columns that tasks read, cast to their types.

    Raises:
        RuleError: a required column is missing.
    """
    from pyspark.sql import functions as sql  # noqa: PLC0415

    kinds = dict(df.dtypes)
    if missing := [name for name in NEEDED if name not in kinds]:
        raise RuleError("columns", f"lacks {', '.join(missing)}")

    def column(name: str, kind: str) -> Any:
        if name not in kinds:
            return sql.lit(None).cast(kind)
        if kinds[name].startswith("timestamp"):
            return sql.unix_millis(sql.col(name).cast("timestamp"))
        return sql.col(name).cast(kind)

    return df.select(*(column(name, kind).alias(name) for name, kind in INPUT.items()))


def by_lane(df: DataFrame, tasks: int, group: tuple[str, ...], *first: str) -> DataFrame:
    """Return rows with each group in one task, ordered by group, ``first``, and position."""
    spread = df.repartition(tasks, *group)
    return spread.sortWithinPartitions(*dict.fromkeys((*group, *first, *LANE, "offset")))
