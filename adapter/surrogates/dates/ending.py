"""Patterns that end at a given position of a text, such as the weekday before a date."""

from __future__ import annotations

import regex


class Ending:
    """A pattern whose match must end exactly at a given position.

    A forward search would try the pattern at every character before the position, so the pattern is
    first tried backwards from the position, which nearly always fails at once.
    """

    __slots__ = ("_backward", "_forward")

    def __init__(self, pattern: str, flags: int = 0) -> None:
        """Compile a pattern without its end anchor."""
        whole = rf"(?:{pattern})\Z"
        self._forward = regex.compile(whole, flags)
        self._backward = regex.compile(whole, flags | regex.REVERSE)

    def start(self, text: str, end: int, begin: int = 0) -> int:
        """Return the start of the longest match in ``text[begin:end]``, or ``end`` if none."""
        if self._backward.match(text, begin, end) is None:
            return end
        found = self._forward.search(text, begin, end)
        return end if found is None else found.start()
