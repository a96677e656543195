"""Batches of segments of tokens, padded to the longest segment."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from adapter.taggers.crf.tokens import BREAK, segments

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from adapter.taggers.crf.tokens import SequenceTokens
    from adapter.taggers.neural.vocabulary import Encoded, Numbers

    Places = NDArray[np.intp]
    Mask = NDArray[np.bool_]

SHARE = 0.5
"""Minimum length of a segment as a share of the longest segment of its batch."""


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """The tokens of a batch of segments: column s is a segment, row t its token t.

    ``places`` is intp (steps, segments), numbers of tokens; ``alive`` is bool (steps, segments),
    False for padding; ``lengths`` is int32 (segments,).
    """

    places: Places = field(repr=False)
    alive: Mask = field(repr=False)
    lengths: Numbers = field(repr=False)

    @classmethod
    def of(cls, begins: Places, lengths: Places, steps: int) -> Grid:
        """Lay out segments by their first tokens and lengths, each intp (segments,)."""
        step = np.arange(steps)[:, None]
        alive = step < lengths
        return cls(np.where(alive, begins + step, 0), alive, lengths.astype(np.int32))

    def words(self, encoded: Encoded) -> Numbers:
        """Return the words of the tokens, int32 (steps, segments)."""
        return np.where(self.alive, encoded.words[self.places], np.int32(0))

    def spelled(self, encoded: Encoded) -> tuple[Numbers, Numbers]:
        """Return each token's row of the spellings, int32 (steps, segments), and the spellings."""
        rows, forms = np.unique(encoded.forms[self.places], return_inverse=True)
        return forms.reshape(self.places.shape).astype(np.int32), encoded.spellings[rows]


def segments_of(tokens: SequenceTokens) -> tuple[Places, Places]:
    """Return first tokens and lengths, intp (segments,), of the segments that contain a word."""
    firsts = segments(tokens) if len(tokens) else []
    begins = np.array(firsts, np.intp)
    lengths = np.diff(begins, append=np.intp(len(tokens)))
    spoken = [
        length > 1 or tokens.forms[first] not in BREAK
        for first, length in zip(firsts, lengths, strict=True)
    ]
    kept = np.array(spoken, np.bool_)
    return begins[kept], lengths[kept]


def grids(begins: Places, lengths: Places) -> Iterator[Grid]:
    """Yield batches of segments of similar length, given by first tokens and lengths."""
    order = np.argsort(-lengths, kind="stable")
    begins, lengths = begins[order], lengths[order]
    first = 0
    while first < len(lengths):
        longest = int(lengths[first])
        last = int(np.searchsorted(-lengths, -SHARE * longest, side="right"))
        yield Grid.of(begins[first:last], lengths[first:last], longest)
        first = last
