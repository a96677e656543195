"""The functions that Spark maps over Arrow batches, each a picklable value without a secret."""

from __future__ import annotations

from abc import ABC, abstractmethod
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any

from adapter.errors import AdapterError, SparkError
from adapter.replay.hindsight import Knowing, empty
from adapter.runtime.patient_store import PatientStore
from adapter.spark.arrays import batch
from adapter.spark.rows import OUTPUT, rows
from adapter.spark.worker import worker

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from adapter.spark.job import Job
    from adapter.spark.rows import Row
    from adapter.spark.worker import Worker
    from adapter.types import Record

AT_ONCE = 64
"""Rows of one Arrow batch of the result: what a task holds in memory of its output."""


@dataclass(frozen=True, slots=True)
class Task(ABC):
    """Settles records; ``within`` are the columns beside them that group them."""

    job: Job = field(repr=False)
    within: tuple[str, ...] = ()

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        """Yield the rows of the result as Arrow batches.

        Raises:
            SparkError: with a stage and a code, and nothing else.
        """
        with closed():
            process = worker(self.job)
            results = self._settled(process, rows(batches, self.within))
            yield from batched(results, OUTPUT)

    @abstractmethod
    def _settled(self, process: Worker, given: Iterator[Row]) -> Iterator[dict[str, Any]]:
        """Yield a row of the result for each record."""


@dataclass(frozen=True, slots=True)
class Lanes(Task):
    """Settles rows that come lane by lane in order of offsets, each lane with its own memory.

    Rows of the columns ``within`` are groups of a lane with a memory each.
    """

    def _settled(self, process: Worker, given: Iterator[Row]) -> Iterator[dict[str, Any]]:
        store, group, order = PatientStore(process.words), None, Order()
        for row in given:
            lane = (*row.more.values(), row.record.position.topic, row.record.position.partition)
            if lane != group:
                order.begins(lane)
                store, group = PatientStore(process.words, bounds=process.bounds), lane
            if order.follows(row.record):
                yield process.row(row.record, _outcome(process, row.record, store, self.job))


@dataclass(frozen=True, slots=True)
class InHindsight(Task):
    """Settles rows that come component by component, each record once to learn and once to settle.

    All of a component is learned before any of it is settled, as a replay in hindsight does. The
    columns ``within`` are those of the component and of the pass, in this order.
    """

    def _settled(self, process: Worker, given: Iterator[Row]) -> Iterator[dict[str, Any]]:
        store, order, group = empty(process.words), Order(), None
        second = Knowing(process.process)
        for row in given:
            component, sweep = (row.more[name] for name in self.within)
            if (component, sweep) != group:
                order.begins((component, sweep))
                store = store if sweep else empty(process.words)
                group = component, sweep
            if not order.follows(row.record):
                continue
            prepared, facts = process.prepared(row.record)
            if sweep:
                known = store.memory.about(facts)
                outcome = process.finished(row.record, prepared, known, second)
                yield process.row(row.record, outcome)
            else:
                store.learn(row.record, facts, store.begin())


def _outcome(process: Worker, record: Record, store: PatientStore, job: Job) -> Any:
    if job.knowledge == "none":
        return process.alone(record)
    prepared, facts = process.prepared(record)
    return process.finished(record, prepared, store.learn(record, facts, store.begin()))


class Order:
    """Whether rows come as a task must have them: group by group, each in order, none twice."""

    def __init__(self) -> None:
        self._done: set[object] = set()
        self._last: Record | None = None

    def begins(self, group: object) -> None:
        """Take note of a new group.

        Raises:
            SparkError: it was here before.
        """
        if group in self._done:
            raise SparkError("order")
        self._done.add(group)
        self._last = None

    def follows(self, record: Record) -> bool:
        """Whether the record is another one than that before it.

        Raises:
            SparkError: it comes before it, or is another record in the same place.
        """
        last, self._last = self._last, record
        if last is None or _place(record) > _place(last):
            return True
        if _place(record) < _place(last):
            raise SparkError("order")
        if record != last:
            raise SparkError("duplicate")
        return False


def _place(record: Record) -> tuple[str, int, int]:
    at = record.position
    return at.topic, at.partition, at.offset


@contextmanager
def closed() -> Iterator[None]:
    """Let nothing out but a stage and a code.

    Raises:
        SparkError: for whatever failed.
    """
    failed: AdapterError
    try:
        yield
    except GeneratorExit:
        raise
    except AdapterError as error:
        failed = error
    except Exception:  # noqa: BLE001 - its text may quote a message, and Spark logs it
        failed = SparkError("failed")
    else:
        return
    raise type(failed)(failed.code) from None


def batched(given: Iterator[dict[str, Any]], columns: Mapping[str, str]) -> Iterator[Any]:
    """Yield rows as Arrow batches of columns."""
    while some := list(islice(given, AT_ONCE)):
        yield batch(some, columns)
