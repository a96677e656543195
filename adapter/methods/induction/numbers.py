"""Candidates that begin with numbers: dates, codes, ages with their unit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.methods.induction.seeds import NUMBER

if TYPE_CHECKING:
    from collections.abc import Iterator

    from adapter.methods.induction.words import Extent, TextWords

_SHORTEST = 4
"""Fewest digits of a number that may be a term alone."""


def numbers(text: TextWords) -> Iterator[Extent]:
    """Yield numbers with the text joined to them, and numbers with the next word."""
    at, size = 0, len(text)
    while at < size:
        if not text.forms[at][0].isdigit() or (text.glued[at] and text.forms[at - 1].isalnum()):
            at += 1
            continue
        end = at + 1
        while end < size and text.glued[end]:
            end += 1
        last = end
        while not text.forms[last - 1].isalnum():
            last -= 1
        if last > at + 1 or len(text.forms[at]) >= _SHORTEST:
            yield at, last, NUMBER
        if last == end < size and text.forms[end].islower() and text.forms[end].isalpha():
            yield at, end + 1, NUMBER
        at = end
