"""Metrics of a running service: counts and times with labels from closed sets, no message text."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from adapter.codecs import CODECS
from adapter.errors import CODES
from adapter.types import Hold, Release

if TYPE_CHECKING:
    from adapter.types import Processed, Record

SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
AGES = (0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800, 3600, 86_400)
BATCH = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)


class Metrics:
    """The metrics of one adapter; labels are from closed sets, formats or lane names."""

    def __init__(self) -> None:
        registry = self.registry = CollectorRegistry()
        options: dict[str, Any] = {"namespace": "deid", "registry": registry}
        self.released = Counter("released", "Messages released", ["format"], **options)
        self.held = Counter("held", "Messages held", ["stage", "code"], **options)
        self.spans = Counter("spans", "Mentions replaced", ["label", "source"], **options)
        self.bytes = Counter("input_bytes", "Bytes of input settled", **options)
        self.transactions = Counter("transactions", "Batches settled", **options)
        self.failures = Counter(
            "transaction_failures", "Batches that failed and are retried", ["code"], **options
        )
        self.restarts = Gauge("worker_restarts", "Worker processes replaced", **options)
        self.reloads = Counter("reloads", "Reloads of rules requested", ["result"], **options)
        self.seconds = Histogram(
            "message_seconds", "Time that a worker spent on one message", buckets=SECONDS, **options
        )
        self.batch = Histogram("batch_records", "Records in a batch", buckets=BATCH, **options)
        self.latency = Histogram(
            "batch_seconds", "From taking a batch to its commit", buckets=SECONDS, **options
        )
        self.stages = Histogram(
            "batch_stage_seconds",
            "Time of a batch in a stage: process (including waiting for workers), commit",
            ["stage"],
            buckets=SECONDS,
            **options,
        )
        self.end_to_end = Histogram(
            "end_to_end_seconds", "From a record's timestamp to its commit", buckets=AGES, **options
        )
        self._measured(options)
        self._compared(options)
        self._start_at_zero()

    def _start_at_zero(self) -> None:
        """Start the series that alerts watch at 0: `increase` misses a series that begins at 1."""
        for stage, codes in CODES.items():
            for code in codes:
                self.held.labels(stage, code)
        for name in (*CODECS, "none"):
            self.released.labels(name)
        for result in ("done", "refused"):
            self.reloads.labels(result)
        for result in ("same", "different", "dropped", "failed"):
            self.shadow_records.labels(result)

    def _measured(self, options: dict[str, Any]) -> None:
        """Add the gauges that are measured when they are read."""
        self.in_flight = Gauge("in_flight_records", "Records in progress", **options)
        self.in_flight_bytes = Gauge("in_flight_bytes", "Bytes in progress", **options)
        self.oldest = Gauge(
            "oldest_in_flight_seconds", "Age of the oldest batch in progress", **options
        )
        self.lanes = Gauge("lanes", "Open lanes", **options)
        self.known = Gauge("known_patients", "Patients remembered", ["lane"], **options)
        self.lag = Gauge("lag_records", "Records after the last commit", ["lane"], **options)
        self.unsettled = Gauge(
            "oldest_unsettled_seconds",
            "Age of the first record taken and not committed, by its timestamp",
            ["lane"],
            **options,
        )
        self.paused = Gauge(
            "lane_paused_seconds",
            "Time since the lane was paused by request; 0 if it is not",
            ["lane"],
            **options,
        )
        self.ruleset = Gauge(
            "ruleset",
            "1 for the ruleset in force, by the beginning of its digest",
            ["ruleset"],
            **options,
        )
        self.lacking = Gauge(
            "lacking", "1 for each thing the adapter lacks to be ready", ["what"], **options
        )

    def forget_lanes(self) -> None:
        """Clear the gauges that have a value for each lane."""
        for of_lanes in (self.unsettled, self.paused, self.known, self.lag):
            of_lanes.clear()

    def _compared(self, options: dict[str, Any]) -> None:
        """Add the counters of differences of a shadow ruleset."""
        self.shadow_records = Counter(
            "shadow_records", "Records compared, dropped or failed", ["result"], **options
        )
        self.shadow_spans = Counter(
            "shadow_spans", "Mentions gained and lost", ["change", "label", "source"], **options
        )
        self.shadow_types = Counter(
            "shadow_types", "Mentions whose type changed", ["before", "after"], **options
        )
        self.shadow_holds = Counter(
            "shadow_holds", "Holds gained and lost", ["change", "code"], **options
        )
        self.shadow_places = Counter(
            "shadow_places", "Mentions and places treated differently", ["change"], **options
        )
        self.shadow_seconds = Counter(
            "shadow_seconds", "Processor time of each ruleset", ["ruleset"], **options
        )

    def shadowed(self, change: tuple[str, ...], number: int) -> None:
        """Count changes of one kind, as `adapter.shadow.comparison` names them."""
        match change:
            case ("gained" | "lost") as kind, label, source:
                self.shadow_spans.labels(kind, label, source).inc(number)
            case "types", before, after:
                self.shadow_types.labels(before, after).inc(number)
            case ("holds_gained" | "holds_lost") as kind, code:
                self.shadow_holds.labels(kind.removeprefix("holds_"), code).inc(number)
            case kind, *_:
                self.shadow_places.labels(kind).inc(number)

    def settled(self, record: Record, processed: Processed) -> None:
        """Count one message after its commit."""
        self.seconds.observe(processed.milliseconds / 1000)
        self.bytes.inc(len(record.value or b""))
        if record.timestamp:
            self.end_to_end.observe(max(0.0, time.time() - record.timestamp / 1000))
        match processed.outcome:
            case Release() as release:
                self.released.labels(release.format or "none").inc()
                for name, number in release.counts:
                    label, _, source = name.partition("/")
                    self.spans.labels(label, source).inc(number)
            case Hold(stage, code):
                self.held.labels(stage, code).inc()

    def exposition(self) -> bytes:
        """Return the metrics in the Prometheus text format."""
        return generate_latest(self.registry)
