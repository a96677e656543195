"""The gazetteer: the search for items of several tokens in all lists, by their first two words."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from adapter.taggers.wordlists import Lexicon


class Gazetteer:
    """Finds the items of lists in a text."""

    def __init__(self, lexicons: Mapping[str, Lexicon]) -> None:
        """Index lexicons, given by the name that features contain."""
        self._lexicons = lexicons
        self._heads: dict[str, dict[str, list[str]]] = {}
        for name, lexicon in sorted(lexicons.items()):
            for first, second in _heads(lexicon):
                self._heads.setdefault(first, {}).setdefault(second, []).append(name)

    def tell(self, words: Sequence[str], features: Sequence[list[str]]) -> None:
        """Add to each token's features the lists of which it begins (B) or continues (I) an item.

        ``features`` are parallel to ``words`` and are changed in place. Of overlapping items of one
        list the first counts, at its greatest length.
        """
        heads, ends = self._heads, dict.fromkeys(self._lexicons, 0)
        for place, (first, second) in enumerate(pairwise(words)):
            if first in heads and second in heads[first]:
                for name in heads[first][second]:
                    length = self._lexicons[name].longest(words, place)
                    if place >= ends[name] and length > 1:
                        ends[name] = place + length
                        features[place].append(f"x={name}:B")
                        for within in range(place + 1, ends[name]):
                            features[within].append(f"x={name}:I")


def _heads(lexicon: Lexicon) -> set[tuple[str, str]]:
    items = (item.split(" ", 2) for item in lexicon if " " in item)
    return {(words[0], words[1]) for words in items}
