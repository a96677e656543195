"""Pretrained vectors of words, with four bits for each number.

``vectors.bin`` is zlib-compressed: a line of JSON (number of words, width of a vector), then three
little-endian arrays: the folded words in UTF-8, ascending, each padded with zeros to `LONGEST`
bytes; the 16 values that each number of a vector may have (float32 (width, 16)); and the numbers of
these values (uint8 (words, width / 2), those of even places in the higher four bits). The vectors
are read, never learned, so they say nothing about the texts that a network learns from.
"""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from adapter.errors import RuleError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from adapter.taggers.crf.weights import Floats
    from adapter.taggers.neural.batches import Places

    Words = NDArray[np.bytes_]
    Packed = NDArray[np.uint8]

VECTORS = "vectors.bin"
"""File name of the vectors beside a network."""
LEVELS = 16
LONGEST = 24
"""Greatest number of bytes of a word that has a vector."""
MISSING = -1
"""Row of a word without a vector."""
_ROUNDS = 30


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Vectors:
    """Vectors by word; words without one have a vector of zeros.

    ``words``, ``levels`` and ``packed`` are those of the file.
    """

    words: Words = field(repr=False)
    levels: Floats = field(repr=False)
    packed: Packed = field(repr=False)

    @property
    def width(self) -> int:
        """How many numbers a vector has."""
        return len(self.levels)

    @classmethod
    def read(cls, content: bytes) -> Vectors:
        """Parse the content of a ``vectors.bin``.

        Raises:
            RuleError: it is not such a file, or its arrays do not fit what it says of them.
        """
        try:
            head, _, arrays = zlib.decompress(content).partition(b"\n")
            kept = json.loads(head)
            count, width = int(kept["words"]), int(kept["width"])
        except (zlib.error, ValueError, KeyError, TypeError):
            raise RuleError(VECTORS, "is not a file of vectors") from None
        values, rest = 4 * width * LEVELS, count * LONGEST
        if count < 1 or width < 1 or width % 2 or len(arrays) != rest + values + count * width // 2:
            raise RuleError(VECTORS, "has arrays that do not fit its first line")
        words = np.frombuffer(arrays, f"S{LONGEST}", count)
        levels = np.frombuffer(arrays, "<f4", width * LEVELS, rest).reshape(width, LEVELS)
        packed = np.frombuffer(arrays, np.uint8, offset=rest + values).reshape(count, -1)
        if not np.isfinite(levels).all():
            raise RuleError(VECTORS, "has values that are not finite numbers")
        return cls(words, levels, packed)

    @classmethod
    def of(cls, words: Sequence[str], values: Floats) -> Vectors:
        """Store vectors, float32 (words, width), with the best levels for each of their numbers."""
        kept = np.array([word.encode() for word in words], np.bytes_)
        order = np.argsort(kept)
        levels = np.stack([_levels(column) for column in values.T])
        columns = [_nearest(*each) for each in zip(values[order].T, levels, strict=True)]
        numbers = np.stack(columns, axis=1).astype(np.uint8)
        return cls(kept[order], levels, numbers[:, 0::2] * np.uint8(LEVELS) + numbers[:, 1::2])

    def written(self) -> bytes:
        """Return the content of a ``vectors.bin``."""
        head = json.dumps({"words": len(self.words), "width": self.width}).encode() + b"\n"
        words = self.words.astype(f"S{LONGEST}").tobytes()
        return zlib.compress(
            head + words + self.levels.astype("<f4").tobytes() + self.packed.tobytes()
        )

    def rows(self, words: Sequence[str]) -> Places:
        """Return the rows of folded words, intp (words,), or `MISSING`."""
        asked = np.array([word.encode()[: LONGEST + 1] for word in words], np.bytes_)
        places = np.minimum(np.searchsorted(self.words, asked), len(self.words) - 1)
        return np.where(self.words[places] == asked, places, MISSING)

    def shown(self, rows: Places) -> Floats:
        """Return the vectors of rows, float32 (..., width)."""
        packed = self.packed[rows]
        numbers = np.stack((packed >> 4, packed & 15), axis=-1).reshape(*rows.shape, self.width)
        found = np.take(self.levels, numbers + np.arange(0, self.levels.size, LEVELS))
        found[rows == MISSING] = 0
        return found


def _levels(values: Floats) -> Floats:
    """Return 16 ascending numbers near which the values lie (Lloyd 1982)."""
    levels = np.quantile(values, (np.arange(LEVELS) + 0.5) / LEVELS).astype(np.float32)
    for _ in range(_ROUNDS):
        nearest = _nearest(values, levels)
        counts = np.bincount(nearest, minlength=LEVELS)
        sums = np.bincount(nearest, weights=values, minlength=LEVELS)
        levels = np.where(counts, sums / np.maximum(counts, 1), levels).astype(np.float32)
    return levels


def _nearest(values: Floats, levels: Floats) -> Places:
    return np.searchsorted((levels[1:] + levels[:-1]) / 2, values).astype(np.intp)
