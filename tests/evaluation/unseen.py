"""The shipped models on texts that nothing was made from.

    python -m tests.evaluation.unseen

``unseen_texts/`` has a file for each language: ordinary texts of a hospital with invented people,
by authors who knew neither rules nor models. No model has learned them, and no rule was written
with them in sight; keep it so. Each language has a row by rules alone and one with its models, and
with them one for the same texts in small letters, and in capitals.
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
from adapter.train.augment.casing import in_case
from tests.corpus.runs import settings
from tests.evaluation.__main__ import HEAD, line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from adapter.config.settings import Settings
    from adapter.evaluate.annotations import Annotated
    from adapter.pipeline.language import Language

RULES = {"rules alone": str}
MODELS = {"with models": str, "small": str.lower, "capitals": str.upper}
FOLDER = Path(__file__).resolve().parent / "unseen_texts"


def rows(file: Path, said: Settings, forms: Mapping[str, Callable[[str], str]]) -> Iterator[str]:
    """Rows of the table: a file, read with some settings, its letters in several forms."""
    language = compile_language(rules_folder(said), file.stem, said)
    for name, form in forms.items():
        texts = [in_case(text, form) for text in read_corpus(file)]
        yield row(f"{file.stem} {name}", texts, language)


def row(name: str, texts: Iterable[Annotated], language: Language) -> str:
    """One row of the table."""
    pairs, start = [], time.perf_counter()
    for text in texts:
        phrases = from_header(text.meta, language.words).phrases
        index = PhraseIndex.build(phrases, language.words.cues)
        pairs.append((text, as_mentions(find_in(text.text, index, language))))
    return line(name, evaluate(pairs), time.perf_counter() - start)


def main() -> None:
    """Print the table."""
    print(HEAD)
    for file in sorted(FOLDER.glob("*.jsonl")):
        for said, forms in ((without_models(settings()), RULES), (settings(), MODELS)):
            for told in rows(file, said, forms):
                print(told, flush=True)


if __name__ == "__main__":
    main()
