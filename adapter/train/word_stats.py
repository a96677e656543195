"""Build word statistics from the probabilities and Brown clusters of spacy-lookups-data (MIT)."""

from __future__ import annotations

import gzip
import json
import math
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from adapter.errors import RuleError

if TYPE_CHECKING:
    from collections.abc import Iterable

_BASE, _STEP, _MOST = -18.0, 1.2 * math.log(2), 15


def build_word_stats(language: str, forms: int) -> str:
    """Return the text of ``words.txt`` for the most common forms of a language.

    Raises:
        RuleError: the package is missing, or has no tables for the language.
    """
    clusters, probabilities = (_table(language, kind) for kind in ("cluster", "prob"))
    common = sorted(probabilities.items(), key=lambda item: (-item[1], item[0]))
    chosen = [(form, value) for form, value in common if form.isalpha()][:forms]
    return written((form, _bits(int(clusters.get(form, 0))), band(value)) for form, value in chosen)


def written(words: Iterable[tuple[str, str, int]]) -> str:
    """Return the text of a ``words.txt`` from words, the bits of their cluster, and their band."""
    lines: dict[tuple[str, int], list[str]] = {}
    for form, bits, commonness in words:
        lines.setdefault((bits, commonness), []).append(form)
    return "".join(
        f"{bits}\t{commonness}\t{' '.join(sorted(found))}\n"
        for (bits, commonness), found in sorted(lines.items())
    )


def _table(language: str, kind: str) -> dict[str, float]:
    package = find_spec("spacy_lookups_data")
    if package is None or package.origin is None:
        raise RuleError("train", "wordbooks need spacy-lookups-data; install the extra 'train'")
    file = Path(package.origin).parent / "data" / f"{language}_lexeme_{kind}.json.gz"
    if not file.is_file():
        raise RuleError("train", f"spacy-lookups-data has no {kind} table for '{language}'")
    table: dict[str, float] = json.loads(gzip.decompress(file.read_bytes()))
    return table


def _bits(cluster: int) -> str:
    """Return the path of a cluster, first branch first; the package stores paths reversed."""
    return bin(cluster)[:1:-1] if cluster else ""


def band(probability: float) -> int:
    """Return the band of commonness of a word from the logarithm of its probability."""
    return max(0, min(_MOST, int((probability - _BASE) / _STEP)))
