"""Pairs and triples of words and of shapes, as a unit sees them around it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from adapter.folding import fold
from adapter.taggers.forms import LONGEST_WORD, shape

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence


def word(form: str) -> str:
    """A form as runs of words show it."""
    return fold(form)[:LONGEST_WORD]


@dataclass(frozen=True, slots=True)
class Gram:
    """A run of what ``part`` makes of forms, those ``steps`` behind its beginning.

    Of a text that `EDGE` extends on both sides, unit i has the feature ``prefix + run`` of the run
    that begins at ``i + shift``, for each prefix of ``shifts``.
    """

    part: Callable[[str], str]
    steps: tuple[int, ...]
    shifts: Mapping[str, int]

    def runs(self, forms: Sequence[str]) -> list[str]:
        """The runs of a text's forms, the first beginning at the edge before them."""
        parts = [self.part(form) for form in (*EDGE, *forms, *EDGE)]
        columns = [parts[step:] for step in self.steps]
        return ["|".join(run) for run in zip(*columns, strict=False)]


EDGE = ("", "")
"""What stands before the first unit and after the last one."""
GRAMS = (
    Gram(word, (0, 1), {"ab=": 0, "aw=": 1, "wy=": 2, "yz=": 3}),
    Gram(word, (0, 2), {"ay=": 1}),
    Gram(shape, (0, 1), {"rs=": 1, "st=": 2}),
    Gram(shape, (0, 1, 2), {"qrs=": 0, "rst=": 1, "stu=": 2}),
)
"""Pairs of words, of words around another, of shapes; triples of shapes."""
