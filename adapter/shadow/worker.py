"""The code of the shadow's worker processes: applies both rulesets to a record and compares.

Each message is processed independently: neither ruleset has patient memory, and the values beside
an envelope's messages are ignored.
"""

from __future__ import annotations

import gc
import os
import time
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from adapter.config.settings import Escrow, Vault
from adapter.config.shadow import OF_RULES
from adapter.errors import AdapterError, RuleError
from adapter.pipeline.examining import examine, written
from adapter.pipeline.opening import codec_for
from adapter.rules.compile import load_ruleset
from adapter.shadow.comparison import Compared, View, compare

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adapter.config.settings import Settings
    from adapter.pipeline.examining import Examined
    from adapter.pipeline.ruleset import Ruleset
    from adapter.types import Handling, Record, Span

POLITE = 10
"""Increment of niceness of the shadow's workers relative to those of live messages."""


def shadowed(settings: Settings) -> Settings:
    """Return the settings with the shadow's rules in place of the active ones."""
    of_shadow = {name: getattr(settings.shadow, name) for name in OF_RULES}
    changed = {name: value for name, value in of_shadow.items() if value is not None}
    return settings.model_copy(update={"rules": settings.rules.model_copy(update=changed)})


@dataclass(slots=True)
class CompareBoth:
    """Applies two rulesets to a record and returns their differences without any text."""

    current: Ruleset = field(repr=False)
    shadow: Ruleset = field(repr=False)
    _calls: int = 0

    def __call__(self, record: Record) -> Compared:
        """Compare; the first ruleset alternates, because the second one finds warm caches.

        The first record is processed twice, because both rulesets compile some rules at first use.
        """
        if not self._calls:
            viewed(record, self.current), viewed(record, self.shadow)
        self._calls += 1
        if self._calls % 2:
            current = viewed(record, self.current)
            return compare(current, viewed(record, self.shadow))
        shadow = viewed(record, self.shadow)
        return compare(viewed(record, self.current), shadow)


@dataclass(frozen=True, slots=True)
class LoadBoth:
    """Makes a :class:`CompareBoth` inside a worker process; no vault is used for surrogates.

    With ``digest``, the active ruleset must have that digest.
    """

    current: Settings = field(repr=False)
    shadow: Settings = field(repr=False)
    digest: str = ""

    def __call__(self) -> CompareBoth:
        """Compile both rulesets, at low priority.

        Raises:
            RuleError: a rule cannot be applied, or the active rules have changed on the disk.
        """
        with suppress(OSError):  # a sandbox can forbid it, as deploy/systemd does
            os.nice(POLITE)
        shadow, current = (load_ruleset(_kept_nowhere(s)) for s in (self.shadow, self.current))
        if not self.current.vault.url and self.digest not in ("", current.digest):
            raise RuleError("rules", "changed since they were loaded")
        gc.collect()
        gc.freeze()
        return CompareBoth(current, shadow)


def _kept_nowhere(settings: Settings) -> Settings:
    return settings.model_copy(update={"vault": Vault(), "escrow": Escrow()})


def viewed(record: Record, ruleset: Ruleset) -> View:
    """Return a ruleset's result for a record."""
    since = time.process_time()
    done: list[Examined] = []
    hold = ""
    try:
        ruleset = ruleset.of(record.position.topic)
        for payload in ruleset.envelope.unwrap(record.value or b"").payloads:
            codec = codec_for(payload, ruleset)
            for frame in codec.split(payload):
                done.append(examine(codec, frame.value, ruleset))
                written(codec, done[-1])
    except AdapterError as error:
        hold = str(error)
    except Exception:  # noqa: BLE001 - as `process` does; its text can quote the message
        hold = "bug/unexpected"
    spent = time.process_time() - since
    return View(hold, _spans(done), _handlings(done), _written(done), spent)


def _spans(done: Sequence[Examined]) -> dict[tuple[int, str], tuple[Span, ...]] | None:
    if not done:
        return None
    return {(n, path): spans for n, one in enumerate(done) for path, spans in one.spans.items()}


def _handlings(done: Sequence[Examined]) -> dict[tuple[int, str], Handling]:
    return {
        (n, segment.path): action.handling
        for n, one in enumerate(done)
        for segment, action in zip(one.message.segments, one.actions, strict=True)
    }


def _written(done: Sequence[Examined]) -> dict[tuple[int, str, int, int], str | None]:
    return {(n, e.path, e.start, e.end): e.text for n, one in enumerate(done) for e in one.edits}
