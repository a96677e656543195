"""Build a network's ``vectors.bin`` from a language's lexicons and word clusters.

    python -m adapter.train.word_knowledge es --out models/es/neural/vectors.bin

For languages without pretrained vectors whose licence allows them to be shipped. A word's vector
says how strong it is in each lexicon of ``rules/lexicons``, how common it is, and, by sums of
random numbers, the ends of the branches of the cluster tree on the way to it (``words.txt`` of the
language's model), so that words of one branch have similar vectors. The same input gives the same
bytes.
"""

from __future__ import annotations

import zlib
from pathlib import Path  # noqa: TC003 - typer reads it
from typing import TYPE_CHECKING, Annotated

import numpy as np
import typer

from adapter.normalize.folding import fold
from adapter.rules.folder import Folder, shipped
from adapter.rules.models import shown
from adapter.taggers.crf.word_stats import WordStats
from adapter.taggers.neural.vectors import Vectors
from adapter.train.command import command_of
from adapter.train.vectors import fits

if TYPE_CHECKING:
    from collections.abc import Mapping

    from adapter.taggers.crf.weights import Floats
    from adapter.taggers.wordlists import Lexicon

BRANCHES = (4, 6, 8, 10, 13, 16)
"""Lengths of the parts of a cluster's path that have numbers of their own."""
WIDTH = 48
"""How many numbers tell of the cluster."""
_STRENGTHS, _BANDS = 20.0, 16.0
_SPREAD = 0.4


def build(
    language: Annotated[str, typer.Argument(help="Code of the language.")],
    *,
    out: Annotated[Path, typer.Option("--out", "-o", help="File to write.")],
) -> None:
    """Write the vectors of all words of a language's lexicons and clusters."""
    lexicons = shown(language, Folder(shipped("rules")).lexicons(language))
    text = (shipped("models") / language / "words.txt").read_text("utf-8")
    out.write_bytes(Vectors.of(*vectors_of(lexicons, WordStats.parse(text))).written())


def vectors_of(lexicons: Mapping[str, Lexicon], stats: WordStats) -> tuple[list[str], Floats]:
    """Return the folded words and their vectors, float32 (words, width); the width is even."""
    forms = _commonest(stats)
    listed = {word for lexicon in lexicons.values() for word in lexicon if fits(word)}
    words = sorted(listed | {word for word in forms if fits(word)})
    names = sorted(lexicons)
    values = np.zeros((len(words), WIDTH + len(names) + 1 + (len(names) + 1) % 2), np.float32)
    branches: dict[str, Floats] = {}
    for row, word in enumerate(words):
        for column, name in enumerate(names, WIDTH):
            if word in lexicons[name]:
                values[row, column] = (1 + lexicons[name].strengths[word]) / _STRENGTHS + _SPREAD
        if form := forms.get(word):
            values[row, WIDTH + len(names)] = (1 + stats.bands[form]) / _BANDS
            values[row, :WIDTH] = _cluster(stats.clusters[form], branches)
    return words, values


def _commonest(stats: WordStats) -> dict[str, str]:
    """Return each folded word's commonest form."""
    found: dict[str, str] = {}
    for form in sorted(stats.bands, key=lambda form: (-stats.bands[form], form)):
        found.setdefault(fold(form), form)
    return found


def _cluster(path: str, known: dict[str, Floats]) -> Floats:
    """Return the sum of the numbers of a path's branches, float32 (`WIDTH`,)."""
    parts = {path[:length] for length in BRANCHES}
    for part in parts - known.keys():
        random = np.random.default_rng(zlib.crc32(part.encode()))
        known[part] = random.normal(0, _SPREAD / len(BRANCHES) ** 0.5, WIDTH).astype(np.float32)
    total: Floats = np.sum([known[part] for part in sorted(parts)], axis=0)
    return total


if __name__ == "__main__":
    command_of(build)()
