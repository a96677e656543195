"""The plan of a replay: fixed before the first message, and compared on resumption."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from adapter.config.replay import DIGEST
from adapter.errors import RuleError
from adapter.replay.manifest import VERSION
from adapter.sealing.key_lookup import surrogates_key
from adapter.sealing.keyring import Entry

if TYPE_CHECKING:
    from collections.abc import Iterator

    from adapter.config.replay import Replay
    from adapter.config.settings import Settings
    from adapter.replay.survey import Survey

_SHOWN = ("records", "keys", "headers", "tombstones", "timestamps", "offsets")


@dataclass(frozen=True, slots=True)
class Plan:
    """Ruleset, key and source of a replay."""

    replay: Replay = field(repr=False)
    ruleset: str
    key_id: str
    fingerprint: str
    survey: Survey = field(repr=False)

    def told(self) -> dict[str, Any]:
        """Return the plan as manifests contain it."""
        source = self.replay.source
        return {
            "v": VERSION,
            "name": self.replay.name,
            "knowledge": self.replay.knowledge,
            "ruleset": f"sha256:{self.ruleset}",
            "key": {"id": self.key_id, "fingerprint": self.fingerprint},
            "source": {
                "kind": source.kind,
                "layout": source.layout,
                "format": source.format,
                **range_of(source),
                "counts": dict(self.survey.counts),
                "lacks": list(self.survey.lacks),
                "warnings": list(self.survey.warnings),
            },
            "inputs": [dict(each) for each in self.survey.inputs],
        }

    def lines(self) -> Iterator[str]:
        """Yield the lines of the plan for people."""
        yield f"ruleset sha256:{self.ruleset}"
        yield f"key {self.key_id} (fingerprint {self.fingerprint})"
        yield f"knowledge {self.replay.knowledge}"
        counts = self.survey.counts
        if counts:
            yield ", ".join(f"{name} {counts.get(name, 0)}" for name in _SHOWN)
        for lane in self.survey.lanes:
            yield f"{lane.name}: offsets {lane.first} to {lane.end - 1}, {lane.records} records"
        yield from (f"lacks {each}" for each in self.survey.lacks)
        yield from (f"warning: {each}" for each in self.survey.warnings)


def range_of(source: Any) -> dict[str, Any]:
    """Return the settings' range of the source; of record keys only the number."""
    told = {
        "topics": list(source.topics),
        "since": source.since.isoformat() if source.since else None,
        "until": source.until.isoformat() if source.until else None,
        "offsets": {name: list(ends) for name, ends in source.offsets.items()},
        "keys": len(source.keys),
    }
    return {name: value for name, value in told.items() if value}


def pinned(settings: Settings, digest: str) -> tuple[str, str]:
    """Return id and fingerprint of the surrogates' key, after comparison with the settings.

    Raises:
        RuleError: the settings require another key or ruleset, or the key cannot be read.
    """
    replay = settings.replay
    key_id, secret = surrogates_key(settings)
    fingerprint = Entry(key_id, "surrogates", "", "active", "", secret).fingerprint
    wanted = DIGEST.fullmatch(replay.ruleset)
    if wanted and not digest.startswith(wanted[1]):
        raise RuleError("replay.ruleset", f"does not match the current ruleset, sha256:{digest}")
    if replay.key and replay.key not in {key_id, fingerprint}:
        raise RuleError("replay.key", f"does not match the current key, {key_id} ({fingerprint})")
    return key_id, fingerprint


def refuse_other(found: dict[str, Any], wanted: dict[str, Any], place: str) -> None:
    """Refuse to resume a replay that was begun with another plan.

    Raises:
        RuleError: the plans differ; the error names the first difference.
    """
    for name, why in _COMPARED.items():
        if found.get(name) != wanted.get(name):
            raise RuleError(
                place,
                f"was begun with another {why}; resume with that, or choose another replay.name",
            )


_COMPARED = {
    "v": "version",
    "ruleset": "ruleset",
    "key": "key",
    "knowledge": "knowledge",
    "inputs": "source: its objects have changed",
    "source": "source",
}
