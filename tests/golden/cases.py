"""A golden case is a folder: ``in.*`` (invented), and what must come of it: ``out.*``, spans."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from adapter.pipeline.process import Examined, Ruleset, codec_for, examine, written
from tests.corpus.runs import ruleset

FOLDER = Path(__file__).resolve().parent
PROFILES = ("safe-harbor", "limited-dataset", "gdpr-pseudonymised")
"""What the name of a case of another profile than `research` begins with."""
CASES = sorted(path.parent for path in FOLDER.glob("*/*/in.*"))


@cache
def rules(profile: str) -> Ruleset:
    """The shipped rules of a profile, under the tests' key."""
    return ruleset(profile)


def outcome(case: Path) -> dict[str, bytes]:
    """Content by file name: the released message and every decision about it."""
    source = next(case.glob("in.*"))
    raw = source.read_bytes()
    profile = next((name for name in PROFILES if case.name.startswith(name)), "research")
    codec = codec_for(raw, rules(profile))
    examined = examine(codec, raw, rules(profile))
    released = written(codec, examined)
    return {f"out{source.suffix}": released, "spans.json": _spans(examined)}


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
