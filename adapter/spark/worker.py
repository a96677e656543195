"""The part in Spark's Python workers; each reads the keys once.

A worker uses the ruleset of its daemon (`adapter.spark.shared`) if that is the job's, and compiles
the ruleset itself otherwise.

A failure gives Spark only a stage and a code. An exception's text and cause are dropped, because
Spark writes both to its logs.
"""

from __future__ import annotations

import gc
import signal
import time
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from adapter.codecs import detect
from adapter.errors import SparkError
from adapter.rules.compile import load_ruleset
from adapter.runtime.patient_store import Bounds
from adapter.runtime.provenance import Provenance
from adapter.runtime.service import YOUNG, Deidentify, sealer
from adapter.runtime.time_limit import allowed, overrun, timed
from adapter.sealing.key_lookup import surrogates_key
from adapter.sealing.quarantine import Held, without_payload
from adapter.spark.rows import HELD, RELEASED, told
from adapter.spark.shared import shared
from adapter.types import Hold, Release

if TYPE_CHECKING:
    from adapter.languages.field_words import FieldWords
    from adapter.phrases.memory import Facts
    from adapter.replay.hindsight import Knowing
    from adapter.sealing.quarantine import Sealer
    from adapter.spark.job import Job
    from adapter.types import Outcome, Record


@dataclass(frozen=True, slots=True)
class Worker:
    """A compiled ruleset with everything that one process needs to settle records."""

    process: Deidentify = field(repr=False)
    provenance: Provenance = field(repr=False)
    sealer: Sealer | None = field(repr=False)
    bounds: Bounds
    seconds: float

    @property
    def words(self) -> FieldWords:
        """The meanings of words of structured fields."""
        return self.process.ruleset.fields

    def prepared(self, record: Record) -> tuple[Any, tuple[Facts, ...]]:
        """Return the record prepared, or its Hold, and its facts about patients and staff."""
        found, _ = timed(partial(self.process.prepare, record), allowed(record, self.seconds))
        return (found, ()) if isinstance(found, Hold) else found

    def finished(
        self,
        record: Record,
        prepared: Any,
        known: tuple[bytes, ...],
        by: Deidentify | Knowing | None = None,
    ) -> Outcome:
        """Return the outcome of a prepared record, finished by ``by`` or by the own process."""
        if isinstance(prepared, Hold):
            return prepared
        finish = partial((by or self.process).finish, prepared, known)
        outcome: Outcome = timed(finish, allowed(record, self.seconds))[0]
        return outcome

    def alone(self, record: Record) -> Outcome:
        """Return the outcome of a record without patient memory."""
        outcome: Outcome = timed(partial(self.process, record), allowed(record, self.seconds))[0]
        return outcome

    def row(self, record: Record, outcome: Outcome) -> dict[str, Any]:
        """Return the result row of a settled record: released, or held and sealed."""
        name = self.provenance.message_id(record)
        if isinstance(outcome, Hold):
            return self._held(record, outcome, name)
        return told(
            record,
            id=name,
            key=outcome.key,
            value=outcome.value,
            headers=_headers(self.provenance, record, outcome),
            outcome=RELEASED,
        )

    def _held(self, record: Record, hold: Hold, name: str) -> dict[str, Any]:
        at = record.position
        held = Held(
            hold.stage,
            hold.code,
            at.topic,
            at.partition,
            at.offset,
            round(time.time() * 1000),
            ruleset=self.provenance.ruleset,
            format=detect(record.value or b"") or "",
        )
        envelope = self.sealer.seal(record, held) if self.sealer else without_payload(held)
        cells = {"value": envelope, "stage": hold.stage, "code": hold.code, "outcome": HELD}
        return told(record, id=name, key=None, headers=[], **cells)


def _headers(provenance: Provenance, record: Record, release: Release) -> list[dict[str, Any]]:
    headers = provenance.headers(record, release)
    return [{"key": name, "value": value} for name, value in headers]


_WORKERS: dict[Job, Worker] = {}
"""Job -> worker of this process; at most one, as another job replaces it."""


def worker(job: Job) -> Worker:
    """Return the worker of this process, created at its first task.

    Raises:
        SparkError: keys or rules are missing, or differ from the driver's.
    """
    if job not in _WORKERS:
        _WORKERS.clear()
        _WORKERS[job] = _made(job)
        gc.collect()
        gc.freeze()
        gc.set_threshold(YOUNG)
    signal.signal(signal.SIGALRM, overrun)
    return _WORKERS[job]


def _made(job: Job) -> Worker:
    try:
        settings = job.loaded()
        key = surrogates_key(settings)
        ruleset = shared(job.digest, key) or load_ruleset(settings)
        seal = sealer(settings)
    except Exception:  # noqa: BLE001 - the text may quote a file
        raise SparkError("no-ruleset") from None
    if ruleset.digest != job.digest:
        raise SparkError("other-ruleset")
    return Worker(
        Deidentify(ruleset),
        Provenance.under(*key, ruleset.digest, lasting=True),
        seal,
        Bounds(settings.known.patients, settings.known.days, settings.known.staff),
        settings.workers.timeout_ms / 1000,
    )
