"""A golden case is a folder: ``in.*`` (invented), and what must come of it.

That is the released message (``out.*``) with its spans, or the stage and code it is held with
(``hold.json``).
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from adapter.errors import AdapterError
from adapter.pipeline.examining import Examined, examine, written
from adapter.pipeline.opening import codec_for
from tests.corpus.runs import ruleset

if TYPE_CHECKING:
    from adapter.pipeline.ruleset import Ruleset

FOLDER = Path(__file__).resolve().parent
PROFILES = ("safe-harbor", "limited-dataset", "gdpr-pseudonymised")
"""What the name of a case of another profile than `research` begins with."""
CASES = sorted(path.parent for path in FOLDER.glob("*/*/in.*"))


@cache
def rules(profile: str) -> Ruleset:
    """The shipped rules of a profile, under the tests' key."""
    return ruleset(profile)


def outcome(case: Path) -> dict[str, bytes]:
    """Content by file name: the released message and every decision about it, or the hold."""
    source = next(case.glob("in.*"))
    profile = next((name for name in PROFILES if case.name.startswith(name)), "research")
    try:
        released, spans = _released(source.read_bytes(), rules(profile))
    except AdapterError as error:
        held = json.dumps({"stage": error.stage, "code": error.code})
        return {"hold.json": f"{held}\n".encode()}
    return {f"out{source.suffix}": released, "spans.json": spans}


def _released(raw: bytes, ruleset: Ruleset) -> tuple[bytes, bytes]:
    codec = codec_for(raw, ruleset)
    examined = examine(codec, raw, ruleset)
    return written(codec, examined), _spans(examined)


def _spans(examined: Examined) -> bytes:
    rows = [
        {
            "path": segment.path,
            "text": segment.text[span.start : span.end],
            "label": str(span.label),
            "source": span.source,
            "entity": span.entity,
        }
        for segment in examined.message.segments
        for span in examined.spans.get(segment.path, ())
    ]
    lines = (json.dumps(row, ensure_ascii=False) for row in rows)
    return ("[\n" + ",\n".join(lines) + "\n]\n").encode()
