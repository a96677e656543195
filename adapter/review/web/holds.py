"""Explanations of the hold reasons: the meaning of each, and what to do about it."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FILE = Path(__file__).with_name("holds.toml")


@dataclass(frozen=True, slots=True)
class Explained:
    """The explanation of a hold reason."""

    means: str
    advice: str


@cache
def holds() -> dict[str, Explained]:
    """Return the explanation of every hold reason, by "stage/code"."""
    found = tomllib.loads(FILE.read_text("utf-8"))
    return {name: Explained(**said) for name, said in found.items()}


def explained(hold: str) -> Explained | None:
    """Return the explanation of a hold reason; None if this version does not know it."""
    return holds().get(hold)
