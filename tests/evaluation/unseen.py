"""The shipped models on texts that nothing was made from.

    python -m tests.evaluation.unseen

``unseen_texts/`` has a file for each language: ordinary texts of a hospital with invented people,
by authors who knew neither rules nor models. No model has learned them, and no rule was written
with them in sight; keep it so. Each language has a row by rules alone and one with its models.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

from adapter.evaluate.annotations import as_mentions
from adapter.evaluate.corpora.readers import read_corpus
from adapter.evaluate.evaluation import evaluate
from adapter.evaluate.headers import from_header
from adapter.pipeline.language import find_in
from adapter.rules.compile import compile_language, without_models
from adapter.rules.folder import rules_folder
from adapter.taggers.trusted.index import PhraseIndex
from tests.corpus.runs import settings
from tests.evaluation.__main__ import HEAD, line

if TYPE_CHECKING:
    from adapter.config.settings import Settings

FOLDER = Path(__file__).resolve().parent / "unseen_texts"


def row(file: Path, said: Settings, name: str) -> str:
    """One row of the table: a file, read with some settings."""
    texts = list(read_corpus(file))
    language = compile_language(rules_folder(said), file.stem, said)
    pairs, start = [], time.perf_counter()
    for text in texts:
        phrases = from_header(text.meta, language.words).phrases
        index = PhraseIndex.build(phrases, language.words.cues)
        pairs.append((text, as_mentions(find_in(text.text, index, language))))
    return line(f"{file.stem} {name}", evaluate(pairs), time.perf_counter() - start)


def main() -> None:
    """Print the table."""
    print(HEAD)
    for file in sorted(FOLDER.glob("*.jsonl")):
        print(row(file, without_models(settings()), "rules alone"))
        print(row(file, settings(), "with models"))


if __name__ == "__main__":
    main()
