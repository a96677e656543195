"""Tasks by patient: a first pass yields MACs of numbers, whose components are the groups.

Components are computed on the driver, from at most `MOST_PAIRS` pairs of numbers: 16 bytes each,
and about five times as much during the computation. Facts about patients stay in the workers.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from adapter.errors import SparkError
from adapter.spark.components import components, nodes
from adapter.spark.rows import ddl, rows
from adapter.spark.tasks import batched, closed
from adapter.spark.worker import worker

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from pyspark.sql import DataFrame

    from adapter.spark.job import Job

MOST_PAIRS = 50_000_000
"""Maximum number of distinct pairs of numbers on the driver (0.8 GB)."""
PLACE = ("topic", "partition", "offset")
COMPONENT = "component"
NUMBERS = {"topic": "string", "partition": "int", "offset": "bigint", "numbers": "array<bigint>"}


@dataclass(frozen=True, slots=True)
class FirstPass:
    """Yields each record's position and the MACs of its patients' numbers."""

    job: Job = field(repr=False)

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        """Yield rows with the columns `NUMBERS` as Arrow batches.

        Raises:
            SparkError: a step failed; the error has only a stage and a code.
        """
        with closed():
            yield from batched(self._told(batches), NUMBERS)

    def _told(self, batches: Iterable[Any]) -> Iterator[dict[str, Any]]:
        process = worker(self.job)
        for row in rows(batches):
            at = row.record.position
            found = nodes(process.prepared(row.record)[1])
            place = {"topic": at.topic, "partition": at.partition, "offset": at.offset}
            yield place | {"numbers": found}


@dataclass(frozen=True, slots=True)
class Pairs:
    """Yields the pairs of consecutive numbers of each record."""

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        """Yield pairs as Arrow batches; a record's first number is also paired with itself."""
        for batch in batches:
            told = (found for found in batch.column("numbers").to_pylist() if found)
            pairs = {p for found in told for p in pairwise([found[0], *found])}
            yield from batched(({"a": a, "b": b} for a, b in pairs), PAIR)


PAIR = {"a": "bigint", "b": "bigint"}


def by_component(df: DataFrame, job: Job, told: Callable[[str, int], None]) -> DataFrame:
    """Return the rows with their patients' component; each row without patients gets its own.

    Raises:
        SparkError: there are too many pairs of numbers.
    """
    from pyspark import StorageLevel  # noqa: PLC0415 - of the extra 'spark'
    from pyspark.sql import functions as sql  # noqa: PLC0415

    first = df.mapInArrow(FirstPass(job), ddl(NUMBERS)).dropDuplicates(list(PLACE))
    first = first.persist(StorageLevel.DISK_ONLY)
    groups = _components(first, told)
    mine = sql.try_element_at("numbers", sql.lit(1)).alias("a")
    own = -sql.abs(sql.xxhash64(*PLACE)) - 1
    marks = first.select(*PLACE, mine).join(groups, "a", "left")
    marks = marks.select(*PLACE, sql.coalesce(COMPONENT, own).alias(COMPONENT))
    sizes = marks.groupBy(COMPONENT).count().agg(sql.max("count"), sql.count("*")).first()
    told("components", sizes[1] or 0)
    told("records of the largest component", sizes[0] or 0)
    return df.join(marks, list(PLACE), "left")


def _components(first: DataFrame, told: Callable[[str, int], None]) -> DataFrame:
    """Return the component of each number."""
    import pyarrow as pa  # noqa: PLC0415 - of the extra 'spark'

    pairs = first.mapInArrow(Pairs(), ddl(PAIR)).distinct().limit(MOST_PAIRS + 1).toArrow()
    if pairs.num_rows > MOST_PAIRS:
        raise SparkError("too-many")
    told("pairs of numbers", pairs.num_rows)
    found = components(*(pairs.column(name).to_numpy() for name in PAIR))
    return first.sparkSession.createDataFrame(
        pa.table(dict(zip(("a", COMPONENT), found, strict=True)))
    )
