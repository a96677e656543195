"""`sanitize`: a data frame of records to one of released and held ones, on Apache Spark 4.

Records of one patient must meet in one task, in their order: mapped row by row, most messages would
not get the bytes of the single machine, because nothing is known of their patients.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from adapter.errors import RuleError
from adapter.spark.job import job
from adapter.spark.rows import INPUT, NEEDED, OUTPUT, ddl
from adapter.spark.tasks import Lanes

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from adapter.config.settings import Settings

Told = Callable[[str, int], None]
"""Told what was counted on the way, by name: no text of a message."""
ENCRYPTED = "spark.io.encryption.enabled"
LANE = ("topic", "partition")


def sanitize(
    df: DataFrame,
    settings: Settings,
    partition: str = "lane",
    knowledge: str = "as-of",
    *,
    tasks: int | None = None,
    told: Told = lambda _name, _count: None,  # noqa: ARG001
) -> DataFrame:
    """De-identify a data frame of records.

    Columns that are read: ``topic``, ``partition``, ``offset``, ``value``, and where they are there
    ``key``, ``headers`` (an array of structs of key and value) and ``timestamp`` (a timestamp, or
    ms since the epoch). The result has these and ``id``, ``outcome`` ("released" or "held"),
    ``stage`` and ``code``; the value of a held record is its sealed envelope.

    With ``partition`` "lane", each topic's partition is read by one task in the order of offsets,
    and every byte is that of a live run. ``tasks`` is the number of partitions of the result; None:
    as the session has it.

    Raises:
        RuleError: Spark or its extra is not there, a setting cannot be honoured, a column is
            missing, or what Spark spills would not be encrypted.
    """
    need_spark()
    what = job(settings, partition, knowledge)
    if df.sparkSession.sparkContext.getConf().get(ENCRYPTED, "false").lower() != "true":
        raise RuleError(ENCRYPTED, "must be true: what Spark spills is the messages as they came")
    given = columns(df)
    return by_lane(given, tasks, LANE).mapInArrow(Lanes(what), ddl(OUTPUT))


def need_spark() -> None:
    """Refuse to go on without PySpark and PyArrow.

    Raises:
        RuleError: one is not installed.
    """
    try:
        import pyarrow as pa  # noqa: F401, PLC0415
        import pyspark.sql  # noqa: F401, PLC0415
    except ImportError:
        raise RuleError("spark", "needs the extra 'spark' (pip install '.[spark]')") from None


def columns(df: DataFrame) -> DataFrame:
    """The columns that tasks read, of the types they have there.

    Raises:
        RuleError: one is missing.
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


def by_lane(df: DataFrame, tasks: int | None, group: tuple[str, ...]) -> DataFrame:
    """Rows of a group in one task, in the order of group, topic, partition and offset."""
    spread = df.repartition(*([tasks] if tasks else []), *group)
    return spread.sortWithinPartitions(*dict.fromkeys((*group, *LANE, "offset")))
