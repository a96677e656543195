"""N-grams of words and of word shapes around each token, as features."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from itertools import combinations, pairwise
from operator import methodcaller
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
_BARS = methodcaller("count", "|")
"""Counts the bars between the parts of an n-gram."""


class NgramTable:
    """The n-grams for which a model has weights."""

    def __init__(self, attributes: Mapping[str, int]) -> None:
        """Take the table row of each attribute."""
        names = sorted(attributes)
        self._parts = {gram.part: _Parts(gram.part) for gram in NGRAMS}
        cells = [_cells(gram, names, attributes, self._parts[gram.part]) for gram in NGRAMS]
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

    def numbers(self, parts: Sequence[str]) -> Numbers:
        """Return the numbers of parts of known n-grams, assigning one to those that have none."""
        for part in dict.fromkeys(parts):
            self._numbers.setdefault(part, self.count)
        return np.fromiter(map(self._numbers.__getitem__, parts), np.int64, len(parts))

    def of(self, forms: Sequence[str]) -> Numbers:
        if len(self) > MOST_FORMS:
            self.clear()
        return np.fromiter(map(self.__getitem__, forms), np.int64, len(forms))

    def __missing__(self, form: str) -> int:
        number = self[form] = self._numbers.get(self._part(form), 0)
        return number


@dataclass(frozen=True, slots=True)
class _Cells:
    """Known n-grams of one kind: the numbers of their parts, int64 (n-grams, parts).

    ``columns`` are the indices of their features' prefixes, ``rows`` their table rows.
    """

    parts: Numbers
    columns: Numbers
    rows: Numbers


def _cells(
    gram: Ngram, names: Sequence[str], attributes: Mapping[str, int], parts: _Parts
) -> _Cells:
    """Return the n-grams of a kind among the attributes, of which ``names`` are sorted."""
    written: list[str] = []
    columns: list[int] = []
    rows: list[int] = []
    for column, prefix in enumerate(gram.shifts):
        own = _beginning(names, prefix)
        splits, places = _split([name[len(prefix) :] for name in own], len(gram.steps))
        written += splits
        columns += [column] * len(places)
        rows += [attributes[own[place]] for place in places]
    numbers = parts.numbers(written).reshape(-1, len(gram.steps))
    return _Cells(numbers, np.array(columns, np.int64), np.array(rows, np.int64))


def _beginning(names: Sequence[str], prefix: str) -> Sequence[str]:
    """Return the names, of sorted ones, that begin with a prefix."""
    return names[bisect_left(names, prefix) : bisect_left(names, f"{prefix}\U0010ffff")]


def _split(runs: Sequence[str], count: int) -> tuple[list[str], Sequence[int]]:
    """Return the parts of n-grams, one behind the other, and the index of the n-gram of each."""
    bars = list(map(_BARS, runs))
    if not runs or set(bars) == {count - 1}:
        return "|".join(runs).split("|") if runs else [], range(len(runs))
    places = [place for place, number in enumerate(bars) if number == count - 1]
    written = _split([runs[place] for place in places], count)[0]
    for place, number in enumerate(bars):
        for parts in _splits(runs[place], count) if number != count - 1 else ():
            written += parts
            places.append(place)
    return written, places


def _splits(run: str, count: int) -> Iterator[list[str]]:
    """Yield all ways to split an n-gram into its parts: several, if a bar is itself a word."""
    bars = [place for place, character in enumerate(run) if character == "|"]
    for chosen in combinations(bars, count - 1):
        borders = (-1, *chosen, len(run))
        yield [run[before + 1 : after] for before, after in pairwise(borders)]


class _Known:
    """The known n-grams of one kind, in ascending order, and their table rows for each prefix."""

    def __init__(self, gram: Ngram, cells: _Cells, digits: int, unknown: int) -> None:
        self.gram = gram
        self._digits = digits
        runs = self._run(list(cells.parts.T))
        self._runs: Numbers
        self._runs, places = np.unique(np.append(runs, _GREATEST), return_inverse=True)
        self._rows = np.full((len(gram.shifts), len(self._runs)), unknown)
        self._rows[cells.columns, places[:-1]] = cells.rows

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
