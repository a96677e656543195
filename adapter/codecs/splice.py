"""Replaces ranges of a string or of bytes; every codec writes through this module."""

from __future__ import annotations

from typing import TYPE_CHECKING, AnyStr

from adapter.errors import EncodeError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from adapter.types import Edit


def splice(source: AnyStr, replacements: Iterable[tuple[int, int, AnyStr]]) -> AnyStr:
    """Return ``source`` with each half-open range (start, end) replaced.

    Raises:
        EncodeError: two ranges overlap.
    """
    pieces: list[AnyStr] = []
    done = 0
    for start, end, new in sorted(replacements, key=_extent):
        if start < done:
            raise EncodeError("overlapping-edits")
        pieces += (source[done:start], new)
        done = end
    pieces.append(source[done:])
    return source[:0].join(pieces)


def _extent(replacement: tuple[int, int, AnyStr]) -> tuple[int, int]:
    return replacement[:2]


def ordered(edits: Sequence[Edit], length: int) -> list[Edit]:
    """Return the edits of one segment's text of ``length`` characters in order of their start.

    Raises:
        EncodeError: an edit lies outside the text, or two overlap.
    """
    if len(edits) == 1 and 0 <= edits[0].start <= edits[0].end <= length:
        return list(edits)
    result = sorted(edits, key=lambda edit: (edit.start, edit.end))
    done = 0
    for edit in result:
        if not edit.start <= edit.end <= length:
            raise EncodeError("unknown-path")
        if edit.start < done:
            raise EncodeError("overlapping-edits")
        done = edit.end
    return list(result)


def rewritten(text: str, edits: Sequence[Edit]) -> str:
    """Return a segment's text with its edits made; an edit whose text is None empties its range."""
    return splice(text, [(edit.start, edit.end, edit.text or "") for edit in edits])
