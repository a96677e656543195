"""Token-aligned extents: snapped to tokens, resized, and found again for the same phrase."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

import regex

from adapter.normalize.folding import fold
from adapter.taggers.document.tokens import tokenize

if TYPE_CHECKING:
    from collections.abc import Iterator

_GAP = regex.compile(r"\s+")


def snapped(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Return the extent widened to whole tokens, without white space; None if it has no token.

    An empty extent is a caret: the result is the token that it is in or before.
    """
    tokens = tokenize(text)
    first = bisect_right(tokens.ends, start)
    if first == len(tokens):
        return None
    last = max(first, bisect_left(tokens.starts, end) - 1)
    if start < end <= tokens.starts[first]:
        return None
    return tokens.starts[first], tokens.ends[last]


def resized(text: str, start: int, end: int, *, left: int = 0, right: int = 0) -> tuple[int, int]:
    """Return the extent with its borders moved by ``left`` and ``right`` tokens.

    Negative numbers move towards the start of the text. The extent keeps at least one token, and
    stays within the text.
    """
    tokens = tokenize(text)
    first = bisect_right(tokens.ends, start)
    last = bisect_left(tokens.starts, end) - 1
    if not 0 <= first <= last:
        return start, end
    last = min(max(last + right, first), len(tokens) - 1)
    first = min(max(first + left, 0), last)
    return tokens.starts[first], tokens.ends[last]


def canonical(phrase: str) -> str:
    """Return a phrase for comparison: folded, with one blank between its words."""
    return _GAP.sub(" ", fold(phrase)).strip()


def occurrences(text: str, phrase: str) -> Iterator[tuple[int, int]]:
    """Yield the extents of a phrase in a text: whole words only, in any case and spacing."""
    words = canonical(phrase).split(" ")
    if not words[0]:
        return
    body = r"\s+".join(regex.escape(word) for word in words)
    found = regex.compile(rf"(?<![\p{{L}}\p{{N}}]){body}(?![\p{{L}}\p{{N}}])")
    for match in found.finditer(fold(text)):
        yield match.span()


def neighbours(text: str, start: int, end: int) -> tuple[str, str]:
    """Return the folded words before and after an extent in its sentence; "" if there is none."""
    before = regex.search(r"([\p{L}\p{N}'-]+)[ \t]+$", text[:start])
    behind = regex.match(r"[ \t]+([\p{L}\p{N}'-]+)", text[end:])
    return fold(before[1]) if before else "", fold(behind[1]) if behind else ""
