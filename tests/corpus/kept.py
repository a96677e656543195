"""Compares two trees: which values, kept by the older one in kept places, the newer changes.

``PYTHONPATH=TREE python tests/corpus/kept.py record FILE`` in each of the two trees, then
``python -m tests.corpus.kept compare OLDER NEWER [ROWS]``: numbers by element go to standard
output, the changed values themselves to the file ROWS only (JSON lines).
"""

from __future__ import annotations

import json
import os
import pickle
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from adapter.errors import AdapterError
from adapter.types import Handling, Hold
from tests.corpus.runs import Run, ruleset, run_all

if TYPE_CHECKING:
    from collections.abc import Iterator

    from adapter.types import Message

Places = dict[str, tuple[str, str, str | None, bool]]
"""Path -> element, text, output text, and whether the policy keeps the place."""
Record = dict[tuple[str, int], Places | str]
"""(file, number) of a message -> its places, or the reason why it is held."""
DATA = Path(os.environ.get("CLINICAL_DEID_DATA", "../shared/data"))
MOST = 60
"""Most elements listed, those with most changes first."""


def _decoded(run: Run, raw: bytes) -> Message:
    form = "hl7v2" if run.file.startswith("hl7v2") else "fhir"
    return ruleset().codecs[form].decode(raw)


def _places(run: Run) -> Places | str:
    if isinstance(run.outcome, Hold):
        return f"{run.outcome.stage}/{run.outcome.code}"
    message = _decoded(run, run.raw)
    try:
        released = _decoded(run, run.outcome.value or b"")
    except AdapterError:
        return "released/unreadable"
    out = {str(segment.path): str(segment.text) for segment in released.segments}
    return {
        str(segment.path): (
            str(segment.element),
            str(segment.text),
            out.get(segment.path),
            ruleset().policy.action(message.format, segment).handling is Handling.KEEP,
        )
        for segment in message.segments
    }


def record(file: Path) -> None:
    """Write this tree's output for every place."""
    made = {(run.file, run.number): _places(run) for run in run_all(DATA)}
    file.write_bytes(pickle.dumps(made))


def _changed(
    file: str, number: int, before: Places, after: Places
) -> Iterator[tuple[bool, dict[str, Any]]]:
    """Yield every value that the older tree kept, and whether the newer changes it."""
    for path, (element, text, out, keeps) in before.items():
        if keeps and out == text and path in after and after[path][1] == text:
            now = after[path][2]
            row = {"file": file, "number": number, "path": path, "element": element}
            yield now != text, {**row, "text": text, "now": now}


def compare(older: Path, newer: Path, changed: Path | None) -> None:
    """Print how many of the values that the older tree kept the newer one changes."""
    old: Record = pickle.loads(older.read_bytes())
    new: Record = pickle.loads(newer.read_bytes())
    seen: Counter[str] = Counter()
    held: Counter[str] = Counter()
    rows = []
    for (file, number), before in old.items():
        after = new[file, number]
        if isinstance(before, str) or isinstance(after, str):
            held[f"{'ok' if isinstance(before, dict) else before} then {_brief(after)}"] += 1
            continue
        for differs, row in _changed(file, number, before, after):
            seen[file.split("/")[0]] += 1
            rows += [row] if differs else []
    print(f"kept before: {dict(seen)}; changed now: {len(rows)}")
    print(f"held: {dict(held)}")
    for element, count in Counter(row["element"] for row in rows).most_common(MOST):
        print(f"{count:6} {element}")
    if changed is not None:
        changed.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")


def _brief(after: Places | str) -> str:
    return after if isinstance(after, str) else "ok"


if __name__ == "__main__":
    if sys.argv[1] == "record":
        record(Path(sys.argv[2]))
    else:
        rest = sys.argv[4:]
        compare(Path(sys.argv[2]), Path(sys.argv[3]), Path(rest[0]) if rest else None)
