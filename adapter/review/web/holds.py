"""What a reason to hold a message means and what to do about it, in words."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FILE = Path(__file__).with_name("holds.toml")


@dataclass(frozen=True, slots=True)
class Explained:
    """A reason in words."""

    means: str
    advice: str


@cache
def holds() -> dict[str, Explained]:
    """Every reason by "stage/code"."""
    found = tomllib.loads(FILE.read_text("utf-8"))
    return {name: Explained(**said) for name, said in found.items()}


def explained(hold: str) -> Explained | None:
    """A reason in words; None of one that a later version has."""
    return holds().get(hold)
