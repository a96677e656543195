"""The report of a run over files: counts, held messages by file and index, throughput; no text.

It contains file names as given, so it must stay with the operator.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from adapter.transports.files.unfinished import replacing
from adapter.types import Hold

if TYPE_CHECKING:
    from pathlib import Path

    from adapter.types import Processed, Record


@dataclass(slots=True)
class FileReport:
    """Counts and holds of one file."""

    released: int = 0
    held: list[dict[str, Any]] = field(default_factory=list, repr=False)
    spans: Counter[str] = field(default_factory=Counter)

    @property
    def messages(self) -> int:
        """The number of all messages."""
        return self.released + len(self.held)


@dataclass(slots=True)
class Report:
    """Collects outcomes: pass :meth:`add` to the runner as ``watch``.

    ``inputs`` and ``finished`` count the files; an interrupted run did not finish all of them.
    """

    files: dict[str, FileReport] = field(default_factory=dict, repr=False)
    reasons: Counter[str] = field(default_factory=Counter)
    inputs: int = 0
    finished: int = 0
    interrupted: bool = False
    bytes: int = 0
    busy_ms: float = 0.0
    since: float = field(default_factory=time.monotonic)

    def add(self, record: Record, processed: Processed) -> None:
        """Count one settled message."""
        entry = self.files.setdefault(record.position.topic, FileReport())
        self.bytes += len(record.value or b"")
        self.busy_ms += processed.milliseconds
        match processed.outcome:
            case Hold(stage, code):
                held = {"offset": record.position.offset, "stage": stage, "code": code}
                entry.held.append(held)
                self.reasons[f"{stage}/{code}"] += 1
            case release:
                entry.released += 1
                entry.spans.update(dict(release.counts))

    def unpublish(self, name: str) -> None:
        """Forget what was released of a file whose output was removed, as it was not finished."""
        entry = self.files.get(name, FileReport())
        entry.released = 0
        entry.spans.clear()

    @property
    def spans(self) -> Counter[str]:
        """The numbers of all spans by label."""
        return sum((entry.spans for entry in self.files.values()), Counter())

    @property
    def messages(self) -> int:
        """The number of all messages."""
        return sum(entry.messages for entry in self.files.values())

    @property
    def released(self) -> int:
        """The number of messages released."""
        return sum(entry.released for entry in self.files.values())

    def as_dict(self) -> dict[str, Any]:
        """Return the report as a JSON-serializable dict."""
        seconds = time.monotonic() - self.since
        return {
            "inputs": self.inputs,
            "finished": self.finished,
            "interrupted": self.interrupted,
            "messages": self.messages,
            "released": self.released,
            "held": self.messages - self.released,
            "holds": dict(sorted(self.reasons.items())),
            "spans": dict(sorted(self.spans.items())),
            "bytes": self.bytes,
            "seconds": round(seconds, 3),
            "worker_seconds": round(self.busy_ms / 1000, 3),
            "messages_per_second": round(self.messages / seconds, 1) if seconds else 0.0,
            "files": {
                name: {"messages": e.messages, "released": e.released, "held": e.held}
                for name, e in sorted(self.files.items())
            },
        }

    def write(self, path: Path) -> None:
        """Write the report atomically.

        Raises:
            OSError: it cannot be written; an older one is unchanged.
        """
        with replacing(path) as stream:
            stream.write(json.dumps(self.as_dict(), indent=2).encode() + b"\n")
