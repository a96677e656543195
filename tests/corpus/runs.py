"""Runs the adapter over every sample message once, over all cores, for the tests that read it."""

from __future__ import annotations

import base64
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from itertools import islice
from multiprocessing import get_context
from typing import TYPE_CHECKING

from adapter import codecs
from adapter.config.settings import Settings, load_settings
from adapter.pipeline.process import process
from adapter.rules.compile import load_ruleset
from adapter.types import Outcome, Position, Record

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from adapter.pipeline.ruleset import Ruleset

KEY = {"surrogates": {"id": "test", "value": base64.b64encode(bytes(range(32))).decode()}}


@cache
def ruleset(profile: str = "research") -> Ruleset:
    """Return the shipped rules under a fixed key, compiled once in a process."""
    return load_ruleset(settings(profile))


def settings(profile: str = "research") -> Settings:
    """Return the shipped rules' settings under a fixed key."""
    return load_settings(None, keys=KEY, rules={"profile": profile}, transport="files")


@dataclass(frozen=True, slots=True)
class Run:
    """One sample message and its outcome; ``file`` is relative to the messages' folder."""

    file: str
    number: int
    raw: bytes = field(repr=False)
    outcome: Outcome


@dataclass(slots=True)
class _Worker:
    rules: Ruleset | None = None


_WORKER = _Worker()


def _start() -> None:
    _WORKER.rules = ruleset()


def _run(place: tuple[str, int, bytes]) -> Run:
    file, number, raw = place
    assert _WORKER.rules is not None
    record = Record(raw, Position("samples", 0, number))
    return Run(file, number, raw, process(record, _WORKER.rules))


def sample_messages(folder: Path) -> Iterable[tuple[str, int, bytes]]:
    """Yield every message of every sample file, with its number in the file."""
    made = ruleset().codecs
    for part in ("hl7v2", "fhir"):
        for path in sorted((folder / "messages" / part).rglob("*")):
            if path.is_file() and path.name not in {"manifest.jsonl", "index.jsonl"}:
                raw = path.read_bytes()
                codec = made[codecs.detect(raw) or part]
                name = str(path.relative_to(folder / "messages"))
                for number, frame in enumerate(codec.split(raw)):
                    yield name, number, frame.value


def run_all(folder: Path, every: int = 1) -> list[Run]:
    """Return the outcome of every sample message, or of every fourth and so on."""
    ruleset()  # the workers are forked, with what is compiled here
    with ProcessPoolExecutor(mp_context=get_context("fork"), initializer=_start) as pool:
        return list(pool.map(_run, islice(sample_messages(folder), 0, None, every), chunksize=16))
