"""Functions that Spark maps over Arrow batches: picklable values without secrets."""

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
from adapter.spark.components import of_patients
from adapter.spark.rows import OUTPUT, rows
from adapter.spark.worker import worker

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from adapter.spark.job import Job
    from adapter.spark.rows import Row
    from adapter.spark.worker import Worker
    from adapter.types import Outcome, Record

AT_ONCE = 64
"""Maximum number of rows of one Arrow batch of the result, which a task holds in memory."""


@dataclass(frozen=True, slots=True)
class Task(ABC):
    """Settles records; ``within`` are further columns by which the rows are grouped."""

    job: Job = field(repr=False)
    within: tuple[str, ...] = ()

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        """Yield the rows of the result as Arrow batches.

        Raises:
            SparkError: a step failed; the error has only a stage and a code.
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
    """Settles rows given lane by lane in order of offsets; each lane has its own memory.

    With columns ``within``, each of their groups within a lane has its own memory, without staff.
    """

    def _settled(self, process: Worker, given: Iterator[Row]) -> Iterator[dict[str, Any]]:
        store, group, order = PatientStore(process.words), None, Order()
        for row in given:
            lane = (*row.more.values(), row.record.position.topic, row.record.position.partition)
            if lane != group:
                order.begins(lane)
                store, group = PatientStore(process.words, bounds=process.bounds), lane
            if order.follows(row.record):
                yield process.row(row.record, self._outcome(process, row.record, store))

    def _outcome(self, process: Worker, record: Record, store: PatientStore) -> Outcome:
        if self.job.knowledge == "none":
            return process.alone(record)
        prepared, facts = process.prepared(record)
        known_facts = tuple(of_patients(facts)) if self.within else facts
        return process.finished(record, prepared, store.learn(record, known_facts, store.begin()))


@dataclass(frozen=True, slots=True)
class InHindsight(Task):
    """Settles rows given component by component, each record once to learn and once to settle.

    A whole component is learned before any of it is settled, as in a replay in hindsight. The
    columns ``within`` are the component and the pass, in this order.
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
            prepared, known_facts = process.prepared(row.record)
            facts = tuple(of_patients(known_facts))
            if sweep:
                known = store.memory.about(facts)
                outcome = process.finished(row.record, prepared, known, second)
                yield process.row(row.record, outcome)
            else:
                store.learn(row.record, facts, store.begin())


class Order:
    """Checks the order of rows: group by group, each in order, no record twice."""

    def __init__(self) -> None:
        self._done: set[object] = set()
        self._last: Record | None = None

    def begins(self, group: object) -> None:
        """Begin a new group.

        Raises:
            SparkError: the group occurred before.
        """
        if group in self._done:
            raise SparkError("order")
        self._done.add(group)
        self._last = None

    def follows(self, record: Record) -> bool:
        """Return whether the record differs from the previous one, of which it may be a duplicate.

        Raises:
            SparkError: the record is out of order, or differs from one at the same position.
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
    """Replace any exception by one with only a stage and a code.

    Raises:
        AdapterError: any step failed; its text and cause are dropped.
    """
    failed: AdapterError
    try:
        yield
    except GeneratorExit:
        raise
    except AdapterError as error:
        failed = error
    except Exception:  # noqa: BLE001 - the text may quote a message, and Spark would log it
        failed = SparkError("failed")
    else:
        return
    raise type(failed)(failed.code) from None


def batched(given: Iterator[dict[str, Any]], columns: Mapping[str, str]) -> Iterator[Any]:
    """Yield rows as Arrow batches with the given columns."""
    while some := list(islice(given, AT_ONCE)):
        yield batch(some, columns)
