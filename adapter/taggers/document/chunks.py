"""Splitting of long texts, so that a tagger's memory and time are bounded for any input.

A piece is a core and its context. Cores are adjacent and end at the end of a paragraph, line,
sentence or word. The context on either side is as long as the longest mention, so that each mention
is whole in the piece whose core it touches.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from adapter.types import Span, Veto

LONGEST = 16_384
"""Maximum number of characters in a text that is read as a whole, and of a core."""
OVERLAP = 1024
"""Characters of context on either side of a core."""
SLACK = 4096
"""Characters before the latest end of a core that are searched for a better place to cut."""
CUTS = ("\n\n", "\n", ". ", " ")
"""Strings to cut after, best first."""


class Piece(NamedTuple):
    """Characters ``[start, end)`` of a text, whose core is ``[core, stop)``."""

    start: int
    core: int
    stop: int
    end: int

    def placed(self, found: Iterable[Span | Veto]) -> Iterator[Span | Veto]:
        """Yield the items of a piece that touch its core, with offsets in the whole text."""
        low, high = self.core - self.start, self.stop - self.start
        for item in found:
            if item.start < high and item.end > low:
                yield replace(item, start=item.start + self.start, end=item.end + self.start)


def pieces(text: str) -> Iterator[Piece]:
    """Yield the pieces of a text; the text is the concatenation of their cores."""
    core = 0
    while core < len(text):
        stop = _stop(text, core)
        yield Piece(max(0, core - OVERLAP), core, stop, min(len(text), stop + OVERLAP))
        core = stop


def _stop(text: str, core: int) -> int:
    """Return the end of the core that begins at ``core``."""
    latest = core + LONGEST
    if latest >= len(text):
        return len(text)
    found = (text.rfind(cut, latest - SLACK, latest) + len(cut) for cut in CUTS)
    return next((place for place in found if place > latest - SLACK), latest)
