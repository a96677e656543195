"""The description of a job for tasks: settings without secrets, ruleset digest, knowledge."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from adapter.config.settings import load_settings
from adapter.errors import RuleError
from adapter.rules.digest import digest
from adapter.rules.folder import models_folder, rules_folder

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from adapter.config.settings import Key, Settings

PARTITIONS = ("lane", "patient")
KNOWLEDGE = ("as-of", "hindsight", "none")
TOLD = {"rules", "keys", "known", "workers", "topic", "envelope"}
"""Sections of the settings that tasks need; other sections may contain hosts and passwords."""


@dataclass(frozen=True, slots=True)
class Job:
    """The description of a job; keys are included only as names of files."""

    settings: str = field(repr=False)
    """JSON of the sections in `TOLD`."""
    digest: str
    knowledge: str = "as-of"

    def loaded(self) -> Settings:
        """Return the driver's settings, independent of the worker's environment variables.

        Raises:
            RuleError: a setting cannot be applied on this worker.
        """
        return load_settings(None, said=json.loads(self.settings), transport="files")


def job(settings: Settings, partition: str, knowledge: str) -> Job:
    """Check the settings, and return the job for tasks, which contains no secret.

    Raises:
        RuleError: a key is not in a file, or a setting cannot be applied on Spark.
    """
    _refuse(settings, partition, knowledge)
    told: dict[str, Any] = settings.model_dump(mode="json", include=TOLD)
    for name, path in _paths(settings):
        _put(told, name, str(path.absolute()))
    told["rules"]["site"] = [str(path.absolute()) for path in settings.rules.site]
    text = json.dumps(told, sort_keys=True)
    known = knowledge if settings.known.enabled else "none"
    return Job(text, digest(rules_folder(settings).path, models_folder(settings), settings), known)


def _refuse_services(settings: Settings) -> None:
    """Raise RuleError for services of one machine or of the live run."""
    if settings.vault.url:
        raise RuleError(
            "vault.url", "cannot be shared by many machines; derive surrogates from the key alone"
        )
    if settings.registry.url:
        raise RuleError(
            "registry.url",
            "is not supported on Spark; use `replay` for values of a schema registry",
        )
    if settings.escrow.enabled:
        raise RuleError("escrow.enabled", "is supported by the live run only")


def _refuse(settings: Settings, partition: str, knowledge: str) -> None:
    if partition not in PARTITIONS:
        raise RuleError("partition", f"must be one of {', '.join(PARTITIONS)}")
    if knowledge not in KNOWLEDGE:
        raise RuleError("knowledge", f"must be one of {', '.join(KNOWLEDGE)}")
    for name, key in _keys(settings):
        if key.file is None:
            raise RuleError(
                name, "must be read from a file: Spark must not carry keys or variables"
            )
    if settings.keys.surrogates is None and settings.keys.ring is None:
        raise RuleError("keys.surrogates", "is not set; make a key with `deid-adapter keys new`")
    _refuse_services(settings)
    if knowledge == "hindsight" and partition == "lane":
        raise RuleError(
            "knowledge", "hindsight needs one memory for all lanes; partition by patient"
        )
    if settings.known.enabled and settings.known.scope == "domain" and knowledge == "as-of":
        problem = "as-of needs an order across topics, which no source has (known.scope is domain)"
        raise RuleError("knowledge", f"{problem}; use hindsight or none")


def _keys(settings: Settings) -> Iterator[tuple[str, Key]]:
    keys = settings.keys
    named = {"surrogates": keys.surrogates, "quarantine": keys.quarantine, "state": keys.state}
    yield from ((f"keys.{name}", key) for name, key in named.items() if key is not None)
    yield from ((f"keys.quarantine_old[{at}]", key) for at, key in enumerate(keys.quarantine_old))


def _paths(settings: Settings) -> Iterator[tuple[tuple[str | int, ...], Path]]:
    """Yield (place in the settings, path) for paths that must become absolute for tasks."""
    rules, keys = settings.rules, settings.keys
    for name in ("folder", "models", "names"):
        if path := getattr(rules, name):
            yield ("rules", name), path
    if keys.ring:
        yield ("keys", "ring"), keys.ring
    for name in ("surrogates", "quarantine", "state"):
        key = getattr(keys, name)
        if key and key.file:
            yield ("keys", name, "file"), key.file
    for at, key in enumerate(keys.quarantine_old):
        if key.file:
            yield ("keys", "quarantine_old", at, "file"), key.file


def _put(table: Any, place: tuple[str | int, ...], value: str) -> None:
    *above, last = place
    for name in above:
        table = table[name]
    table[last] = value
