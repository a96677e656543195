"""The only writer of logs and audit records; neither can contain message text.

Operators' accesses to originals are recorded by `adapter.runtime.access`.

Log events are a closed set, their keys an allow-list, and an exception is named by its type. Lines
of libraries are reduced to logger, line and level, because at debug level a Kafka client logs the
very keys and values it sends. Audit records have counts, codes, coordinates and times.
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

from adapter.telemetry import library_lines
from adapter.telemetry.error_names import named
from adapter.telemetry.repeats import Repeats
from adapter.types import Hold, Release

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, MutableMapping

    from adapter.types import Position, Processed


class Event(StrEnum):
    """The log events of the adapter."""

    STARTED = "started"
    DRAINING = "draining"
    STOPPED = "stopped"
    FAILED = "failed"
    LANE_OPENED = "lane opened"
    LANE_CLOSED = "lane closed"
    LANE_LOST = "lane lost"
    LANE_FAILED = "lane failed"
    PAUSED = "lane paused"
    RESUMED = "lane resumed"
    COMMITTED = "committed"
    REWOUND = "rewound"
    HELD = "held"
    TRIED_AGAIN = "tried again"
    SEALED_WITHOUT_PAYLOAD = "sealed without payload"
    WEAK_GUARANTEE = "at least once only: a repeat may be published twice"
    ASSIGNED = "partitions assigned"
    REVOKED = "partitions revoked"
    POLL_FAILED = "poll failed"
    RECORDS_GONE = "records deleted before they were read"
    CONNECTING = "connecting again"
    COMPILING = "compiling rules"
    RELOADING = "compiling changed rules"
    RELOADED = "rules changed"
    UNCHANGED = "rules unchanged"
    RELOAD_REFUSED = "changed rules refused"
    SHADOW_STARTED = "shadow started"
    SHADOW_COMPARED = "shadow compared"
    SHADOW_FAILED = "shadow failed"
    NOT_REACHED = library_lines.UNREACHED
    REFUSED = library_lines.REFUSED
    NO_TOPIC = library_lines.NO_TOPIC
    FORBIDDEN = library_lines.FORBIDDEN
    LEFT = library_lines.LEFT
    IN_THE_CLEAR = library_lines.IN_THE_CLEAR
    REACHED = "broker reached"
    NO_TOKEN = "no token"  # noqa: S105 - an event
    WORKER_DIED = "worker died"
    WORKER_REPLACED = "worker replaced"
    NOTHING_KNOWN = "no keys.state: earlier messages teach nothing"
    NOT_KEPT = "known until the next start only"
    MEMORY_EMPTY = "nothing known of settled messages"
    RESTORING = "restoring what is known"
    RESTORED = "restored what is known"
    ERASED = "known under a destroyed key: erased"
    VARIABLE_IGNORED = "variable ignored: sections are separated by two underscores"
    LIBRARY = "library"
    LISTENING = "listening"
    BAD_REQUEST = "bad request"
    PAGE_FAILED = "page failed"
    NOT_RECORDED = "access refused: it cannot be recorded"
    PLAIN_LISTENER = "listening without TLS"
    CONNECTION_REFUSED = "connection refused"
    CONNECTION_CLOSED = "connection closed"
    MESSAGE_REFUSED = "message refused"
    CONNECTED = "connected to the receiver"
    NO_ANSWER = "no answer from the receiver"
    NOT_ACCEPTED = "not accepted by the receiver"
    REFUSED_LATER = "refused by the receiver after it was received"
    SET_ASIDE = "set aside"
    PASSED_OVER = "passed over"
    INPUTS_SKIPPED = "inputs skipped"


KEYS = frozenset(
    {
        "event",
        "level",
        "timestamp",
        "lane",
        "stage",
        "code",
        "error",
        "reason",
        "address",
        "place",
        "node",
        "topic",
        "resource",
        "setting",
        "repeated",
        "worker",
        "status",
        "seconds",
        "records",
        "files",
        "released",
        "held",
        "bytes",
        "different",
        "dropped",
        "failed",
        "gained",
        "lost",
        "types",
        "extents",
        "written",
        "handlings",
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
    }
)
"""Keys allowed in a log line; each value is a number or comes from the program or its settings."""


def allow_keys(_logger: object, _method: str, event: MutableMapping[str, Any]) -> Mapping[str, Any]:
    """Drop every key that is not allowed, and every value that is not a number or a string."""
    kept = {key: value for key, value in event.items() if key in KEYS}
    return {key: value for key, value in kept.items() if _is_plain(value)}


def _is_plain(value: object) -> bool:
    return value is None or isinstance(value, (bool, int, float, str))


class _LibraryHandler(logging.Handler):
    """Logs lines of libraries: as an event of ours if known, else by their source, without text.

    A line that was logged in the last 30 s is only counted.
    """

    def __init__(self) -> None:
        super().__init__()
        self._repeats = Repeats()

    def emit(self, record: logging.LogRecord) -> None:
        event, level, keys = library_lines.mapped(record) or _unknown(record)
        repeated = self._repeats.of((event, *keys.items()))
        if repeated is not None:
            keys |= {"repeated": repeated} if repeated else {}
            _sink.log(level, event, **keys)


def _unknown(record: logging.LogRecord) -> tuple[str, int, dict[str, object]]:
    """Return the source of an unmapped line, at most as a warning for lines of the Kafka client."""
    client = record.name.split(".")[0] == library_lines.CLIENT
    level = min(record.levelno, logging.WARNING) if client else record.levelno
    keys = {"logger": record.name, "module": record.module, "line": record.lineno}
    error = record.exc_info[0] if record.exc_info else None
    return (
        Event.LIBRARY.value,
        level if level >= logging.WARNING else logging.DEBUG,
        keys | (named(error) if error else {}),
    )


class _Sink:
    """Writes lines; until :func:`configure_logs` is called, only warnings, to standard error."""

    def __init__(self) -> None:
        self._logger: Any = _json_logger(logging.WARNING, None)

    def configure(self, level: int, stream: TextIO | None) -> None:
        self._logger = _json_logger(level, stream)

    def log(self, level: int, event: str, **keys: object) -> None:
        self._logger.log(level, event, **keys)


class _StandardError:
    """The current standard error at each write, since it can be replaced or closed."""

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
    """Write JSON lines of the adapter and of libraries to ``stream`` (standard error)."""
    number = logging.getLevelNamesMapping()[level.upper()]
    _sink.configure(number, stream)
    logging.basicConfig(handlers=[_LibraryHandler()], level=number, force=True)
    logging.captureWarnings(capture=True)


def log(event: Event, level: str = "info", **keys: object) -> None:
    """Write one line; an exception given as ``error`` becomes its type and reason (see `named`)."""
    error = keys.get("error")
    if isinstance(error, BaseException):
        keys |= named(error)
    _sink.log(logging.getLevelNamesMapping()[level.upper()], event.value, **keys)


@dataclass(slots=True)
class Audit:
    """Makes the audit records of messages; ``public`` returns the public name of a topic."""

    ruleset_digest: str = ""
    public: Callable[[str], str] = str
    clock: Callable[[], float] = field(default=time.time, repr=False)

    def entry(self, position: Position, processed: Processed, message_id: str = "") -> bytes:
        """Return a message's audit record: a JSON object without message text.

        ``message_id`` is the id in its headers, for readers who may not know its position.
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
    """Return the fields of an outcome that may be published."""
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
    """Return a message's kind if a standard defines it ("ORU^R01", "Bundle"), else "?"."""
    return kind if HL7_KIND.fullmatch(kind) or kind in FHIR_KINDS else "?"
