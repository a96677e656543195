"""Names that stand side by side with nothing between them, told by how often each is alone."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from adapter.methods.induction.seeds import CAPITAL

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from adapter.methods.induction.candidates import Extent, Grammar
    from adapter.methods.induction.words import TextWords

_LEAST, _TIMES = 5, 3
"""How often a part must be alone, and how many times as often as with the other part."""


def parted(texts: Sequence[TextWords], grammar: Grammar) -> list[list[Extent]]:
    """Return the candidates of each text; "Madrid España" is two where both are often alone."""
    found = [list(grammar.extents(text)) for text in texts]
    alone: Counter[str] = Counter()
    for text, extents in zip(texts, found, strict=True):
        alone.update(_item(text, extent) for extent in extents if extent[2] == CAPITAL)
    return [
        [part for extent in extents for part in _parts(text, extent, alone)]
        for text, extents in zip(texts, found, strict=True)
    ]


def _parts(text: TextWords, extent: Extent, alone: Mapping[str, int]) -> Iterator[Extent]:
    first, end, kind = extent
    if kind == CAPITAL:
        whole = alone[_item(text, extent)]
        for at in range(first + 1, end):
            left, right = (first, at, kind), (at, end, kind)
            if _often(text, (left, right), alone, whole):
                yield left
                first = at
    yield first, end, kind


def _often(text: TextWords, parts: Iterable[Extent], alone: Mapping[str, int], whole: int) -> bool:
    counts = [alone.get(_item(text, part), 0) for part in parts]
    return min(counts) >= max(_LEAST, _TIMES * whole)


def _item(text: TextWords, extent: Extent) -> str:
    return " ".join(text.words[extent[0] : extent[1]])
