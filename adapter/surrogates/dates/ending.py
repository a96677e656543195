"""Patterns of what ends at a given place of a text, such as the weekday before a date."""

from __future__ import annotations

import regex


class Ending:
    """A pattern that is to end exactly at a place.

    Searching forward would try it at every character before; it is first tried backwards from the
    place, which fails at once nearly everywhere.
    """

    __slots__ = ("_backward", "_forward")

    def __init__(self, pattern: str, flags: int = 0) -> None:
        """Compile a pattern without its end anchor."""
        whole = rf"(?:{pattern})\Z"
        self._forward = regex.compile(whole, flags)
        self._backward = regex.compile(whole, flags | regex.REVERSE)

    def start(self, text: str, end: int, begin: int = 0) -> int:
        """Return where the longest match in ``text[begin:end]`` begins; ``end`` if none."""
        if self._backward.match(text, begin, end) is None:
            return end
        found = self._forward.search(text, begin, end)
        return end if found is None else found.start()
