"""Text with a map to the source that it was read from, so that edits become source changes."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from adapter.errors import EncodeError

Escape = Callable[[str], str]
"""Writes new text in the notation of the source; given "", whatever must replace removed text."""

Change = tuple[int, int, str]
"""Replace the characters ``[low, high)`` of a source by a string."""

Piece = tuple[int, int, int, int, Escape]
"""Characters ``[start, end)`` of a text, which are at ``[low, high)`` of its source.

A piece whose lengths are equal corresponds character by character; any other (an entity, an escape)
only as a whole. A piece without source (``low == high``) was inserted by the reader, such as a line
break between two paragraphs.
"""


def as_is(text: str) -> str:
    """Return the text unchanged, for a notation without escapes."""
    return text


def words(text: str) -> frozenset[str]:
    """Return a set of names from a string that separates them by white space."""
    return frozenset(text.split())


@dataclass(frozen=True, slots=True)
class Passage:
    """A text and the pieces of source that it was read from, in order.

    ``removal`` is the change that removes the whole place; if None, removal empties the text.
    """

    text: str = field(repr=False)
    pieces: tuple[Piece, ...] = field(repr=False)
    removal: Change | None = field(default=None, repr=False)

    def changes(self, start: int, end: int, text: str | None) -> list[Change]:
        """Return the source changes that replace ``[start, end)`` of the text by ``text``.

        The new text replaces the first covered piece; the other covered pieces are emptied.
        """
        if text is None and self.removal is not None:
            return [self.removal]
        covered = [p for p in self._touched(start, end) if p[2] < p[3]]
        if not covered:
            return [self._insertion(start, text or "")]
        head, *rest = covered
        return [self._change(head, start, end, text or "")] + [
            self._change(piece, start, end, "") for piece in rest
        ]

    def _touched(self, start: int, end: int) -> Iterable[Piece]:
        first = bisect_right(self.pieces, start, key=_start) - 1
        for index in range(max(first, 0), len(self.pieces)):
            piece = self.pieces[index]
            if piece[0] >= end:
                return
            if piece[1] > start:
                yield piece

    def _change(self, piece: Piece, start: int, end: int, text: str) -> Change:
        begin, stop, low, high, escape = piece
        cut, keep = max(start, begin), min(end, stop)
        if stop - begin == high - low:
            return low + cut - begin, low + keep - begin, escape(text)
        return low, high, escape(self.text[begin:cut] + text + self.text[keep:stop])

    def _insertion(self, at: int, text: str) -> Change:
        """Return the change that inserts text at ``at``, in or beside the source piece before."""
        real = [piece for piece in self.pieces if piece[2] < piece[3]]
        if not real:
            raise EncodeError("unknown-path")
        begin, stop, low, high, escape = real[max(bisect_right(real, at, key=_start) - 1, 0)]
        if at <= begin:
            return low, low, escape(text)
        if at < stop and stop - begin == high - low:
            return low + at - begin, low + at - begin, escape(text)
        return high, high, escape(text)


def _start(piece: Piece) -> int:
    return piece[0]


class Trail:
    """Builds a passage piece by piece while a reader walks through its source."""

    __slots__ = ("_length", "_pieces", "_separator", "_texts", "last")

    def __init__(self) -> None:
        self._texts: list[str] = []
        self._pieces: list[Piece] = []
        self._length = 0
        self._separator: tuple[str, int] | None = None
        self.last = "\n"
        """The last character so far; a text begins as if after a line break."""

    def add(self, text: str, low: int, high: int, escape: Escape) -> None:
        """Append text that is at ``[low, high)`` of the source."""
        if text:
            if self._separator is not None:
                (separator, at), self._separator = self._separator, None
                self.add(separator, at, at, as_is)
            end = self._length + len(text)
            self._texts.append(text)
            self._pieces.append((self._length, end, low, high, escape))
            self._length = end
            self.last = text[-1]

    def separate(self, separator: str, at: int) -> None:
        """Insert a separator that is not in the source, if more text follows."""
        if self.last not in "\n" + separator:
            self._separator = (separator, at)
            self.last = separator

    def passage(self, removal: Change | None = None) -> Passage:
        """Return the passage built so far."""
        return Passage("".join(self._texts), tuple(self._pieces), removal)
