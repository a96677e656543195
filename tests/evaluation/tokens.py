"""Token-level, type-blind counts: a token is protected when a span touches it."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

TOKEN = re.compile(r"[^\W_]+")
YEAR = re.compile(r"(19|20)\d\d")


def score(document: dict[str, Any], spans: list[tuple[int, int, str]]) -> Counter[str]:
    """Hits, misses and false alarms over the tokens of one document.

    Predictions of types that the source does not annotate are no false alarms.
    """
    unlabelled = set((document.get("meta") or {}).get("unlabelled") or ())
    gold = [(s["start"], s["end"], s["type"]) for s in document["spans"]]
    counts: Counter[str] = Counter()
    for token in TOKEN.finditer(document["text"]):
        expected, found = _touching(token, gold), _touching(token, spans)
        counts["tokens"] += 1
        if expected:
            kind = "hit" if found else "missed"
            counts.update((kind, f"{kind}:{expected}"))
        elif found and not _unlabelled(found, token.group(), unlabelled):
            counts.update(("spurious", f"spurious:{found}"))
    return counts


def _touching(token: re.Match[str], spans: list[tuple[int, int, str]]) -> str:
    low, high = token.span()
    return next((label for start, end, label in spans if start < high and end > low), "")


def _unlabelled(label: str, text: str, kinds: set[str]) -> bool:
    """Whether the source leaves such a mention unmarked: a type, or a part of one by name."""
    young = label == "AGE" and "AGE under 90" in kinds and not text.startswith(("9", "1"))
    year = label == "DATE" and "year-only DATE" in kinds and YEAR.fullmatch(text) is not None
    return label in kinds or young or year
