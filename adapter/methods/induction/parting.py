"""Separation of adjacent names, by how often each occurs alone."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from adapter.methods.induction.seeds import CAPITAL

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from adapter.methods.induction.candidates import Grammar
    from adapter.methods.induction.words import Extent, TextWords

_LEAST, _TIMES = 5, 3
"""Fewest occurrences of each part alone, and their least ratio to occurrences of both together."""
_SURE = 20
"""Fewest occurrences of the second part if the first is rarely alone: "Vitoria España"."""


def parted(texts: Sequence[TextWords], grammar: Grammar) -> list[list[Extent]]:
    """Return the candidates of each text; "Madrid España" is split if both are often alone."""
    found = [list(grammar.extents(text)) for text in texts]
    alone: Counter[str] = Counter()
    for text, extents in zip(texts, found, strict=True):
        alone.update(_item(text, extent) for extent in extents if extent[2] == CAPITAL)
    return [
        [part for extent in extents for part in _parts(text, extent, alone, grammar)]
        for text, extents in zip(texts, found, strict=True)
    ]


def _parts(
    text: TextWords, extent: Extent, alone: Mapping[str, int], grammar: Grammar
) -> Iterator[Extent]:
    first, end, kind = extent
    if kind == CAPITAL:
        whole = alone[_item(text, extent)]
        for at in range(first + 1, end):
            left, right = (alone.get(_item(text, (*e, kind)), 0) for e in ((first, at), (at, end)))
            headed = text.words[first] in grammar.heads
            known = headed and left > max(1, whole) and _is_named(text, first, at, grammar)
            if known or _apart(left, right, whole, _LEAST if headed else _SURE):
                yield first, at, kind
                first = at
    yield first, end, kind


def _is_named(text: TextWords, first: int, at: int, grammar: Grammar) -> bool:
    """Whether the first part is a separate name: "Hospital Virgen del Camino" | "Irunlarrea"."""
    named = not grammar.is_plain(" ".join(text.words[first:at]), CAPITAL)
    return named and text.forms[at - 1][0].isupper() and text.forms[at][0].isupper()


def _apart(left: int, right: int, whole: int, sure: int) -> bool:
    """Whether the counts of two parts alone and together indicate two names."""
    both = min(left, right) >= max(_LEAST, _TIMES * whole)
    return both or (left >= whole and right >= max(sure, _TIMES * whole))


def _item(text: TextWords, extent: Extent) -> str:
    return " ".join(text.words[extent[0] : extent[1]])
