"""Long texts in chunks, so that a tagger's memory and time are bounded for any input.

A chunk is a core and its context. Cores are adjacent and end where a paragraph, a line, a sentence
or a word ends; the context on both sides is as long as the longest mention may be, so that each
mention is seen whole in the chunk whose core it touches.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from adapter.types import Span, Veto

LONGEST = 16_384
"""Characters of a text that is read as a whole, and of a core."""
OVERLAP = 1024
"""Characters of context on either side of a core."""
SLACK = 4096
"""Characters before the end of a core in which a better place to cut is searched for."""
CUTS = ("\n\n", "\n", ". ", " ")
"""Where to cut, best first."""


class Piece(NamedTuple):
    """Characters ``[start, end)`` of a text, of which ``[core, stop)`` are its core."""

    start: int
    core: int
    stop: int
    end: int

    def placed(self, found: Iterable[Span | Veto]) -> Iterator[Span | Veto]:
        """Yield what was found in the piece and touches its core, in offsets of the text."""
        low, high = self.core - self.start, self.stop - self.start
        for item in found:
            if item.start < high and item.end > low:
                yield replace(item, start=item.start + self.start, end=item.end + self.start)


def pieces(text: str) -> Iterator[Piece]:
    """Yield the pieces of a text; their cores concatenated are the text."""
    core = 0
    while core < len(text):
        stop = _stop(text, core)
        yield Piece(max(0, core - OVERLAP), core, stop, min(len(text), stop + OVERLAP))
        core = stop


def _stop(text: str, core: int) -> int:
    """Return where the core that begins at ``core`` ends."""
    latest = core + LONGEST
    if latest >= len(text):
        return len(text)
    found = (text.rfind(cut, latest - SLACK, latest) + len(cut) for cut in CUTS)
    return next((place for place in found if place > latest - SLACK), latest)
