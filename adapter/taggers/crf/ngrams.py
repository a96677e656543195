"""N-grams of words and of word shapes around each token, as features."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import TYPE_CHECKING

import numpy as np

from adapter.normalize.folding import fold
from adapter.taggers.crf.word_features import LONGEST_WORD, shape

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]
    from collections.abc import Callable, Mapping, Sequence


def word(form: str) -> str:
    """Return a form as n-grams contain it: folded and cut to `LONGEST_WORD`."""
    return fold(form)[:LONGEST_WORD]


@dataclass(frozen=True, slots=True)
class Ngram:
    """An n-gram of ``part`` (word or shape) of the forms at offsets ``steps`` from its first token.

    In a text padded with `EDGE` on both sides, token i has the feature ``prefix + n-gram`` of the
    n-gram that begins at ``i + shift``, for each (prefix, shift) of ``shifts``.
    """

    part: Callable[[str], str]
    steps: tuple[int, ...]
    shifts: Mapping[str, int]

    def runs(self, forms: Sequence[str]) -> list[str]:
        """Return the n-grams of a text's forms; the first one begins at the padding before them."""
        parts = [self.part(form) for form in (*EDGE, *forms, *EDGE)]
        columns = [parts[step:] for step in self.steps]
        return ["|".join(run) for run in zip(*columns, strict=False)]


EDGE = ("", "")
"""Padding before the first token and after the last one."""
NGRAMS = (
    Ngram(word, (0, 1), {"ab=": 0, "aw=": 1, "wy=": 2, "yz=": 3}),
    Ngram(word, (0, 2), {"ay=": 1}),
    Ngram(shape, (0, 1), {"rs=": 1, "st=": 2}),
    Ngram(shape, (0, 1, 2), {"qrs=": 0, "rst=": 1, "stu=": 2}),
)
"""Pairs of words, pairs of words around another, pairs and triples of shapes."""


MOST_FORMS = 30_000
"""Maximum number of forms whose numbers are cached between texts."""


_GREATEST = np.iinfo(np.int64).max


class NgramTable:
    """The n-grams for which a model has weights."""

    def __init__(self, attributes: Mapping[str, int]) -> None:
        """Take the table row of each attribute."""
        named: dict[str, list[tuple[str, int]]] = {}
        for name, row in attributes.items():
            prefix, sign, run = name.partition("=")
            named.setdefault(prefix + sign, []).append((run, row))
        self._parts = {gram.part: _Parts(gram.part) for gram in NGRAMS}
        cells = [list(_cells(gram, named, self._parts[gram.part])) for gram in NGRAMS]
        self._known = [
            _Known(gram, own, self._parts[gram.part].count, len(attributes))
            for gram, own in zip(NGRAMS, cells, strict=True)
        ]

    def rows(self, forms: Sequence[str]) -> Iterator[Numbers]:
        """Yield, for each feature of `NGRAMS`, the table row of each token, int64 (tokens,).

        An unknown n-gram gets the last row, whose weights are zero.
        """
        edged = (*EDGE, *forms, *EDGE)
        digits = {part: parts.of(edged) for part, parts in self._parts.items()}
        for known in self._known:
            yield from known.rows(digits[known.gram.part], len(forms))


class _Parts(dict[str, int]):
    """Form -> number of its word or shape; 0 for a form in no known n-gram."""

    def __init__(self, part: Callable[[str], str]) -> None:
        super().__init__()
        self._part = part
        self._numbers: dict[str, int] = {}

    @property
    def count(self) -> int:
        return len(self._numbers) + 1

    def number(self, part: str) -> int:
        """Return the number of a part of a known n-gram, assigning one if it has none."""
        return self._numbers.setdefault(part, self.count)

    def of(self, forms: Sequence[str]) -> Numbers:
        if len(self) > MOST_FORMS:
            self.clear()
        return np.fromiter(map(self.__getitem__, forms), np.int64, len(forms))

    def __missing__(self, form: str) -> int:
        number = self[form] = self._numbers.get(self._part(form), 0)
        return number


Cell = tuple[tuple[int, ...], int, int]
"""(numbers of an n-gram's parts, index of its feature's prefix, table row)."""


def _cells(
    gram: Ngram, named: Mapping[str, Sequence[tuple[str, int]]], parts: _Parts
) -> Iterator[Cell]:
    for column, prefix in enumerate(gram.shifts):
        for run, row in named.get(prefix, ()):
            for split in _splits(run, len(gram.steps)):
                yield tuple(map(parts.number, split)), column, row


def _splits(run: str, count: int) -> Iterator[list[str]]:
    """Yield all ways to split an n-gram into its parts: one way, unless a bar is itself a word."""
    if run.count("|") == count - 1:
        yield run.split("|")
        return
    bars = [place for place, character in enumerate(run) if character == "|"]
    for chosen in combinations(bars, count - 1):
        borders = (-1, *chosen, len(run))
        yield [run[before + 1 : after] for before, after in pairwise(borders)]


class _Known:
    """The known n-grams of one kind, in ascending order, and their table rows for each prefix."""

    def __init__(self, gram: Ngram, cells: Sequence[Cell], digits: int, unknown: int) -> None:
        self.gram = gram
        self._digits = digits
        split = np.array([numbers for numbers, _, _ in cells], np.int64)
        runs = self._run(list(split.reshape(-1, len(gram.steps)).T))
        self._runs: Numbers
        self._runs, places = np.unique(np.append(runs, _GREATEST), return_inverse=True)
        self._rows = np.full((len(gram.shifts), len(self._runs)), unknown)
        for place, (_, column, row) in zip(places.tolist(), cells, strict=False):
            self._rows[column, place] = row

    def _run(self, digits: Sequence[Numbers]) -> Numbers:
        run = digits[0]
        for digit in digits[1:]:
            run = run * self._digits + digit
        return run

    def rows(self, digits: Numbers, count: int) -> Iterator[Numbers]:
        """Yield, for each prefix, the table rows of ``count`` tokens, int64 (count,).

        ``digits``, int64 (padded tokens,), are the numbers of the parts of the padded text.
        """
        length = len(digits) - self.gram.steps[-1]
        runs = self._run([digits[step : step + length] for step in self.gram.steps])
        places: Numbers = self._runs.searchsorted(runs)
        places[self._runs[places] != runs] = len(self._runs) - 1
        for rows, shift in zip(self._rows, self.gram.shifts.values(), strict=True):
            yield rows[places[shift : shift + count]]
