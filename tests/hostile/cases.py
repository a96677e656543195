"""Hostile cases: messages written to get something past the adapter, and what must not happen.

A case is a JSON line of ``cases/<format>-<class>.jsonl``: ``messages`` (text) or ``messages_b64``,
processed in order as one feed with memory; ``profiles`` it must hold in; strings that are
``forbidden`` in every output (any case, also as letters and digits alone) or ``forbidden_exact``;
strings that must be ``kept`` if a message is released; ``hold`` ("allowed", "never", "required");
places of outputs that must be ``equal`` or ``different`` ([message index, "PID-5.1" or a JSON
pointer]). Everything in them is invented.
"""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent / "cases"
Pair = tuple[tuple[int, str], tuple[int, str]]


@dataclass(frozen=True, slots=True)
class Case:
    """One feed, and the requirements on its outputs."""

    id: str
    kind: str
    form: str
    messages: tuple[bytes, ...] = field(repr=False)
    profiles: tuple[str, ...]
    forbidden: tuple[str, ...] = field(default=(), repr=False)
    exact: tuple[str, ...] = field(default=(), repr=False)
    kept: tuple[str, ...] = field(default=(), repr=False)
    hold: str = "allowed"
    equal: tuple[Pair, ...] = field(default=(), repr=False)
    different: tuple[Pair, ...] = field(default=(), repr=False)
    note: str = ""


def load(folder: Path = FOLDER) -> tuple[Case, ...]:
    """Return every case below a folder, in the order of files and lines."""
    return tuple(
        case_of(json.loads(line))
        for path in sorted(folder.rglob("*.jsonl"))
        for line in path.read_bytes().split(b"\n")
        if line.strip()
    )


def case_of(row: dict[str, Any]) -> Case:
    """Return the case of one line."""
    return Case(
        row["id"],
        f"{row['format']} {row['class']}",
        row["format"],
        tuple(_messages(row)),
        tuple(row["profiles"]),
        tuple(row.get("forbidden", ())),
        tuple(row.get("forbidden_exact", ())),
        tuple(row.get("kept", ())),
        row.get("hold", "allowed"),
        tuple(_pairs(row.get("equal", ()))),
        tuple(_pairs(row.get("different", ()))),
        row["note"],
    )


def _messages(row: dict[str, Any]) -> list[bytes]:
    if "messages_b64" in row:
        return [base64.b64decode(text) for text in row["messages_b64"]]
    return [text.encode("utf-8", "surrogatepass") for text in row["messages"]]


def _pairs(rows: Any) -> list[Pair]:
    return [((int(a[0]), str(a[1])), (int(b[0]), str(b[1]))) for a, b in rows]
