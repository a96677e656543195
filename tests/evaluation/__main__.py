"""``make eval``: token-level, type-blind recall and precision of rules, lexicons and phrases."""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from typing import TYPE_CHECKING, Any

from adapter.evaluate.headers import from_header
from adapter.process import Ruleset, find_in
from adapter.taggers.phrases import PhraseIndex
from tests.conftest import data_folder
from tests.corpus.runs import ruleset
from tests.evaluation.tokens import score

if TYPE_CHECKING:
    from collections.abc import Iterator

SETS = {
    "notes_en": ("c", "d", "e", "f", "g", "h"),
    "asq_phi": ("dev",),
    "aci_bench_phi": ("train",),
}


def documents(corpus: str, part: str) -> Iterator[dict[str, Any]]:
    """The annotated documents of one file."""
    path = data_folder() / "corpora" / corpus / f"{part}.jsonl"
    for line in path.read_text("utf-8").splitlines():
        yield json.loads(line)


def tagged(document: dict[str, Any], rules: Ruleset, *, header: bool) -> list[tuple[int, int, str]]:
    """Spans of one document, with or without the phrases its structured fields vouch for."""
    meta = document.get("meta") or {}
    phrases = from_header(meta, rules.words).phrases if header else ()
    found = find_in(document["text"], PhraseIndex.build(phrases), rules.languages[0])
    return [(span.start, span.end, str(span.label)) for span in found]


def measure(corpus: str, part: str, rules: Ruleset, *, header: bool) -> tuple[Counter[str], float]:
    """Token counts over one file, and the seconds tagging took."""
    counts: Counter[str] = Counter()
    seconds = 0.0
    for document in documents(corpus, part):
        start = time.perf_counter()
        spans = tagged(document, rules, header=header)
        seconds += time.perf_counter() - start
        scored = score(document, spans)
        clean = not document["spans"]
        counts += scored
        counts += Counter(documents=1, clean=clean, touched=clean and scored["spurious"] > 0)
    return counts, seconds


def line(name: str, counts: Counter[str], seconds: float) -> str:
    """One row of the table."""
    recall = counts["hit"] / max(1, counts["hit"] + counts["missed"])
    precision = counts["hit"] / max(1, counts["hit"] + counts["spurious"])
    per_thousand = 1000 * counts["spurious"] / max(1, counts["tokens"])
    speed = counts["documents"] / seconds
    return (
        f"{name:34} {recall:7.3f} {precision:7.3f} {per_thousand:9.2f} "
        f"{counts['touched']:4}/{counts['clean']:<4} {speed:8.0f}"
    )


def main() -> None:
    """Print a table; per label too with ``--labels``."""
    rules = ruleset()
    print(f"{'':34} {'recall':>7} {'precis.':>7} {'FP/1000':>9} {'touched':>9} {'docs/s':>8}")
    for corpus, parts in SETS.items():
        for header in (False, True) if corpus == "notes_en" else (False,):
            suffix = " + phrases" if header else ""
            total: Counter[str] = Counter()
            spent = 0.0
            for part in parts:
                counts, seconds = measure(corpus, part, rules, header=header)
                total += counts
                spent += seconds
                if len(parts) > 1:
                    print(line(f"  {corpus}/{part}{suffix}", counts, seconds))
            print(line(f"{corpus}{suffix}", total, spent))
            if "--labels" in sys.argv:
                labels(total)


def labels(counts: Counter[str]) -> None:
    """Recall by gold label and false alarms by predicted label."""
    names = sorted({key.partition(":")[2] for key in counts if ":" in key})
    for name in names:
        hit, missed = counts[f"hit:{name}"], counts[f"missed:{name}"]
        recall = hit / max(1, hit + missed)
        spurious = counts[f"spurious:{name}"]
        print(f"    {name:16} recall {recall:.3f} of {hit + missed:5}  spurious {spurious:5}")


if __name__ == "__main__":
    main()
