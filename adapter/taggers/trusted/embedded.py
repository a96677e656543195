"""Known numbers at the beginning or end of a longer run of digits: an arc of a UID, a barcode."""

from __future__ import annotations

from typing import TYPE_CHECKING

import regex

from adapter.normalize.notation import COMPACT_DAY
from adapter.priorities import PHRASE
from adapter.types import PHRASE_SOURCE, Label, Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from adapter.taggers.document.tokens import Tokens
    from adapter.types import TrustedPhrase

SHORTEST = 8
"""Minimum number of digits in a number recognised within a longer run; fewer occur by chance."""
_FEWEST_MORE = 3
"""Minimum number of further digits in the run: with one or two more it is another number."""
_DAY = regex.compile(COMPACT_DAY)


class Embedded:
    """The numbers to look for, digits only, by length."""

    def __init__(self, numbers: Mapping[str, TrustedPhrase]) -> None:
        """Take all known numbers; short ones, ordinary ones, ZIP codes and days are omitted."""
        self._numbers = {
            digits: phrase
            for digits, phrase in numbers.items()
            if len(digits) >= SHORTEST
            and phrase.label is not Label.ZIP
            and not phrase.ordinary
            and not _DAY.fullmatch(digits)
        }
        self._lengths = sorted({len(digits) for digits in self._numbers}, reverse=True)

    def spans(self, tokens: Tokens) -> Iterator[Span]:
        """Yield a span over each run of digits that begins or ends with a number and is longer."""
        if not self._lengths:
            return
        for place, word in enumerate(tokens.words):
            if len(word) > self._lengths[-1] and word.isdecimal():
                phrase = self._within(word)
                if phrase is not None:
                    yield Span(
                        tokens.starts[place], tokens.ends[place], phrase.label, PHRASE_SOURCE, 1.0,
                        PHRASE, phrase.entity, None,
                    )  # fmt: skip

    def _within(self, word: str) -> TrustedPhrase | None:
        if word.lstrip("0") in self._numbers:
            return None
        found = (self._numbers.get(part) for part in _ends(word, self._lengths))
        return next((phrase for phrase in found if phrase is not None), None)


def _ends(word: str, lengths: Iterable[int]) -> Iterator[str]:
    """Yield the beginnings and ends of these lengths, with and without padding by zeros."""
    for length in lengths:
        if length + _FEWEST_MORE <= len(word):
            yield word[:length]
            yield word[-length:]
            yield word.lstrip("0")[:length]
            yield word.rstrip("0")[-length:]
