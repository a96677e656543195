"""The summary of a dry run: counts by names from closed sets, and speed; no text or coordinates."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from adapter.audit import open_kind
from adapter.types import Hold

if TYPE_CHECKING:
    from adapter.types import Processed, Record


@dataclass(slots=True)
class Summary:
    """Collects outcomes: pass `add` to the service as ``watch``."""

    ruleset: str
    released: Counter[str] = field(default_factory=Counter)
    """Messages by format and kind: "hl7v2 ORU^R01"."""
    held: Counter[str] = field(default_factory=Counter)
    """"stage/code" -> number of messages."""
    spans: Counter[str] = field(default_factory=Counter)
    """Counts by "LABEL/source"; also by "veto/rule", "kept/scanned" and the like."""
    records: int = 0
    bytes: int = 0
    milliseconds: float = 0.0
    """Time in workers, in milliseconds."""
    seconds: float = 0.0
    """Seconds from the first record read to the end, without compiling."""

    def add(self, record: Record, processed: Processed) -> None:
        """Count one message."""
        self.records += 1
        self.bytes += len(record.value or b"")
        self.milliseconds += processed.milliseconds
        match processed.outcome:
            case Hold(stage, code):
                self.held[f"{stage}/{code}"] += 1
            case release:
                kind = f"{release.format} {open_kind(release.kind)}" if release.format else "none"
                self.released[kind] += 1
                self.spans.update(dict(release.counts))

    def as_dict(self) -> dict[str, Any]:
        """Return the summary as a JSON-serializable dict."""
        rate = self.records / self.seconds if self.seconds else 0.0
        return {
            "ruleset": self.ruleset,
            "records": self.records,
            "bytes": self.bytes,
            "released": self.released.total(),
            "held": self.held.total(),
            "kinds": dict(sorted(self.released.items())),
            "holds": dict(sorted(self.held.items())),
            "spans": dict(sorted(self.spans.items())),
            "seconds": round(self.seconds, 3),
            "worker_seconds": round(self.milliseconds / 1000, 3),
            "records_per_second": round(rate, 1),
        }
