"""The only writer of logs, metrics and audit records; none of them can carry message text.

Log events are a closed set, their keys an allow-list, and an exception is its type's name. What
libraries log is reduced to logger, line and level: at debug level a Kafka client logs the very
keys and values it sends. Audit records hold counts, codes, coordinates and times.
"""

from __future__ import annotations

import json
import logging
import re
import sys
import time
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, TextIO, cast

import structlog
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from adapter.types import Hold, Release

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, MutableMapping

    from adapter.types import Position, Processed, Record


class Event(StrEnum):
    """Everything the adapter logs."""

    STARTED = "started"
    DRAINING = "draining"
    STOPPED = "stopped"
    FAILED = "failed"
    LANE_OPENED = "lane opened"
    LANE_CLOSED = "lane closed"
    LANE_LOST = "lane lost"
    LANE_FAILED = "lane failed"
    COMMITTED = "committed"
    REWOUND = "rewound"
    HELD = "held"
    SEALED_WITHOUT_PAYLOAD = "sealed without payload"
    WEAK_GUARANTEE = "at least once only: a repeat may be published twice"
    ASSIGNED = "partitions assigned"
    REVOKED = "partitions revoked"
    NOTHING_KNOWN = "no keys.state: earlier messages teach nothing"
    NOT_KEPT = "known until the next start only"
    RESTORING = "restoring what is known"
    RESTORED = "restored what is known"
    LIBRARY = "library"
    LISTENING = "listening"
    BAD_REQUEST = "bad request"


KEYS = frozenset(
    {
        "event",
        "level",
        "timestamp",
        "lane",
        "stage",
        "code",
        "error",
        "records",
        "released",
        "held",
        "bytes",
        "milliseconds",
        "attempt",
        "lanes",
        "partitions",
        "patients",
        "partition",
        "offset",
        "transport",
        "guarantee",
        "ruleset",
        "workers",
        "port",
        "logger",
        "module",
        "line",
        "status",
    }
)
"""The keys a log line may have; each is a number or comes from the program or its settings."""


def allow_keys(_logger: object, _method: str, event: MutableMapping[str, Any]) -> Mapping[str, Any]:
    """Drop every key that is not allowed, and every value that is neither number nor short text."""
    kept = {key: value for key, value in event.items() if key in KEYS}
    return {key: value for key, value in kept.items() if _is_plain(value)}


def _is_plain(value: object) -> bool:
    return value is None or isinstance(value, (bool, int, float, str))


class _LibraryHandler(logging.Handler):
    """Standard-library records as a :data:`Event.LIBRARY` line: where, how bad, never what."""

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[0] if record.exc_info else None
        _sink.log(
            record.levelno,
            Event.LIBRARY.value,
            logger=record.name,
            module=record.module,
            line=record.lineno,
            error=error.__name__ if error else None,
        )


class _Sink:
    """Where lines go: standard error from warnings up, until :func:`configure_logs` says."""

    def __init__(self) -> None:
        self._logger: Any = _json_logger(logging.WARNING, None)

    def configure(self, level: int, stream: TextIO | None) -> None:
        self._logger = _json_logger(level, stream)

    def log(self, level: int, event: str, **keys: object) -> None:
        self._logger.log(level, event, **keys)


class _StandardError:
    """Standard error as it is when a line is written: it may have been replaced, or closed."""

    def write(self, text: str) -> int:
        return sys.stderr.write(text)

    def flush(self) -> None:
        sys.stderr.flush()


def _json_logger(level: int, stream: TextIO | None) -> Any:
    return structlog.wrap_logger(
        structlog.PrintLogger(stream or cast("TextIO", _StandardError())),
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            allow_keys,
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        cache_logger_on_first_use=True,
    )


_sink = _Sink()


def configure_logs(level: str, stream: TextIO | None = None) -> None:
    """JSON lines on ``stream`` (standard error), from the adapter and from libraries alike."""
    number = logging.getLevelNamesMapping()[level.upper()]
    _sink.configure(number, stream)
    logging.basicConfig(handlers=[_LibraryHandler()], level=number, force=True)
    logging.captureWarnings(capture=True)


def log(event: Event, level: str = "info", **keys: object) -> None:
    """Write one line; an exception given as ``error`` becomes its type's name."""
    error = keys.get("error")
    if isinstance(error, BaseException):
        keys["error"] = type(error).__name__
    _sink.log(logging.getLevelNamesMapping()[level.upper()], event.value, **keys)


SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
BATCH = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)


class Metrics:
    """Counters and gauges of one adapter; labels come from closed sets, formats or lane names."""

    def __init__(self) -> None:
        registry = self.registry = CollectorRegistry()
        options: dict[str, Any] = {"namespace": "deid", "registry": registry}
        self.released = Counter("released", "Messages released", ["format"], **options)
        self.held = Counter("held", "Messages held", ["stage", "code"], **options)
        self.spans = Counter("spans", "Mentions replaced", ["label", "source"], **options)
        self.bytes = Counter("input_bytes", "Bytes of input settled", **options)
        self.transactions = Counter("transactions", "Batches settled", **options)
        self.failures = Counter("transaction_failures", "Batches to be done again", **options)
        self.restarts = Gauge("worker_restarts", "Worker processes replaced", **options)
        self.seconds = Histogram(
            "message_seconds", "Time of one message in a worker", buckets=SECONDS, **options
        )
        self.batch = Histogram("batch_records", "Records in a batch", buckets=BATCH, **options)
        self.latency = Histogram(
            "batch_seconds", "From taking a batch to its commit", buckets=SECONDS, **options
        )
        self.in_flight = Gauge("in_flight_records", "Records in work", **options)
        self.in_flight_bytes = Gauge("in_flight_bytes", "Bytes in work", **options)
        self.oldest = Gauge("oldest_in_flight_seconds", "Age of the oldest batch", **options)
        self.lanes = Gauge("lanes", "Open lanes", **options)
        self.known = Gauge("known_patients", "Patients remembered", ["lane"], **options)
        self.lag = Gauge("lag_records", "Records not read yet", ["lane"], **options)

    def settled(self, record: Record, processed: Processed) -> None:
        """Count one message after its commit."""
        self.seconds.observe(processed.milliseconds / 1000)
        self.bytes.inc(len(record.value or b""))
        match processed.outcome:
            case Release() as release:
                self.released.labels(release.format or "none").inc()
                for name, number in release.counts:
                    label, _, source = name.partition("/")
                    self.spans.labels(label, source).inc(number)
            case Hold(stage, code):
                self.held.labels(stage, code).inc()

    def exposition(self) -> bytes:
        """The Prometheus text format."""
        return generate_latest(self.registry)


@dataclass(slots=True)
class Audit:
    """Makes the audit record of a message; ``public`` gives a topic's name for the open."""

    ruleset_digest: str = ""
    public: Callable[[str], str] = str
    clock: Callable[[], float] = field(default=time.time, repr=False)

    def entry(self, position: Position, processed: Processed, message_id: str = "") -> bytes:
        """One message's audit record: a JSON object without message text.

        ``message_id`` is what its headers call it where nobody is told its position.
        """
        record = {
            "time_ms": round(self.clock() * 1000),
            "topic": self.public(position.topic),
            "partition": position.partition,
            "offset": position.offset,
            "ruleset": self.ruleset_digest,
            "milliseconds": round(processed.milliseconds, 3),
            **outcome_fields(processed.outcome),
        }
        record |= {"id": message_id} if message_id else {}
        return json.dumps(record, separators=(",", ":")).encode()


def outcome_fields(outcome: Release | Hold) -> dict[str, Any]:
    """What may be said of an outcome in the open."""
    match outcome:
        case Release(counts=counts, format=format_, kind=kind, ruleset_digest=digest) as release:
            fields: dict[str, Any] = {
                "outcome": "released",
                "format": format_,
                "kind": open_kind(kind),
                "counts": dict(counts),
            }
            merges = [merge.as_dict() for merge in release.merges]
            fields |= {"merges": merges} if merges else {}
            return fields | ({"ruleset": digest} if digest else {})
        case Hold(stage, code):
            return {"outcome": "held", "stage": stage, "code": code}


HL7_KIND = re.compile(r"[A-Z]{3}(?:\^[A-Z][0-9]{2})?")
FHIR_KINDS = frozenset(
    [
        "AllergyIntolerance",
        "Bundle",
        "Binary",
        "CarePlan",
        "CareTeam",
        "Claim",
        "Communication",
        "Composition",
        "Condition",
        "Consent",
        "Coverage",
        "Device",
        "DiagnosticReport",
        "DocumentReference",
        "Encounter",
        "ExplanationOfBenefit",
        "Goal",
        "Group",
        "ImagingStudy",
        "Immunization",
        "Location",
        "Media",
        "Medication",
        "MedicationAdministration",
        "MedicationDispense",
        "MedicationRequest",
        "MedicationStatement",
        "MessageHeader",
        "Observation",
        "Organization",
        "Parameters",
        "Patient",
        "Person",
        "Practitioner",
        "PractitionerRole",
        "Procedure",
        "Provenance",
        "Questionnaire",
        "QuestionnaireResponse",
        "RelatedPerson",
        "Schedule",
        "ServiceRequest",
        "Slot",
        "Specimen",
        "Task",
    ]
)


def open_kind(kind: str) -> str:
    """A message's kind if it is one of the standards' ("ORU^R01", "Bundle"), else "?"."""
    return kind if HL7_KIND.fullmatch(kind) or kind in FHIR_KINDS else "?"
